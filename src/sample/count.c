/* count.c - how many models a slice has, as far as hashing must know.
**
** With b hash bits a slice of N models has nu = N / 2^b models in a cell on
** average, and a variance of at most nu, because the hash is pairwise (even
** three-wise) independent.  Some cells of hundreds of models are counted; the
** median is within 4/3 of nu with high probability.  The hash bits of draws are
** then chosen so that the estimate of a cell is between `mean` and twice that:
** the truth is between LOW and HIGH times `mean`, and Chebyshev's one-sided
** inequality bounds everything below. */
#include "sample/uniform.h"

#include "base/random.h"
#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static const double LOW = 3.0 / 4, HIGH = 8.0 / 3;

enum { ROUNDS = 3, COUNTED = 640, CAP = 8, MOST_MEAN = 1 << 20, MOST_CELLS = 99 };

/* The chance that something of this variance is off by the distance on one side. */
static double tail(double variance, double distance) {
  assert(variance > 0);
  return distance <= 0 ? 1 : variance / (variance + distance * distance);
}

/* ---- sizes ----------------------------------------------------------------------- */

static UniformBounds with_mean(uint32_t mean) {
  return (UniformBounds){
      .mean = mean, .least = 1 + mean / 4, .most = 1 + 5 * mean, .counted = COUNTED, .cells = 1};
}

/* The ratio of the largest to the smallest probability of a model, for cells
** between the bounds; the proof is in docs/sampling.md. */
static double ratio(const UniformBounds *b) {
  double low = LOW * b->mean - 0.5, high = HIGH * b->mean; /* N - 1 others, 1 bit or more */
  double wrong = tail(low, low + 2 - b->least) + tail(high, b->most - high);
  return wrong >= 1 ? INFINITY : (1 + 1.0 / b->least) / ((1 - wrong) * (1 - wrong));
}

/* ln n!, for any number of threads: lgamma writes to a global. */
static double log_factorial(unsigned n) {
  int sign;
  return lgamma_r(n + 1.0, &sign);
}

/* The chance that more than half of n independent events happen; n is odd. */
static double majority(unsigned n, double p) {
  assert(n % 2 && p > 0 && p <= 1);
  double sum = 0;
  for (unsigned k = (n + 1) / 2; k <= n; k++)
    sum += exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * log(p) +
               (n - k) * log1p(-p));
  return sum;
}

/* The chance that a round of counting accepts an estimate that is off by 4/3 or
** more.  Estimates below `counted` are not accepted, so nu is not much less. */
static double wrong_count(const UniformBounds *b) {
  double nu = LOW * b->counted;
  return majority(b->cells, tail(nu, nu / 4)) + majority(b->cells, tail(nu, nu / 3));
}

UniformBounds uniform_bounds(const UniformOptions *o) {
  assert(o->epsilon > 0 && o->doubt > 0 && o->doubt < 0.5);
  UniformBounds b = with_mean(4);
  while (b.mean < MOST_MEAN && ratio(&b) > 1 + o->epsilon)
    b = with_mean(b.mean + 1);
  while (b.cells < MOST_CELLS && ROUNDS * wrong_count(&b) > o->doubt)
    b.cells += 2;
  return b;
}

/* ---- counting ---------------------------------------------------------------------- */

/* The size of a cell; INFINITY if it is too large to tell. */
static Status measure(Uniform *u, const UniformSlice *s, uint32_t bits, uint32_t expected,
                      Random *random, double *size) {
  size_t cap = CAP * (size_t)expected;
  Status status = uniform_cell(u, s, bits, cap, random);
  *size = u->count >= cap ? INFINITY : (double)u->count;
  return status;
}

static int compare_sizes(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of some cells; without hash bits there is but one. */
static Status estimate(Uniform *u, const UniformSlice *s, uint32_t bits, Random *random,
                       double *median) {
  double sizes[MOST_CELLS];
  unsigned n = bits ? u->bounds.cells : 1;
  assert(n % 2 && n <= MOST_CELLS);
  for (unsigned i = 0; i < n; i++) {
    Status status = measure(u, s, bits, u->bounds.counted, random, &sizes[i]);
    if (status != OK)
      return status;
  }
  qsort(sizes, n, sizeof *sizes, compare_sizes);
  *median = sizes[n / 2];
  return OK;
}

/* Bits with which a cell has about the size for draws, and its size: going up in
** growing steps and then halving. */
static Status find_place(Uniform *u, const UniformSlice *s, Random *random, uint32_t *place,
                         double *size) {
  assert(u->bounds.mean);
  uint32_t low = 0, high = (uint32_t)u->hashed.n + 1, step = 1;
  uint32_t bits = u->guess < high ? u->guess : 0;
  for (;;) {
    Status status = measure(u, s, bits, u->bounds.mean, random, size);
    *place = bits;
    if (status != OK || (*size >= u->bounds.mean / 2.0 && *size <= 4.0 * u->bounds.mean))
      return status;
    if (*size > u->bounds.mean)
      low = bits;
    else
      high = bits;
    if (high - low <= 1 || !high)
      return OK;
    bits = low == bits && high - bits > step ? bits + step : low + (high - low) / 2;
    step *= 2;
  }
}

/* Bits that make the estimate of a cell at least 1.2 times what is counted, so
** that another estimate is hardly ever less than that. */
static uint32_t better_bits(const Uniform *u, uint32_t bits, double size) {
  double factor = isinf(size) ? CAP : size > 0 ? size / (1.2 * u->bounds.counted) : 1.0 / CAP;
  double better = bits + floor(log2(factor));
  return better < 0 ? 0 : better > (double)u->hashed.n ? (uint32_t)u->hashed.n : (uint32_t)better;
}

Status uniform_count(Uniform *u, UniformSlice *s, Random *random) {
  uint32_t bits;
  double size;
  Status status = find_place(u, s, random, &bits, &size);
  for (int i = 0; status == OK && i < ROUNDS; i++) {
    bits = better_bits(u, bits, size);
    status = estimate(u, s, bits, random, &size);
    bool good = bits ? size >= u->bounds.counted && size < 2.5 * u->bounds.counted : isfinite(size);
    if (status != OK || !good)
      continue;
    assert(isfinite(size));
    s->whole = !bits && size <= (double)s->pivot;
    s->hash_bits = s->whole ? 0 : bits + (uint32_t)log2(size / u->bounds.mean);
    return OK;
  }
  return status == OK ? LIMIT : status;
}
