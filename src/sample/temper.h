/* temper.h - a move that leaves the mode in which a chain is caught.
**
** Where the states that count lie in several heaps with little between them, flips never get
** from one to another, and all chains agree about the wrong thing.  A tempered transition (Neal
** 1996) climbs from the target's weights to a program without the rules that tie atoms together,
** a sweep of flips at each level, and down again, with sweeps in the reverse order.  Where it
** arrives is the next state with a probability that leaves P(. | evidence) as it is:
**
**   ln ratio = sum over i of (h_i - h_{i+1}) (E(going up at i) - E(going down at i)),
**
** E being what violated rules cost that grow along a ladder (ladder.h), h_i = 1 - i / levels the
** share of their weights at level i.  The burn-in finds how many levels it takes. */
#ifndef SAMPLE_TEMPER_H
#define SAMPLE_TEMPER_H

#include "base/random.h"
#include "sample/flips.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const Target *target;
  bool *growing;            /* by weight */
  double *weights;          /* of the level under way */
  bool *before;             /* the state to come back to */
  uint32_t levels;          /* 0: there is nothing to gain */
  uint32_t tried, accepted; /* with so many levels, in the burn-in */
} Temper;                   /* {0} is none */

void temper_begin(Temper *, const Target *);
void temper_free(Temper *);

/* Right only if flips move every guessed atom.  `tune`: in the burn-in; more levels if few moves
** are accepted, and none if even many are not enough. */
void temper_move(Temper *, Flips *, const double *weights, bool tune, Random *);

#endif
