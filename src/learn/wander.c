/* wander.c - maximising with very many parameters; see stochastic.h.
**
** No matrix fits, so a step goes along the gradient, each weight's part divided by its own
** curvature, and is short; many short steps from few samples each wander around the maximum, and
** their mean is the answer (Polyak and Juditsky).  The second half of all steps is cut into
** windows; how their means vary tells the error of the answer.
**
** It ends when windows do not drift, their variation costs less than the tolerance in
** log-likelihood (the curvature along a difference of windows corrects for what the diagonal does
** not see), and a closer look at the mean shows no slope beyond its noise that is worth more. */
#include "learn/stochastic.h"

#include "base/limits.h"
#include "base/memory.h"
#include "learn/learning.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 10, LOOK_SAMPLES = 200, ITERATIONS = 5000 };
enum { WINDOWS = 16, TAIL = WINDOWS / 2, LEAST_LENGTH = 4 };
enum { TUNING = 32, SLOWER = 256 }; /* iterations until the rate is found, and until it is less */

#define TOLERANCE 0.005 /* in log-likelihood, for each parameter */
#define LONGEST 0.5     /* move of a weight in one step */
#define STUDENT 1.2066  /* an interval of 7 degrees of freedom, beside a normal one */
#define DRIFT 0.8       /* correlation of neighbouring windows that is none */

typedef struct {
  Sides *sides;
  Stochastic *s;
  const lpmln_learning_options *options;
  Prior prior;
  uint32_t n;
  size_t samples, most;
  double rate, started, factor;
  Moments next;                  /* being filled */
  double *scale;                 /* curvature by parameter, over the last steps */
  double *before;                /* the gradient before this one */
  double *window;                /* means of w, window after window */
  double *along;                 /* the difference of two parts of the tail */
  size_t filled, length, within; /* windows; steps of each, and in the one that is filled now */
} Wander;

/* ---- one look ----------------------------------------------------------------------------- */

static void add_prior(Wander *x) {
  double precision = 1 / (x->prior.deviation * x->prior.deviation);
  Moments *m = &x->s->at;
  for (uint32_t i = 0; x->prior.kind == LPMLN_GAUSSIAN && i < x->n; i++) {
    m->gradient[i] -= precision * (x->s->w[i] - x->prior.mean);
    m->program[i] += precision;
  }
  for (uint32_t i = 0; x->options->bounded && i < x->n; i++) {
    double w = x->s->w[i], g = m->gradient[i];
    if ((w <= x->options->lower && g < 0) || (w >= x->options->upper && g > 0))
      m->gradient[i] = m->noise[i] = 0;
  }
}

/* Counts that were not seen to vary are as curved as one sample would make them. */
static void update_scale(Wander *x, size_t samples) {
  double chains = (double)x->sides->side[0].mixed.q.chains;
  double least = x->factor / ((double)samples * chains), keep = x->s->iterations ? 0.9 : 0;
  for (uint32_t i = 0; i < x->n; i++) {
    x->s->varied[i] |= x->s->at.program[i] > 0;
    x->scale[i] = keep * x->scale[i] + (1 - keep) * fmax(x->s->at.program[i], least);
  }
}

static Status look(Wander *x, size_t samples) {
  x->sides->batches.direction = x->along;
  Status status = sides_ask(x->sides, x->s->w, samples, &x->next);
  if (status != OK)
    return status;
  Moments old = x->s->at;
  x->s->at = x->next, x->next = old;
  x->s->known = true;
  add_prior(x);
  return OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* The angle between this gradient and the last tells whether steps are too long or too short. */
static void tune(Wander *x) {
  double both = 0, one = 0, other = 0;
  const double *g = x->s->at.gradient;
  for (uint32_t i = 0; i < x->n; i++) {
    both += g[i] * x->before[i] / x->scale[i];
    one += g[i] * g[i] / x->scale[i];
    other += x->before[i] * x->before[i] / x->scale[i];
  }
  double angle = one > 0 && other > 0 ? both / sqrt(one * other) : 0;
  if (x->s->iterations < TUNING)
    x->rate = angle > 0.3              ? fmin(1.3 * x->rate, 1)
              : angle < -0.3 - x->rate ? 0.6 * x->rate
                                       : x->rate;
  memcpy(x->before, g, x->n * sizeof *g);
}

static void move(Wander *x) {
  double later = x->s->iterations > TUNING ? (double)(x->s->iterations - TUNING) / SLOWER : 0;
  double rate = x->rate / sqrt(1 + later);
  for (uint32_t i = 0; i < x->n; i++) {
    double step = rate * x->s->at.gradient[i] / x->scale[i];
    double w = x->s->w[i] + fmin(fmax(step, -LONGEST), LONGEST);
    x->s->w[i] = x->options->bounded ? fmin(fmax(w, x->options->lower), x->options->upper) : w;
  }
}

/* ---- windows ------------------------------------------------------------------------------ */

static double *window_of(const Wander *x, size_t k) { return x->window + k * x->n; }

/* Two windows become one; those that come are as long. */
static void merge(Wander *x) {
  assert(x->filled == WINDOWS && !x->within);
  for (size_t k = 0; k < WINDOWS / 2; k++)
    for (uint32_t i = 0; i < x->n; i++)
      window_of(x, k)[i] = (window_of(x, 2 * k)[i] + window_of(x, 2 * k + 1)[i]) / 2;
  x->filled /= 2, x->length *= 2;
}

/* True: all windows are full. */
static bool note(Wander *x) {
  double *to = window_of(x, x->filled);
  x->within++;
  for (uint32_t i = 0; i < x->n; i++)
    to[i] = (x->within > 1 ? to[i] : 0) +
            (x->s->w[i] - (x->within > 1 ? to[i] : 0)) / (double)x->within;
  if (x->within < x->length)
    return false;
  x->within = 0;
  return ++x->filled == WINDOWS;
}

/* The mean of the tail goes to w, and its error; returns what that costs if parameters are
** independent, and how much neighbouring windows have in common. */
static double average(Wander *x, double *common) {
  double both = 0, all = 0, cost = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    double mean = 0, square = 0, halves = 0;
    for (size_t k = TAIL; k < WINDOWS; k++)
      mean += window_of(x, k)[i] / TAIL;
    for (size_t k = TAIL; k < WINDOWS; k++) {
      double away = window_of(x, k)[i] - mean;
      square += away * away;
      halves += k < TAIL + TAIL / 2 ? away : -away;
      if (k + 1 < WINDOWS)
        both += x->scale[i] * away * (window_of(x, k + 1)[i] - mean);
    }
    all += x->scale[i] * square;
    x->s->w[i] = mean;
    x->s->mc_error[i] = sqrt(square / (TAIL - 1) / TAIL);
    x->along[i] = halves / TAIL;
    cost += 0.5 * x->scale[i] * square / (TAIL - 1) / TAIL;
  }
  *common = all > 0 ? fmax(both / all + 1.0 / TAIL, 0) : 0;
  return cost;
}

/* Of the curvature along the difference of two parts of the tail, to that of the diagonal. */
static double correction(const Wander *x) {
  double diagonal = 0;
  for (uint32_t i = 0; i < x->n; i++)
    diagonal += x->along[i] * x->along[i] * x->scale[i];
  return diagonal > 0 ? fmax(x->sides->along / diagonal, 1) : 1;
}

/* What is left to gain, beyond what noise seems to. */
static double gain(const Wander *x) {
  const Moments *m = &x->s->at;
  double sum = 0;
  for (uint32_t i = 0; i < x->n; i++)
    sum += 0.5 * (m->gradient[i] * m->gradient[i] - m->noise[i]) / x->scale[i];
  return fmax(sum, 0);
}

/* Looks at the mean of the tail; w stays there if that is the answer. */
static Status judge(Wander *x) {
  Stochastic *s = x->s;
  double *last = memory_zero(x->n, sizeof *last), common, tolerance = TOLERANCE * x->n;
  memcpy(last, s->w, x->n * sizeof *last);
  double cost = average(x, &common);
  double longer = (1 + fmin(common, 0.9)) / (1 - fmin(common, 0.9));
  Status status = OK;
  for (uint32_t i = 0; i < x->n; i++)
    s->mc_error[i] *= STUDENT * sqrt(longer);
  if (x->length >= LEAST_LENGTH && common < DRIFT && cost * longer <= tolerance) {
    size_t samples = x->samples > LOOK_SAMPLES ? x->samples : LOOK_SAMPLES;
    status = look(x, samples);
    s->cost = cost * longer * (status == OK ? correction(x) : 1);
    s->converged = status == OK && s->cost + gain(x) <= tolerance;
  }
  if (!s->converged)
    memcpy(s->w, last, x->n * sizeof *last);
  free(last);
  return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static Wander begin(Sides *sides, Stochastic *s) {
  const Learning *l = sides->l;
  size_t wanted = l->task->options->sampling.samples, n = s->at.n;
  return (Wander){.sides = sides,
                  .s = s,
                  .options = l->options,
                  .prior = learning_prior(l),
                  .n = s->at.n,
                  .samples = wanted ? wanted : SAMPLES,
                  .most = l->options->iterations ? l->options->iterations : ITERATIONS,
                  .rate = 0.3,
                  .started = clock_now(),
                  .factor = fmax(sides->side[0].factor, 1e-9),
                  .next = moments_make(s->at.n),
                  .scale = memory_zero(n, sizeof(double)),
                  .before = memory_zero(n, sizeof(double)),
                  .window = memory_zero(WINDOWS * n, sizeof(double)),
                  .along = memory_zero(n, sizeof(double)),
                  .length = 1};
}

static void end(Wander *x) {
  x->sides->batches.direction = NULL;
  moments_free(&x->next);
  free(x->scale);
  free(x->before);
  free(x->window);
  free(x->along);
}

Status stochastic_wander(Sides *sides, Stochastic *s) {
  assert(s->at.wide && sides->side[0].factor >= 0);
  Wander x = begin(sides, s);
  Status status = OK;
  for (uint32_t i = 0; i < x.n; i++)
    s->error[i] = s->mc_error[i] = NAN, s->determined[i] = true;
  while (!s->converged && s->iterations < x.most && status == OK) {
    status = look(&x, x.samples);
    if (status != OK)
      break;
    update_scale(&x, x.samples);
    tune(&x);
    if (!stochastic_tell(sides, s, x.started))
      status = INTERRUPTED;
    move(&x);
    if (note(&x)) {
      status = judge(&x);
      merge(&x);
    }
  }
  end(&x);
  return status;
}
