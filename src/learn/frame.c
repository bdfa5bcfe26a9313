/* frame.c - see frame.h. */
#include "learn/frame.h"

#include "base/memory.h"
#include "learn/eigen.h"
#include "learn/sides.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FREE 0.02   /* eigenvalues below this are taken for 0 */
#define BOLDEST 0.1 /* curvature of a step where none is determined */

void frame_begin(Frame *f, uint32_t n) {
  size_t all = (size_t)n * n;
  *f = (Frame){.n = n,
               .lower = memory_zero(all, sizeof(double)),
               .values = memory_zero(n, sizeof(double)),
               .vectors = memory_zero(all, sizeof(double)),
               .slope = memory_zero(n, sizeof(double)),
               .noise = memory_zero(n, sizeof(double)),
               .known = memory_zero(n, sizeof(bool)),
               .axes = memory_zero(all, sizeof(double))};
}

void frame_free(Frame *f) {
  free(f->lower);
  free(f->values);
  free(f->vectors);
  free(f->slope);
  free(f->noise);
  free(f->known);
  free(f->axes);
}

/* Cholesky; the diagonal has been raised, so it goes through but for rounding. */
static void factor(const double *matrix, double least, uint32_t n, double *lower) {
  assert(least > 0);
  memset(lower, 0, (size_t)n * n * sizeof *lower);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k <= i; k++) {
      double sum = matrix[(size_t)i * n + k];
      for (uint32_t j = 0; j < k; j++)
        sum -= lower[(size_t)i * n + j] * lower[(size_t)k * n + j];
      if (k < i)
        lower[(size_t)i * n + k] = sum / lower[(size_t)k * n + k];
      else
        lower[(size_t)i * n + i] = sqrt(fmax(sum + least, 0.5 * least));
    }
}

/* x := lower^-1 x, and x := lower^-T x. */
static void solve_lower(const double *lower, uint32_t n, double *x) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++)
      x[i] -= lower[(size_t)i * n + k] * x[k];
    x[i] /= lower[(size_t)i * n + i];
  }
}

static void solve_upper(const double *lower, uint32_t n, double *x) {
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++)
      x[i] -= lower[(size_t)k * n + i] * x[k];
    x[i] /= lower[(size_t)i * n + i];
  }
}

static void transpose(double *matrix, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < i; k++) {
      double saved = matrix[(size_t)i * n + k];
      matrix[(size_t)i * n + k] = matrix[(size_t)k * n + i];
      matrix[(size_t)k * n + i] = saved;
    }
}

/* lower^-1 matrix lower^-T, of a symmetric matrix. */
static double *whiten(const Frame *f, const double *matrix) {
  uint32_t n = f->n;
  double *result = memory_zero((size_t)n * n, sizeof *result);
  memcpy(result, matrix, (size_t)n * n * sizeof *result);
  for (int side = 0; side < 2; side++) { /* rows first, then columns */
    for (uint32_t i = 0; i < n; i++)
      solve_lower(f->lower, n, result + (size_t)i * n);
    transpose(result, n);
  }
  return result;
}

static double dot(const double *x, const double *y, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double quadratic(const double *matrix, const double *x, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += x[i] * dot(matrix + (size_t)i * n, x, n);
  return sum;
}

void frame_make(Frame *f, const Moments *m, double least, double doubt) {
  uint32_t n = f->n;
  assert(m->n == n && n && doubt >= 0);
  double *gradient = memory_zero(n, sizeof *gradient);
  factor(m->program, least, n, f->lower);
  double *curvature = whiten(f, m->curvature), *noise = whiten(f, m->noise);
  memcpy(gradient, m->gradient, n * sizeof *gradient);
  solve_lower(f->lower, n, gradient);
  eigen_find(curvature, n, f->values, f->vectors);
  memcpy(f->axes, f->vectors, (size_t)n * n * sizeof *f->axes);
  for (uint32_t i = 0; i < n; i++) {
    const double *direction = f->vectors + (size_t)i * n;
    f->slope[i] = dot(direction, gradient, n);
    f->noise[i] = fmax(quadratic(noise, direction, n), 0);
    f->known[i] = f->values[i] > fmax(FREE, 5 * doubt * fabs(1 - f->values[i]));
    solve_upper(f->lower, n, f->axes + (size_t)i * n);
    assert(f->noise[i] >= 0);
  }
  free(gradient);
  free(curvature);
  free(noise);
}

/* What the direction's gains and costs are divided by. */
static double steep(const Frame *f, uint32_t i) { return f->known[i] ? f->values[i] : FREE; }

double frame_step(const Frame *f, double *step) {
  double length = 0;
  memset(step, 0, f->n * sizeof *step);
  for (uint32_t i = 0; i < f->n; i++) {
    double far = f->slope[i] / (f->known[i] ? f->values[i] : fmax(fabs(f->values[i]), BOLDEST));
    if (!f->known[i] && f->slope[i] * f->slope[i] <= 9 * f->noise[i])
      continue;
    length += far * far;
    for (uint32_t k = 0; k < f->n; k++)
      step[k] += far * f->axes[(size_t)i * f->n + k];
  }
  return sqrt(length);
}

/* A sum of squares, each in units of its noise, is about n with a deviation of sqrt(2 n). */
bool frame_stands_out(const Frame *f, double times) {
  double sum = 0, n = 0;
  for (uint32_t i = 0; i < f->n; i++)
    if (f->slope[i] * f->slope[i] > 1e-12 * steep(f, i)) {
      sum += f->slope[i] * f->slope[i] / fmax(times * f->noise[i], 1e-300);
      n++;
    }
  return sum > n + 2.5 * sqrt(2 * n) + 2;
}

double frame_gain(const Frame *f, double times) {
  double sum = 0;
  for (uint32_t i = 0; i < f->n; i++)
    sum += 0.5 * (f->slope[i] * f->slope[i] - times * f->noise[i]) / steep(f, i);
  return fmax(sum, 0);
}

/* A sum of squares of normal errors: its mean and two deviations. */
double frame_cost(const Frame *f) {
  double mean = 0, variance = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    double part = 0.5 * f->noise[i] / steep(f, i);
    mean += part;
    variance += 2 * part * part;
  }
  return mean + 2 * sqrt(variance);
}

double frame_noise_of(const Frame *f, uint32_t k) {
  assert(k < f->n);
  double sum = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    double part = f->axes[(size_t)i * f->n + k] / f->values[i];
    sum += f->known[i] ? f->noise[i] * part * part : 0;
  }
  return sqrt(sum);
}

/* How much of the weight's own variance is in free directions? */
bool frame_determines(const Frame *f, uint32_t k) {
  assert(k < f->n);
  double loose = 0, all = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    double part = f->axes[(size_t)i * f->n + k] * f->axes[(size_t)i * f->n + k];
    all += part;
    loose += f->known[i] ? 0 : part;
  }
  return loose < 0.01 * all;
}

double frame_error_of(const Frame *f, uint32_t k) {
  double sum = 0;
  if (!frame_determines(f, k))
    return NAN;
  for (uint32_t i = 0; i < f->n; i++)
    if (f->known[i])
      sum += f->axes[(size_t)i * f->n + k] * f->axes[(size_t)i * f->n + k] / f->values[i];
  return sqrt(sum);
}
