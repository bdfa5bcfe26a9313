/* sides.c - see sides.h. */
#include "learn/sides.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/mixed.h"
#include "infer/task.h"
#include "learn/learning.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"
#include "sample/chains.h"
#include "sample/diagnostics.h"
#include "sample/target.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BURN_IN = 100, STREAM = 10000, MOST_CLAMPED = 64 };

Moments moments_make(uint32_t n) {
  size_t all = (size_t)n * n;
  return (Moments){.n = n,
                   .gradient = memory_zero(n, sizeof(double)),
                   .program = memory_zero(all, sizeof(double)),
                   .curvature = memory_zero(all, sizeof(double)),
                   .noise = memory_zero(all, sizeof(double)),
                   .observed = memory_zero(n, sizeof(double))};
}

void moments_free(Moments *m) {
  free(m->gradient);
  free(m->program);
  free(m->curvature);
  free(m->noise);
  free(m->observed);
}

/* ---- begin ------------------------------------------------------------------------- */

/* Samples of an observation come from one chain if there are several observations: each
** has a process of its own. */
static Status begin_side(Sides *s, size_t i, const Lit *evidence, size_t evidences, double factor) {
  const Task *t = s->l->task;
  Side *side = &s->side[i];
  assert(i < s->count && !side->begun && factor != 0);
  bool clamped = factor < 0;
  size_t chains = t->options->sampling.chains;
  MixedQuestion q = {.task = t,
                     .ground = &s->l->ground,
                     .analysis = &s->l->analysis,
                     .evidence = evidence,
                     .evidences = evidences,
                     .weights = s->weights,
                     .parts = t->options->compile_limit > 0 &&
                              (clamped || t->options->method == LPMLN_AUTO),
                     .chains = clamped && s->count > 2 ? 1 : chains,
                     .stream = STREAM + 1000 * i};
  side->factor = factor;
  side->begun = true;
  Status status = mixed_begin(&side->mixed, &q);
  if (status == OK && side->mixed.chains.chain) {
    size_t done;
    size_t burn_in =
        t->options->sampling.burn_in == SIZE_MAX ? BURN_IN : t->options->sampling.burn_in;
    s->sampled = true;
    status = mixed_run(&side->mixed, burn_in, 0, NULL, NULL, &done);
  }
  return status;
}

static Status refuse_many(Sides *s, size_t chains) {
  if (chains <= MOST_CLAMPED)
    return OK;
  diagnose_error(s->l->task->said, NOWHERE, "option compile_limit with more seconds may do",
                 "more than %d different observations would have to be sampled", MOST_CLAMPED);
  return LIMIT;
}

Status sides_begin(Sides *s, Learning *l, bool *possible) {
  const Observations *o = l->task->observed;
  size_t weights = l->ground.weights.n;
  double all = 0;
  size_t chains = 0;
  *s = (Sides){.l = l, .count = 1 + o->list.n};
  s->side = memory_zero(s->count, sizeof *s->side);
  s->weights = memory_zero(weights, sizeof *s->weights);
  memcpy(s->weights, l->task->weights, weights * sizeof *s->weights);
  Status status = begin_side(s, 0, NULL, 0, 1);
  for (size_t i = 0; status == OK && i < o->list.n; i++) {
    if (l->train[i] == 0)
      continue;
    status = begin_side(s, 1 + i, o->literals.at + o->list.at[i].first, o->list.at[i].size,
                        -l->train[i]);
    possible[i] = status != NO_ANSWER;
    all += possible[i] ? l->train[i] : 0;
    status = status == NO_ANSWER ? OK : status;
    chains += s->side[1 + i].mixed.chains.chain != NULL;
    status = status == OK ? refuse_many(s, chains) : status;
  }
  s->side[0].factor = all;
  return status;
}

void sides_free(Sides *s) {
  for (size_t i = 0; s->side && i < s->count; i++) {
    if (s->side[i].begun)
      mixed_free(&s->side[i].mixed);
    free(s->side[i].values);
  }
  free(s->side);
  free(s->weights);
}

/* ---- one side ------------------------------------------------------------------------ */

typedef struct {
  Side *side;
  const Parameters *parameters;
  size_t weights, samples;
} Recording;

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Recording *r = data;
  const Mixed *m = &r->side->mixed;
  assert(chain < m->q.chains && sample < r->samples && r->samples <= r->side->room);
  double *counts = memory_zero(r->weights, sizeof *counts);
  target_count(&m->target, atoms, counts);
  for (uint32_t i = 0; i < r->parameters->n; i++)
    r->side->values[(i * m->q.chains + chain) * r->samples + sample] =
        counts[r->parameters->place[i]];
  free(counts);
}

/* The compiled part: exact means and covariances. */
static void add_exact(const Sides *s, Side *side, Moments *to, double *mean, double *covariance) {
  Mixed *m = &side->mixed;
  const Circuit *c = &m->compiled.circuit;
  uint32_t n = to->n, *place = s->l->parameters.place;
  assert(c->weights == s->l->ground.weights.n);
  double *unit = memory_zero(c->weights, sizeof *unit), *sum = memory_zero(c->weights, sizeof *sum);
  circuit_evaluate(c, s->weights, &m->values);
  circuit_expectations(c, &m->values, &m->root, 1, sum);
  for (uint32_t i = 0; i < n; i++)
    mean[i] += sum[place[i]];
  for (uint32_t i = 0; i < n; i++) {
    memset(sum, 0, c->weights * sizeof *sum);
    unit[place[i]] = 1;
    circuit_hessian_product(c, &m->values, &m->root, unit, 1, sum);
    unit[place[i]] = 0;
    for (uint32_t k = 0; k < n; k++)
      covariance[(size_t)i * n + k] += sum[place[k]];
  }
  free(unit);
  free(sum);
}

static double covariance_of(const double *x, const double *y, size_t n, double mean_x,
                            double mean_y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum / (double)n;
}

/* The sampled part.  The error of a mean is its variance times the correlation time; that
** of two together goes by the geometric mean of their times. */
static void add_sampled(Sides *s, const Side *side, size_t done, Moments *to, double *mean,
                        double *covariance) {
  uint32_t n = to->n;
  size_t chains = side->mixed.q.chains, all = chains * done;
  assert(all);
  double *time = memory_zero(n, sizeof *time), *own = memory_zero(n, sizeof *own);
  for (uint32_t i = 0; i < n; i++) {
    Estimate e = estimate_mean(side->values + i * all, chains, done);
    bool constant = isnan(e.ess);
    time[i] = constant ? 1 : (double)all / e.ess;
    s->rhat = constant ? s->rhat : fmax(s->rhat, e.rhat);
    s->ess = constant ? s->ess : fmin(s->ess, e.ess);
    own[i] = e.mean;
    mean[i] += e.mean;
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      double c = covariance_of(side->values + i * all, side->values + k * all, all, own[i], own[k]);
      covariance[(size_t)i * n + k] += c;
      to->noise[(size_t)i * n + k] +=
          side->factor * side->factor * c * sqrt(time[i] * time[k]) / (double)all;
    }
  free(time);
  free(own);
}

static Status run_chains(Sides *s, Side *side, size_t samples, bool again, size_t *done) {
  Mixed *m = &side->mixed;
  const Parameters *t = &s->l->parameters;
  Recording recording = {side, t, s->l->ground.weights.n, samples};
  if (samples > side->room) {
    side->values =
        memory_resize(side->values, (size_t)t->n * m->q.chains * samples, sizeof *side->values);
    side->room = samples;
  }
  if (again)
    chains_reseed(&m->chains);
  Status status = mixed_run(m, samples / 10, samples, record, &recording, done);
  ChainsGuarantee g = chains_guarantee(&m->chains);
  s->near |= g == CHAINS_NEAR;
  s->heuristic |= g == CHAINS_HEURISTIC;
  return status;
}

static Status ask_side(Sides *s, Side *side, size_t samples, bool again, Moments *to) {
  uint32_t n = to->n;
  size_t done = 0;
  double *mean = memory_zero(n, sizeof *mean),
         *covariance = memory_zero((size_t)n * n, sizeof *covariance);
  Status status = OK;
  if (side->mixed.chains.chain)
    status = run_chains(s, side, samples, again, &done);
  if (status == OK && side->mixed.chains.chain)
    add_sampled(s, side, done, to, mean, covariance);
  if (status == OK && side->mixed.valued)
    add_exact(s, side, to, mean, covariance);
  for (uint32_t i = 0; i < n; i++) {
    to->gradient[i] += side->factor * mean[i];
    to->observed[i] -= side->factor < 0 ? side->factor * mean[i] : 0;
  }
  for (size_t i = 0; i < (size_t)n * n; i++) {
    to->curvature[i] += side->factor * covariance[i];
    to->program[i] += side->factor > 0 ? side->factor * covariance[i] : 0;
  }
  free(mean);
  free(covariance);
  return status;
}

Status sides_ask(Sides *s, const double *w, size_t samples, bool again, Moments *to) {
  size_t all = (size_t)to->n * to->n;
  assert(to->n == s->l->parameters.n && samples);
  memset(to->gradient, 0, to->n * sizeof *to->gradient);
  memset(to->observed, 0, to->n * sizeof *to->observed);
  memset(to->program, 0, all * sizeof *to->program);
  memset(to->curvature, 0, all * sizeof *to->curvature);
  memset(to->noise, 0, all * sizeof *to->noise);
  for (uint32_t i = 0; i < to->n; i++)
    s->weights[s->l->parameters.place[i]] = w[i];
  s->rhat = 0, s->ess = INFINITY;
  Status status = limits_check(&s->l->task->limits);
  for (size_t i = 0; status == OK && i < s->count; i++)
    if (s->side[i].begun && s->side[i].factor != 0)
      status = ask_side(s, &s->side[i], samples, again, to);
  return status;
}
