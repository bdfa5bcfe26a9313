/* chain.h - a Markov chain over the stable models of a program: MC-ASP.
**
** A step of Algorithm 1 of the paper goes from component to component.  Each violated instance of
** weight w < 0 is kept violated with probability 1 - e^w; after Theorem 2, each satisfied one of
** weight w > 0 is kept satisfied with probability 1 - e^-w.  The next state is a uniformly random
** stable model that agrees with what was kept, with the evidence and with the other components.
** Block moves (blocks.h) and a sweep of flips (flips.h) follow, and tempered transitions
** (temper.h) now and then.  All leave P(. | evidence) as it is, and MC-ASP reaches every stable
** model from every other.
**
** Uniform draws from very large slices take too long.  In a component with more than `whole`
** guessed atoms a step changes a region only (region.h), everything else being given; P(. |
** evidence) stays as it is, but that all stable models are reached is then not proven, unless
** flips do it (chain_obstructed).
**
** A chain has a solver, a compiler and random numbers of its own: what it does depends on the seed
** and its number, not on other chains. */
#ifndef SAMPLE_CHAIN_H
#define SAMPLE_CHAIN_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "sample/blocks.h"
#include "sample/flips.h"
#include "sample/region.h"
#include "sample/target.h"
#include "sample/temper.h"
#include "sample/uniform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHAIN_WHOLE = 48, CHAIN_REGION = 12 }; /* defaults of `whole` and `part` */

/* What a step of MC-ASP kept, and from how many models it drew. */
typedef struct {
  VEC(Assumption) kept; /* instances */
  double candidates;
  bool counted; /* false: an estimate */
} ChainStep;

typedef struct {
  const Target *target;
  const double *weights; /* by weight of the program; they may change between steps */
  const Limits *limits;
  Random random;
  Uniform uniform;
  Region region;
  BlockMoves blocks;
  Flips flips;
  Temper temper;
  const FlipPlan *plan; /* of flips */
  size_t block_moves;   /* in each step; SIZE_MAX: a sweep, 0: MC-ASP alone */
  uint32_t whole, part; /* guessed atoms: of a component moved as a whole, else at once */
  bool *atoms;          /* the state */
  VEC(Assumption) kept;
  uint8_t *model;
  bool near;       /* some draw was near-uniform only */
  bool stuck;      /* many flips have odds 0; not changed after the burn-in */
  ChainStep *told; /* where steps are told; NULL: nowhere */
} Chain;

/* The first state is some random one that agrees with the evidence.  NO_ANSWER: there is
** none; otherwise as uniform_draw.  Whatever the status, chain_free is right afterwards. */
Status chain_begin(Chain *, const char *worker_path);
Status chain_step(Chain *, bool tune); /* tune: burn-in, see blocks_move */
void chain_free(Chain *);

/* What its solver remembers of other draws, and what flips keep up to date, is made anew: from
** here the chain goes on as any other would that has the same state. */
void chain_forget(Chain *);

/* The state as words, for a chain that has forgotten. */
size_t chain_words(const Chain *);
void chain_save(const Chain *, uint64_t *);
void chain_restore(Chain *, const uint64_t *);

/* A component too large for whole steps of which it is not proven that flips reach all; NONE:
** there is none. */
uint32_t chain_obstructed(const Chain *);

#endif
