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
static double open_variance(const Learning *l) {
  const Circuit *c = &l->compiled.circuit;
  CircuitValues values;
  circuit_values_make(c, &values);
  circuit_evaluate(c, l->task->weights, &values);
  double *direction = memory_zero(c->weights, sizeof *direction), sum = 0;
  double *product = memory_zero(c->weights, sizeof *product);
  Random random = random_make(1, 0);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    direction[l->parameters.place[i]] = 0.5 + random_unit(&random);
  mixture_product(&l->halves[0], c, &values, direction, product);
  for (uint32_t i = 0; i < c->weights; i++)
    sum += direction[i] * product[i];
  circuit_values_free(&values);
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

bool closed_form(Learning *l, Point *point) {
  if (l->options->optimizer != LPMLN_BEST || l->incomplete || !l->coherent)
    return false;
  const Circuit *c = &l->compiled.circuit;
  CircuitValues values;
  circuit_values_make(c, &values);
  circuit_evaluate(c, l->task->weights, &values);
  double *minus_counts = memory_zero(c->weights, sizeof *minus_counts);
  (void)mixture_gradient(&l->halves[0], c, &values, 1, minus_counts);
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    double all = l->coherent[i], n = round(-minus_counts[l->parameters.place[i]]), m = all - n;
    assert(!(n < 0) && !(m < -1e-9 * all));
    point->w[i] = all == 0 ? l->parameters.start[i] : n == 0 ? 40 : m == 0 ? -40 : log(m / n);
  }
  circuit_values_free(&values);
  free(minus_counts);
  point_evaluate(&l->objective, point);
  point->converged = !objective_ended(&l->objective);
  return true;
}
