/* facts.c - learned weights of soft facts as probabilities.
**
** A soft fact of weight w holds with probability e^w / (1 + e^w) if nothing else depends
** on it; in general it does not, so probabilities are those of the program.
**
** What a group of weights that are not determined separately does determine is often the
** probability that at least one of its facts holds (a connection fails if one of its
** stations does).  That is 1 - product of (1 - p), so -ln(1 - p) add up to a constant. The
** constant is dealt out anew in some ways; if the observations stay as likely, it is all
** that they say about the group. */
#include "learn/learning.h"

#include "base/memory.h"
#include "circuit/circuit.h"
#include "learn/examine.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/parameters.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-9 /* relative difference of values that are equal but for rounding */

/* ln Z of the program, and if `expected` is not NULL the expected numbers of violated
** instances by parameter. */
static double partition_at(const Learning *l, const double *w, double *expected) {
  const Circuit *c = &l->thin;
  CircuitValues values;
  assert(c->weights == l->ground.weights.n);
  double *weights = memory_zero(c->weights, sizeof *weights),
         *gradient = memory_zero(c->weights, sizeof *gradient);
  memcpy(weights, l->task->weights, c->weights * sizeof *weights);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    weights[l->parameters.place[i]] = w[i];
  circuit_values_make(c, &values);
  circuit_evaluate(c, weights, &values);
  double value = -mixture_value(&l->halves[1], &values) / l->answer->observations;
  if (expected)
    mixture_gradient(&l->halves[1], c, &values, gradient);
  for (uint32_t i = 0; expected && i < l->parameters.n; i++)
    expected[i] = gradient[l->parameters.place[i]] / l->answer->observations;
  circuit_values_free(&values);
  free(weights);
  free(gradient);
  return value;
}

void facts_probabilities(const Learning *l, const double *w, const Sampled *sampled,
                         double *probability) {
  const Parameters *t = &l->parameters;
  bool any = false;
  for (uint32_t i = 0; i < t->n; i++)
    any |= t->fact[i];
  if (sampled)
    memcpy(probability, sampled->expected, t->n * sizeof *probability);
  else if (any)
    (void)partition_at(l, w, probability);
  for (uint32_t i = 0; i < t->n; i++) {
    double independent = 1 / (1 + exp(-w[i])), holds = 1 - probability[i] / t->instances[i];
    /* the same but for rounding or noise: then the one that has less of it */
    bool same = fabs(holds - independent) < (sampled ? sampled->slack[i] / t->instances[i] : SAME);
    probability[i] = !t->fact[i] || isnan(holds) ? NAN
                     : same                      ? independent
                                                 : fmin(fmax(holds, 0), 1);
    assert(!(probability[i] < 0 || probability[i] > 1));
  }
}

/* ---- groups ------------------------------------------------------------------------- */

static double share_of(double w) { return log1p(exp(w)); } /* -ln(1 - p) */

static double weight_of(double share) { return log(expm1(share)); }

/* Soft facts, all with finite weights, of which one combination is determined. */
static bool worth_trying(const Learning *l, const Point *at, const Examination *d, uint32_t group,
                         double *sum) {
  uint32_t count = 0;
  assert(group < d->free.n);
  *sum = 0;
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    if (d->group[i] != group)
      continue;
    if (!l->parameters.fact[i] || fabs(at->w[i]) > 30)
      return false;
    *sum += share_of(at->w[i]);
    count++;
  }
  return count > 1 && d->free.at[group] == count - 1;
}

/* Deals out the sum so that the members get 1, 1 + step, 1 + 2 step, ... parts. */
static void deal(const Learning *l, const Point *at, const Examination *d, uint32_t group,
                 double sum, double step, double *w) {
  double parts = 0, part = 1;
  memcpy(w, at->w, l->parameters.n * sizeof *w);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    if (d->group[i] == group)
      parts += part, part += step;
  assert(parts > 0);
  part = 1;
  for (uint32_t i = 0; i < l->parameters.n; i++)
    if (d->group[i] == group)
      w[i] = weight_of(sum * part / parts), part += step;
}

/* What ln Z changes by if the facts that moved are independent of everything. */
static double independent_change(const Learning *l, const double *from, const double *to) {
  double change = 0;
  for (uint32_t i = 0; i < l->parameters.n; i++)
    if (to[i] != from[i])
      change += l->parameters.instances[i] * (log1p(exp(-to[i])) - log1p(exp(-from[i])));
  return change;
}

static bool all_that_matters(Learning *l, const Point *at, const Examination *d, uint32_t group,
                             double sum, Point *probe) {
  static const double steps[] = {0.7, 3};
  double here = partition_at(l, at->w, NULL);
  bool same = true;
  for (size_t k = 0; same && k < sizeof steps / sizeof *steps; k++) {
    deal(l, at, d, group, sum, steps[k], probe->w);
    double change = partition_at(l, probe->w, NULL) - here - independent_change(l, at->w, probe->w);
    point_evaluate(&l->objective, probe);
    same = fabs(change) <= SAME * (1 + fabs(here)) &&
           fabs(probe->value - at->value) <= SAME * (1 + fabs(at->value));
  }
  return same;
}

void facts_combine(Learning *l, const Point *at, Examination *d) {
  assert(!d->some);
  Point probe = point_make(l->parameters.n);
  d->some = memory_zero(d->free.n, sizeof *d->some);
  for (uint32_t g = 0; g < d->free.n && !objective_ended(&l->objective); g++) {
    double sum;
    bool matters = worth_trying(l, at, d, g, &sum) && all_that_matters(l, at, d, g, sum, &probe);
    d->some[g] = matters ? -expm1(-sum) : NAN;
  }
  point_free(&probe);
}
