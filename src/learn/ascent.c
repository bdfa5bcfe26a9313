/* ascent.c - gradient ascent as in the paper (Algorithm 1), with exact counts. */
#include "learn/optimise.h"

#include "learn/objective.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>

/* One step; the largest move of a weight. */
static double step(const Objective *o, Ascent a, const Point *from, double *w) {
  double largest = 0;
  for (uint32_t i = 0; i < o->n; i++) {
    double penalty = objective_l1(o, i) * a.rate;
    double to = from->w[i] + a.rate * from->gradient[i];
    to = to > penalty ? to - penalty : to < -penalty ? to + penalty : 0;
    if (o->bounded)
      to = fmin(fmax(to, o->lower), o->upper);
    largest = fmax(largest, fabs(to - from->w[i]));
    w[i] = to;
  }
  return largest;
}

void ascent_maximise(Objective *o, Point *point, Ascent a, size_t most_iterations) {
  assert(a.rate > 0 && (!o->bounded || o->lower < o->upper));
  Point next = point_make(o->n);
  point_evaluate(o, point);
  point_copy(&next, point, o->n);
  double moved = INFINITY;
  for (size_t k = 0; k < most_iterations && moved >= a.delta; k++) {
    moved = step(o, a, point, next.w);
    point_evaluate(o, &next);
    if (objective_ended(o))
      break;
    point_copy(point, &next, o->n);
    if (!objective_iteration(o, point->w, point->value, point->gradient))
      break;
  }
  point->converged = !objective_ended(o) && moved < a.delta;
  point_free(&next);
}
