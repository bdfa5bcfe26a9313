/* complete.c - see complete.h. */
#include "learn/complete.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void complete_begin(Complete *c, const Ground *g) {
  assert(g->sealed);
  *c = (Complete){0};
  bool *dropped = memory_zero(g->atoms.n, sizeof *dropped);
  target_make(g, dropped, NULL, 0, &c->target);
  free(dropped);
  flip_plan_make(&c->plan, &c->target);
  c->atoms = memory_zero(g->atoms.n, sizeof *c->atoms);
  c->told = memory_zero(g->atoms.n, sizeof *c->told);
  for (Atom a = 0; a < g->atoms.n; a++)
    c->atoms[a] = g->atoms.at[a].truth == ATOM_CERTAIN;
  flips_begin(&c->flips, &c->target, &c->plan, c->atoms);
}

void complete_free(Complete *c) {
  flips_free(&c->flips);
  flip_plan_free(&c->plan);
  target_free(&c->target);
  free(c->atoms);
  free(c->told);
}

/* Sets the guessed atoms that are told; false: not all are. */
static bool take_guesses(Complete *c, const Lit *observed, size_t n) {
  const Target *t = &c->target;
  uint32_t guesses = t->guess_start[t->analysis.components], set = 0;
  memset(c->told, 0, t->ground.atoms.n * sizeof *c->told);
  for (size_t i = 0; i < n; i++) {
    Atom a = lit_atom(observed[i]);
    if (!t->strata.guessed[a] || t->ground.atoms.at[a].truth != ATOM_OPEN)
      continue;
    set += !c->told[a];
    c->told[a] = true;
    c->atoms[a] = !lit_negated(observed[i]);
  }
  return set == guesses && c->plan.movable == guesses;
}

Completeness complete_count(Complete *c, const Lit *observed, size_t n, double times,
                            double *counts) {
  assert(observed || !n);
  const Target *t = &c->target;
  if (!take_guesses(c, observed, n))
    return COMPLETE_OPEN;
  if (!flips_settle(&c->flips))
    return COMPLETE_IMPOSSIBLE;
  for (size_t i = 0; i < n; i++)
    if (c->atoms[lit_atom(observed[i])] == lit_negated(observed[i]))
      return COMPLETE_IMPOSSIBLE;
  double *own = memory_zero(t->ground.weights.n, sizeof *own);
  target_count(t, c->atoms, own);
  for (size_t w = 0; w < t->ground.weights.n; w++)
    counts[w] += times * own[w];
  free(own);
  return COMPLETE_COUNTED;
}
