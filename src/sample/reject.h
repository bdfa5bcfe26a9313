/* reject.h - uniformly random stable models by trial.
**
** Each guessed atom that is open is true or false with probability 1/2, what follows from the
** guesses is computed, and what is no stable model of the slice is rejected.  Different stable
** models have different guesses, so that what is left is uniform, exactly.  It takes as many trials
** as there are guesses for one stable model; they are made 256 at a time (lanes.h), a thousand
** million literals a second, so that it is fast as long as one guess in 2^28 is good.
**
** Parts of the program where guessed atoms depend positively on each other in a loop are not
** `able`: elsewhere all is stable if what is not guessed is the least model given the guesses, hard
** rules hold, and each guessed atom that is true has a rule with a true body and no other true
** head. */
#ifndef SAMPLE_REJECT_H
#define SAMPLE_REJECT_H

#include "base/graph.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/encode.h"
#include "sample/lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hard rule, and how many guesses of its part must have been made before. */
typedef struct {
  uint32_t rule, guesses;
} RejectCheck;

/* Independent components. */
typedef struct {
  VEC(Atom) guessed;      /* in the order in which checks need them */
  VEC(RejectCheck) early; /* hard rules about guessed atoms alone, the shortest first */
  VEC(uint32_t) groups;   /* strata of what follows */
  VEC(RejectCheck) late;  /* other hard rules */
  VEC(Atom) supported;    /* guessed atoms that may lack a rule */
  bool able;
} RejectPart;

/* An atom that follows, or an instance, which holds or is violated in the slice. */
typedef struct {
  uint32_t id;
  bool instance, holds;
} RejectDemand;

typedef struct {
  const Ground *ground;
  const Analysis *analysis;
  const Encoding *encoding;
  Strata strata;
  RejectPart *part; /* one more: of no part */
  uint32_t parts;
  GraphLists heads;   /* by guessed atom: the rules that may support it */
  uint32_t *meaning;  /* by solver atom: 2 atom, or 2 instance + 1; NONE */
  uint32_t *reported; /* by bit of the layout: likewise */
  uint32_t *rule;     /* by instance */
  int8_t *fixed;      /* by atom, guessed in the slice: 1, 0, or -1 if it is open */
  Lanes *atoms;       /* by atom */
  /* ---- the slice ---- */
  uint32_t first, end; /* its parts */
  VEC(RejectDemand) demands;
  Lanes alive;
  uint64_t work;    /* literals looked at, roughly */
  uint64_t *failed; /* by check: lanes; NULL: not measured, a batch ends when no lane is alive */
  uint32_t checks;
  double batches; /* that one model takes, expected beforehand */
} Reject;         /* {0} is none */

/* `part_of_atom`: NONE for atoms of no part.  All are borrowed. */
void reject_begin(Reject *, const Ground *, const Analysis *, const Encoding *,
                  const uint32_t *part_of_atom, uint32_t parts);
void reject_free(Reject *);

/* Goes to a slice: of this part, or of all (NONE), in which these literals of the solver hold.
** False: it is not able, or the literals contradict each other. */
bool reject_enter(Reject *, uint32_t part, const int32_t *assumed, size_t n);

/* The work that finding a model is worth, from a look at some guesses. */
uint64_t reject_effort(Reject *, Random *);

/* Tries until some lane is alive, with at most so much work: OK, also if none is. */
Status reject_find(Reject *, uint64_t effort, const Limits *, Random *);

/* The model of a lane that is alive: the bits of the layout that are listed. */
void reject_take(const Reject *, unsigned lane, const uint32_t *bits, size_t n, uint8_t *to);

#endif
