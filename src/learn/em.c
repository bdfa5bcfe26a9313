/* em.c - expectation maximisation.
**
** E step: the expected counts of violations given the observations.  M step: the
** weights that make these counts most likely, that is the maximum of
** -sum w n - N ln Z(w), which is concave. */
#include "learn/optimise.h"

#include "base/memory.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An objective over the same parameters with another mixture. */
static Objective half_of(const Objective *o, const Mixture *mixture) {
  Objective half = {.mixture = mixture,
                    .n = o->n,
                    .place = o->place,
                    .count = o->count,
                    .limits = o->limits,
                    .threads = o->threads,
                    .journal = o->journal};
  objective_begin(&half, o->circuit, o->weights);
  return half;
}

/* ln(m/n) of the expected counts; a certain one ends where rounding does. */
static void closed_step(const Expectation *e, const double *minus_counts, double *w, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    double all = e->instances[i], least = 1e-16 * all;
    double violated = fmin(fmax(-minus_counts[i], least), all - least);
    if (all > 0)
      w[i] = log((all - violated) / violated);
  }
}

static void open_step(Objective *program, double *w) {
  Point inner = point_make(program->n);
  memcpy(inner.w, w, program->n * sizeof *w);
  lbfgs_maximise(program, &inner, 1000);
  memcpy(w, inner.w, program->n * sizeof *w);
  point_free(&inner);
}

void em_maximise(Objective *o, const Expectation *e, Point *point, size_t most_iterations) {
  assert(!o->bounded && o->prior.kind != LPMLN_L1);
  assert(o->mixture != e->observed && o->mixture != e->program);
  Objective observed = half_of(o, e->observed), program = half_of(o, e->program);
  double *counts = memory_zero(o->n, sizeof *counts);
  Point next = point_make(o->n);
  program.linear = counts;
  program.prior = o->prior;
  point_evaluate(o, point);
  int stuck = 0; /* iterations without gain */
  for (size_t k = 0; k < most_iterations && stuck < 3; k++) {
    if (largest_of(point->gradient, o->n) <= 0.01 * GRADIENT * o->count)
      break;
    objective_value(&observed, point->w, counts);
    memcpy(next.w, point->w, o->n * sizeof *next.w);
    if (e->instances && o->prior.kind == LPMLN_NO_PRIOR)
      closed_step(e, counts, next.w, o->n);
    else
      open_step(&program, next.w);
    if (o->status == OK) /* a half that did not end says nothing */
      o->status = observed.status != OK ? observed.status : program.status;
    point_evaluate(o, &next);
    if (objective_ended(o) || next.value < point->value - 1e-9 * (1 + fabs(point->value)))
      break; /* it can only rise, but for rounding */
    stuck = next.value - point->value <= 1e-15 * (1 + fabs(point->value)) ? stuck + 1 : 0;
    point_copy(point, &next, o->n);
    if (!objective_iteration(o, point->w, point->value, point->gradient))
      break;
  }
  point->converged = objective_converged(o, largest_of(point->gradient, o->n), point->value);
  free(counts);
  point_free(&next);
  objective_free(&observed);
  objective_free(&program);
}
