/* sides.c - see sides.h. */
#include "learn/sides.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/mixed.h"
#include "infer/task.h"
#include "learn/batches.h"
#include "learn/complete.h"
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

enum { BURN_IN = 100, STREAM = 10000, MOST_WORKERS = 16 };

Moments moments_make(uint32_t n) {
  Moments m = {.n = n, .wide = n > MOST_DENSE};
  size_t all = moments_entries(&m);
  m.gradient = memory_zero(n, sizeof *m.gradient);
  m.observed = memory_zero(n, sizeof *m.observed);
  m.expected = memory_zero(n, sizeof *m.expected);
  m.program = memory_zero(all, sizeof *m.program);
  m.curvature = memory_zero(all, sizeof *m.curvature);
  m.noise = memory_zero(all, sizeof *m.noise);
  return m;
}

void moments_free(Moments *m) {
  free(m->gradient);
  free(m->observed);
  free(m->expected);
  free(m->program);
  free(m->curvature);
  free(m->noise);
}

/* ---- begin ------------------------------------------------------------------------- */

static Status burn_in(Side *side) {
  const Task *t = side->mixed.q.task;
  size_t done, wanted = t->options->sampling.burn_in;
  if (!side->mixed.chains.chain)
    return OK;
  return mixed_run(&side->mixed, wanted == SIZE_MAX ? BURN_IN : wanted, 0, NULL, NULL, &done);
}

void sides_settle(Sides *s) { s->unsettled = true; }

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
                     .parts = t->options->compile_limit != 0 &&
                              (clamped || t->options->method == LPMLN_AUTO),
                     .chains = clamped && s->count > 2 ? 1 : chains,
                     .stream = STREAM + 1000 * i};
  side->factor = factor;
  side->begun = true;
  Status status = mixed_begin(&side->mixed, &q);
  s->sampled |= side->mixed.chains.chain != NULL;
  return status;
}

/* Observation i, which was seen so often.  An empty one says nothing: its side would be the
** program's again. */
static Status begin_observation(Sides *s, size_t i, Complete *complete, bool *possible,
                                double *all) {
  Lits *room = &s->side[1 + i].evidence;
  uint32_t size;
  const Lit *literals = observations_literals(s->l->task->observed, i, room, &size);
  double times = s->l->train[i];
  possible[i] = true;
  if (!size)
    return OK;
  Completeness found = complete_count(complete, literals, size, times, s->settled);
  possible[i] = found != COMPLETE_IMPOSSIBLE;
  *all += found == COMPLETE_COUNTED ? times : 0;
  if (found != COMPLETE_OPEN) {
    vec_free(room);
    return OK;
  }
  Status status = begin_side(s, 1 + i, literals, size, -times);
  possible[i] = status != NO_ANSWER;
  *all += possible[i] ? times : 0;
  s->clamped += s->side[1 + i].mixed.chains.chain != NULL;
  if (s->clamped > MOST_WORKERS)
    chains_park(&s->side[1 + i].mixed.chains);
  return status == NO_ANSWER ? OK : status;
}

Status sides_begin(Sides *s, Learning *l, bool *possible) {
  const Observations *o = l->task->observed;
  size_t weights = l->ground.weights.n;
  double all = 0;
  Complete complete;
  *s = (Sides){.l = l, .count = 1 + observations_count(o), .unsettled = true};
  s->side = memory_zero(s->count, sizeof *s->side);
  s->weights = memory_zero(weights, sizeof *s->weights);
  s->settled = memory_zero(weights, sizeof *s->settled);
  memcpy(s->weights, l->task->weights, weights * sizeof *s->weights);
  Status status = begin_side(s, 0, NULL, 0, 1);
  complete_begin(&complete, &l->ground);
  for (size_t i = 0; status == OK && i < observations_count(o); i++)
    if (l->train[i] != 0)
      status = begin_observation(s, i, &complete, possible, &all);
  complete_free(&complete);
  s->side[0].factor = all;
  return status;
}

void sides_free(Sides *s) {
  for (size_t i = 0; s->side && i < s->count; i++) {
    if (s->side[i].begun)
      mixed_free(&s->side[i].mixed);
    free(s->side[i].values);
    vec_free(&s->side[i].evidence);
  }
  free(s->side);
  free(s->weights);
  free(s->settled);
  free(s->state);
  batches_free(&s->batches);
}

/* ---- one side ------------------------------------------------------------------------ */

typedef struct {
  Side *side;
  const Parameters *parameters;
  size_t weights, samples;
  Batches *batches; /* if wide */
} Recording;

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Recording *r = data;
  const Mixed *m = &r->side->mixed;
  assert(chain < m->q.chains && sample < r->samples);
  double *counts = memory_zero(r->weights, sizeof *counts);
  target_count(&m->target, atoms, counts);
  if (r->batches)
    batches_add(r->batches, chain, sample, counts, r->parameters->place);
  for (uint32_t i = 0; !r->batches && i < r->parameters->n; i++)
    r->side->values[(i * m->q.chains + chain) * r->samples + sample] =
        counts[r->parameters->place[i]];
  free(counts);
}

/* The product of the covariance of all counts with some vector. */
static void multiply(Side *side, const double *vector, double *product) {
  const Mixed *m = &side->mixed;
  const Circuit *c = &m->compiled.circuit;
  memset(product, 0, c->weights * sizeof *product);
  circuit_hessian_product(c, &m->values, &m->root, vector, 1, product);
}

/* By signs at random: what does not belong to the diagonal cancels. */
static void probe_diagonal(Side *side, const uint32_t *place, uint32_t n, double *signs,
                           double *product, double *variance) {
  enum { PROBES = 8 };
  Random random = random_make(0, 0);
  for (int probe = 0; probe < PROBES; probe++) {
    for (uint32_t i = 0; i < n; i++)
      signs[place[i]] = random_bits(&random) >> 63 ? 1 : -1;
    multiply(side, signs, product);
    for (uint32_t i = 0; i < n; i++)
      variance[i] += signs[place[i]] * product[place[i]] / PROBES;
  }
}

static double curvature_along(Side *side, const uint32_t *place, const double *direction,
                              uint32_t n, double *vector, double *product) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    vector[place[i]] = direction ? direction[i] : 0;
  multiply(side, vector, product);
  for (uint32_t i = 0; i < n; i++)
    sum += vector[place[i]] * product[place[i]];
  return sum;
}

/* The compiled part: exact means and covariances. */
static void add_exact(Sides *s, Side *side, Moments *to, double *mean, double *covariance) {
  Mixed *m = &side->mixed;
  const Circuit *c = &m->compiled.circuit;
  uint32_t n = to->n, *place = s->l->parameters.place;
  assert(c->weights == s->l->ground.weights.n);
  double *unit = memory_zero(c->weights, sizeof *unit), *sum = memory_zero(c->weights, sizeof *sum);
  circuit_evaluate(c, s->weights, &m->values);
  circuit_expectations(c, &m->values, &m->root, 1, sum);
  for (uint32_t i = 0; i < n; i++)
    mean[i] += sum[place[i]];
  if (to->wide)
    probe_diagonal(side, place, n, unit, sum, covariance);
  if (to->wide && side->factor > 0)
    s->along += side->factor * curvature_along(side, place, s->batches.direction, n, unit, sum);
  for (uint32_t i = 0; !to->wide && i < n; i++) {
    unit[place[i]] = 1;
    multiply(side, unit, sum);
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
  double *ess = &s->ess[side->factor < 0];
  double *time = memory_zero(n, sizeof *time), *own = memory_zero(n, sizeof *own);
  for (uint32_t i = 0; i < n; i++) {
    Estimate e = estimate_mean(side->values + i * all, chains, done);
    bool constant = isnan(e.ess);
    time[i] = constant ? 1 : (double)all / e.ess;
    s->rhat = constant ? s->rhat : fmax(s->rhat, e.rhat);
    *ess = constant ? *ess : fmin(*ess, e.ess);
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

/* The same by batches: diagonals. */
static void add_batches(Sides *s, const Side *side, size_t done, const Moments *to, double *mean,
                        double *variance) {
  double *noise = memory_zero(to->n, sizeof *noise);
  double square = side->factor * side->factor;
  double ess = batches_read(&s->batches, done, mean, variance, noise);
  s->ess[side->factor < 0] = fmin(s->ess[side->factor < 0], ess);
  for (uint32_t i = 0; i < to->n; i++)
    to->noise[i] += square * noise[i];
  if (side->factor > 0)
    s->along += side->factor * batches_along(&s->batches, done);
  free(noise);
}

static Status run_chains(Sides *s, Side *side, size_t samples, bool wide, size_t *done) {
  Mixed *m = &side->mixed;
  const Parameters *t = &s->l->parameters;
  Recording recording = {side, t, s->l->ground.weights.n, samples, wide ? &s->batches : NULL};
  chains_forget(&m->chains);
  Status status = s->unsettled ? burn_in(side) : OK;
  if (wide)
    batches_begin(&s->batches, t->n, m->q.chains, samples);
  if (!wide && samples > side->room) {
    side->values =
        memory_resize(side->values, (size_t)t->n * m->q.chains * samples, sizeof *side->values);
    side->room = samples;
  }
  /* The weights have moved a little since the last state, from which the chains go on. */
  size_t settle = s->l->task->options->sampling.burn_in ? samples / 10 : 0;
  if (status == OK)
    status = mixed_run(m, settle, samples, record, &recording, done);
  if (side->factor < 0 && s->clamped > MOST_WORKERS)
    chains_park(&m->chains);
  ChainsGuarantee g = chains_guarantee(&m->chains);
  s->near |= g == CHAINS_NEAR;
  s->heuristic |= g == CHAINS_HEURISTIC;
  return status;
}

static Status ask_side(Sides *s, Side *side, size_t samples, Moments *to) {
  uint32_t n = to->n;
  size_t done = 0, all = moments_entries(to);
  double *mean = memory_zero(n, sizeof *mean), *covariance = memory_zero(all, sizeof *covariance);
  Status status = OK;
  if (side->mixed.chains.chain)
    status = run_chains(s, side, samples, to->wide, &done);
  if (status == OK && side->mixed.chains.chain && to->wide)
    add_batches(s, side, done, to, mean, covariance);
  else if (status == OK && side->mixed.chains.chain)
    add_sampled(s, side, done, to, mean, covariance);
  if (status == OK && side->mixed.valued)
    add_exact(s, side, to, mean, covariance);
  for (uint32_t i = 0; i < n; i++) {
    to->gradient[i] += side->factor * mean[i];
    to->observed[i] -= side->factor < 0 ? side->factor * mean[i] : 0;
    to->expected[i] += side->factor > 0 ? side->factor * mean[i] : 0;
  }
  for (size_t i = 0; i < all; i++) {
    to->curvature[i] += side->factor * covariance[i];
    to->program[i] += side->factor > 0 ? side->factor * covariance[i] : 0;
  }
  free(mean);
  free(covariance);
  return status;
}

static void clear(const Sides *s, Moments *to) {
  size_t all = moments_entries(to);
  memset(to->program, 0, all * sizeof *to->program);
  memset(to->curvature, 0, all * sizeof *to->curvature);
  memset(to->noise, 0, all * sizeof *to->noise);
  for (uint32_t i = 0; i < to->n; i++) {
    to->observed[i] = s->settled[s->l->parameters.place[i]];
    to->gradient[i] = -to->observed[i];
    to->expected[i] = 0;
  }
}

static Status ask_all(Sides *s, size_t samples, Moments *to) {
  clear(s, to);
  s->rhat = s->along = 0, s->ess[0] = s->ess[1] = INFINITY;
  Status status = limits_check(&s->l->task->limits);
  for (size_t i = 0; status == OK && i < s->count; i++)
    if (s->side[i].begun && s->side[i].factor != 0)
      status = ask_side(s, &s->side[i], samples, to);
  s->unsettled &= status != OK;
  return status;
}

Status sides_ask(Sides *s, const double *w, size_t samples, Moments *to) {
  assert(to->n == s->l->parameters.n && samples);
  double *question = memory_zero((size_t)to->n + 1, sizeof *question);
  memcpy(question, w, to->n * sizeof *w);
  question[to->n] = (double)samples;
  for (uint32_t i = 0; i < to->n; i++)
    s->weights[s->l->parameters.place[i]] = w[i];
  Status status = OK;
  if (!sides_read(s, question, to)) {
    status = ask_all(s, samples, to);
    if (status == OK)
      sides_write(s, question, to);
  }
  free(question);
  assert(status != OK || !s->unsettled);
  return status;
}
