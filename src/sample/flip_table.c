/* flip_table.c - odds that depend on few other atoms, computed once for each of their values. */
#include "sample/flips.h"

#include <assert.h>
#include <math.h>

/* ln weight of the rules that decide, by the truth of the atom; -INFINITY: a hard rule is
** broken. */
static double weigh(const Flips *f, uint32_t place) {
  const Ground *g = &f->target->ground;
  double sum = 0;
  for (uint32_t i = f->plan->deciding.start[place]; i < f->plan->deciding.start[place + 1]; i++) {
    const Rule *r = &g->rules.at[f->plan->deciding.at[i]];
    bool violated = ground_holds(g, r, f->atoms);
    for (uint32_t h = 0; violated && h < r->heads; h++)
      violated = !f->atoms[rule_heads(g, r)[h]];
    if (!violated)
      continue;
    uint32_t weight = r->instance == NONE ? NONE : g->instances.at[r->instance].weight;
    if (r->instance == NONE)
      return -INFINITY;
    sum -= weight == NONE ? 0 : f->weights[weight];
  }
  return sum;
}

static double compute(Flips *f, uint32_t place) {
  Atom a = f->plan->order[place];
  bool now = f->atoms[a];
  f->atoms[a] = true;
  double with = weigh(f, place);
  f->atoms[a] = false;
  double without = weigh(f, place);
  f->atoms[a] = now;
  assert(isfinite(with) || isfinite(without));
  return isinf(without) ? 1 : 1 / (1 + exp(without - with));
}

double flip_chance(Flips *f, uint32_t place) {
  const GraphLists *near = &f->plan->near;
  const Atom *other = near->at + near->start[place];
  uint32_t n = near->start[place + 1] - near->start[place], values = 0;
  for (uint32_t i = 0; i < n; i++)
    values |= (uint32_t)f->atoms[other[i]] << i;
  double *entry = &f->chance[f->plan->entry[place] + values];
  if (isnan(*entry))
    *entry = compute(f, place);
  assert(*entry >= 0 && *entry <= 1);
  return *entry;
}
