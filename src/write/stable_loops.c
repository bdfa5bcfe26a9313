/* stable_loops.c - loop formulas for a component with head cycles.
**
** For each set L of its atoms that is connected in the positive dependency
** graph (or single): if all of L holds, then a rule with a head in L holds
** without L, that is, its body holds even if the atoms of L are false, and no
** head outside of L holds (of a choice, heads don't matter). */
#include "write/stable.h"

#include "base/memory.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "write/cnf.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  Stable *s;
  const Atom *atoms;
  uint32_t n;
  uint32_t below[STABLE_MOST], above[STABLE_MOST]; /* neighbours, as bits */
  bool *member;                                    /* by atom: it is in L */
  int32_t *inside;                                 /* by atom: false in L, else as in the model */
  VEC(uint32_t) rules;                             /* with a head in the component, each once */
} Loops;

static uint32_t position(const Loops *l, Atom a) {
  uint32_t i = 0;
  while (i < l->n && l->atoms[i] != a)
    i++;
  return i;
}

static void find_neighbours(Loops *l, const Rule *r) {
  const Ground *g = l->s->g;
  for (uint32_t h = 0; h < r->heads; h++) {
    uint32_t head = position(l, rule_heads(g, r)[h]);
    for (uint32_t k = 0; head < l->n && k < r->size; k++) {
      Lit literal = rule_body(g, r)[k];
      uint32_t body = lit_negated(literal) ? l->n : position(l, lit_atom(literal));
      if (body < l->n)
        l->below[head] |= 1u << body, l->above[body] |= 1u << head;
    }
  }
}

static void find_rules(Loops *l) {
  Stable *s = l->s;
  bool *seen = memory_zero(s->g->rules.n, sizeof *seen);
  for (uint32_t i = 0; i < l->n; i++)
    for (uint32_t k = s->first[l->atoms[i]]; k < s->first[l->atoms[i] + 1]; k++) {
      uint32_t rule = s->heading[k];
      if (seen[rule])
        continue;
      seen[rule] = true;
      vec_push(&l->rules, rule);
      find_neighbours(l, &s->g->rules.at[rule]);
    }
  free(seen);
}

/* What can be reached from the lowest atom of the set, within it. */
static uint32_t reached(const uint32_t *next, uint32_t set) {
  assert(set);
  uint32_t seen = set & -set, before;
  do {
    before = seen;
    for (uint32_t left = seen; left; left &= left - 1)
      seen |= next[__builtin_ctz(left)] & set;
  } while (seen != before);
  return seen;
}

static bool is_loop(const Loops *l, uint32_t set) {
  return reached(l->below, set) == set && reached(l->above, set) == set;
}

static bool has_head(const Loops *l, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (l->member[rule_heads(l->s->g, r)[h]])
      return true;
  return false;
}

static void write_formula(Loops *l, uint32_t set) {
  Stable *s = l->s;
  CnfLiterals clause = {0};
  for (uint32_t i = 0; i < l->n; i++) {
    Atom a = l->atoms[i];
    l->member[a] = set >> i & 1;
    l->inside[a] = l->member[a] ? -CNF_TRUE : s->atom[a];
    if (l->member[a])
      vec_push(&clause, -s->atom[a]);
  }
  for (size_t k = 0; k < l->rules.n; k++) {
    const Rule *r = &s->g->rules.at[l->rules.at[k]];
    if (has_head(l, r))
      vec_push(&clause, stable_support(s, r, s->an->scc[l->atoms[0]], l->inside, l->member));
  }
  cnf_clause(&s->cnf, clause.at, clause.n);
  vec_free(&clause);
}

void stable_loops(Stable *s, const Atom *atoms, uint32_t n) {
  assert(n && n <= STABLE_MOST);
  Loops l = {.s = s, .atoms = atoms, .n = n};
  l.member = memory_zero(s->g->atoms.n, sizeof *l.member);
  l.inside = memory_zero(s->g->atoms.n, sizeof *l.inside);
  find_rules(&l);
  for (uint32_t set = 1; set < 1u << n && !s->cnf.full; set++)
    if (is_loop(&l, set))
      write_formula(&l, set);
  vec_free(&l.rules);
  free(l.member);
  free(l.inside);
}
