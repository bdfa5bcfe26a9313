/* sampled_likelihood.h - the log-likelihood where sums of weights are sampled. */
#ifndef LEARN_SAMPLED_LIKELIHOOD_H
#define LEARN_SAMPLED_LIKELIHOOD_H

#include "learn/sides.h"
#include "sample/ladder.h"

/* Of all observations, at w, with its Monte Carlo error; NAN if no estimate is honest, if too many
** observations would need one, or if it takes longer than so many seconds. */
LogEstimate sampled_likelihood(Sides *, const double *w, double seconds);

#endif
