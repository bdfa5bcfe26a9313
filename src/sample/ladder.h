/* ladder.h - ln of the sum of the weights of all stable models of a target, by sampling.
**
** Rungs lead from a program whose sum the compiler knows to the target.  At the foot the
** weights of facts are as they are and all other soft rules have none, so that constraints
** among them are gone and the other rules are choices; from rung to rung these weights grow
** in proportion.  Chains sample each rung, far from the next only as much as both can tell
** (half of the samples of one are worth something at the next), and the ratio of neighbouring
** sums is Bennett's: of all estimates from both samples the one with the least error.
**
** The error follows from what each sample adds to the whole, its two ratios together, with
** the effective sample size of that series. */
#ifndef SAMPLE_LADDER_H
#define SAMPLE_LADDER_H

#include "base/status.h"
#include "sample/chains.h"
#include "sample/target.h"

#include <stddef.h>

typedef struct {
  double value; /* NAN: no estimate is honest */
  double error; /* Monte Carlo standard error; 0: exact */
} LogEstimate;

typedef struct {
  ChainsOptions chains;
  size_t samples; /* of each chain on each rung, 16 at least */
  size_t burn_in; /* at the foot; a quarter of the samples on other rungs */
} LadderOptions;

/* Of the stable models with the target's evidence; constants included.  A limit leaves NAN. */
Status ladder_climb(const Target *, const double *weights, const LadderOptions *, LogEstimate *);

/* ---- ladder_foot.c ------------------------------------------------------------------- */

/* By weight: whether it grows along the ladder.  The caller frees it. */
bool *ladder_growing(const Target *);

/* ln of the sum of weights at the foot, constants left out; NAN: it does not compile. */
Status ladder_foot(const Target *, const double *weights, const bool *growing, const Limits *,
                   double *log_sum);

#endif
