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
#define FARTHEST 1e10 /* weights beyond are not evaluated: sums of many would lose digits */

void objective_begin(Objective *o, const Circuit *c, const double *weights) {
  assert(o->mixture && o->n <= c->weights && !(o->count <= 0));
  assert(o->prior.kind != LPMLN_GAUSSIAN || o->prior.deviation > 0);
  o->circuit = c;
  o->weights = memory_zero(c->weights, sizeof *o->weights);
  o->gathered = memory_zero(c->weights, sizeof *o->gathered);
  memcpy(o->weights, weights, c->weights * sizeof *weights);
  o->balances = NULL; /* what begins as a copy of another owns none of it */
  o->fresh = false;
  circuit_values_make(c, &o->values);
  o->started = clock_now();
  o->status = OK;
}

void objective_free(Objective *o) {
  circuit_values_free(&o->values);
  free(o->weights);
  free(o->gathered);
  free(o->balances);
}

double largest_of(const double *v, uint32_t n) {
  double largest = 0;
  for (uint32_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(v[i]));
  return largest;
}

static void refresh(Objective *o) {
  if (!o->fresh && !o->parted)
    circuit_evaluate(o->circuit, o->weights, &o->values);
  o->fresh = !o->parted;
}

double objective_prior(const Objective *o, const double *w, double *gradient) {
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

/* Goes to the journal, if it is right; a journal that can't be written ends the run, which
** can be resumed from what it has. */
static void write_down(Objective *o, char letter, const double *question, uint32_t n,
                       const double *answer, uint32_t m) {
  if (o->status != OK || !o->journal)
    return;
  journal_write(o->journal, letter, question, n, answer, m);
  o->status = o->journal->status;
}

static PortionQuestion question_of(const Objective *o, const double *direction) {
  return (PortionQuestion){
      .weights = o->weights, .direction = direction, .threads = o->threads, .limits = o->limits};
}

/* out: the value, then the gradient. */
static void evaluate(Objective *o, const double *w, double *out) {
  memset(o->gathered, 0, o->circuit->weights * sizeof *o->gathered);
  out[0] = 0;
  if (!o->parted) {
    refresh(o);
    out[0] = mixture_value(o->mixture, &o->values);
    mixture_gradient(o->mixture, o->circuit, &o->values, o->gathered);
  }
  PortionQuestion q = question_of(o, NULL);
  Status status = o->portions ? portions_sum(o->portions, &q, out, o->gathered) : OK;
  o->status = o->status == OK ? status : o->status;
  gather(o, out + 1);
  out[0] += objective_prior(o, w, out + 1);
  for (uint32_t i = 0; o->linear && i < o->n; i++) {
    out[0] += o->linear[i] * w[i];
    out[1 + i] += o->linear[i];
  }
}

/* A line search may also come to no number at all. */
static bool too_far(const double *w, uint32_t n) {
  bool far = false;
  for (uint32_t i = 0; i < n; i++)
    far |= !(fabs(w[i]) <= FARTHEST);
  return far;
}

static void set_weights(Objective *o, const double *w) {
  for (uint32_t i = 0; i < o->n; i++) {
    assert(o->place[i] < o->circuit->weights);
    o->weights[o->place[i]] = w[i];
  }
  o->fresh = false;
}

double objective_portion(Objective *o, size_t portion, const double *w, double *gradient) {
  double *asked = memory_zero((size_t)o->n + 1, sizeof *asked);
  double *out = memory_zero((size_t)o->n + 1, sizeof *out);
  if (o->status == OK)
    o->status = limits_check(o->limits);
  memcpy(asked, w, o->n * sizeof *w);
  asked[o->n] = (double)portion;
  if (o->status == OK && !journal_read(o->journal, 'b', asked, o->n + 1, out, o->n + 1)) {
    PortionQuestion q = question_of(o, NULL);
    set_weights(o, w);
    memset(o->gathered, 0, o->circuit->weights * sizeof *o->gathered);
    o->status = portions_ask(o->portions, portion, &q, out, o->gathered);
    gather(o, out + 1);
    write_down(o, 'b', asked, o->n + 1, out, o->n + 1);
  }
  double value = o->status == OK ? out[0] : -INFINITY;
  memcpy(gradient, out + 1, o->n * sizeof *gradient);
  free(asked);
  free(out);
  return value;
}

double objective_value(Objective *o, const double *w, double *gradient) {
  if (o->status == OK)
    o->status = limits_check(o->limits);
  double *out = memory_zero((size_t)o->n + 1, sizeof *out);
  set_weights(o, w);
  if (too_far(w, o->n)) { /* no place to be: back */
    for (uint32_t i = 0; i < o->n; i++)
      gradient[i] = isnan(w[i]) ? 0 : -w[i];
    free(out);
    return -INFINITY;
  }
  if (o->status == OK && !journal_read(o->journal, 'e', w, o->n, out, o->n + 1)) {
    evaluate(o, w, out);
    write_down(o, 'e', w, o->n, out, o->n + 1);
  }
  o->evaluations++;
  double value = o->status == OK ? out[0] : -INFINITY;
  memcpy(gradient, out + 1, o->n * sizeof *gradient);
  free(out);
  return value;
}

/* The product of the mixture's and the prior's Hessian with v, in a place of the
** caller's: several threads may do this at once, or portions use them. */
static Status multiply(const Objective *o, const double *v, unsigned threads, double *product) {
  double ignored = 0;
  uint32_t all = o->circuit->weights;
  double *direction = memory_zero(all, sizeof *direction), *sum = memory_zero(all, sizeof *sum);
  for (uint32_t i = 0; i < o->n; i++)
    direction[o->place[i]] = v[i];
  if (!o->parted)
    mixture_product(o->mixture, o->circuit, &o->values, direction, sum);
  PortionQuestion q = question_of(o, direction);
  q.threads = threads;
  Status status = o->portions ? portions_sum(o->portions, &q, &ignored, sum) : OK;
  double precision = 1 / (o->prior.deviation * o->prior.deviation);
  for (uint32_t i = 0; i < o->n; i++)
    product[i] = sum[o->place[i]] - (o->prior.kind == LPMLN_GAUSSIAN ? precision * v[i] : 0);
  free(direction);
  free(sum);
  return status;
}

void objective_product(Objective *o, const double *v, double *product) {
  if (o->status == OK)
    o->status = limits_check(o->limits);
  memset(product, 0, o->n * sizeof *product);
  if (o->status != OK || journal_read(o->journal, 'p', v, o->n, product, o->n))
    return;
  refresh(o);
  o->status = multiply(o, v, o->threads, product);
  write_down(o, 'p', v, o->n, product, o->n);
}

typedef struct {
  const Objective *o;
  double *hessian;
  unsigned threads; /* of a row */
  Status *status;   /* by row */
} Rows;

static void fill_row(void *data, size_t i) {
  const Rows *rows = data;
  const Objective *o = rows->o;
  assert((o->fresh || o->parted) && i < o->n);
  if (limits_check(o->limits) != OK)
    return; /* who started this will see */
  double *unit = memory_zero(o->n, sizeof *unit);
  unit[i] = 1;
  rows->status[i] = multiply(o, unit, rows->threads, rows->hessian + i * o->n);
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
  Status *status = memory_zero(o->n, sizeof *status);
  bool portions = o->portions && o->portions->list.n; /* they use the threads, and the ranks */
  bool alone = portions || o->circuit->nodes.n * o->n < WORTH_A_THREAD;
  Rows rows = {o, hessian, portions ? o->threads : 1, status};
  parallel_for(alone ? 1 : o->threads, o->n, fill_row, &rows);
  o->status = limits_check(o->limits);
  for (uint32_t i = 0; i < o->n && o->status == OK; i++)
    o->status = status[i];
  free(status);
  make_symmetric(hessian, o->n);
  write_down(o, 'h', o->weights, o->circuit->weights, hessian, entries);
}

double objective_likelihood(const Objective *o, const double *w, double value) {
  double *ignored = memory_zero(o->n, sizeof *ignored);
  double prior = objective_prior(o, w, ignored);
  free(ignored);
  return value - prior;
}

/* As far as it can be met. */
double objective_slope(const Objective *o, const double *w, const double *gradient) {
  double largest = 0;
  for (uint32_t i = 0; i < o->n; i++) {
    double c = objective_l1(o, i), g = gradient[i];
    bool held = o->bounded && ((w[i] <= o->lower && g < 0) || (w[i] >= o->upper && g > 0));
    double s = w[i] > 0 ? g - c : w[i] < 0 ? g + c : fmax(fabs(g) - c, 0);
    largest = fmax(largest, held ? 0 : fabs(s));
  }
  return largest;
}

bool objective_fine(double slope, double value) { return slope <= 1e-6 * (1 + fabs(value)); }

bool objective_converged(const Objective *o, double slope, double value) {
  double rounding = 1e-11 * o->count;
  return !objective_ended(o) && slope <= GRADIENT * o->count &&
         slope <= fmax(1e-3 * (1 + fabs(value)), rounding);
}

double objective_penalty(const Objective *o, const double *w) {
  double sum = 0;
  for (uint32_t i = 0; i < o->n; i++)
    sum += objective_l1(o, i) * fabs(w[i]);
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

/* With values of its own: those of the objective may be asked for again. */
void objective_balance(const Objective *o, const double *w, lpmln_balance *to) {
  assert(o->halves);
  uint32_t all = o->circuit->weights;
  double *weights = memory_zero(all, sizeof *weights), *sum[2];
  double *prior = memory_zero(o->n, sizeof *prior);
  CircuitValues values;
  memcpy(weights, o->weights, all * sizeof *weights);
  for (uint32_t i = 0; i < o->n; i++)
    weights[o->place[i]] = w[i];
  circuit_values_make(o->circuit, &values);
  circuit_evaluate(o->circuit, weights, &values);
  for (int k = 0; k < 2; k++) {
    sum[k] = memory_zero(all, sizeof *sum[k]);
    mixture_gradient(&o->halves[k], o->circuit, &values, sum[k]);
  }
  PortionQuestion q = question_of(o, NULL);
  double ignored = 0;
  q.weights = weights, q.observed = true;
  if (o->portions && !o->parted) /* a limit: who asks looks at it */
    (void)portions_sum(o->portions, &q, &ignored, sum[0]);
  (void)objective_prior(o, w, prior);
  for (uint32_t i = 0; i < o->n; i++) {
    double observed = -sum[0][o->place[i]], expected = sum[1][o->place[i]];
    to[i] = (lpmln_balance){w[i], observed, expected, expected - observed + prior[i]};
  }
  circuit_values_free(&values);
  free(sum[0]);
  free(sum[1]);
  free(prior);
  free(weights);
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
  if (o->balances)
    objective_balance(o, w, o->balances);
  now.balances = o->balances;
  if (o->progress && !o->progress(o->progress_data, &now))
    o->stopped = true;
  return !objective_ended(o);
}
