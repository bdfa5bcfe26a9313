/* count.c - how many models a slice has, as far as hashing must know.
**
** With b hash bits a slice of N models has nu = N / 2^b models in a cell on
** average, and a variance of at most nu, because the hash is pairwise (even
** three-wise) independent.  Groups of cells give means, their median is within
** 4/3 of nu with high probability.  b is then chosen so that the estimate of a
** cell is between `mean` and twice that; so nu is between LOW and HIGH times
** `mean`, and Chebyshev's one-sided inequality bounds everything below. */
#include "sample/uniform.h"

#include <assert.h>
#include <math.h>

static const double LOW = 3.0 / 4, HIGH = 8.0 / 3;

enum { ROUNDS = 3, GROUP_MODELS = 200, MOST_MEAN = 1 << 20, MOST_GROUPS = 99 };

/* The chance that something of this variance is off by the distance on one side. */
static double tail(double variance, double distance) {
  return distance <= 0 ? 1 : variance / (variance + distance * distance);
}

/* ---- sizes ----------------------------------------------------------------------- */

/* The ratio of the largest to the smallest probability of a model, for cells
** between the bounds; the proof is in docs/sampling.md. */
static double ratio(const UniformBounds *b) {
  double low = LOW * b->mean - 0.5, high = HIGH * b->mean; /* N - 1 others, 1 bit or more */
  double wrong = tail(low, low + 2 - b->least) + tail(high, b->most - high);
  return wrong >= 1 ? INFINITY : (1 + 1.0 / b->least) / ((1 - wrong) * (1 - wrong));
}

static UniformBounds with_mean(uint32_t mean) {
  return (UniformBounds){.mean = mean, .least = 1 + mean / 4, .most = 1 + 5 * mean,
                         .cap = 8 * mean, .cells = (GROUP_MODELS + mean - 1) / mean};
}

/* The chance that at least half of n independent events happen. */
static double majority(unsigned n, double p) {
  double sum = 0;
  for (unsigned k = (n + 1) / 2; k <= n; k++)
    sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p));
  return sum;
}

/* The chance that a round of counting accepts a wrong estimate. */
static double wrong_count(const UniformBounds *b) {
  double nu = LOW * b->mean, high = HIGH * b->mean, cells = b->cells;
  double below = tail(nu / cells, nu / 4);
  double above = tail(nu / cells, nu / 3) + cells * tail(high, b->cap - high);
  return above >= 0.5 ? 1 : majority(b->groups, below) + majority(b->groups, above);
}

UniformBounds uniform_bounds(const UniformOptions *o) {
  uint32_t mean = 4;
  while (mean < MOST_MEAN && ratio(&(UniformBounds){.mean = mean, .least = 1 + mean / 4,
                                                    .most = 1 + 5 * mean}) > 1 + o->epsilon)
    mean++;
  UniformBounds b = with_mean(mean);
  b.groups = 1;
  while (b.groups < MOST_GROUPS && ROUNDS * wrong_count(&b) > o->doubt)
    b.groups += 2;
  return b;
}

/* ---- counting ---------------------------------------------------------------------- */

/* The mean size of some cells; INFINITY if one is too large to tell. */
static Status group_mean(Uniform *u, uint32_t bits, unsigned cells, Random *random, double *mean) {
  double sum = 0;
  for (unsigned i = 0; i < cells; i++) {
    Status status = uniform_cell(u, bits, u->bounds.cap, random);
    if (status != OK)
      return status;
    sum += u->count >= u->bounds.cap ? INFINITY : (double)u->count;
  }
  *mean = sum / cells;
  return OK;
}

static int compare_means(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static Status median_mean(Uniform *u, uint32_t bits, Random *random, double *median) {
  double means[MOST_GROUPS];
  for (unsigned i = 0; i < u->bounds.groups; i++) {
    Status status = group_mean(u, bits, u->bounds.cells, random, &means[i]);
    if (status != OK)
      return status;
  }
  qsort(means, u->bounds.groups, sizeof *means, compare_means);
  *median = means[u->bounds.groups / 2];
  return OK;
}

/* Bits with which a cell has some models but not too many, going up in growing
** steps and then halving; a single cell is enough to find the place. */
static Status find_place(Uniform *u, Random *random, uint32_t *place) {
  uint32_t low = 0, high = (uint32_t)u->hashed.n + 1, step = 1;
  uint32_t bits = u->guess && u->guess < high ? u->guess : 1;
  while (high - low > 1) {
    double size;
    Status status = group_mean(u, bits, 1, random, &size);
    if (status != OK)
      return status;
    if (size >= u->bounds.mean / 2.0 && size <= 4.0 * u->bounds.mean)
      break;
    if (size > u->bounds.mean)
      low = bits;
    else
      high = bits;
    step *= 2;
    uint32_t up = bits > UINT32_MAX - step ? UINT32_MAX : bits + step;
    bits = up < high && low == bits ? up : low + (high - low) / 2;
  }
  *place = bits ? bits : 1;
  return OK;
}

/* Bits that make the estimate of a cell at least 1.2 times the mean, so that
** another estimate is hardly ever less than the mean. */
static uint32_t better_bits(const Uniform *u, uint32_t bits, double size) {
  double ratio = isinf(size) ? 8 : size > 0 ? size / (1.2 * u->bounds.mean) : 1.0 / 8;
  double better = bits + floor(log2(ratio));
  return better < 1 ? 1 : better > (double)u->hashed.n ? (uint32_t)u->hashed.n : (uint32_t)better;
}

Status uniform_count(Uniform *u, Random *random) {
  uint32_t bits;
  double size;
  Status status = find_place(u, random, &bits);
  if (status == OK)
    status = group_mean(u, bits, u->bounds.cells, random, &size);
  for (int i = 0; status == OK && i < ROUNDS; i++) {
    bits = better_bits(u, bits, size);
    status = median_mean(u, bits, random, &size);
    if (status == OK && size >= u->bounds.mean && size < 2.5 * u->bounds.mean) {
      u->slice.bits = bits + (size >= 2 * u->bounds.mean);
      return OK;
    }
  }
  return status == OK ? LIMIT : status;
}
