/* optimise.h - the optimisers: one file each.
**
** Each starts at point->w and leaves there the best point that it has seen, with
** value and gradient, also if the objective ended the run.  `converged` says
** whether the optimiser's own test was passed. */
#ifndef LEARN_OPTIMISE_H
#define LEARN_OPTIMISE_H

#include "learn/mixture.h"
#include "learn/objective.h"

typedef struct {
  double *w, *gradient;
  double value; /* F, without the L1 penalty */
  bool converged;
} Point;

Point point_make(uint32_t n);
void point_free(Point *);
void point_copy(Point *to, const Point *from, uint32_t n);

/* Asks for value and gradient at point->w. */
void point_evaluate(Objective *, Point *);

/* Evaluates `next`, and makes it the point if it is not worse by more than the slack. */
bool point_improve(Objective *, Point *, Point *next, double slack);

/* Takes the part of the gradient that leads out of the bounds for 0. */
void point_project(const Objective *, const double *w, double *gradient);

/* lbfgs.c: liblbfgs with the line search of More and Thuente; orthant-wise with
** an L1 prior.  No bounds. */
void lbfgs_maximise(Objective *, Point *, size_t most_iterations);

/* ascent.c: the paper's gradient ascent: w += rate * gradient until no weight
** moves by delta or more.  Bounds by projection. */
typedef struct {
  double rate, delta;
} Ascent;

void ascent_maximise(Objective *, Point *, Ascent, size_t most_iterations);

/* adam.c: a step for each portion of the observations. */
typedef struct {
  double rate;
  uint64_t seed; /* of the order of portions */
} Adam;

void adam_maximise(Objective *, Point *, Adam, size_t most_epochs);

/* newton.c: a trust region with conjugate gradients on exact Hessian products;
** bounds by projection. */
void newton_maximise(Objective *, Point *, size_t most_iterations);

/* em.c: expectation maximisation.  `observed` and `program` are the two halves of
** the objective's mixture.  Where the program is simple and coherent, the
** M step is ln(m/n); else it is a concave problem of its own.  No bounds; a
** Gaussian prior only where the M step is not in closed form. */
typedef struct {
  const Mixture *observed, *program;
  const double *instances; /* by parameter: of all observations; NULL: not coherent */
} Expectation;

void em_maximise(Objective *, const Expectation *, Point *, size_t most_iterations);

#endif
