/* stochastic.c - see stochastic.h. */
#include "learn/stochastic.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "learn/frame.h"
#include "learn/learning.h"
#include "learn/objective.h"
#include "learn/sides.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLES = 100,
  MOST_SAMPLES = 25600,
  ITERATIONS = 200,
  PAPER_SAMPLES = 50,
  PAPER_ITERATIONS = 10000, /* so that delta ends it, if the noise lets it */
  LAST_SAMPLES = 1000
};

#define TOLERANCE 0.005      /* in log-likelihood, for each parameter… */
#define LEAST_TOLERANCE 0.01 /* …and at least */
#define LONGEST 2.0          /* move of a weight in one step */

Stochastic stochastic_make(const Learning *l) {
  uint32_t n = l->parameters.n;
  Stochastic s = {.w = memory_zero(n, sizeof *s.w),
                  .mc_error = memory_zero(n, sizeof *s.mc_error),
                  .error = memory_zero(n, sizeof *s.error),
                  .determined = memory_zero(n, sizeof *s.determined),
                  .varied = memory_zero(n, sizeof *s.varied),
                  .first = memory_zero(n, sizeof *s.first),
                  .now = memory_zero(n, sizeof *s.now),
                  .at = moments_make(n)};
  memcpy(s.w, l->parameters.start, n * sizeof *s.w);
  return s;
}

void stochastic_free(Stochastic *s) {
  free(s->w);
  free(s->mc_error);
  free(s->error);
  free(s->determined);
  free(s->varied);
  free(s->first);
  free(s->now);
  moments_free(&s->at);
}

/* ---- what the steps share -------------------------------------------------------------- */

typedef struct {
  Sides *sides;
  Stochastic *s;
  const lpmln_learning_options *options;
  Prior prior;
  int8_t *sign; /* by parameter with an L1 prior: the side of 0 for this step; 0: it stays there */
  Frame frame;
  Moments next; /* being filled */
  uint32_t n;
  size_t samples, most; /* of each chain; iterations */
  double tolerance;
  double *step;
  double started;
} Run;

static void add_prior(const Run *x) {
  const Prior *p = &x->prior;
  double precision = 1 / (p->deviation * p->deviation);
  for (uint32_t i = 0; p->kind == LPMLN_GAUSSIAN && i < x->n; i++) {
    size_t diagonal = (size_t)i * x->n + i;
    x->s->at.gradient[i] -= precision * (x->s->w[i] - p->mean);
    x->s->at.curvature[diagonal] += precision;
    x->s->at.program[diagonal] += precision;
  }
}

static void balance(Stochastic *s) {
  for (uint32_t i = 0; i < s->at.n; i++) {
    s->now[i] = (lpmln_balance){s->w[i], s->at.observed[i], s->at.expected[i], s->at.gradient[i]};
    if (!s->iterations)
      s->first[i] = s->now[i];
  }
}

bool stochastic_tell(const Sides *sides, Stochastic *s, double started) {
  const Learning *l = sides->l;
  const lpmln_learning_options *o = l->options;
  double sum = 0;
  balance(s);
  for (uint32_t i = 0; i < s->at.n; i++)
    sum += fabs(s->at.gradient[i]);
  lpmln_iteration now = {.iteration = ++s->iterations,
                         .log_likelihood = NAN,
                         .objective = NAN,
                         .gradient = largest_of(s->at.gradient, s->at.n),
                         .gradient_sum = sum,
                         .seconds = clock_now() - started,
                         .seconds_left = NAN,
                         .count = s->at.n,
                         .weights = s->w,
                         .balances = o->counts ? s->now : NULL,
                         .parameters = l->parameters.name};
  return !o->progress || o->progress(o->progress_data, &now);
}

static void fill_errors(const Run *x, double averaged) {
  assert(averaged >= 1);
  for (uint32_t i = 0; i < x->n; i++) {
    x->s->mc_error[i] = frame_noise_of(&x->frame, i) / sqrt(averaged);
    x->s->error[i] = frame_error_of(&x->frame, i);
    x->s->determined[i] = frame_determines(&x->frame, i);
  }
}

/* A weight that stays where it is has no slope and nothing to do with others. */
static void hold_one(Moments *m, uint32_t i) {
  m->gradient[i] = 0;
  for (uint32_t k = 0; k < m->n; k++) {
    size_t row = (size_t)i * m->n + k, column = (size_t)k * m->n + i;
    m->noise[row] = m->noise[column] = 0;
    if (k != i)
      m->program[row] = m->program[column] = m->curvature[row] = m->curvature[column] = 0;
  }
  m->curvature[(size_t)i * m->n + i] = m->program[(size_t)i * m->n + i];
}

/* At a bound that it would cross… */
static void hold(const Run *x) {
  Moments *m = &x->s->at;
  for (uint32_t i = 0; x->options->bounded && i < x->n; i++) {
    double w = x->s->w[i], g = m->gradient[i];
    if ((w <= x->options->lower && g < 0) || (w >= x->options->upper && g > 0))
      hold_one(m, i);
  }
}

/* …or at 0 with a slope that does not stand out of the L1 prior's by more than its noise.  All
** others have the prior's slope on their side of 0, which they don't leave in this step. */
static void choose_signs(const Run *x) {
  enum { NOISES = 2 };
  Moments *m = &x->s->at;
  for (uint32_t i = 0; i < x->n; i++) {
    double pull = prior_l1(&x->prior, i), w = x->s->w[i], g = m->gradient[i];
    if (!(pull > 0))
      continue;
    double least = pull + NOISES * sqrt(m->noise[(size_t)i * m->n + i]);
    x->sign[i] = (int8_t)(w != 0 ? (w > 0) - (w < 0) : (g > least) - (g < -least));
    m->gradient[i] -= pull * x->sign[i];
    if (!x->sign[i])
      hold_one(m, i);
  }
}

/* A weight that was to stay on one side of 0. */
static double on_its_side(const Run *x, uint32_t i, double w) {
  bool sided = prior_l1(&x->prior, i) > 0;
  return sided && w * x->sign[i] <= 0 ? 0 : w;
}

/* The relative error of sampled covariances in n dimensions. */
static double doubt(const Run *x) {
  double n = 1 + x->n;
  return sqrt(n / x->sides->ess[0]) + sqrt(n / x->sides->ess[1]);
}

/* The moments at w, and what follows from them. */
static Status look(Run *x, size_t samples) {
  assert(x->next.n == x->n && x->s->at.n == x->n && x->frame.n == x->n);
  Status status = sides_ask(x->sides, x->s->w, samples, &x->next);
  if (status != OK)
    return status;
  Moments old = x->s->at;
  x->s->at = x->next, x->next = old;
  x->s->known = true;
  for (uint32_t i = 0; i < x->n; i++)
    x->s->varied[i] |= x->s->at.program[(size_t)i * x->n + i] > 0;
  add_prior(x);
  double all = (double)(samples * x->sides->side[0].mixed.q.chains);
  hold(x);
  choose_signs(x);
  double least = fmax(x->sides->side[0].factor, 1e-9) / all;
  frame_make(&x->frame, &x->s->at, least, doubt(x));
  fill_errors(x, 1);
  return OK;
}

static Status ask(Run *x, size_t samples) {
  Status status = look(x, samples);
  if (status != OK)
    return status;
  return stochastic_tell(x->sides, x->s, x->started) ? OK : INTERRUPTED;
}

/* w += step, within the trust region and the bounds. */
static void move(Run *x) {
  assert(x->s->known);
  double length = frame_step(&x->frame, x->step), largest = largest_of(x->step, x->n);
  double trust = sqrt(2 * fmax(x->sides->side[0].factor, 1));
  double rate = fmin(1, fmin(trust / fmax(length, 1e-300), LONGEST / fmax(largest, 1e-300)));
  for (uint32_t i = 0; i < x->n; i++) {
    x->s->w[i] = on_its_side(x, i, x->s->w[i] + rate * x->step[i]);
    if (x->options->bounded)
      x->s->w[i] = fmin(fmax(x->s->w[i], x->options->lower), x->options->upper);
  }
}

/* ---- steps ----------------------------------------------------------------------------- */

/* Estimates so far, of which w is the mean. */
typedef struct {
  double count;
  double *mean;
  bool landed; /* the last estimate came from near by; it is not in the mean itself */
} Average;

static void average_clear(const Run *x, Average *a) {
  a->count = 0;
  memset(a->mean, 0, x->n * sizeof *a->mean);
}

/* The mean with the estimate that the last look gives; w goes there. */
static void average(Run *x, Average *a) {
  move(x);
  a->count++;
  for (uint32_t i = 0; i < x->n; i++)
    a->mean[i] += (x->s->w[i] - a->mean[i]) / a->count;
  memcpy(x->s->w, a->mean, x->n * sizeof *a->mean);
}

/* More samples if it would take many looks to average the noise away. */
static void add_samples(Run *x, Average *a) {
  enum { LOOKS = 4 };
  double looks = frame_cost(&x->frame) / x->tolerance;
  if (looks <= LOOKS || x->samples >= MOST_SAMPLES || x->sides->l->task->options->sampling.samples)
    return;
  double wanted = (double)x->samples * fmin(looks / LOOKS + 1, 8);
  x->samples = wanted < MOST_SAMPLES ? (size_t)wanted : MOST_SAMPLES;
  average_clear(x, a);
}

/* One look at w and what is made of it; true: that is all. */
static bool step(Run *x, Average *a) {
  double times = 1 + 1 / fmax(a->count, 1); /* w has noise of its own */
  double gain = frame_gain(&x->frame, times), cost = frame_cost(&x->frame);
  bool off = gain > x->tolerance / 2 && frame_stands_out(&x->frame, times);
  if (off || !a->landed) {
    move(x);
    average_clear(x, a);
    a->landed = !off;
    if (gain < 2 * cost)
      add_samples(x, a);
    return false;
  }
  average(x, a);
  fill_errors(x, a->count);
  x->s->cost = cost / a->count;
  if (a->count >= 2 && x->s->cost <= x->tolerance)
    return true;
  add_samples(x, a);
  return false;
}

/* Numbers that the user did not choose are these. */
static Run run_begin(Sides *sides, Stochastic *s, size_t samples, size_t iterations) {
  const lpmln_learning_options *o = sides->l->options;
  size_t wanted = sides->l->task->options->sampling.samples;
  Run x = {.sides = sides,
           .s = s,
           .options = o,
           .n = s->at.n,
           .samples = wanted ? wanted : samples,
           .most = o->iterations ? o->iterations : iterations,
           .started = clock_now(),
           .prior = learning_prior(sides->l),
           .sign = memory_zero(s->at.n, sizeof *x.sign),
           .next = moments_make(s->at.n)};
  frame_begin(&x.frame, x.n);
  return x;
}

static void run_free(Run *x) {
  frame_free(&x->frame);
  moments_free(&x->next);
  free(x->sign);
  free(x->step);
}

Status stochastic_maximise(Sides *sides, Stochastic *s) {
  Run x = run_begin(sides, s, SAMPLES, ITERATIONS);
  Average a = {.mean = memory_zero(x.n, sizeof *a.mean)};
  x.tolerance = fmax(TOLERANCE * x.n, LEAST_TOLERANCE);
  x.step = memory_zero(x.n, sizeof *x.step);
  Status status = OK;
  while (!s->converged && s->iterations < x.most && (status = ask(&x, x.samples)) == OK)
    s->converged = step(&x, &a);
  free(a.mean);
  run_free(&x);
  return status;
}

/* What is determined, and whether this is a maximum, does not show in a few samples: the errors
** are those of a closer look, with the way that is still to go. */
static Status look_closely(Run *x) {
  Stochastic *s = x->s;
  Status status = look(x, x->samples < LAST_SAMPLES ? LAST_SAMPLES : x->samples);
  if (status != OK)
    return status;
  x->step = memory_zero(x->n, sizeof *x->step);
  frame_step(&x->frame, x->step);
  for (uint32_t i = 0; i < x->n; i++)
    s->mc_error[i] = hypot(s->mc_error[i], x->step[i]);
  double tolerance = fmax(TOLERANCE * x->n, LEAST_TOLERANCE);
  s->chance = s->converged && (frame_stands_out(&x->frame, 1) || frame_cost(&x->frame) > tolerance);
  s->converged = s->converged && !s->chance;
  balance(s);
  return OK;
}

Status stochastic_ascend(Sides *sides, Stochastic *s) {
  const lpmln_learning_options *o = sides->l->options;
  Run x = run_begin(sides, s, PAPER_SAMPLES, PAPER_ITERATIONS);
  Status status = OK;
  while (!s->converged && s->iterations < x.most && (status = ask(&x, x.samples)) == OK) {
    double largest = 0;
    for (uint32_t i = 0; i < x.n; i++) {
      double to = on_its_side(&x, i, s->w[i] + o->rate * s->at.gradient[i]);
      to = o->bounded ? fmin(fmax(to, o->lower), o->upper) : to;
      largest = fmax(largest, fabs(to - s->w[i]));
      s->w[i] = to;
    }
    s->converged = largest < o->delta;
  }
  bool whole = status == OK;
  if (whole)
    status = look_closely(&x);
  for (uint32_t i = 0; !whole && i < x.n; i++)
    s->determined[i] = true, s->error[i] = NAN;
  run_free(&x);
  return status;
}
