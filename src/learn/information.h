/* information.h - the observed information, the negated Hessian of the objective, and
** its eigenspaces.  Its null space are the directions that the data leaves free to
** second order. */
#ifndef LEARN_INFORMATION_H
#define LEARN_INFORMATION_H

#include "learn/objective.h"
#include "learn/optimise.h"

#define NULL_SPACE 1e-8 /* eigenvalues of the information, relative to the largest */

/* The information at a point: restricted to the weights that are not fixed. */
typedef struct {
  uint32_t n;
  double *values, *vectors;
  double scale; /* the largest eigenvalue, at least 1 */
} Information;

/* At the point last evaluated.  Fixed weights are independent of the others and
** well determined. */
Information information_at(Objective *, const bool *fixed);
void information_free(Information *);

/* Projection on the eigenspace below a limit, less what leads to infinity. */
double information_projection(const Information *, double limit, uint32_t i, uint32_t k);

/* By parameter: at a bound, or at 0 by an L1 prior.  The caller frees it. */
bool *information_held(const Objective *, const Point *);

/* Adds the eigenvector with number e, times a factor. */
void information_add(const Information *, uint32_t e, double by, double *v);

/* A Newton step where the curvature is good, at most 2 along each eigenvector. */
void information_step(Objective *, const Information *, const bool *fixed, const Point *from,
                      Point *to);

#endif
