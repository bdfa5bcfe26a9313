/* match.h - weights that were learned elsewhere: which formula of a network is which of another
** text, however that text orders literals and names variables. */
#ifndef DIALECTS_MARKOV_MATCH_H
#define DIALECTS_MARKOV_MATCH_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/program.h"

#include <stddef.h>
#include <stdint.h>

/* A variable `+x` of the network's formula, and the constant that stands for it. */
typedef struct {
  Place variable, value;
} MarkovValue;

typedef struct {
  uint32_t formula;    /* where the network's formula starts */
  Place place;         /* of the other text's, which has the weight */
  double weight;       /* finite */
  size_t first, count; /* in values */
} MarkovMatch;

typedef struct {
  VEC(MarkovMatch) list;
  VEC(MarkovValue) values;
} MarkovMatches; /* {0} is empty */

void markov_matches_free(MarkovMatches *);

/* For each weighted clause of the source `learned` the formulas without a weight of the source
** `network` that are the same clause.  What is wrong with the texts is said. */
void markov_match(Program *, Diagnostics *, uint32_t network, uint32_t learned, MarkovMatches *);

#endif
