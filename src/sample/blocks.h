/* blocks.h - moves that sample some guessed atoms exactly, given all others.
**
** In each component a block of guessed atoms is chosen, without regard to the state;
** the others are fixed at their values, what is left is compiled, and a model is drawn
** from the circuit by its weight.  So P(. | evidence) stays as it is.  Whether compiling
** keeps within its budget depends on what is fixed alone, so a block that does not may
** be left as it is. */
#ifndef SAMPLE_BLOCKS_H
#define SAMPLE_BLOCKS_H

#include "base/graph.h"
#include "base/limits.h"
#include "compile/compile.h"
#include "sample/target.h"

typedef struct {
  const Target *target;
  Compiled compiled;
  bool begun;
  GraphLists rules;     /* by atom: the rules that mention it */
  bool *chosen;         /* by atom: in a block */
  uint32_t *seen;       /* by atom and by rule: the search that saw it */
  uint32_t search;
  VEC(Atom) queue;
  VEC(Lit) fixed;
  size_t size;          /* of a block */
  size_t moved, failed;
} Blocks; /* {0} is none */

void blocks_begin(Blocks *, const Target *, const Limits *);
void blocks_free(Blocks *);

/* `atoms` is a stable model with the evidence, before and after. */
Status blocks_move(Blocks *, const double *weights, Random *, bool *atoms);

#endif
