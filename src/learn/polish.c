/* polish.c - the last steps to an optimum, on the full Hessian; see examine.h. */
#include "learn/examine.h"

#include "learn/information.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 10, MOST_STEPS = 3 };

/* Away from a saddle: true if there was one and a better point was found. */
static bool escape(Objective *o, const Information *f, Point *point) {
  static const double lengths[] = {0.1, -0.1, 0.5, -0.5, 2, -2};
  uint32_t lowest = 0;
  assert(f->n == o->n && f->n);
  for (uint32_t e = 1; e < f->n; e++)
    lowest = f->values[e] < f->values[lowest] ? e : lowest;
  if (f->values[lowest] > -1e-6 * f->scale || o->bounded || o->prior.kind == LPMLN_L1)
    return false;
  Point best = point_make(o->n), next = point_make(o->n);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    memcpy(next.w, point->w, o->n * sizeof *next.w);
    information_add(f, lowest, lengths[k], next.w);
    point_evaluate(o, &next);
    if (next.value > best.value)
      point_copy(&best, &next, o->n);
  }
  bool better = best.value > point->value + 1e-12 * (1 + fabs(point->value));
  if (better) {
    lbfgs_maximise(o, &best, 1000);
    point_copy(point, &best, o->n);
  }
  point_free(&best);
  point_free(&next);
  return better;
}

void examine_polish(Objective *o, Point *point) {
  Point next = point_make(o->n);
  int steps = 0;
  for (int round = 0; round < MOST_ROUNDS && steps < MOST_STEPS && !objective_ended(o); round++) {
    bool *fixed = information_held(o, point);
    point_evaluate(o, point);
    Information f = information_at(o, fixed);
    if (!escape(o, &f, point)) {
      information_step(o, &f, fixed, point, &next);
      double before = largest_of(point->gradient, o->n);
      bool taken = point_improve(o, point, &next, 1e-12 * (1 + fabs(point->value)));
      bool done = largest_of(point->gradient, o->n) < 1e-13 * o->count ||
                  largest_of(point->gradient, o->n) > 0.5 * before;
      steps = !taken || done ? MOST_STEPS : steps + 1;
    }
    information_free(&f);
    free(fixed);
  }
  point_free(&next);
}
