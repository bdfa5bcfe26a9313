/* ahead.h - other threads compile what a search comes to later.
**
** A search goes its way as if it were alone.  Helpers go through the same question with the
** branches in another order, and write down each part that they are through with: the input
** that was decided, and of both branches what they told, what they left and what that cost.
** This is a step.  A search that comes to a part with a step takes it from there instead of
** simplifying, at a small share of the cost.  So the circuit, and the work that is counted,
** are those of one thread to the last bit; helpers change how long it takes and nothing else.
**
** A step is written down after those of all parts that it left, unless the search itself has
** compiled them: who follows steps never comes to a part about which nothing is known. */
#ifndef COMPILE_AHEAD_H
#define COMPILE_AHEAD_H

#include "compile/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t work;
  bool conflict;
  uint32_t tolds, parts;
  uint32_t *told; /* literals of the circuit */
  ResidualKey *part;
} AheadBranch;

struct AheadStep {
  ResidualKey key;
  uint32_t input;
  bool none;             /* it has no model */
  AheadBranch branch[2]; /* high, low */
};

/* search_run with as many helpers as `limits` can spare. */
Status ahead_run(Search *, const SearchLimits *, size_t before, uint64_t budget, uint32_t *node);
void ahead_free(Ahead *); /* may be NULL */

/* ---- of the search that is helped ---- */

AheadStep *ahead_find(Ahead *, const ResidualKey *); /* NULL: none yet */
pthread_mutex_t *ahead_lock(Ahead *);
size_t ahead_memory(const Ahead *); /* bytes of steps */

/* ---- of a helper ---- */

/* CIRCUIT_FALSE: the part has no model; CIRCUIT_TRUE: it is known; CIRCUIT_NONE: it is not. */
uint32_t ahead_known(const AheadHelper *, const ResidualKey *);

AheadStep *ahead_begin(AheadHelper *, const ResidualKey *, uint32_t input);
bool ahead_low_first(const AheadHelper *, const ResidualKey *);
/* After the simplification of a branch, which cost `work`. */
void ahead_branch(AheadHelper *, AheadBranch *, uint64_t work, bool conflict, size_t first_part);
void ahead_end(AheadHelper *, AheadStep *, bool none);

#endif
