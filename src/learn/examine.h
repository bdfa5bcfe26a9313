/* examine.h - what the data says about the weights at an optimum, and what it
** does not: weights that want to be infinite, directions in which nothing
** changes, and how sure one can be of the rest.
**
** All of it comes from the observed information, the negated Hessian, at the
** optimum: its null space are the directions that the data leaves free to second
** order.  Weights that diverge are found by going further out and back in: see examine.c. */
#ifndef LEARN_EXAMINE_H
#define LEARN_EXAMINE_H

#include "learn/objective.h"
#include "learn/optimise.h"

#define NO_GROUP UINT32_MAX

typedef struct {
  char *diverges;     /* by parameter: '+', '-' or 0 */
  bool *held;         /* by parameter: at a bound, or at 0 by an L1 prior */
  double *error;      /* by parameter: standard error; NAN: none */
  double *covariance; /* by two parameters; NAN where one has no standard error; NULL: sampled */
  uint32_t *group;    /* by parameter: of those that are free together, or NO_GROUP */
  VEC(uint32_t) free; /* by group: number of free directions */
  double *some;       /* by group: see facts.c; NULL: not examined */
  double supremum;    /* of F, as far as diverging weights are followed */
} Examination;

/* Newton steps on the full Hessian, where the curvature is good, and away from
** saddles; the point only gets better. */
void examine_polish(Objective *, Point *);

/* The point is a polished optimum; `start` is where the search began. */
void examine(Objective *, const Point *, const double *start, Examination *);
void examination_free(Examination *);

#endif
