/* ahead.h - other threads compile what a search comes to later.
**
** A search goes its way as if it were alone.  Helpers go through the same question with the
** branches in another order, and write down each part that they are through with: the input
** that was decided, and of both branches what they told, what they left and what that cost.
** This is a step.  A search that comes to a part with a step takes it from there instead of
** simplifying, at a small share of the cost.  So the circuit, and the work that is counted,
** are those of one thread to the last bit; helpers change how long it takes and nothing else.
**
** An attempt that will not be through sees the beginning of the search only, where a helper that
** comes from the end is of no use.  So the other order is taken below the first decisions only, and
** one helper begins with the ways of choosing that will be tried next, as far as that can be
** foreseen, in the order in which they will be gone through.
**
** Rules of one part may have come together in another order, and what simplifying finds then
** stands in another order, too.  So a step is for a part whose words are the same.
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
  uint32_t *told;     /* literals of the circuit */
  ResidualPart *part; /* without words */
} AheadBranch;

struct AheadStep {
  ResidualKey key; /* and the order of the words */
  uint32_t input;
  bool none;             /* it has no model */
  AheadBranch branch[2]; /* high, low */
};

/* What helpers are to do.  ask(search, question) opens the question for a search whose way is set,
** as the one that is helped opens it. */
enum { AHEAD_ATTEMPTS = 3 };
typedef struct {
  void (*ask)(Search *, const void *question);
  const void *question;
  struct {
    SearchWay way;
    uint64_t budget;
  } next[AHEAD_ATTEMPTS]; /* attempts that are expected, of other ways than this one */
  unsigned count;
} AheadPlan;

/* search_run with as many helpers as `limits` can spare. */
Status ahead_run(Search *, const SearchLimits *, size_t before, uint64_t budget, const AheadPlan *,
                 uint32_t *node);
void ahead_free(Ahead *); /* may be NULL */

/* ---- of the search that is helped ---- */

AheadStep *ahead_find(Ahead *, const ResidualPart *); /* NULL: none yet */
pthread_mutex_t *ahead_lock(Ahead *);
size_t ahead_memory(const Ahead *); /* bytes of steps */

/* ---- of both ---- */

void ahead_note_order(const Residual *, ResidualPart *); /* if it has words */
bool ahead_has_words(const ResidualPart *);

/* ---- of a helper ---- */

/* CIRCUIT_FALSE: the part has no model; CIRCUIT_TRUE: it is known; CIRCUIT_NONE: it is not. */
uint32_t ahead_known(const AheadHelper *, const ResidualPart *);

AheadStep *ahead_begin(AheadHelper *, const ResidualPart *, uint32_t input);
bool ahead_low_first(const AheadHelper *, const ResidualKey *);
/* After the simplification of a branch, which cost `work`. */
void ahead_branch(AheadHelper *, AheadBranch *, uint64_t work, bool conflict, size_t first_part);
void ahead_end(AheadHelper *, AheadStep *, bool none);

#endif
