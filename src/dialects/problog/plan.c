/* plan.c - what each predicate needs: does it depend on a choice, can
** clingo compute all of it, or only what is asked for?
**
** A predicate is plain if its clauses give a value to each variable, whatever is
** asked, and do not count or build terms in a circle.  The others are computed
** from the queries on (problog_call.c), as ProbLog does with all. */
#include "dialects/problog/problog.h"

#include "base/graph.h"
#include "base/memory.h"
#include "base/names.h"
#include "dialects/dialect.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void literal_variables(const Problog *p, const Literal *l, Variables *to) {
  problog_variables(p, l->left, to);
  if (l->right != NO_TERM)
    problog_variables(p, l->right, to);
  if (l->more != NO_TERM)
    problog_variables(p, l->more, to);
}

bool problog_bound(const Problog *p, TermId t, const Variables *bound) {
  Variables v = {0};
  bool all = true;
  problog_variables(p, t, &v);
  for (size_t i = 0; i < v.n; i++)
    all &= variables_have(bound, v.at[i]);
  vec_free(&v);
  return all;
}

bool literal_binds(const Problog *p, const Literal *l, Variables *bound) {
  size_t before = bound->n;
  if (l->kind == L_ATOM || (l->kind == L_IS && problog_bound(p, l->right, bound)) ||
      (l->kind == L_BETWEEN && problog_bound(p, l->right, bound) &&
       problog_bound(p, l->more, bound)))
    problog_variables(p, l->left, bound);
  return bound->n > before;
}

/* Those that clingo finds a value for by itself, in any order. */
static void bind_all(const Problog *p, const Clause *c, Variables *bound) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < c->body.n; i++)
      more |= literal_binds(p, &c->body.at[i], bound);
  }
}

/* ---- plain predicates ------------------------------------------------------------------ */

static bool builds(const Problog *p, const Clause *c) {
  for (size_t i = 0; i < c->body.n; i++)
    if (c->body.at[i].kind == L_IS || c->body.at[i].kind == L_BETWEEN)
      return true;
  for (size_t i = 0; i < c->heads.n; i++) {
    TermId head = c->heads.at[i].head;
    for (uint32_t k = 0; k < problog_at(p, head)->count; k++) {
      TermId t = problog_argument(p, head, k);
      if (problog_at(p, t)->count && !problog_ground(p, t))
        return true;
    }
  }
  return false;
}

/* Local variables of a negation need no value. */
static bool needs_value(const Problog *p, const Clause *c, size_t literal, uint32_t variable) {
  Variables v = {0};
  for (size_t i = 0; i < c->heads.n; i++)
    problog_variables(p, c->heads.at[i].head, &v);
  for (size_t i = 0; i < c->body.n; i++)
    if (i != literal)
      literal_variables(p, &c->body.at[i], &v);
  bool needs = variables_have(&v, variable);
  vec_free(&v);
  return needs;
}

static bool is_safe(const Problog *p, const Clause *c) {
  Variables bound = {0};
  bool safe = true;
  bind_all(p, c, &bound);
  for (size_t i = 0; i < c->heads.n; i++) {
    const Alternative *a = &c->heads.at[i];
    safe &= problog_bound(p, a->head, &bound);
    safe &= a->kind != A_EXPRESSION || problog_bound(p, a->expression, &bound);
  }
  for (size_t i = 0; safe && i < c->body.n; i++) {
    Variables v = {0};
    literal_variables(p, &c->body.at[i], &v);
    for (size_t k = 0; k < v.n; k++)
      if (c->body.at[i].kind != L_NEGATED || needs_value(p, c, i, v.at[k]))
        safe &= variables_have(&bound, v.at[k]);
    vec_free(&v);
  }
  vec_free(&bound);
  return safe;
}

static uint32_t predicate_in(Problog *p, const Literal *l) {
  return l->kind == L_ATOM || l->kind == L_NEGATED ? problog_predicate_of(p, l->left) : UINT32_MAX;
}

static bool is_plain(Problog *p, const Predicate *q, const Clause *c) {
  bool recursive = false;
  for (size_t i = 0; i < c->body.n; i++) {
    uint32_t other = predicate_in(p, &c->body.at[i]);
    if (other == UINT32_MAX)
      continue;
    if (!p->predicates.at[other].plain)
      return false;
    recursive |= p->predicates.at[other].component == q->component;
  }
  return c->never || (is_safe(p, c) && !(recursive && builds(p, c)));
}

static bool is_random(Problog *p, const Clause *c) {
  for (size_t i = 0; i < c->heads.n; i++) {
    const Alternative *a = &c->heads.at[i];
    if (a->kind != A_NONE && !(a->kind == A_NUMBER && a->probability == 1))
      return true;
  }
  for (size_t i = 0; i < c->body.n; i++) {
    uint32_t other = predicate_in(p, &c->body.at[i]);
    if (other != UINT32_MAX && p->predicates.at[other].random)
      return true;
  }
  return false;
}

/* Not random, and no negation of what is computed by calls. */
static bool is_exact(Problog *p, const Clause *c) {
  for (size_t i = 0; i < c->body.n; i++) {
    uint32_t other = predicate_in(p, &c->body.at[i]);
    if (other == UINT32_MAX)
      continue;
    const Predicate *q = &p->predicates.at[other];
    if (!q->exact || (c->body.at[i].kind == L_NEGATED && !q->plain))
      return false;
  }
  return true;
}

static void find_components(Problog *p) {
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < p->predicates.n; i++)
    for (size_t k = 0; k < p->predicates.at[i].clauses.n; k++) {
      const Clause *c = &p->clauses.at[p->predicates.at[i].clauses.at[k]];
      for (size_t l = 0; l < c->body.n; l++) {
        uint32_t other = predicate_in(p, &c->body.at[l]);
        if (other != UINT32_MAX)
          vec_push(&edges, (GraphEdge){i, other});
      }
    }
  uint32_t *component = graph_component_of(&edges, p->predicates.n);
  for (size_t i = 0; i < p->predicates.n; i++)
    p->predicates.at[i].component = component[i];
  free(component);
}

/* Changes a property of predicates until nothing changes. */
static void settle(Problog *p,
                   void (*change)(Problog *, Predicate *, const Clause *, bool *changed)) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->predicates.n; i++)
      for (size_t k = 0; k < p->predicates.at[i].clauses.n; k++) {
        Predicate *q = &p->predicates.at[i];
        change(p, q, &p->clauses.at[q->clauses.at[k]], &changed);
      }
  }
}

static void change_random(Problog *p, Predicate *q, const Clause *c, bool *changed) {
  if (!q->random && !c->never && is_random(p, c))
    q->random = *changed = true;
}

static void change_plain(Problog *p, Predicate *q, const Clause *c, bool *changed) {
  if (q->plain && !is_plain(p, q, c))
    q->plain = false, *changed = true;
}

static void change_exact(Problog *p, Predicate *q, const Clause *c, bool *changed) {
  if (q->exact && (q->random || (!c->never && !is_exact(p, c))))
    q->exact = false, *changed = true;
}

/* ---- names ---------------------------------------------------------------------------- */

char *problog_fresh(Problog *p, const char *stem) {
  Text text = {0};
  text_puts(&text, stem);
  for (unsigned k = 2; names_find(&p->used, text.at, text.n) != UINT32_MAX; k++) {
    text.n = 0;
    text_printf(&text, "%s_%u", stem, k);
  }
  names_add(&p->used, text.at, text.n);
  return text_take(&text);
}

static void name_predicate(Problog *p, Predicate *q) {
  assert(!q->text && !q->possible);
  const char *name = problog_text(p, q->name);
  bool ours = *name != '\'' && strchr(name, ' ');
  if (problog_plain_name(name)) {
    q->text = memory_copy(name, strlen(name));
  } else {
    Text stem = {0};
    text_puts(&stem, ours ? "" : "quoted_");
    for (const char *s = name; *s; s++)
      if ((unsigned char)*s < 128 && (isalnum((unsigned char)*s) || *s == ' ' || *s == ':'))
        text_add(&stem, isalnum((unsigned char)*s) ? s : "_", 1);
    q->text = problog_fresh(p, stem.at);
    vec_free(&stem);
    if (ours)
      dialect_hide(p->dialect, q->text);
    else
      problog_rename(p->dialect->program, q->text, name);
  }
  if (q->exact)
    return;
  Text stem = {0};
  text_printf(&stem, "possible_%s", q->text);
  q->possible = problog_fresh(p, stem.at);
  vec_free(&stem);
  dialect_hide(p->dialect, q->possible);
}

/* ---- direct heads --------------------------------------------------------------------- */

/* Does the clause have a soft rule of its own for each atom of the head?  Its
** body must not be random, and the head must tell the instance. */
static bool tells_instance(Problog *p, const Clause *c) {
  assert(c->heads.n);
  Variables head = {0}, all = {0};
  problog_variables(p, c->heads.at[0].head, &head);
  bool good = c->heads.n == 1;
  for (size_t i = 0; i < c->body.n; i++) {
    uint32_t other = predicate_in(p, &c->body.at[i]);
    good &= other == UINT32_MAX || p->predicates.at[other].exact;
    literal_variables(p, &c->body.at[i], &all);
  }
  for (size_t i = 0; i < all.n; i++)
    good &= variables_have(&head, all.at[i]);
  vec_free(&head);
  vec_free(&all);
  return good;
}

/* Is it the only clause, or are all clauses different facts? */
static bool is_direct(Problog *p, const Predicate *q) {
  Names heads = {0};
  bool direct = true;
  for (size_t i = 0; direct && i < q->clauses.n; i++) {
    const Clause *c = &p->clauses.at[q->clauses.at[i]];
    direct = tells_instance(p, c) &&
             (q->clauses.n == 1 || (!c->body.n && problog_ground(p, c->heads.at[0].head)));
    if (!direct || q->clauses.n == 1)
      continue;
    Text head = {0};
    problog_write_atom(p, c, q->text, c->heads.at[0].head, &head);
    direct = names_add(&heads, head.at, head.n) == i; /* a new one */
    vec_free(&head);
  }
  names_free(&heads);
  return direct;
}

/* ---- the whole ------------------------------------------------------------------------- */

static void check_defined(Problog *p) {
  for (size_t i = 0; i < p->clauses.n; i++) {
    const Clause *c = &p->clauses.at[i];
    for (size_t k = 0; k < c->body.n; k++) {
      uint32_t q = predicate_in(p, &c->body.at[k]);
      if (q != UINT32_MAX && !p->predicates.at[q].defined && !p->unknown_fails)
        problog_error(p, problog_at(p, c->body.at[k].left)->place,
                      "`:- unknown(fail).` makes it false", "there is no clause for %s",
                      p->signatures.list.at[q]);
    }
  }
}

static void check_asked(Problog *p, const Asked *list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t q = problog_predicate_of(p, list[i].atom);
    if (q != UINT32_MAX && !p->predicates.at[q].defined && !p->unknown_fails)
      problog_error(p, problog_at(p, list[i].atom)->place, "`:- unknown(fail).` makes it false",
                    "there is no clause for %s", p->signatures.list.at[q]);
  }
}

/* In ProbLog a variable without a value makes a negation mean 'for no value'. */
static void check_negations(Problog *p, const Clause *c) {
  Variables bound = {0};
  for (size_t i = 0; i < c->heads.n; i++)
    problog_variables(p, c->heads.at[i].head, &bound); /* of the call, or reported later */
  for (size_t i = 0; i < c->body.n; i++) {
    Variables v = {0};
    const Literal *l = &c->body.at[i];
    literal_variables(p, l, &v);
    for (size_t k = 0; l->kind == L_NEGATED && k < v.n; k++)
      if (!variables_have(&bound, v.at[k]) && needs_value(p, c, i, v.at[k]))
        problog_error(p, problog_at(p, l->left)->place,
                      "move the negation behind the goal that gives it one", "%s has no value yet",
                      problog_text(p, c->names.at[v.at[k]]));
    literal_binds(p, l, &bound);
    vec_free(&v);
  }
  vec_free(&bound);
}

void problog_plan(Problog *p) {
  assert(p->predicates.n == p->signatures.list.n);
  check_defined(p);
  check_asked(p, p->queries.at, p->queries.n);
  check_asked(p, p->evidence.at, p->evidence.n);
  check_asked(p, p->observed.at, p->observed.n);
  for (size_t i = 0; i < p->clauses.n; i++)
    check_negations(p, &p->clauses.at[i]);
  if (p->failed)
    return;
  find_components(p);
  for (size_t i = 0; i < p->predicates.n; i++)
    p->predicates.at[i].plain = p->predicates.at[i].exact = true;
  settle(p, change_random);
  settle(p, change_plain);
  settle(p, change_exact);
  for (size_t i = 0; i < p->names.list.n; i++)
    names_add(&p->used, p->names.list.at[i], strlen(p->names.list.at[i]));
  for (size_t i = 0; i < p->predicates.n; i++) {
    name_predicate(p, &p->predicates.at[i]);
    p->predicates.at[i].direct = p->predicates.at[i].plain && is_direct(p, &p->predicates.at[i]);
  }
}
