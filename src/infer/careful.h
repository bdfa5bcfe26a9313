/* careful.h - one row of weights and evidence through a circuit, by numbers that neither over-
** nor underflow and sums of which lose nothing.
**
** The tiles of rows.h are many times as fast, but add plain logarithms: beside a weight of 1e17
** one of 5 is lost.  And a double can't tell what is certain or impossible from what is nearly
** so. */
#ifndef INFER_CAREFUL_H
#define INFER_CAREFUL_H

#include "base/scaled.h"
#include "infer/told.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  Log prior;    /* ln Z of the program */
  Log observed; /* and of its models that agree; a rest of -INFINITY: none does, what follows is 0
                 */
  Probability *marginals;        /* by atom, of those that are told */
  double *counts, *prior_counts; /* by weight: expected violations */
} CarefulRow;

/* `value` of the evidence is by atom: 1, 0, or -1 for open and for what is not told. */
void careful_evaluate(CarefulRow *, const Told *, const Told *program, const double *weights,
                      const int8_t *value);
void careful_free(CarefulRow *);

/* Weights of which plain logarithms lose digits that are seen. */
bool careful_needed(const double *weights, size_t n);

#endif
