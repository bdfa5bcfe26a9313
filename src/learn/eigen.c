/* eigen.c - see eigen.h: Householder reflections make the matrix tridiagonal, the
** implicit QL method does the rest.  Vectors are rows throughout, so that all inner
** loops go along memory. */
#include "learn/eigen.h"

#include "base/memory.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SWEEPS = 80 };

typedef struct {
  uint32_t n;
  double *a;     /* the matrix */
  double *z;     /* row k becomes the k-th eigenvector */
  double *d, *e; /* diagonal, and beside it: e[i] between i and i + 1 */
  double *v, *p; /* a reflection, and the matrix times it */
  double negligible;
} Eigen;

static double dot(const double *x, const double *y, uint32_t from, uint32_t to) {
  double sum = 0;
  for (uint32_t i = from; i < to; i++)
    sum += x[i] * y[i];
  return sum;
}

/* The reflection I - beta v v' that leaves row k with one entry behind the
** diagonal, at k + 1; returns beta, 0 if there is nothing to do. */
static double reflection(Eigen *g, uint32_t k) {
  assert(k + 2 < g->n);
  const double *row = g->a + (size_t)k * g->n;
  double rest = sqrt(dot(row, row, k + 2, g->n)), first = row[k + 1];
  g->e[k] = first;
  if (rest <= g->negligible)
    return 0;
  double length = hypot(first, rest), alpha = first > 0 ? -length : length;
  memcpy(g->v + k + 1, row + k + 1, (g->n - k - 1) * sizeof *row);
  g->v[k + 1] -= alpha;
  g->e[k] = alpha;
  return 2 / dot(g->v, g->v, k + 1, g->n);
}

/* Reflects the rows and columns behind k, and the vectors. */
static void reflect(Eigen *g, uint32_t k, double beta) {
  uint32_t n = g->n, from = k + 1;
  assert(from < n && beta > 0);
  for (uint32_t i = from; i < n; i++)
    g->p[i] = beta * dot(g->a + (size_t)i * n, g->v, from, n);
  double half = beta / 2 * dot(g->p, g->v, from, n);
  for (uint32_t i = from; i < n; i++)
    g->p[i] -= half * g->v[i];
  for (uint32_t i = from; i < n; i++) {
    double *row = g->a + (size_t)i * n;
    for (uint32_t j = from; j < n; j++)
      row[j] -= g->v[i] * g->p[j] + g->p[i] * g->v[j];
  }
  memset(g->p, 0, n * sizeof *g->p); /* now v' z */
  for (uint32_t i = from; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      g->p[j] += g->v[i] * g->z[(size_t)i * n + j];
  for (uint32_t i = from; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      g->z[(size_t)i * n + j] -= beta * g->v[i] * g->p[j];
}

static void make_tridiagonal(Eigen *g) {
  for (uint32_t k = 0; k + 2 < g->n; k++) {
    double beta = reflection(g, k);
    if (beta > 0)
      reflect(g, k, beta);
  }
  for (uint32_t i = 0; i < g->n; i++)
    g->d[i] = g->a[(size_t)i * g->n + i];
  if (g->n > 1)
    g->e[g->n - 2] = g->a[(size_t)(g->n - 2) * g->n + g->n - 1];
}

/* The end of the block that starts at l: nothing beside the diagonal there. */
static uint32_t block_end(const Eigen *g, uint32_t l) {
  uint32_t m = l;
  while (m + 1 < g->n) {
    double beside = fabs(g->d[m]) + fabs(g->d[m + 1]);
    if (fabs(g->e[m]) <= DBL_EPSILON * beside || fabs(g->e[m]) <= g->negligible)
      break;
    m++;
  }
  return m;
}

static void rotate_rows(Eigen *g, uint32_t i, double c, double s) {
  assert(i + 1 < g->n);
  double *x = g->z + (size_t)i * g->n, *y = x + g->n;
  for (uint32_t k = 0; k < g->n; k++) {
    double f = y[k];
    y[k] = s * x[k] + c * f;
    x[k] = c * x[k] - s * f;
  }
}

/* One implicit QL sweep of the block l .. m. */
static void sweep(Eigen *g, uint32_t l, uint32_t m) {
  assert(l < m && m < g->n);
  double shift = (g->d[l + 1] - g->d[l]) / (2 * g->e[l]), r = hypot(shift, 1);
  double q = g->d[m] - g->d[l] + g->e[l] / (shift + copysign(r, shift));
  double s = 1, c = 1, p = 0;
  for (uint32_t i = m; i-- > l;) {
    double f = s * g->e[i], b = c * g->e[i];
    r = hypot(f, q);
    g->e[i + 1] = r;
    if (r == 0) {
      g->d[i + 1] -= p;
      g->e[m] = 0;
      return;
    }
    s = f / r, c = q / r;
    q = g->d[i + 1] - p;
    r = (g->d[i] - q) * s + 2 * c * b;
    p = s * r;
    g->d[i + 1] = q + p;
    q = c * r - b;
    rotate_rows(g, i, c, s);
  }
  g->d[l] -= p;
  g->e[l] = q;
  g->e[m] = 0;
}

void eigen_find(double *matrix, uint32_t n, double *values, double *vectors) {
  assert(matrix != vectors && values != vectors);
  double *room = memory_zero(3 * (size_t)n + 3, sizeof *room), largest = 0;
  Eigen g = {.n = n,
             .a = matrix,
             .z = vectors,
             .d = values,
             .e = room,
             .v = room + n + 1,
             .p = room + 2 * (size_t)n + 2};
  for (size_t i = 0; i < (size_t)n * n; i++) {
    largest = fmax(largest, fabs(matrix[i]));
    vectors[i] = i % ((size_t)n + 1) == 0;
  }
  g.negligible = 1e-3 * DBL_EPSILON * largest;
  make_tridiagonal(&g);
  for (uint32_t l = 0; l < n; l++) {
    uint32_t m;
    for (int tries = 0; tries < MOST_SWEEPS && (m = block_end(&g, l)) != l; tries++)
      sweep(&g, l, m);
  }
  free(room);
}
