/* unify.c - unification at reading time: `X = f(Y)` is gone before clingo
** sees the clause. */
#include "dialects/problog/problog.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static TermId value_of(const Problog *p, const Bindings *b, TermId t) {
  while (p->terms.at[t].kind == P_VARIABLE && p->terms.at[t].name < b->values.n &&
         b->values.at[p->terms.at[t].name] != NO_TERM)
    t = b->values.at[p->terms.at[t].name];
  return t;
}

static bool occurs(const Problog *p, const Bindings *b, uint32_t variable, TermId t) {
  t = value_of(p, b, t);
  if (p->terms.at[t].kind == P_VARIABLE)
    return p->terms.at[t].name == variable;
  for (uint32_t i = 0; i < p->terms.at[t].count; i++)
    if (occurs(p, b, variable, problog_argument(p, t, i)))
      return true;
  return false;
}

static bool bind(Problog *p, Bindings *b, uint32_t variable, TermId t) {
  assert(t < p->terms.n);
  if (occurs(p, b, variable, t))
    return false;
  while (b->values.n <= variable)
    vec_push(&b->values, NO_TERM);
  b->values.at[variable] = t;
  return true;
}

/* The list behind its first n elements. */
static TermId rest_of(Problog *p, TermId list, uint32_t n) {
  assert(p->terms.at[list].kind == P_LIST && n < p->terms.at[list].count);
  Term t = p->terms.at[list];
  if (n + 1 == t.count)
    return problog_argument(p, list, n);
  VEC(TermId) rest = {0};
  for (uint32_t i = n; i < t.count; i++)
    vec_push(&rest, problog_argument(p, list, i));
  t.count -= n;
  TermId made = problog_term(p, t, rest.at);
  vec_free(&rest);
  return made;
}

static bool unify_lists(Problog *p, Bindings *b, TermId x, TermId y) {
  uint32_t n =
      p->terms.at[x].count < p->terms.at[y].count ? p->terms.at[x].count : p->terms.at[y].count;
  for (uint32_t i = 0; i + 1 < n; i++)
    if (!problog_unify(p, b, problog_argument(p, x, i), problog_argument(p, y, i)))
      return false;
  return problog_unify(p, b, rest_of(p, x, n - 1), rest_of(p, y, n - 1));
}

bool problog_unify(Problog *p, Bindings *b, TermId x, TermId y) {
  x = value_of(p, b, x), y = value_of(p, b, y);
  Term s = p->terms.at[x], t = p->terms.at[y];
  if (x == y || (s.kind == P_VARIABLE && t.kind == P_VARIABLE && s.name == t.name))
    return true;
  if (s.kind == P_VARIABLE)
    return bind(p, b, s.name, y);
  if (t.kind == P_VARIABLE)
    return bind(p, b, t.name, x);
  if (s.kind != t.kind)
    return false;
  switch (s.kind) {
  case P_INTEGER: return s.integer == t.integer;
  case P_FLOAT: return s.real == t.real;
  case P_LIST: return unify_lists(p, b, x, y);
  default: break;
  }
  if (s.name != t.name || s.count != t.count)
    return false;
  for (uint32_t i = 0; i < s.count; i++)
    if (!problog_unify(p, b, problog_argument(p, x, i), problog_argument(p, y, i)))
      return false;
  return true;
}

/* A list whose tail became a list is one list. */
static TermId flat_list(Problog *p, Term list, TermId *arguments) {
  assert(list.kind == P_LIST && list.count);
  TermId tail = arguments[list.count - 1];
  if (p->terms.at[tail].kind != P_LIST)
    return problog_term(p, list, arguments);
  VEC(TermId) all = {0};
  for (uint32_t i = 0; i + 1 < list.count; i++)
    vec_push(&all, arguments[i]);
  for (uint32_t i = 0; i < p->terms.at[tail].count; i++)
    vec_push(&all, problog_argument(p, tail, i));
  list.count = (uint32_t)all.n;
  TermId made = problog_term(p, list, all.at);
  vec_free(&all);
  return made;
}

TermId problog_apply(Problog *p, const Bindings *b, TermId t) {
  t = value_of(p, b, t);
  Term term = p->terms.at[t];
  if (!term.count || p->failed)
    return t;
  TermId *arguments = memory_zero(term.count, sizeof *arguments);
  bool same = true;
  for (uint32_t i = 0; i < term.count; i++) {
    arguments[i] = problog_apply(p, b, problog_argument(p, t, i));
    same &= arguments[i] == problog_argument(p, t, i);
  }
  TermId made = same                  ? t
                : term.kind == P_LIST ? flat_list(p, term, arguments)
                                      : problog_term(p, term, arguments);
  free(arguments);
  return made;
}

void problog_variables(const Problog *p, TermId t, Variables *to) {
  assert(t < p->terms.n);
  const Term *term = &p->terms.at[t];
  if (term->kind == P_VARIABLE)
    variables_add(to, term->name);
  for (uint32_t i = 0; i < term->count; i++)
    problog_variables(p, problog_argument(p, t, i), to);
}

bool problog_ground(const Problog *p, TermId t) {
  const Term *term = &p->terms.at[t];
  bool ground = term->kind != P_VARIABLE;
  for (uint32_t i = 0; ground && i < term->count; i++)
    ground = problog_ground(p, problog_argument(p, t, i));
  return ground;
}

bool problog_is(const Problog *p, TermId t, const char *name, uint32_t arity) {
  const Term *term = &p->terms.at[t];
  return (term->kind == P_COMPOUND || (term->kind == P_ATOM && !arity)) && term->count == arity &&
         !strcmp(problog_text(p, term->name), name);
}
