/* held_out.c - observations that were not learned from: how likely they are.
**
** Test observations, by the weights of the answer; and in cross-validation the
** observations are dealt out at random to k folds, and each fold is evaluated with the
** weights learned from the others. */
#include "learn/learning.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "ground/observations.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The log-likelihood of some observations under the weights; NAN: a limit came first. */
static double evaluate(Learning *l, const double *counts, const double *w) {
  Mixture mixture = {0};
  double number = learning_mix(l, counts, &mixture), value = 0;
  mixture_seal(&mixture);
  if (number > 0) {
    Objective o = learning_objective(l, &mixture, number);
    o.prior = (Prior){0};
    Point at = point_make(o.n);
    memcpy(at.w, w, o.n * sizeof *w);
    point_evaluate(&o, &at);
    value = objective_ended(&o) ? NAN : at.value;
    l->objective.status = l->objective.status == OK ? o.status : l->objective.status;
    point_free(&at);
    objective_free(&o);
  }
  mixture_free(&mixture);
  return value;
}

/* ---- test observations ------------------------------------------------------------- */

static bool test_possible(const Learning *l) {
  const Observations *seen = l->task->observed;
  bool possible = true;
  for (size_t i = 0; i < observations_count(seen); i++) {
    if (l->test[i] == 0 || l->possible[i])
      continue;
    possible = false;
    diagnose_warning(l->task->said,
                     program_block_place(l->task->program, observations_block(seen, i)), NULL,
                     "this test observation is impossible: its log-likelihood is minus infinity");
  }
  return possible;
}

void held_out_test(Learning *l) {
  lpmln_learning *answer = l->answer;
  for (size_t i = 0; l->test && i < observations_count(l->task->observed); i++)
    answer->test_observations += l->test[i];
  if (answer->test_observations == 0)
    return;
  assert(answer->weight_count >= l->parameters.n);
  double *w = memory_zero(l->parameters.n, sizeof *w);
  for (uint32_t i = 0; i < l->parameters.n; i++)
    w[i] = answer->weights[i].weight;
  answer->test_log_likelihood = test_possible(l) ? evaluate(l, l->test, w) : -INFINITY;
  free(w);
}

/* ---- folds ------------------------------------------------------------------------- */

/* Deals one observation that was seen `count` times: each fold gets its share, and
** what is left over goes to the folds in turn. */
static void deal(double count, size_t k, size_t *turn, double **held, size_t observation) {
  assert(k > 1);
  double each = floor(count / (double)k), rest = count - each * (double)k;
  for (size_t f = 0; f < k; f++)
    held[f][observation] = each;
  while (rest > 0) {
    held[(*turn)++ % k][observation] += fmin(rest, 1);
    rest--;
  }
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

/* Learns from all but the held-out observations. */
static double run_fold(Learning *l, const double *held) {
  size_t n = observations_count(l->task->observed);
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
  l->objective.status = o.status;
  l->objective.stopped |= o.stopped;
  double value = objective_ended(&o) ? NAN : evaluate(l, held, at.w);
  point_free(&at);
  objective_free(&o);
  mixture_free(&mixture);
  free(counts);
  return value;
}

double **held_out_deal(const Learning *l) {
  size_t k = l->options->folds, n = observations_count(l->task->observed);
  double **held = memory_zero(k, sizeof *held);
  for (size_t f = 0; f < k; f++)
    held[f] = memory_zero(n, sizeof **held);
  size_t *order = shuffled(l->task->options->seed, n), turn = 0;
  for (size_t i = 0; i < n; i++)
    deal(l->train[order[i]], k, &turn, held, order[i]);
  free(order);
  return held;
}

void held_out_folds(Learning *l) {
  size_t k = l->options->folds;
  double *values = arena_zero(l->task->answer, k, sizeof *values);
  double **held = held_out_deal(l);
  for (size_t f = 0; f < k; f++)
    values[f] = objective_ended(&l->objective) ? NAN : run_fold(l, held[f]);
  if (l->answer->observations < (double)k)
    diagnose_warning(l->task->said, NOWHERE, "as many folds as observations leave out one each",
                     "there are fewer observations than folds: some folds are empty");
  l->answer->folds = values;
  l->answer->fold_count = k;
  for (size_t f = 0; f < k; f++)
    free(held[f]);
  free(held);
}
