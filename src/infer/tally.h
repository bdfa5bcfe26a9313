/* tally.h - sums over a stream of weighted stable models.
**
** Each sum has an exponent of its own and is kept in long double, so that neither large
** weights, nor models far below the heaviest, nor millions of models cost accuracy. */
#ifndef INFER_TALLY_H
#define INFER_TALLY_H

#include "base/scaled.h"
#include "ground/ground.h"
#include "sample/encode.h"
#include "sample/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits * 2^exponent; digits may grow until the exponent follows. */
typedef struct {
  long double digits;
  int64_t exponent;
} TallySum; /* {0} is 0 */

typedef struct {
  const Ground *ground;
  const double *weights; /* by weight of the ground program */
  const Lit *evidence;   /* a model counts as evidence if all of these hold */
  size_t evidence_count;

  uint64_t models, agreeing; /* seen; with the evidence */
  TallySum all, with;        /* of all models, of those agreeing */
  TallySum *sum;             /* by bit: of agreeing models where it is set */
  uint64_t *count;           /* by bit: the number of these */

  /* made from the layout of the first models */
  uint32_t *penalty_bit;
  Log *penalty;
  size_t penalties;
  Log base; /* log weight of the instances that are always violated */
  uint32_t *evidence_bit;
  bool *evidence_value;
  size_t evidence_bits;
  bool impossible; /* the evidence contradicts what is certain */
  bool ready;
} Tally;

void tally_start(Tally *, const Layout *);
void tally_free(Tally *);

/* The model's log weight, -(sum of the weights of violated instances). */
Log tally_log_weight(const Tally *, const uint8_t *model);
bool tally_agrees(const Tally *, const uint8_t *model);
void tally_add(Tally *, const Layout *, const uint8_t *model);

/* ln of a sum, of which something was added. */
Log tally_log(const TallySum *);

/* Of a bit, among the agreeing models. */
Probability tally_probability(const Tally *, uint32_t bit);

#endif
