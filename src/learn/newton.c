/* newton.c - a trust region Newton method for -F per observation.
**
** The model of each step is minimised by conjugate gradients on exact Hessian
** products (Steihaug): they stop at the edge of the region or where the
** curvature is not positive, so saddles and flat directions do no harm.  With
** bounds, weights that press against one are held and the step is projected. */
#include "learn/optimise.h"

#include "base/memory.h"
#include "learn/objective.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Objective *o;
  uint32_t n;
  double *g; /* of -F/count, 0 where a weight is held */
  bool *held;
  double *step, *residual, *direction, *curved;
  double radius;
} Newton;

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void newton_make(Newton *t, Objective *o) {
  *t = (Newton){.o = o, .n = o->n, .radius = 1};
  t->g = memory_zero(o->n, sizeof(double));
  t->held = memory_zero(o->n, sizeof(bool));
  t->step = memory_zero(o->n, sizeof(double));
  t->residual = memory_zero(o->n, sizeof(double));
  t->direction = memory_zero(o->n, sizeof(double));
  t->curved = memory_zero(o->n, sizeof(double));
}

static void newton_free(Newton *t) {
  free(t->g);
  free(t->held);
  free(t->step);
  free(t->residual);
  free(t->direction);
  free(t->curved);
}

static void hold(Newton *t, const Point *at) {
  memcpy(t->g, at->gradient, t->n * sizeof *t->g);
  point_project(t->o, at->w, t->g);
  for (uint32_t i = 0; i < t->n; i++) {
    t->held[i] = t->g[i] == 0 && at->gradient[i] != 0;
    t->g[i] /= -t->o->count;
  }
}

/* curved := (Hessian of -F/count) * v, on the weights that are not held. */
static void curve(Newton *t, const double *v) {
  objective_product(t->o, v, t->curved);
  for (uint32_t i = 0; i < t->n; i++)
    t->curved[i] = t->held[i] ? 0 : t->curved[i] / -t->o->count;
}

/* How far along the direction the edge of the region is. */
static double to_edge(const Newton *t) {
  double dd = dot(t->direction, t->direction, t->n), sd = dot(t->step, t->direction, t->n);
  double ss = dot(t->step, t->step, t->n);
  return (-sd + sqrt(fmax(0, sd * sd + dd * (t->radius * t->radius - ss)))) / dd;
}

static void move(Newton *t, double by) {
  for (uint32_t i = 0; i < t->n; i++)
    t->step[i] += by * t->direction[i];
}

/* Fills step. */
static void conjugate_gradients(Newton *t) {
  memset(t->step, 0, t->n * sizeof *t->step);
  for (uint32_t i = 0; i < t->n; i++)
    t->residual[i] = t->direction[i] = -t->g[i];
  double rr = dot(t->residual, t->residual, t->n), start = rr;
  double enough = fmin(1e-4, start) * start; /* superlinear */
  for (uint32_t k = 0; k < 2 * t->n && rr > enough && rr > 0 && !objective_ended(t->o); k++) {
    curve(t, t->direction);
    double curvature = dot(t->direction, t->curved, t->n);
    double edge = to_edge(t);
    double alpha = curvature > 0 ? rr / curvature : INFINITY;
    if (alpha >= edge) {
      move(t, edge);
      return;
    }
    move(t, alpha);
    for (uint32_t i = 0; i < t->n; i++)
      t->residual[i] -= alpha * t->curved[i];
    double next = dot(t->residual, t->residual, t->n);
    for (uint32_t i = 0; i < t->n; i++)
      t->direction[i] = t->residual[i] + next / rr * t->direction[i];
    rr = next;
  }
}

/* What the model promises for the step, in -F/count: negative is good. */
static double promise(Newton *t) {
  curve(t, t->step);
  return dot(t->g, t->step, t->n) + 0.5 * dot(t->step, t->curved, t->n);
}

static void try_step(Newton *t, const Point *from, Point *to) {
  for (uint32_t i = 0; i < t->n; i++) {
    double w = from->w[i] + t->step[i];
    if (t->o->bounded)
      w = fmin(fmax(w, t->o->lower), t->o->upper);
    to->w[i] = w;
    t->step[i] = w - from->w[i];
  }
}

/* One step of the region; true if it was taken. */
static bool iterate(Newton *t, Point *point, Point *next) {
  assert(!(t->radius <= 0));
  hold(t, point);
  conjugate_gradients(t);
  try_step(t, point, next);
  double expected = promise(t);
  point_evaluate(t->o, next);
  double gained = (next->value - point->value) / t->o->count;
  double noise = 1e-15 * (1 + fabs(point->value) / t->o->count);
  double ratio = gained / -expected, length = sqrt(dot(t->step, t->step, t->n));
  if (fabs(gained) <= 8 * noise && -expected <= 8 * noise)
    ratio = 1; /* too small to tell */
  if (ratio < 0.25)
    t->radius = 0.25 * length;
  else if (ratio > 0.75 && length > 0.8 * t->radius)
    t->radius = fmin(2 * t->radius, 100);
  bool good = !objective_ended(t->o) && ratio > 1e-4;
  if (good)
    point_copy(point, next, t->n);
  else
    point_evaluate(t->o, point); /* products are taken where the last value was */
  return good;
}

void newton_maximise(Objective *o, Point *point, size_t most_iterations) {
  assert(o->prior.kind != LPMLN_L1); /* its penalty is not in the objective */
  assert(!o->bounded || o->lower < o->upper);
  Newton t;
  newton_make(&t, o);
  Point next = point_make(o->n);
  for (uint32_t i = 0; o->bounded && i < o->n; i++)
    point->w[i] = fmin(fmax(point->w[i], o->lower), o->upper);
  point_evaluate(o, point);
  hold(&t, point);
  for (size_t k = 0; k < most_iterations && largest_of(t.g, o->n) > 0.001 * GRADIENT; k++) {
    if (objective_ended(o) || t.radius < 1e-10)
      break;
    bool taken = iterate(&t, point, &next);
    hold(&t, point);
    if (taken && !objective_iteration(o, point->w, point->value, point->gradient))
      break;
  }
  point->converged = objective_converged(o, largest_of(t.g, o->n) * o->count, point->value);
  point_free(&next);
  newton_free(&t);
}
