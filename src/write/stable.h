/* stable.h - clauses for the stable models of a ground program.
**
** Completion: each hard rule holds, and each atom that holds has a rule that
** supports it (its body holds and, of a disjunction, no other head).  Loops are
** cut in one of two ways:
**   without head cycles  the stages of the least fixpoint: x(a,i) holds iff a
**                        is derived from below in at most i steps.  A component
**                        of n atoms needs n stages at most.
**   with head cycles     a loop formula for each loop: what supports it comes
**                        from outside.  There are up to 2^n loops, so n is
**                        at most STABLE_MOST.
** Everything is a gate over atoms, so models and stable models correspond one
** to one. */
#ifndef WRITE_STABLE_H
#define WRITE_STABLE_H

#include "ground/analysis.h"
#include "ground/ground.h"
#include "write/cnf.h"

#include <stdbool.h>
#include <stdint.h>

enum { STABLE_MOST = 20 };

typedef struct {
  const Ground *g;
  const Analysis *an;
  Cnf cnf;
  int32_t *atom;     /* by atom: its literal; a constant if it is not open */
  int32_t *body;     /* by rule: its literal; 0: not needed so far */
  uint32_t *first;   /* by atom: where its rules start in heading; one more */
  uint32_t *heading; /* rules with the atom in the head */
  Atom obstacle;     /* in a component with head cycles that is too large; NONE */
} Stable;

void stable_encode(const Ground *, const Analysis *, Stable *);
void stable_free(Stable *);

/* The soft rule's body holds and none of its heads does. */
int32_t stable_violation(Stable *, const Rule *);

/* For stable_loops.c. */

/* Supports an atom outside of itself: the body, with the literals `inside` for
** positive atoms of the component `scc` (by atom; NULL: as in the model), and
** the negated heads of a disjunction other than those in `mask` (by atom). */
int32_t stable_support(Stable *, const Rule *, uint32_t scc, const int32_t *inside,
                       const bool *mask);

void stable_loops(Stable *, const Atom *atoms, uint32_t n);

#endif
