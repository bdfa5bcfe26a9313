/* folds.c - cross-validation: the observations are dealt out at random to k
** folds, and each fold is evaluated with the weights learned from the others. */
#include "learn/learning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Deals one observation that was seen `count` times: each fold gets its share, and
** what is left over goes to the folds in turn. */
static void deal(double count, size_t k, size_t *turn, double **held, size_t observation) {
  double each = floor(count / (double)k), rest = count - each * (double)k;
  for (size_t f = 0; f < k; f++)
    held[f][observation] = each;
  for (; rest > 0; rest--)
    held[(*turn)++ % k][observation] += fmin(rest, 1);
}

/* The observations in random order. */
static size_t *shuffled(uint64_t seed, size_t n) {
  size_t *order = memory_zero(n, sizeof *order);
  Random random = random_make(seed, 1);
  for (size_t i = 0; i < n; i++) {
    size_t k = (size_t)random_below(&random, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  return order;
}

/* The log-likelihood of some observations under the weights. */
static double evaluate(Learning *l, const double *counts, const double *w) {
  Mixture mixture = {0};
  double number = learning_mix(l, counts, &mixture);
  mixture_seal(&mixture);
  Objective o = learning_objective(l, &mixture, number);
  o.prior = (Prior){0};
  Point at = point_make(o.n);
  memcpy(at.w, w, o.n * sizeof *w);
  point_evaluate(&o, &at);
  double value = number > 0 ? at.value : 0;
  point_free(&at);
  objective_free(&o);
  mixture_free(&mixture);
  return value;
}

/* Learns from all but the held-out observations. */
static double run_fold(Learning *l, const double *held) {
  size_t n = l->observed.list.n;
  double *counts = memory_zero(n, sizeof *counts);
  for (size_t i = 0; i < n; i++)
    counts[i] = l->train[i] - held[i];
  Mixture mixture = {0};
  double number = learning_mix(l, counts, &mixture);
  mixture_seal(&mixture);
  Objective o = learning_objective(l, &mixture, number > 0 ? number : 1);
  o.progress = NULL;
  Point at = point_make(o.n);
  memcpy(at.w, l->parameters.start, o.n * sizeof *at.w);
  if (o.bounded)
    newton_maximise(&o, &at, 1000);
  else
    lbfgs_maximise(&o, &at, 10000);
  double value = objective_ended(&o) ? NAN : evaluate(l, held, at.w);
  l->objective.status = o.status;
  l->objective.stopped |= o.stopped;
  point_free(&at);
  objective_free(&o);
  mixture_free(&mixture);
  free(counts);
  return value;
}

void folds_run(Learning *l) {
  size_t k = l->options->folds, n = l->observed.list.n;
  double *values = problem_keep(l->p, k, sizeof *values);
  double **held = memory_zero(k, sizeof *held);
  for (size_t f = 0; f < k; f++)
    held[f] = memory_zero(n, sizeof **held);
  size_t *order = shuffled(l->p->options.seed, n), turn = 0;
  for (size_t i = 0; i < n; i++)
    deal(l->train[order[i]], k, &turn, held, order[i]);
  free(order);
  for (size_t f = 0; f < k; f++)
    values[f] = objective_ended(&l->objective) ? NAN : run_fold(l, held[f]);
  l->answer->folds = values;
  l->answer->fold_count = k;
  for (size_t f = 0; f < k; f++)
    free(held[f]);
  free(held);
}
