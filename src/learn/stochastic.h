/* stochastic.h - maximising a likelihood whose gradient is sampled.
**
** Newton's steps: the samples that give the gradient g also give both covariances of counts,
** so the curvature H (frame.h).  Near to the maximum w + H^-1 g is an estimate of it whose
** error is that of g alone, and estimates from fresh samples are independent: the answer is
** their mean.  Until g no longer stands out of its noise, steps are for travelling and nothing
** is averaged; samples are added when the noise hides the gradient.
**
** It ends when a further look at the mean shows nothing that stands out, and the error of the
** mean costs less than a tolerance in log-likelihood, 19 times in 20; what the samples leave
** undetermined counts with the least curvature that it could have unnoticed. */
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
  lpmln_balance *first, *now; /* by parameter: of the first question and of the last */
  double cost; /* in log-likelihood: what the Monte Carlo error costs, 19 times in 20 */
  size_t iterations;
  bool converged;
  bool chance; /* of ascent: delta ended it where there is a gradient */
} Stochastic;

Stochastic stochastic_make(const Learning *);
void stochastic_free(Stochastic *);

/* From s->w on.  A limit leaves the best that is known. */
Status stochastic_maximise(Sides *, Stochastic *);

/* An iteration is over: tells who watches; false: the run should end. */
bool stochastic_tell(const Sides *, Stochastic *, double started);

/* wander.c: the same of so many parameters that the moments are wide. */
Status stochastic_wander(Sides *, Stochastic *);

/* The paper's gradient ascent: a fixed rate and number of samples, until no weight moves by
** delta. */
Status stochastic_ascend(Sides *, Stochastic *);

#endif
