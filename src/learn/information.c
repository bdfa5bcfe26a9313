/* information.c - see information.h. */
#include "learn/information.h"

#include "base/memory.h"
#include "learn/eigen.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void information_free(Information *f) {
  free(f->values);
  free(f->vectors);
}

/* The largest entry of the diagonal, at least 1: what a fixed weight gets. */
static double firm(const double *matrix, uint32_t n) {
  double largest = 1;
  for (uint32_t i = 0; i < n; i++)
    largest = fmax(largest, matrix[(size_t)i * n + i]);
  return largest;
}

Information information_at(Objective *o, const bool *fixed) {
  uint32_t n = o->n;
  Information f = {.n = n, .scale = 1};
  double *matrix = memory_zero((size_t)n * n, sizeof *matrix);
  f.values = memory_zero(n, sizeof *f.values);
  f.vectors = memory_zero((size_t)n * n, sizeof *f.vectors);
  objective_hessian(o, matrix);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      double *at = &matrix[(size_t)i * n + k];
      *at = fixed[i] || fixed[k] ? 0 : -*at;
    }
  double diagonal = firm(matrix, n);
  for (uint32_t i = 0; i < n; i++)
    if (fixed[i])
      matrix[(size_t)i * n + i] = diagonal;
  eigen_find(matrix, n, f.values, f.vectors);
  for (uint32_t i = 0; i < n; i++)
    f.scale = fmax(f.scale, f.values[i]);
  assert(f.scale >= 1);
  free(matrix);
  return f;
}

double information_projection(const Information *f, double limit, uint32_t i, uint32_t k) {
  double sum = 0;
  assert(i < f->n && k < f->n);
  for (uint32_t e = 0; e < f->n; e++)
    if (f->values[e] <= limit * f->scale)
      sum += f->vectors[(size_t)e * f->n + i] * f->vectors[(size_t)e * f->n + k];
  return sum;
}

bool *information_held(const Objective *o, const Point *at) {
  bool *held = memory_zero(o->n, sizeof *held);
  for (uint32_t i = 0; i < o->n; i++) {
    held[i] = o->bounded && (at->w[i] <= o->lower || at->w[i] >= o->upper);
    held[i] |= objective_l1(o, i) > 0 && at->w[i] == 0;
  }
  return held;
}

static double along(const Information *f, uint32_t e, const double *v) {
  double sum = 0;
  for (uint32_t i = 0; i < f->n; i++)
    sum += f->vectors[(size_t)e * f->n + i] * v[i];
  return sum;
}

void information_add(const Information *f, uint32_t e, double by, double *v) {
  assert(e < f->n);
  for (uint32_t i = 0; i < f->n; i++)
    v[i] += by * f->vectors[(size_t)e * f->n + i];
}

/* The slope of F less the L1 penalty at a weight that is not 0. */
static void slope(const Objective *o, const Point *p, double *g) {
  for (uint32_t i = 0; i < o->n; i++)
    g[i] = p->gradient[i] - copysign(objective_l1(o, i), p->w[i]);
}

void information_step(Objective *o, const Information *f, const bool *fixed, const Point *from,
                      Point *to) {
  assert(f->n == o->n && from != to);
  double *g = memory_zero(o->n, sizeof *g);
  point_copy(to, from, o->n);
  slope(o, from, g);
  for (uint32_t i = 0; i < o->n; i++)
    g[i] = fixed[i] ? 0 : g[i];
  for (uint32_t e = 0; e < f->n; e++)
    if (f->values[e] > 0.1 * NULL_SPACE * f->scale)
      information_add(f, e, fmin(fmax(along(f, e, g) / f->values[e], -2), 2), to->w);
  for (uint32_t i = 0; o->bounded && i < o->n; i++)
    to->w[i] = fmin(fmax(to->w[i], o->lower), o->upper);
  free(g);
}
