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
  MOST_SAMPLES = 3200,
  ITERATIONS = 200,
  LEAST_AVERAGED = 8,
  PAPER_SAMPLES = 50,
  PAPER_ITERATIONS = 50
};

#define TOLERANCE 0.002 /* in log-likelihood, for each parameter */
#define LONGEST 2.0     /* move of a weight in one step */

Stochastic stochastic_make(const Learning *l) {
  uint32_t n = l->parameters.n;
  Stochastic s = {.w = memory_zero(n, sizeof *s.w),
                  .mc_error = memory_zero(n, sizeof *s.mc_error),
                  .error = memory_zero(n, sizeof *s.error),
                  .determined = memory_zero(n, sizeof *s.determined),
                  .varied = memory_zero(n, sizeof *s.varied),
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
  moments_free(&s->at);
}

/* ---- what the steps share -------------------------------------------------------------- */

typedef struct {
  Sides *sides;
  Stochastic *s;
  const lpmln_learning_options *options;
  Frame frame;
  Moments next; /* being filled */
  uint32_t n;
  size_t samples, most; /* of each chain; iterations */
  double tolerance;
  double *step;
  double started;
} Run;

static void add_prior(const Run *x) {
  const lpmln_learning_options *o = x->options;
  double precision = 1 / (o->prior_deviation * o->prior_deviation);
  for (uint32_t i = 0; o->prior == LPMLN_GAUSSIAN && i < x->n; i++) {
    size_t diagonal = (size_t)i * x->n + i;
    x->s->at.gradient[i] -= precision * (x->s->w[i] - o->prior_mean);
    x->s->at.curvature[diagonal] += precision;
    x->s->at.program[diagonal] += precision;
  }
}

/* Tells who watches; false: the run should end. */
static bool tell(const Run *x) {
  const Learning *l = x->sides->l;
  double sum = 0;
  for (uint32_t i = 0; i < x->n; i++)
    sum += fabs(x->s->at.gradient[i]);
  lpmln_iteration now = {.iteration = ++x->s->iterations,
                         .log_likelihood = NAN,
                         .objective = NAN,
                         .gradient = largest_of(x->s->at.gradient, x->n),
                         .gradient_sum = sum,
                         .seconds = clock_now() - x->started,
                         .seconds_left = NAN,
                         .count = x->n,
                         .weights = x->s->w,
                         .parameters = l->parameters.name};
  return !x->options->progress || x->options->progress(x->options->progress_data, &now);
}

static void fill_errors(const Run *x, double averaged) {
  assert(averaged >= 1);
  for (uint32_t i = 0; i < x->n; i++) {
    x->s->mc_error[i] = frame_noise_of(&x->frame, i) / sqrt(averaged);
    x->s->error[i] = frame_error_of(&x->frame, i);
    x->s->determined[i] = frame_determines(&x->frame, i);
  }
}

static Status ask(Run *x, size_t samples, bool again) {
  assert(x->next.n == x->n && x->s->at.n == x->n && x->frame.n == x->n);
  Status status = sides_ask(x->sides, x->s->w, samples, again, &x->next);
  if (status != OK)
    return status;
  Moments old = x->s->at;
  x->s->at = x->next, x->next = old;
  x->s->known = true;
  for (uint32_t i = 0; i < x->n; i++)
    x->s->varied[i] |= x->s->at.program[(size_t)i * x->n + i] > 0;
  add_prior(x);
  double all = (double)(samples * x->sides->side[0].mixed.q.chains);
  frame_make(&x->frame, &x->s->at, x->sides->side[0].factor / all);
  fill_errors(x, 1);
  return tell(x) ? OK : INTERRUPTED;
}

/* w += rate * step, within the trust region and the bounds. */
static void move(Run *x, double rate) {
  assert(rate > 0 && rate <= 1 && x->s->known);
  double length = frame_step(&x->frame, x->step), largest = largest_of(x->step, x->n);
  double trust = sqrt(2 * x->sides->side[0].factor);
  rate *= fmin(1, fmin(trust / fmax(length, 1e-300), LONGEST / fmax(largest, 1e-300)));
  for (uint32_t i = 0; i < x->n; i++) {
    x->s->w[i] += rate * x->step[i];
    if (x->options->bounded)
      x->s->w[i] = fmin(fmax(x->s->w[i], x->options->lower), x->options->upper);
  }
}

/* ---- phases ---------------------------------------------------------------------------- */

static Status travel(Run *x) {
  Status status = OK;
  while (x->s->iterations < x->most && (status = ask(x, x->samples, true)) == OK) {
    double gain = frame_gain(&x->frame), cost = frame_cost(&x->frame);
    if (gain <= x->tolerance / 2 || (gain < cost && x->samples >= MOST_SAMPLES))
      return OK;
    move(x, 1);
    if (gain < 2 * cost && x->samples < MOST_SAMPLES &&
        !x->sides->l->task->options->sampling.samples)
      x->samples *= 2;
  }
  return status;
}

/* Leaves the mean of the iterates in w; `averaged`: how many there are. */
static Status average(Run *x, double *averaged) {
  double *mean = memory_zero(x->n, sizeof *mean), k = 0;
  Status status = OK;
  while (x->s->iterations < x->most && (status = ask(x, x->samples, false)) == OK) {
    move(x, pow(k + 1, -2.0 / 3));
    k++;
    for (uint32_t i = 0; i < x->n; i++)
      mean[i] += (x->s->w[i] - mean[i]) / k;
    if (k >= LEAST_AVERAGED && frame_cost(&x->frame) / k <= x->tolerance / 2)
      break;
  }
  if (k > 0)
    memcpy(x->s->w, mean, x->n * sizeof *mean);
  *averaged = fmax(k, 1);
  free(mean);
  return status;
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
           .next = moments_make(s->at.n)};
  frame_begin(&x.frame, x.n);
  return x;
}

static void run_free(Run *x) {
  frame_free(&x->frame);
  moments_free(&x->next);
  free(x->step);
}

Status stochastic_maximise(Sides *sides, Stochastic *s) {
  Run x = run_begin(sides, s, SAMPLES, ITERATIONS);
  x.tolerance = fmax(TOLERANCE * x.n, 0.005);
  x.step = memory_zero(x.n, sizeof *x.step);
  Status status = OK;
  while (status == OK && !s->converged && s->iterations < x.most) {
    double averaged = 1;
    status = travel(&x);
    if (status == OK && sides->sampled)
      status = average(&x, &averaged);
    if (status == OK) /* an independent look at where that led */
      status = ask(&x, x.samples, false);
    if (status == OK) {
      fill_errors(&x, averaged);
      s->converged = frame_gain(&x.frame) + frame_cost(&x.frame) / averaged <= x.tolerance;
    }
  }
  run_free(&x);
  return status;
}

Status stochastic_ascend(Sides *sides, Stochastic *s) {
  const lpmln_learning_options *o = sides->l->options;
  Run x = run_begin(sides, s, PAPER_SAMPLES, PAPER_ITERATIONS);
  Status status = OK;
  while (!s->converged && s->iterations < x.most && (status = ask(&x, x.samples, false)) == OK) {
    double largest = 0;
    for (uint32_t i = 0; i < x.n; i++) {
      double to = s->w[i] + o->rate * s->at.gradient[i];
      to = o->bounded ? fmin(fmax(to, o->lower), o->upper) : to;
      largest = fmax(largest, fabs(to - s->w[i]));
      s->w[i] = to;
    }
    s->converged = largest < o->delta;
  }
  run_free(&x);
  return status;
}
