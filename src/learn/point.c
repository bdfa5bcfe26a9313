/* point.c - points of the search; see optimise.h. */
#include "learn/optimise.h"

#include "base/memory.h"
#include "learn/objective.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Point point_make(uint32_t n) {
  return (Point){.w = memory_zero(n, sizeof(double)),
                 .gradient = memory_zero(n, sizeof(double)),
                 .value = -INFINITY};
}

void point_free(Point *p) {
  free(p->w);
  free(p->gradient);
  *p = (Point){0};
}

void point_copy(Point *to, const Point *from, uint32_t n) {
  assert(to->w && from->w && to->w != from->w);
  memcpy(to->w, from->w, n * sizeof *to->w);
  memcpy(to->gradient, from->gradient, n * sizeof *to->gradient);
  to->value = from->value;
  to->converged = from->converged;
}

void point_evaluate(Objective *o, Point *p) { p->value = objective_value(o, p->w, p->gradient); }

static double total(const Objective *o, const Point *p) {
  return p->value - objective_penalty(o, p->w);
}

bool point_improve(Objective *o, Point *point, Point *next, double slack) {
  assert(slack >= 0 && point != next);
  point_evaluate(o, next);
  bool good = !objective_ended(o) && total(o, next) >= total(o, point) - slack;
  if (good) {
    next->converged = point->converged;
    point_copy(point, next, o->n);
  }
  return good;
}

void point_project(const Objective *o, const double *w, double *gradient) {
  for (uint32_t i = 0; o->bounded && i < o->n; i++)
    if ((w[i] <= o->lower && gradient[i] < 0) || (w[i] >= o->upper && gradient[i] > 0))
      gradient[i] = 0;
}
