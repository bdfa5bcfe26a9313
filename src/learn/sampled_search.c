/* sampled_search.c - see sampled_search.h. */
#include "learn/sampled_search.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "learn/learning.h"
#include "learn/sampled_likelihood.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_SECONDS = 30 }; /* for a likelihood, whatever learning took */

/* Journalled: a resumed run does not wait for it again. */
static LogEstimate likelihood_at(Sides *s, const double *w, double seconds) {
  enum { LETTER = 'l' };
  Journal *j = &s->l->journal;
  uint32_t n = s->l->parameters.n;
  double found[2];
  if (journal_read(j, LETTER, w, n, found, 2))
    return (LogEstimate){found[0], found[1]};
  LogEstimate e = sampled_likelihood(s, w, fmax(LEAST_SECONDS, seconds));
  found[0] = e.value, found[1] = e.error;
  if (!isnan(e.value))
    journal_write(j, LETTER, w, n, found, 2);
  return e;
}

static Status maximise(Sides *sides, Stochastic *s) {
  bool ascent = sides->l->options->optimizer == LPMLN_ASCENT;
  return ascent       ? stochastic_ascend(sides, s)
         : s->at.wide ? stochastic_wander(sides, s)
                      : stochastic_maximise(sides, s);
}

/* ---- starts ------------------------------------------------------------------------------- */

static double log_prior(const Learning *l, const double *w) {
  Prior p = learning_prior(l);
  double sum = 0;
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    double away = (w[i] - p.mean) / p.deviation;
    sum -= p.kind == LPMLN_GAUSSIAN ? 0.5 * away * away : prior_l1(&p, i) * fabs(w[i]);
  }
  return sum;
}

/* False also if one of the two is not known. */
static bool clearly_better(const Learning *l, const SampledSearch *x, const SampledSearch *than) {
  double gain = x->likelihood.value + log_prior(l, x->best.w) - than->likelihood.value -
                log_prior(l, than->best.w);
  return gain > 2 * hypot(x->likelihood.error, than->likelihood.error);
}

static Status run_one(Sides *sides, size_t run, SampledSearch *to) {
  Learning *l = sides->l;
  double began = clock_now();
  *to = (SampledSearch){stochastic_make(l), {NAN, NAN}};
  learning_start(l, run, to->best.w);
  if (run)
    sides_settle(sides);
  Status status = maximise(sides, &to->best);
  l->answer->iterations += to->best.iterations;
  if (status == OK && to->best.known)
    to->likelihood = likelihood_at(sides, to->best.w, clock_now() - began);
  return status;
}

Status sampled_search(Sides *sides, SampledSearch *found) {
  Learning *l = sides->l;
  size_t wanted = l->options->restarts, runs = wanted == SIZE_MAX ? 1 : 1 + wanted;
  double *values = arena_zero(l->task->answer, runs, sizeof *values);
  Status status = run_one(sides, 0, found);
  values[0] = found->likelihood.value + log_prior(l, found->best.w);
  for (size_t run = 1; run < runs && status == OK; run++) {
    SampledSearch next;
    status = run_one(sides, run, &next);
    values[run] = next.likelihood.value + log_prior(l, next.best.w);
    if (status == OK && clearly_better(l, &next, found)) {
      stochastic_free(&found->best);
      *found = next;
    } else {
      stochastic_free(&next.best);
    }
    l->answer->run_count = run + 1;
  }
  if (runs > 1 && isnan(found->likelihood.value))
    diagnose_warning(l->task->said, NOWHERE, NULL,
                     "the likelihood of a start is not known: which is best can't be told");
  l->answer->runs = values;
  return status;
}

/* ---- held out ----------------------------------------------------------------------------- */

/* Observations of which some is impossible have the likelihood 0. */
static Status evaluate(Learning *l, double *counts, const double *w, LogEstimate *to) {
  const double *train = l->train;
  double all = 0;
  size_t n = observations_count(l->task->observed);
  bool *possible = memory_zero(n, sizeof *possible), good = true;
  Sides sides;
  l->train = counts;
  Status status = sides_begin(&sides, l, possible);
  for (size_t i = 0; i < n; i++) {
    all += counts[i];
    good &= counts[i] == 0 || possible[i];
  }
  *to = (LogEstimate){all > 0 ? -INFINITY : 0, 0};
  if (status == OK && good && all > 0)
    *to = likelihood_at(&sides, w, 0);
  sides_free(&sides);
  l->train = train;
  free(possible);
  return status;
}

/* Learns from all but the held-out observations. */
static Status run_fold(Learning *l, double *held, LogEstimate *to) {
  size_t n = observations_count(l->task->observed);
  double *counts = memory_zero(n, sizeof *counts);
  const double *train = l->train;
  bool *possible = memory_zero(n, sizeof *possible);
  for (size_t i = 0; i < n; i++)
    counts[i] = train[i] - held[i];
  Sides sides;
  Stochastic s = stochastic_make(l);
  l->train = counts;
  Status status = sides_begin(&sides, l, possible);
  if (status == OK)
    status = maximise(&sides, &s);
  sides_free(&sides);
  l->train = train;
  if (status == OK)
    status = evaluate(l, held, s.w, to);
  stochastic_free(&s);
  free(possible);
  free(counts);
  return status;
}

static Status run_folds(Learning *l, double *worst) {
  size_t k = l->options->folds;
  Status status = OK;
  const lpmln_learning_options *options = l->options;
  lpmln_learning_options quiet = *options;
  quiet.progress = NULL; /* what follows is no iteration of the search */
  l->options = &quiet;
  double *values = arena_zero(l->task->answer, k, sizeof *values);
  double **held = held_out_deal(l);
  for (size_t f = 0; f < k; f++) {
    LogEstimate e = {NAN, NAN};
    if (status == OK)
      status = run_fold(l, held[f], &e);
    values[f] = e.value;
    *worst = fmax(*worst, e.error);
    free(held[f]);
  }
  free(held);
  l->options = options;
  l->answer->folds = values;
  l->answer->fold_count = k;
  return status;
}

static Status run_test(Learning *l, const double *w, double *worst) {
  LogEstimate e = {NAN, NAN};
  lpmln_learning *a = l->answer;
  for (size_t i = 0; l->test && i < observations_count(l->task->observed); i++)
    a->test_observations += l->test[i];
  if (a->test_observations == 0)
    return OK;
  Status status = evaluate(l, l->test, w, &e);
  a->test_log_likelihood = e.value;
  *worst = fmax(*worst, e.error);
  return status;
}

Status sampled_held_out(Learning *l, const double *w) {
  double worst = 0;
  size_t unknown = 0;
  Status status = run_test(l, w, &worst);
  if (status == OK && l->options->folds)
    status = run_folds(l, &worst);
  for (size_t f = 0; f < l->answer->fold_count; f++)
    unknown += isnan(l->answer->folds[f]) != 0;
  if (unknown && status == OK)
    diagnose_warning(l->task->said, NOWHERE, NULL,
                     "the held-out log-likelihood of %zu of %zu folds is not known: no estimate "
                     "would be honest",
                     unknown, l->answer->fold_count);
  if (worst > 0)
    diagnose_note(l->task->said, NOWHERE, NULL,
                  "held-out log-likelihoods are sampled, with a Monte Carlo error of at most %.2g "
                  "each",
                  worst);
  return status;
}
