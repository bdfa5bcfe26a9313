/* guard.c - arithmetic that clingo would get wrong without a word: its
** integers have 32 bits and wrap, and it compares what is no number by an order of
** its own.  For each operand there is a rule that derives a guard atom if its value
** is out of bounds (all else is larger than the integers in clingo's order); such
** an atom in the ground program is an error (ground/translated.c). */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = (1 << 30) - 1, LARGEST_FACTOR = 46340 }; /* sums and products stay below 2^31 */

typedef struct {
  Problog *p;
  uint32_t clause;
  const char *condition; /* gives values to the variables */
  Variables *guarded;    /* as far as sums go */
  Place place;
} Guarding;

/* Notes the place; the guard atom's number. */
static size_t guard_number(Problog *p, Place place) {
  Program *program = p->dialect->program;
  if (!program->guard) {
    program->guard = problog_fresh(p, "out_of_bounds");
    dialect_hide(p->dialect, program->guard);
  }
  for (size_t i = 0; i < program->guards.n; i++)
    if (!memcmp(&program->guards.at[i], &place, sizeof place))
      return i;
  vec_push(&program->guards, place);
  return program->guards.n - 1;
}

static void guard_operand(Guarding *x, TermId operand, int limit) {
  assert(limit > 0 && x->condition);
  Problog *p = x->p;
  const Term *t = problog_at(p, operand);
  if (t->kind == P_INTEGER && t->integer <= limit && t->integer >= -limit)
    return;
  if (t->kind == P_VARIABLE && limit == LARGEST) {
    if (variables_have(x->guarded, t->name))
      return;
    vec_push(x->guarded, t->name);
  }
  size_t number = guard_number(p, x->place);
  Text value = {0}, rule = {0};
  problog_write_expression(p, &p->clauses.at[x->clause], operand, &value);
  for (int sign = 1; sign >= -1; sign -= 2) {
    text_printf(&rule, "%s(%zu) :- %s%s%s%s%d.", p->dialect->program->guard, number, x->condition,
                *x->condition ? "; " : "", value.at, sign > 0 ? ">" : "<", sign * limit);
    problog_put(p, &p->clauses.at[x->clause], &rule);
  }
  vec_free(&value);
}

static void guard_expression(Guarding *x, TermId t) {
  uint32_t n = problog_at(x->p, t)->count;
  int limit = problog_is(x->p, t, "*", 2) ? LARGEST_FACTOR : LARGEST;
  for (uint32_t i = 0; i < n; i++) {
    guard_expression(x, problog_argument(x->p, t, i));
    guard_operand(x, problog_argument(x->p, t, i), limit);
  }
}

/* A side that is computed: its operands, or itself if it is none. */
static void guard_side(Guarding *x, TermId t) {
  if (problog_at(x->p, t)->kind == P_VARIABLE)
    guard_operand(x, t, LARGEST);
  else
    guard_expression(x, t);
}

void problog_guard(Problog *p, uint32_t clause, const Literal *l, const char *condition,
                   Variables *guarded) {
  Guarding x = {p, clause, condition, guarded, p->clauses.at[clause].place};
  if (l->kind == L_COMPARE && l->arithmetic)
    guard_side(&x, l->left);
  if ((l->kind == L_COMPARE && l->arithmetic) || l->kind == L_IS || l->kind == L_BETWEEN)
    guard_side(&x, l->right);
  if (l->kind == L_BETWEEN)
    guard_side(&x, l->more);
}

static bool is_arithmetic(const Literal *l) {
  return l->kind == L_IS || l->kind == L_BETWEEN || (l->kind == L_COMPARE && l->arithmetic);
}

static bool is_computable(const Problog *p, const Literal *l, const Variables *bound) {
  Variables v = {0};
  bool all = true;
  if (l->kind == L_COMPARE)
    problog_variables(p, l->left, &v);
  problog_variables(p, l->right, &v);
  if (l->kind == L_BETWEEN)
    problog_variables(p, l->more, &v);
  for (size_t i = 0; i < v.n; i++)
    all &= variables_have(bound, v.at[i]);
  vec_free(&v);
  return all;
}

static void add_literal(Problog *p, uint32_t clause, const Literal *l, Text *to) {
  Text text = {0};
  const char *before = to->n ? "; " : "";
  if (problog_write_literal(p, &p->clauses.at[clause], l, true, &text))
    text_printf(to, "%s%s", before, text.at);
  vec_free(&text);
}

/* Atoms give values; then arithmetic as soon as it can be computed, in the order
** of the text. */
void problog_guard_clause(Problog *p, uint32_t clause) {
  assert(clause < p->clauses.n);
  size_t n = p->clauses.at[clause].body.n, left = 0;
  Variables bound = {0}, guarded = {0};
  Text condition = {0};
  bool *done = memory_zero(n, sizeof *done);
  text_puts(&condition, "");
  for (size_t i = 0; i < n; i++)
    left += is_arithmetic(&p->clauses.at[clause].body.at[i]);
  for (size_t i = 0; left && i < n; i++) {
    const Literal *l = &p->clauses.at[clause].body.at[i];
    done[i] = !is_arithmetic(l);
    if (l->kind == L_ATOM) {
      add_literal(p, clause, l, &condition);
      literal_binds(p, &p->clauses.at[clause].body.at[i], &bound);
    }
  }
  for (bool more = true; more && left;) {
    more = false;
    for (size_t i = 0; i < n; i++) {
      Literal l = p->clauses.at[clause].body.at[i];
      if (done[i] || !is_computable(p, &l, &bound))
        continue;
      problog_guard(p, clause, &l, condition.at, &guarded);
      add_literal(p, clause, &p->clauses.at[clause].body.at[i], &condition);
      literal_binds(p, &l, &bound);
      done[i] = more = true;
      left--;
    }
  }
  free(done);
  vec_free(&bound);
  vec_free(&guarded);
  vec_free(&condition);
}
