/* closed.c - weights in closed form (the paper, Theorem 6).
**
** If soft rules are facts, one for each soft atom, and each choice of these
** atoms has the same number of stable models, then the atoms are independent:
** Z = k * product of (1 + e^-w).  If, besides, every observation leaves no count of
** violations open, the most likely weight is ln(m/n), where m instances hold and
** n do not. */
#include "learn/learning.h"

#include "base/memory.h"
#include "base/random.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "infer/coherence.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Is a soft atom the head of two soft facts? */
static bool shares_atom(const Ground *g) {
  bool *seen = memory_zero(g->atoms.n, sizeof *seen), shared = false;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance == NONE || r->heads != 1)
      continue;
    shared |= seen[rule_heads(g, r)[0]];
    seen[rule_heads(g, r)[0]] = true;
  }
  free(seen);
  return shared;
}

/* The variance of a random combination of counts given the observations; 0 iff
** no count is open. */
static double open_variance(Learning *l) {
  const Circuit *c = &l->compiled.circuit;
  double *direction = memory_zero(c->weights, sizeof *direction), sum = 0;
  double *product = memory_zero(c->weights, sizeof *product);
  Random random = random_make(1, 0);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    direction[l->parameters.place[i]] = 0.5 + random_unit(&random);
  learning_observed(l, l->task->weights, direction, product);
  for (uint32_t i = 0; i < c->weights; i++)
    sum += direction[i] * product[i];
  free(direction);
  free(product);
  return sum;
}

/* By parameter: instances in all observations; NULL if not simple and coherent. */
static double *coherent_instances(const Learning *l) {
  Coherence k = {0};
  if (shares_atom(&l->ground))
    return NULL;
  coherence_find(l->task, &l->ground, &l->compiled.circuit, &l->program, &k);
  if (!k.count)
    return NULL;
  double *instances = memory_zero(l->parameters.n, sizeof *instances);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    instances[i] = l->parameters.instances[i] * l->answer->observations;
  return instances;
}

void closed_examine(Learning *l) {
  const lpmln_learning_options *o = l->options;
  assert(l->compiling && !l->coherent && !(l->answer->observations <= 0));
  l->incomplete = open_variance(l) > 1e-10 * l->answer->observations;
  bool closed =
      o->optimizer == LPMLN_BEST && !l->incomplete && o->prior == LPMLN_NO_PRIOR && !o->bounded;
  if (closed || o->optimizer == LPMLN_EM)
    l->coherent = coherent_instances(l);
}

/* Counts are whole numbers, but for rounding, if the observations were seen a whole number of
** times; a tenth of a row is a tenth of its counts. */
static double exact_count(double n, double all) {
  double whole = round(n);
  assert(!(all < 0) && isfinite(n));
  return fabs(n - whole) <= 1e-9 * fmax(all, 1) ? whole : n;
}

bool closed_form(Learning *l, Point *point) {
  if (l->options->optimizer != LPMLN_BEST || l->incomplete || !l->coherent)
    return false;
  double *minus_counts = memory_zero(l->compiled.circuit.weights, sizeof *minus_counts);
  learning_observed(l, l->task->weights, NULL, minus_counts);
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    double all = l->coherent[i], n = exact_count(-minus_counts[l->parameters.place[i]], all);
    double m = exact_count(all - n, all);
    assert(!(n < 0) && !(m < 0));
    point->w[i] = all == 0 ? l->parameters.start[i] : n == 0 ? 40 : m == 0 ? -40 : log(m / n);
  }
  free(minus_counts);
  point_evaluate(&l->objective, point);
  point->converged = !objective_ended(&l->objective);
  return true;
}
