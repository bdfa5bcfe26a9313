/* stochastic.h - maximising a likelihood whose gradient is sampled.
**
** Newton steps: the samples that give the gradient also give the covariance of counts, so
** the curvature.  A step is measured by the curvature of the program's part, which is
** never negative, and the other part counts as far as it leaves a tenth of that.  Two
** phases:
**
**   travel   full steps, within a trust region, each gradient with the same random
**            numbers; samples are doubled when the noise hides the gradient
**   average  steps k^-2/3 with fresh random numbers, and the mean of the iterates is the
**            answer (Polyak, Ruppert)
**
** It ends when what can still be gained, as far as it shows above the noise, and what the
** noise is expected to cost are together below a tolerance in log-likelihood. */
#ifndef LEARN_STOCHASTIC_H
#define LEARN_STOCHASTIC_H

#include "learn/learning.h"
#include "learn/sides.h"

typedef struct {
  double *w;
  double *mc_error; /* by parameter: Monte Carlo standard error of w */
  double *error;    /* by parameter: statistical standard error; NAN: not determined */
  bool *determined; /* by parameter */
  bool *varied;     /* by parameter: its count was seen to vary */
  Moments at;       /* of the last question that was answered */
  bool known;       /* there was one: these, the errors and what is determined are there */
  size_t iterations;
  bool converged;
} Stochastic;

Stochastic stochastic_make(const Learning *);
void stochastic_free(Stochastic *);

/* From s->w on.  A limit leaves the best that is known. */
Status stochastic_maximise(Sides *, Stochastic *);

/* The paper's gradient ascent: a fixed rate and number of samples, until no weight moves by
** delta. */
Status stochastic_ascend(Sides *, Stochastic *);

#endif
