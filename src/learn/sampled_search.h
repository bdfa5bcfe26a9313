/* sampled_search.h - the most likely weights by sampling: from one start or several, and how likely
** observations are that were held out. */
#ifndef LEARN_SAMPLED_SEARCH_H
#define LEARN_SAMPLED_SEARCH_H

#include "learn/sides.h"
#include "learn/stochastic.h"
#include "sample/ladder.h"

typedef struct {
  Stochastic best;
  LogEstimate likelihood; /* at best.w; NAN: no estimate is honest, or a limit came first */
} SampledSearch;

/* From all starts; a later one is taken if its likelihood, with the prior, is higher beyond doubt.
** Whatever the status, `best` is there and the caller's. */
Status sampled_search(Sides *, SampledSearch *);

/* Test observations by these weights, and each fold by those learned from the others. */
Status sampled_held_out(Learning *, const double *w);

#endif
