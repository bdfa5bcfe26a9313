/* batches.c - see batches.h. */
#include "learn/batches.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void batches_begin(Batches *b, uint32_t n, size_t chains, size_t samples) {
  assert(chains && samples);
  if (b->n != n || b->chains != chains) {
    const double *direction = b->direction;
    batches_free(b);
    b->direction = direction;
    b->sums = memory_zero(chains * BATCHES * n, sizeof *b->sums);
    b->squares = memory_zero(chains * n, sizeof *b->squares);
    b->along = memory_zero(2 * chains, sizeof *b->along);
  }
  b->n = n, b->chains = chains, b->samples = samples;
  memset(b->sums, 0, chains * BATCHES * n * sizeof *b->sums);
  memset(b->squares, 0, chains * n * sizeof *b->squares);
  memset(b->along, 0, 2 * chains * sizeof *b->along);
}

void batches_free(Batches *b) {
  free(b->sums);
  free(b->squares);
  free(b->along);
  *b = (Batches){0};
}

static double *sums_of(const Batches *b, size_t chain, size_t batch) {
  return b->sums + (chain * BATCHES + batch) * b->n;
}

void batches_add(Batches *b, size_t chain, size_t sample, const double *counts,
                 const uint32_t *place) {
  assert(chain < b->chains && sample < b->samples);
  double *sum = sums_of(b, chain, sample * BATCHES / b->samples);
  double *square = b->squares + chain * b->n, far = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    double count = counts[place[i]];
    sum[i] += count;
    square[i] += count * count;
    far += b->direction ? b->direction[i] * count : 0;
  }
  b->along[2 * chain] += far;
  b->along[2 * chain + 1] += far * far;
}

double batches_along(const Batches *b, size_t done) {
  double sum = 0, square = 0, all = (double)(done * b->chains);
  assert(all > 0);
  for (size_t chain = 0; chain < b->chains; chain++)
    sum += b->along[2 * chain], square += b->along[2 * chain + 1];
  return fmax(square / all - sum / all * (sum / all), 0);
}

/* Samples of a batch: they are cut by multiplication, and the last may be missing. */
static double size_of(const Batches *b, size_t batch, size_t done) {
  size_t first = (batch * b->samples + BATCHES - 1) / BATCHES;
  size_t end = ((batch + 1) * b->samples + BATCHES - 1) / BATCHES;
  end = end < done ? end : done;
  return end > first ? (double)(end - first) : 0;
}

/* The variance of number i's mean, from that of all batches around it. */
static double noise_of(const Batches *b, uint32_t i, size_t done, double mean) {
  double sum = 0, pieces = 0, all = (double)(done * b->chains);
  for (size_t chain = 0; chain < b->chains; chain++)
    for (size_t batch = 0; batch < BATCHES; batch++) {
      double size = size_of(b, batch, done), apart = sums_of(b, chain, batch)[i] - size * mean;
      sum += apart * apart;
      pieces += size > 0;
    }
  return pieces > 1 ? sum / (all * all) * pieces / (pieces - 1) : 0;
}

/* The same from whole chains, which see what lasts longer than a batch. */
static double noise_of_chains(const Batches *b, uint32_t i, size_t done, double mean) {
  double sum = 0, all = (double)(done * b->chains);
  for (size_t chain = 0; chain < b->chains; chain++) {
    double own = 0;
    for (size_t batch = 0; batch < BATCHES; batch++)
      own += sums_of(b, chain, batch)[i];
    sum += (own - (double)done * mean) * (own - (double)done * mean);
  }
  return b->chains > 1 ? sum / (all * all) * (double)b->chains / ((double)b->chains - 1) : 0;
}

double batches_read(const Batches *b, size_t done, double *mean, double *variance, double *noise) {
  assert(done && done <= b->samples);
  double all = (double)(done * b->chains), pieces = 0, chains = 0, free_of_it = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    double sum = 0, square = 0;
    for (size_t k = 0; k < b->chains * BATCHES; k++)
      sum += b->sums[k * b->n + i];
    for (size_t k = 0; k < b->chains; k++)
      square += b->squares[k * b->n + i];
    double own = sum / all, spread = fmax(square / all - own * own, 0);
    mean[i] += own;
    variance[i] += spread;
    noise[i] = noise_of(b, i, done, own);
    if (!(spread > 0))
      continue;
    pieces += noise[i] / spread;
    chains += noise_of_chains(b, i, done, own) / spread;
    free_of_it += 1 / all;
  }
  double longer = b->chains > 1 && chains > pieces && pieces > 0 ? chains / pieces : 1;
  for (uint32_t i = 0; i < b->n; i++)
    noise[i] *= longer;
  return pieces > 0 ? all * fmin(free_of_it / (pieces * longer), 1) : INFINITY;
}
