/* define.c - a component of the ground program as a theory; see theory.h.
**
** Written M for an input and F for its twin, a rule becomes
**   hard a <- B            F_a <- B;  if a is not guessed, a <- B
**   hard a | b <- B        F_a <- B, not M_b;  F_b <- B, not M_a
**   choice {a} <- B        F_a <- B, M_a
**   soft a | b <- B        F_a <- B, M_a, not M_b;  ...
** where B reads the twins of atoms in the head's own positive loop and the
** inputs otherwise, and constraints say M_a -> F_a and, if a hard rule derives
** a, F_a -> M_a.  A guessed atom that is free to hold (a choice or soft rule
** without a body) needs no twin: its hard rules are constraints. */
#include "compile/theory.h"

#include "base/memory.h"
#include "base/status.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  Theory *t;
  const TheorySource *s;
  uint32_t *twin;   /* by member: its twin; THEORY_NONE: none */
  bool *free;       /* by member: a choice without a body */
  bool *by_formula; /* by member: its scc is founded by formula */
  bool *forced;     /* by member: a hard rule derives it */
} Maker;

static const Rule *rule_at(const Maker *m, size_t i) {
  assert(i < m->s->rule_count);
  return &m->s->ground->rules.at[m->s->rules[i]];
}

static bool can_be_free(const Rule *r) {
  return !r->size && (r->choice || (r->instance != NONE && r->heads == 1));
}

static void find_free(Maker *m) {
  for (size_t i = 0; i < m->s->rule_count; i++) {
    const Rule *r = rule_at(m, i);
    for (uint32_t h = 0; h < r->heads; h++) {
      uint32_t a = m->s->position[rule_heads(m->s->ground, r)[h]];
      m->free[a] |= can_be_free(r);
      m->forced[a] |= !r->choice && r->instance == NONE;
    }
  }
}

static bool needs_formula(const TheorySource *s, Atom a) {
  uint32_t scc = s->analysis->scc[a];
  if (s->analysis->head_cyclic[scc])
    return true;
  return s->foundedness == FOUNDED_BY_FORMULA && s->analysis->looping[scc];
}

static uint32_t loop_of(const TheorySource *s, Atom a) {
  uint32_t scc = s->analysis->scc[a];
  return s->analysis->looping[scc] ? scc + 1 : 0;
}

static void make_atoms(Maker *m) {
  const TheorySource *s = m->s;
  for (uint32_t a = 0; a < s->member_count; a++) {
    m->by_formula[a] = needs_formula(s, s->members[a]);
    bool input = s->strata->guessed[s->members[a]] || m->by_formula[a];
    theory_atom(m->t, input, input ? 0 : loop_of(s, s->members[a]));
  }
  for (uint32_t a = 0; a < s->member_count; a++) {
    bool twin = m->t->input.at[a] && !m->free[a] && !m->by_formula[a];
    m->twin[a] = twin ? theory_atom(m->t, false, loop_of(s, s->members[a])) : THEORY_NONE;
  }
}

/* The literal as the theory reads it outside of loops. */
static uint32_t outside(const Maker *m, Lit l) {
  assert(m->s->position[lit_atom(l)] < m->s->member_count);
  return lit_of(m->s->position[lit_atom(l)], lit_negated(l));
}

/* The literal as a rule for `head` reads it. */
static uint32_t inside(const Maker *m, Atom head, Lit l) {
  assert(m->s->position[lit_atom(l)] < m->s->member_count);
  const Analysis *an = m->s->analysis;
  uint32_t twin = m->twin[m->s->position[lit_atom(l)]];
  bool own = !lit_negated(l) && an->scc[lit_atom(l)] == an->scc[head];
  return own && twin != THEORY_NONE ? lit_of(twin, false) : outside(m, l);
}

/* Adds a weighted rule for `head`, its body read for `reader` (NONE: outside). */
static void weighted_rule(Maker *m, uint32_t head, const Rule *r, Atom reader) {
  const Lit *body = rule_body(m->s->ground, r);
  uint32_t *literals = memory_zero(r->size, sizeof *literals);
  for (uint32_t k = 0; k < r->size; k++)
    literals[k] = reader == NONE ? outside(m, body[k]) : inside(m, reader, body[k]);
  theory_weighted(m->t, head, literals, rule_weights(m->s->ground, r), r->size, (uint32_t)r->bound);
  free(literals);
}

/* Starts a rule for `head` with the body of r, to which literals may be added:
** a weighted body gets an atom of its own. */
static void start_rule(Maker *m, uint32_t head, const Rule *r, Atom reader) {
  const Lit *body = rule_body(m->s->ground, r);
  if (r->weighted) {
    uint32_t loop = reader == NONE ? 0 : loop_of(m->s, reader);
    uint32_t sum = theory_atom(m->t, false, loop);
    weighted_rule(m, sum, r, reader);
    theory_rule(m->t, head);
    theory_literal(m->t, lit_of(sum, false));
    return;
  }
  theory_rule(m->t, head);
  for (uint32_t k = 0; k < r->size; k++)
    theory_literal(m->t, reader == NONE ? outside(m, body[k]) : inside(m, reader, body[k]));
}

static void deny_heads(Maker *m, const Rule *r, Atom but) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (rule_heads(m->s->ground, r)[h] != but)
      theory_literal(m->t, outside(m, lit_of(rule_heads(m->s->ground, r)[h], true)));
}

/* What the rule does for the support of one of its heads. */
static void support(Maker *m, const Rule *r, Atom head) {
  uint32_t a = m->s->position[head];
  if (!m->t->input.at[a]) { /* a hard rule with this one head */
    assert(r->heads == 1 && !r->choice && r->instance == NONE);
    if (r->weighted)
      weighted_rule(m, a, r, head);
    else
      start_rule(m, a, r, head);
    return;
  }
  if (m->twin[a] == THEORY_NONE)
    return;
  start_rule(m, m->twin[a], r, head);
  if (r->choice || r->instance != NONE)
    theory_literal(m->t, lit_of(a, false));
  if (!r->choice)
    deny_heads(m, r, head);
}

/* Whether the heads' definitions make sure that a hard rule is satisfied. */
static bool satisfied_by_definition(const Maker *m, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++) {
    uint32_t a = m->s->position[rule_heads(m->s->ground, r)[h]];
    if (!m->t->input.at[a] || m->twin[a] != THEORY_NONE)
      return true;
  }
  return false;
}

/* The violation of a soft rule: a literal, or a new atom that stands for it. */
static void add_event(Maker *m, const Rule *r) {
  uint32_t weight = m->s->ground->instances.at[r->instance].weight;
  assert(weight < m->s->ground->weights.n);
  uint32_t literal;
  if (r->size + r->heads == 1 && !r->weighted) {
    literal = r->size ? outside(m, rule_body(m->s->ground, r)[0])
                      : outside(m, lit_of(rule_heads(m->s->ground, r)[0], true));
  } else {
    uint32_t event = theory_atom(m->t, false, 0);
    start_rule(m, event, r, NONE);
    deny_heads(m, r, NONE);
    literal = lit_of(event, false);
  }
  m->t->event.at[lit_atom(literal)] |= !m->t->input.at[lit_atom(literal)];
  vec_push(&m->t->terms, (TheoryTerm){literal, weight});
}

static void add_rule(Maker *m, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++)
    support(m, r, rule_heads(m->s->ground, r)[h]);
  if (r->instance != NONE) {
    add_event(m, r);
  } else if (!r->choice && !satisfied_by_definition(m, r)) {
    start_rule(m, THEORY_NONE, r, NONE);
    deny_heads(m, r, NONE);
  }
}

/* M_a and F_a agree. */
static void tie_twins(Maker *m) {
  for (uint32_t a = 0; a < m->s->member_count; a++) {
    if (m->twin[a] == THEORY_NONE)
      continue;
    theory_rule(m->t, THEORY_NONE);
    theory_literal(m->t, lit_of(a, false));
    theory_literal(m->t, lit_of(m->twin[a], true));
    if (!m->forced[a]) /* all its rules need M_a already */
      continue;
    theory_rule(m->t, THEORY_NONE);
    theory_literal(m->t, lit_of(m->twin[a], false));
    theory_literal(m->t, lit_of(a, true));
  }
}

static Status add_formulas(Maker *m) {
  const Analysis *an = m->s->analysis;
  bool *done = memory_zero(an->sccs, 1);
  Status status = OK;
  for (uint32_t a = 0; a < m->s->member_count && status == OK; a++) {
    uint32_t scc = an->scc[m->s->members[a]];
    if (!m->by_formula[a] || done[scc])
      continue;
    done[scc] = true;
    status = theory_add_minimality(m->t, m->s, scc);
  }
  free(done);
  return status;
}

Status theory_make(Theory *t, const TheorySource *s) {
  assert(!t->atoms && !t->rules.n);
  Maker m = {.t = t, .s = s};
  m.twin = memory_zero(s->member_count, sizeof *m.twin);
  m.free = memory_zero(s->member_count, 1);
  m.by_formula = memory_zero(s->member_count, 1);
  m.forced = memory_zero(s->member_count, 1);
  t->members = s->member_count;
  find_free(&m);
  make_atoms(&m);
  for (size_t i = 0; i < s->rule_count; i++)
    add_rule(&m, rule_at(&m, i));
  tie_twins(&m);
  Status status = add_formulas(&m);
  free(m.twin);
  free(m.free);
  free(m.by_formula);
  free(m.forced);
  if (status == OK)
    theory_seal(t);
  return status;
}
