/* objective.c - see objective.h. */
#include "learn/objective.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "learn/journal.h"
#include "learn/mixture.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_A_THREAD = 20000 };

void objective_begin(Objective *o, const Circuit *c, const double *weights) {
  assert(o->mixture && o->n <= c->weights && !(o->count <= 0));
  assert(o->prior.kind != LPMLN_GAUSSIAN || o->prior.deviation > 0);
  o->circuit = c;
  o->weights = memory_zero(c->weights, sizeof *o->weights);
  o->gathered = memory_zero(c->weights, sizeof *o->gathered);
  memcpy(o->weights, weights, c->weights * sizeof *weights);
  circuit_values_make(c, &o->values);
  o->started = clock_now();
  o->status = OK;
}

void objective_free(Objective *o) {
  circuit_values_free(&o->values);
  free(o->weights);
  free(o->gathered);
}

double largest_of(const double *v, uint32_t n) {
  double largest = 0;
  for (uint32_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(v[i]));
  return largest;
}

static void refresh(Objective *o) {
  if (!o->fresh)
    circuit_evaluate(o->circuit, o->weights, &o->values);
  o->fresh = true;
}

static double add_prior(const Objective *o, const double *w, double *gradient) {
  double sum = 0, precision = 1 / (o->prior.deviation * o->prior.deviation);
  if (o->prior.kind != LPMLN_GAUSSIAN)
    return 0;
  for (uint32_t i = 0; i < o->n; i++) {
    double away = w[i] - o->prior.mean;
    sum -= 0.5 * precision * away * away;
    gradient[i] -= precision * away;
  }
  return sum;
}

static void gather(const Objective *o, double *to) {
  for (uint32_t i = 0; i < o->n; i++)
    to[i] = o->gathered[o->place[i]];
}

/* out: the value, then the gradient. */
static void evaluate(Objective *o, const double *w, double *out) {
  refresh(o);
  memset(o->gathered, 0, o->circuit->weights * sizeof *o->gathered);
  out[0] = mixture_value(o->mixture, o->circuit, &o->values);
  Status status = mixture_gradient(o->mixture, o->circuit, &o->values, o->threads, o->gathered);
  o->status = o->status == OK ? status : o->status;
  gather(o, out + 1);
  out[0] += add_prior(o, w, out + 1);
  for (uint32_t i = 0; o->linear && i < o->n; i++) {
    out[0] += o->linear[i] * w[i];
    out[1 + i] += o->linear[i];
  }
}

double objective_value(Objective *o, const double *w, double *gradient) {
  if (o->status == OK)
    o->status = limits_check(o->limits);
  double *out = memory_zero((size_t)o->n + 1, sizeof *out);
  for (uint32_t i = 0; i < o->n; i++) {
    assert(o->place[i] < o->circuit->weights);
    o->weights[o->place[i]] = w[i];
  }
  o->fresh = false;
  if (o->status == OK && !journal_read(o->journal, 'e', w, o->n, out, o->n + 1)) {
    evaluate(o, w, out);
    journal_write(o->journal, 'e', w, o->n, out, o->n + 1);
  }
  o->evaluations++;
  double value = o->status == OK ? out[0] : -INFINITY;
  memcpy(gradient, out + 1, o->n * sizeof *gradient);
  free(out);
  return value;
}

/* The product of the mixture's and the prior's Hessian with v, in a place of the
** caller's: several threads may do this at once. */
static void multiply(const Objective *o, const double *v, double *product) {
  uint32_t all = o->circuit->weights;
  double *direction = memory_zero(all, sizeof *direction), *sum = memory_zero(all, sizeof *sum);
  for (uint32_t i = 0; i < o->n; i++)
    direction[o->place[i]] = v[i];
  mixture_product(o->mixture, o->circuit, &o->values, direction, sum);
  double precision = 1 / (o->prior.deviation * o->prior.deviation);
  for (uint32_t i = 0; i < o->n; i++)
    product[i] = sum[o->place[i]] - (o->prior.kind == LPMLN_GAUSSIAN ? precision * v[i] : 0);
  free(direction);
  free(sum);
}

void objective_product(Objective *o, const double *v, double *product) {
  if (o->status == OK)
    o->status = limits_check(o->limits);
  memset(product, 0, o->n * sizeof *product);
  if (o->status != OK || journal_read(o->journal, 'p', v, o->n, product, o->n))
    return;
  refresh(o);
  multiply(o, v, product);
  journal_write(o->journal, 'p', v, o->n, product, o->n);
}

typedef struct {
  const Objective *o;
  double *hessian;
} Rows;

static void fill_row(void *data, size_t i) {
  const Rows *rows = data;
  const Objective *o = rows->o;
  assert(o->fresh && i < o->n);
  if (limits_check(o->limits) != OK)
    return; /* who started this will see */
  double *unit = memory_zero(o->n, sizeof *unit);
  unit[i] = 1;
  multiply(o, unit, rows->hessian + i * o->n);
  free(unit);
}

static void make_symmetric(double *matrix, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) /* but for rounding it is */
    for (uint32_t k = 0; k < i; k++) {
      double *a = &matrix[(size_t)i * n + k], *b = &matrix[(size_t)k * n + i];
      *a = *b = (*a + *b) / 2;
    }
}

void objective_hessian(Objective *o, double *hessian) {
  assert(o->n <= UINT16_MAX); /* the journal counts entries in 32 bits */
  uint32_t entries = o->n * o->n;
  memset(hessian, 0, entries * sizeof *hessian);
  if (objective_ended(o) ||
      journal_read(o->journal, 'h', o->weights, o->circuit->weights, hessian, entries))
    return;
  refresh(o);
  bool small = o->circuit->nodes.n * o->n < WORTH_A_THREAD;
  Status status = parallel_for(small ? 1 : o->threads, o->n, fill_row, &(Rows){o, hessian});
  o->status = status != OK ? status : limits_check(o->limits);
  make_symmetric(hessian, o->n);
  if (o->status == OK)
    journal_write(o->journal, 'h', o->weights, o->circuit->weights, hessian, entries);
}

double objective_likelihood(const Objective *o, const double *w, double value) {
  double *ignored = memory_zero(o->n, sizeof *ignored);
  double prior = add_prior(o, w, ignored);
  free(ignored);
  return value - prior;
}

double objective_penalty(const Objective *o, const double *w) {
  double sum = 0;
  for (uint32_t i = 0; o->prior.kind == LPMLN_L1 && i < o->n; i++)
    sum += o->prior.strength * fabs(w[i]);
  return sum;
}

/* The logarithm of the gradient falls about evenly from where the run began to
** where it converges. */
static double guess_left(Objective *o, double gradient) {
  double now = clock_now() - o->started, target = 0.01 * GRADIENT * o->count;
  if (o->guessed_run != o->run + 1) {
    o->guessed_run = o->run + 1;
    o->first_gradient = gradient, o->first_seconds = now;
  }
  double done = log(o->first_gradient / gradient), all = log(o->first_gradient / target);
  return done > 0 && all > done ? (now - o->first_seconds) * (all - done) / done : NAN;
}

bool objective_iteration(Objective *o, const double *w, double value, const double *gradient) {
  double sum = 0;
  o->iterations++;
  for (uint32_t i = 0; i < o->n; i++)
    sum += fabs(gradient[i]);
  lpmln_iteration now = {.iteration = o->iterations,
                         .objective = value - objective_penalty(o, w),
                         .log_likelihood = objective_likelihood(o, w, value),
                         .gradient_sum = sum,
                         .gradient = largest_of(gradient, o->n),
                         .count = o->n,
                         .weights = w,
                         .run = o->run,
                         .parameters = o->names,
                         .seconds = clock_now() - o->started};
  now.seconds_left = guess_left(o, now.gradient);
  journal_flush(o->journal, false);
  if (o->progress && !o->progress(o->progress_data, &now))
    o->stopped = true;
  return !objective_ended(o);
}
