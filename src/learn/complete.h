/* complete.h - observations that leave nothing open: their counts are numbers.
**
** An observation that tells every guessed atom has one stable model at most, which follows
** from it; whether it is one shows from the rules (flips.h), and no solver is asked.  Made
** once for a program, then asked observation after observation. */
#ifndef LEARN_COMPLETE_H
#define LEARN_COMPLETE_H

#include "sample/flips.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  Target target;
  FlipPlan plan;
  Flips flips;
  bool *atoms, *told; /* by atom */
} Complete;

typedef enum { COMPLETE_OPEN, COMPLETE_IMPOSSIBLE, COMPLETE_COUNTED } Completeness;

void complete_begin(Complete *, const Ground *);
void complete_free(Complete *);

/* Adds `times` the violated instances to `counts` (by weight) if the observation has a stable
** model.  COMPLETE_OPEN: it leaves something open, or the rules do not show whether it has. */
Completeness complete_count(Complete *, const Lit *observed, size_t n, double times,
                            double *counts);

#endif
