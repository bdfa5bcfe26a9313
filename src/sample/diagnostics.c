/* diagnostics.c - see diagnostics.h. */
#include "sample/diagnostics.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096, SHORTEST = 4 }; /* values of a half chain */

/* Half chains of `n` values, chain after chain. */
typedef struct {
  double *at;
  size_t chains, n;
  size_t batch;            /* values that one of these stands for */
  double spread;           /* variance of the values themselves */
  double *mean, *variance; /* by half chain; with n - 1 */
} Halves;

static double mean_of(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum / (double)n;
}

static double variance_of(const double *x, size_t n, double mean) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - mean) * (x[i] - mean);
  return sum / (double)n;
}

/* The mean of `batch` values stands for them: the mean of all is the same, and so is
** its error.  What does not fill the halves is left out from their middle. */
static Halves halves_make(const double *values, size_t chains, size_t length) {
  size_t half = length / 2, batch = (half + LONGEST - 1) / LONGEST;
  Halves h = {.chains = 2 * chains, .n = batch ? half / batch : 0, .batch = batch};
  h.at = memory_zero(h.chains * h.n, sizeof *h.at);
  h.mean = memory_zero(h.chains, sizeof *h.mean);
  h.variance = memory_zero(h.chains, sizeof *h.variance);
  for (size_t c = 0; c < h.chains; c++) {
    const double *from = values + (c / 2) * length;
    from = c % 2 ? from + length - h.n * batch : from;
    for (size_t i = 0; i < h.n * batch; i++)
      h.at[c * h.n + i / batch] += from[i] / (double)batch;
  }
  h.spread = variance_of(values, chains * length, mean_of(values, chains * length));
  return h;
}

static void find_variances(Halves *h) {
  for (size_t c = 0; c < h->chains; c++) {
    const double *x = h->at + c * h->n;
    h->mean[c] = h->variance[c] = 0;
    for (size_t i = 0; i < h->n; i++)
      h->mean[c] += x[i] / (double)h->n;
    for (size_t i = 0; i < h->n; i++)
      h->variance[c] += (x[i] - h->mean[c]) * (x[i] - h->mean[c]) / (double)(h->n - 1);
  }
}

static void halves_free(Halves *h) {
  free(h->at);
  free(h->mean);
  free(h->variance);
}

/* The mean over half chains of the autocovariance at a lag. */
static double covariance(const Halves *h, size_t lag) {
  assert(lag < h->n);
  double sum = 0;
  for (size_t c = 0; c < h->chains; c++) {
    const double *x = h->at + c * h->n;
    double mean = h->mean[c];
    for (size_t i = 0; i + lag < h->n; i++)
      sum += (x[i] - mean) * (x[i + lag] - mean);
  }
  return sum / (double)(h->n * h->chains);
}

/* 1 + twice the sum of the autocorrelations: how many dependent values are worth an
** independent one.  Of the first pair with a negative sum, the even one counts once if it is
** positive. */
static double correlation_time(const Halves *h, double within, double total) {
  double sum = 0, last = INFINITY, even = 1, odd = 1 - (within - covariance(h, 1)) / total;
  size_t lag = 1;
  for (; lag + 3 < h->n && even + odd > 0; lag += 2) {
    last = fmin(last, even + odd);
    sum += last;
    even = 1 - (within - covariance(h, lag + 1)) / total;
    odd = 1 - (within - covariance(h, lag + 2)) / total;
  }
  return 2 * sum - 1 + fmax(even, 0);
}

static bool constant(const double *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (x[i] != x[0])
      return false;
  return true;
}

/* ---- one series ------------------------------------------------------------------ */

typedef struct {
  double total, time; /* variance; values that are worth an independent one */
  double ess, rhat;
} Look;

/* All NAN if the values are all equal. */
static Look look_at(Halves *h) {
  assert(h->n >= SHORTEST && h->chains >= 2);
  find_variances(h);
  double n = (double)h->n, all = (double)h->chains * n, mean = mean_of(h->mean, h->chains);
  double within = mean_of(h->variance, h->chains);
  double between =
      variance_of(h->mean, h->chains, mean) * (double)h->chains / (double)(h->chains - 1);
  double total = within * (n - 1) / n + between;
  if (constant(h->at, h->chains * h->n))
    return (Look){NAN, NAN, NAN, NAN};
  double time = fmax(correlation_time(h, within, total), 1 / log10(fmax(all, 10)));
  double worth = h->batch > 1 ? h->spread / total : 1; /* independent values, of a mean of some */
  return (Look){total, time, worth * all / time, within > 0 ? sqrt(total / within) : INFINITY};
}

/* ---- normal scores --------------------------------------------------------------- */

/* The quantile of the normal distribution: a rational guess, then Halley's steps. */
static double normal_quantile(double p) {
  assert(p > 0 && p < 1);
  double t = sqrt(-2 * log(fmin(p, 1 - p)));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  x = p < 0.5 ? -x : x;
  for (int i = 0; i < 3; i++) {
    double off = (0.5 * erfc(-x / sqrt(2)) - p) * 2.5066282746310002 * exp(x * x / 2);
    x -= off / (1 + x * off / 2);
  }
  return x;
}

typedef struct {
  double value;
  size_t place;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
  double x = ((const Ranked *)a)->value, y = ((const Ranked *)b)->value;
  return (x > y) - (x < y);
}

/* Values become the normal scores of their ranks; equal ones share a rank. */
static void score(double *x, size_t n) {
  Ranked *ranked = memory_zero(n, sizeof *ranked);
  for (size_t i = 0; i < n; i++)
    ranked[i] = (Ranked){x[i], i};
  if (n)
    qsort(ranked, n, sizeof *ranked, compare_ranked);
  for (size_t from = 0, to = 0; from < n; from = to) {
    while (to < n && ranked[to].value <= ranked[from].value)
      to++;
    double rank = (double)(from + to + 1) / 2;
    double z = normal_quantile((rank - 0.375) / ((double)n + 0.25));
    for (size_t i = from; i < to; i++)
      x[ranked[i].place] = z;
  }
  free(ranked);
}

static int compare_values(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double *sorted(const double *x, size_t n) {
  double *copy = memory_zero(n, sizeof *copy);
  memcpy(copy, x, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, compare_values);
  return copy;
}

/* Of sorted values, between two of them in proportion. */
static double quantile(const double *x, size_t n, double p) {
  double place = p * (double)(n - 1), whole = floor(place);
  size_t i = (size_t)whole;
  return i + 1 < n ? x[i] + (place - whole) * (x[i + 1] - x[i]) : x[i];
}

/* ---- many series ----------------------------------------------------------------- */

typedef struct {
  const double *values;
  size_t chains, length;
  double *order; /* all values, sorted */
} Series;

/* The effective size of being at most the quantile. */
static double tail_size(const Series *s, double p) {
  size_t n = s->chains * s->length;
  double limit = quantile(s->order, n, p), *below = memory_zero(n, sizeof *below);
  for (size_t i = 0; i < n; i++)
    below[i] = s->values[i] <= limit;
  Halves h = halves_make(below, s->chains, s->length);
  Look look = look_at(&h);
  double size = isnan(look.ess) ? (double)(h.chains * h.n) : look.ess;
  halves_free(&h);
  free(below);
  return size;
}

/* R-hat and effective size of the scores; those of the distances from the median.  Scores of
** means of several values tell R-hat alone; e->ess is that of the values then. */
static void look_at_ranks(const Series *s, Estimate *e) {
  Halves h = halves_make(s->values, s->chains, s->length);
  size_t n = h.chains * h.n;
  double *order = sorted(h.at, n), median = quantile(order, n, 0.5);
  double *folded = memory_zero(n, sizeof *folded);
  for (size_t i = 0; i < n; i++)
    folded[i] = fabs(h.at[i] - median);
  score(h.at, n);
  Look bulk = look_at(&h);
  memcpy(h.at, folded, n * sizeof *folded);
  score(h.at, n);
  e->rhat = fmax(bulk.rhat, look_at(&h).rhat); /* of a number and NAN, the number */
  if (h.batch == 1)
    e->ess = bulk.ess;
  e->tail = fmin(tail_size(s, 0.05), tail_size(s, 0.95));
  free(order);
  free(folded);
  halves_free(&h);
}

static bool binary(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0 && x[i] != 1)
      return false;
  return true;
}

Estimate estimate_mean(const double *values, size_t chains, size_t length) {
  assert(values || !chains || !length);
  size_t n = chains * length;
  Estimate e = {n ? mean_of(values, n) : NAN, NAN, NAN, NAN, NAN};
  if (constant(values, n)) {
    e.mean = n ? values[0] : NAN;
    return e;
  }
  Halves h = halves_make(values, chains, length);
  if (h.n >= SHORTEST) {
    Look look = look_at(&h);
    e.error = sqrt(look.total * look.time / (double)(h.chains * h.n));
    e.ess = look.ess;
    if (binary(values, n)) { /* scores, distances and tails are the same but for scale */
      e.tail = look.ess;
      e.rhat = look.rhat;
    } else {
      Series s = {values, chains, length, sorted(values, n)};
      look_at_ranks(&s, &e);
      free(s.order);
    }
  }
  halves_free(&h);
  return e;
}

/* What few samples say about their own spread has an error, too: 1.96 errors are to reach as far as
** Student's t does.  Chains that do not agree have an effective size of about two each, of which
** one less than there are chains are free.  The quantile by Cornish and Fisher. */
static double student(double ess) {
  const double z = 1.959964;
  double free = fmax(ess / 2 - 1, 1);
  double first = z * (z * z + 1) / 4, second = z * (z * z * (5 * z * z + 16) + 3) / 96;
  return 1 + (first + second / free) / free / z;
}

Estimate estimate_probability(const double *values, size_t chains, size_t length, double least) {
  Estimate e = estimate_mean(values, chains, length);
  assert(isnan(e.mean) || (e.mean >= 0 && e.mean <= 1));
  double n = isnan(e.ess) ? least : e.ess;
  double p = (e.mean * n + 2) / (n + 4);
  double floor = n > 0 ? sqrt(p * (1 - p) / (n + 4)) : 0.5;
  e.error = isnan(e.error) ? floor : fmax(e.error * student(e.ess), floor);
  return e;
}
