/* blocks.h - moves that sample some guessed atoms exactly, given all others.
**
** In each component a region is chosen; guessed atoms outside are fixed at their values,
** what is left is compiled, and a model is drawn from the circuit by its weight.  So
** P(. | evidence) stays as it is.  Whether compiling keeps within its budget depends on
** what is fixed alone, so a block that does not may be left as it is. */
#ifndef SAMPLE_BLOCKS_H
#define SAMPLE_BLOCKS_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "compile/compile.h"
#include "ground/ground.h"
#include "sample/region.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const Target *target;
  Compiled compiled;
  bool begun;
  VEC(Lit) fixed;
  size_t size; /* of a region */
} BlockMoves;  /* {0} is none */

void blocks_begin(BlockMoves *, const Target *, const Limits *);
void blocks_free(BlockMoves *);

/* `atoms` is a stable model with the evidence, before and after.  `tune`: the size of
** regions follows what compiles; only before samples are taken. */
Status blocks_move(BlockMoves *, Region *, const double *weights, bool tune, Random *, bool *atoms);

#endif
