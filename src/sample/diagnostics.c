/* diagnostics.c - see diagnostics.h. */
#include "sample/diagnostics.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LONGEST = 4096, SHORTEST = 4 }; /* values of a half chain */

/* Half chains of `n` values, chain after chain. */
typedef struct {
  double *at;
  size_t chains, n;
  double *mean, *variance; /* by half chain; with n - 1 */
} Halves;

/* The mean of `batch` values stands for them: the mean of all is the same, and so is
** its error.  What does not fill the halves is left out from the beginning. */
static Halves halves_make(const double *values, size_t chains, size_t length) {
  size_t half = length / 2, batch = (half + LONGEST - 1) / LONGEST;
  Halves h = {.chains = 2 * chains, .n = batch ? half / batch : 0};
  h.at = memory_zero(h.chains * h.n, sizeof *h.at);
  h.mean = memory_zero(h.chains, sizeof *h.mean);
  h.variance = memory_zero(h.chains, sizeof *h.variance);
  for (size_t c = 0; c < h.chains; c++) {
    const double *end = values + (c / 2) * length + (c % 2 ? length : length - half);
    const double *from = end - h.n * batch;
    for (size_t i = 0; i < h.n * batch; i++)
      h.at[c * h.n + i / batch] += from[i] / (double)batch;
    for (size_t i = 0; i < h.n; i++)
      h.mean[c] += h.at[c * h.n + i] / (double)h.n;
    for (size_t i = 0; i < h.n; i++)
      h.variance[c] +=
          (h.at[c * h.n + i] - h.mean[c]) * (h.at[c * h.n + i] - h.mean[c]) / (double)(h.n - 1);
  }
  return h;
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
** independent one. */
static double correlation_time(const Halves *h, double within, double total) {
  double sum = 0, last = INFINITY;
  for (size_t lag = 0; lag + 1 < h->n; lag += 2) {
    double even = lag ? 1 - (within - covariance(h, lag)) / total : 1;
    double pair = even + 1 - (within - covariance(h, lag + 1)) / total;
    if (pair <= 0)
      break;
    last = fmin(last, pair);
    sum += last;
  }
  return 2 * sum - 1;
}

static double mean_of(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum / (double)n;
}

static bool constant(const double *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (x[i] != x[0])
      return false;
  return true;
}

static double variance_of(const double *x, size_t n, double mean) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - mean) * (x[i] - mean);
  return sum / (double)n;
}

/* Error and R-hat from the half chains. */
static void look_at_halves(const Halves *h, Estimate *e) {
  assert(h->n >= SHORTEST && h->chains >= 2);
  double n = (double)h->n, all = (double)h->chains * n, mean = mean_of(h->mean, h->chains);
  double within = mean_of(h->variance, h->chains);
  double between =
      variance_of(h->mean, h->chains, mean) * (double)h->chains / (double)(h->chains - 1);
  double total = within * (n - 1) / n + between;
  if (total <= 0)
    return;
  double time = fmax(correlation_time(h, within, total), 1 / log10(fmax(all, 10)));
  e->rhat = within > 0 ? sqrt(total / within) : INFINITY;
  e->error = sqrt(total * time / all);
}

Estimate estimate_mean(const double *values, size_t chains, size_t length) {
  assert(values || !chains || !length);
  size_t n = chains * length;
  Estimate e = {.mean = n ? mean_of(values, n) : NAN, .error = NAN, .ess = NAN, .rhat = NAN};
  if (constant(values, n)) {
    e.mean = n ? values[0] : NAN;
    return e;
  }
  Halves h = halves_make(values, chains, length);
  if (h.n >= SHORTEST)
    look_at_halves(&h, &e);
  if (e.error > 0)
    e.ess = variance_of(values, n, e.mean) / (e.error * e.error);
  halves_free(&h);
  return e;
}

Estimate estimate_probability(const double *values, size_t chains, size_t length, double least) {
  Estimate e = estimate_mean(values, chains, length);
  assert(isnan(e.mean) || (e.mean >= 0 && e.mean <= 1));
  double n = isnan(e.ess) ? least : e.ess;
  double p = (e.mean * n + 2) / (n + 4);
  double floor = n > 0 ? sqrt(p * (1 - p) / (n + 4)) : 0.5;
  e.error = isnan(e.error) ? floor : fmax(e.error, floor);
  return e;
}
