/* tally.h - sums over a stream of weighted stable models, in log space.
**
** Weights are scaled by exp(-reference), the reference following the heaviest
** model seen, and summed in long double, so that neither large weights nor
** millions of models cost accuracy. */
#ifndef INFER_TALLY_H
#define INFER_TALLY_H

#include "ground/ground.h"
#include "sample/encode.h"
#include "sample/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const Ground *ground;
  const double *weights; /* by weight of the ground program */
  const Lit *evidence;   /* a model counts as evidence if all of these hold */
  size_t evidence_count;

  uint64_t models, agreeing; /* seen; with the evidence */
  double reference;          /* log weight whose weight counts as 1 */
  long double all, with;     /* scaled sums: of all models, of those agreeing */
  long double *sum;          /* by bit: of agreeing models where it is set */
  uint64_t *count;           /* by bit: the number of these */

  /* made from the layout of the first models */
  uint32_t *penalty_bit;
  double *penalty;
  size_t penalties;
  double base; /* log weight of the instances that are always violated */
  uint32_t *evidence_bit;
  bool *evidence_value;
  size_t evidence_bits;
  bool impossible; /* the evidence contradicts what is certain */
  bool ready;
} Tally;

void tally_start(Tally *, const Layout *);
void tally_free(Tally *);

/* The model's log weight, -(sum of the weights of violated instances). */
double tally_log_weight(const Tally *, const uint8_t *model);
bool tally_agrees(const Tally *, const uint8_t *model);
void tally_add(Tally *, const Layout *, const uint8_t *model);

double tally_probability(const Tally *, double log_weight); /* among all models */
double tally_log_all(const Tally *);                        /* ln of the sum over all models */
double tally_log_with(const Tally *);                       /* over those with the evidence */

#endif
