/* strata.h - which atoms are guessed, and in which order the others follow.
**
** A guessed atom is an input of the compiled theory: a head of a choice, soft
** or disjunctive rule, or an atom that is negated inside its own component of
** the dependency graph.  Given the truth of the guessed atoms all others have
** exactly one extension, computed stratum by stratum.
**
** Read from a sealed Ground; arrays are by atom and owned here. */
#ifndef COMPILE_STRATA_H
#define COMPILE_STRATA_H

#include "ground/analysis.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  bool *guessed;
  uint32_t *rules; /* hard rules with one head that is not guessed, lowest
                   ** stratum first */
  size_t rule_count;
  uint32_t *groups; /* rules of one stratum: groups[i] .. groups[i + 1] - 1 */
  size_t group_count;
} Strata;

void strata_make(const Ground *, const Analysis *, Strata *);
void strata_free(Strata *);

/* Re-checks every number; for debug builds. */
bool strata_valid(const Ground *, const Strata *);

/* Completes a model: `atoms` (by atom) tells the guessed ones and receives all
** others.  The result is the stable model with these guesses if there is one. */
void strata_extend(const Ground *, const Strata *, bool *atoms);

#endif
