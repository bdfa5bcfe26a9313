/* temper.c - see temper.h. */
#include "sample/temper.h"

#include "base/memory.h"
#include "ground/ground.h"
#include "sample/ladder.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LEVELS = 8, MOST_LEVELS = 64 };
enum { LOOK_AT = 4 };        /* moves after which it is seen whether more levels are needed */
enum { MOST_GUESSES = 256 }; /* of more, hardly any move is accepted */

void temper_begin(Temper *t, const Target *target) {
  assert(target->ground.sealed && !t->growing);
  uint32_t components = target->analysis.components;
  *t = (Temper){.target = target, .growing = ladder_growing(target)};
  t->weights = memory_zero(target->ground.weights.n, sizeof *t->weights);
  t->before = memory_zero(target->ground.atoms.n, sizeof *t->before);
  bool any = false;
  for (size_t i = 0; i < target->ground.weights.n; i++)
    any |= t->growing[i];
  t->levels = any && target->guess_start[components] <= MOST_GUESSES ? FIRST_LEVELS : 0;
}

void temper_free(Temper *t) {
  free(t->growing);
  free(t->weights);
  free(t->before);
  *t = (Temper){0};
}

/* What violated rules cost that grow. */
static double energy(const Temper *t, const double *weights, const bool *atoms) {
  const Target *g = t->target;
  double sum = 0;
  for (uint32_t i = 0; i < g->soft_start[g->analysis.components]; i++) {
    const TargetSoft *s = &g->soft[i];
    if (t->growing[s->weight] && weights[s->weight] != 0 && target_violated(g, s, atoms))
      sum += weights[s->weight];
  }
  return sum;
}

/* Level 0 is the target. */
static const double *weights_at(Temper *t, const double *weights, uint32_t level) {
  assert(level <= t->levels);
  double height = 1 - (double)level / t->levels;
  for (size_t i = 0; i < t->target->ground.weights.n; i++)
    t->weights[i] = t->growing[i] ? height * weights[i] : weights[i];
  return t->weights;
}

/* There and back; the ln ratio that decides whether it was for good. */
static double climb(Temper *t, Flips *f, const double *weights, Random *random) {
  double sum = 0;
  for (uint32_t level = 1; level <= t->levels; level++) {
    sum += energy(t, weights, f->atoms);
    flips_sweep(f, weights_at(t, weights, level), random);
  }
  for (uint32_t level = t->levels; level; level--) {
    flips_sweep_back(f, weights_at(t, weights, level), random);
    sum -= energy(t, weights, f->atoms);
  }
  return sum / t->levels;
}

static void adapt(Temper *t) {
  if (t->tried < LOOK_AT)
    return;
  if (4 * t->accepted < t->tried)
    t->levels = t->levels < MOST_LEVELS ? 2 * t->levels : t->accepted ? t->levels : 0;
  t->tried = t->accepted = 0;
}

void temper_move(Temper *t, Flips *f, const double *weights, bool tune, Random *random) {
  assert(t->levels && f->target == t->target);
  size_t atoms = t->target->ground.atoms.n * sizeof *t->before;
  memcpy(t->before, f->atoms, atoms);
  double ratio = climb(t, f, weights, random);
  bool accepted = random_unit(random) < exp(ratio);
  if (!accepted) {
    memcpy(f->atoms, t->before, atoms);
    flips_stale(f);
  }
  t->tried += tune;
  t->accepted += tune && accepted;
  if (tune)
    adapt(t);
}
