/* observations.h - what was seen, as literals of the ground program.
**
** Made once, when the program is ground; then only read.  An observation block
** holds iff none of its violations does.  Most of these repeat a literal (`:- not a.`)
** and are that literal: atoms are looked up, and rows of tables stay rows, so that many
** observations add nothing to the program.  The others are atoms behind the program's own
** (Ground.observed).  Equal observations are one. */
#ifndef GROUND_OBSERVATIONS_H
#define GROUND_OBSERVATIONS_H

#include "base/memory.h"
#include "ground/ground.h"
#include "language/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a statement of an observation forbids. */
typedef struct {
  uint32_t block;
  uint32_t statement; /* of the Program; NONE: the atom was not listed in a closed world */
  Lit lit;            /* it is violated iff this holds; its truth may be known */
} Violation;

typedef struct {
  uint32_t block;       /* the first one that says this */
  uint32_t first, size; /* in literals */
} Observation;

typedef VEC(Violation) Violations;

typedef struct {
  Violations violations;  /* but for rows of tables; by block, statement, the atom's name */
  VEC(Lit) columns;       /* of all tables, one after the other: what each is about */
  VEC(Observation) list;  /* different ones */
  VEC(Lit) literals;      /* that hold; sorted, observation after observation */
  VEC(uint32_t) of_block; /* by block: which observation it is */
} Observations;           /* {0} is empty */

/* From the violations, which it sorts, and the tables of the program. */
void observations_seal(Observations *, const Ground *, const Program *);
void observations_free(Observations *);

/* What a row of a table forbids, if the block is one; and all that a block forbids, in the
** order of its text.  Appended. */
void observations_row(const Observations *, const Program *, uint32_t block, Violations *);
void observations_forbidden(const Observations *, const Program *, uint32_t block, Violations *);

/* The next atom that the block does not list, in a closed world; NONE: no more.  *next, 0 at first,
** steps over the violations, block after block. */
Atom observations_unlisted(const Observations *, uint32_t block, size_t *next);

/* Re-checks every reference. */
bool observations_valid(const Observations *, const Ground *);

/* The literals of all blocks together: evidence.  The caller frees them. */
Lit *observations_evidence(const Observations *, size_t *count);

#endif
