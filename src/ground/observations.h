/* observations.h - what was seen, as literals of the ground program.
**
** Made once, when the program is ground; then only read.  An observation block
** holds iff none of its violations does.  Most of these repeat a literal (`:- not a.`)
** and are that literal: atoms are looked up, and rows of tables stay rows, so that many
** observations add nothing to the program.  The others are atoms behind the program's own
** (Ground.observed).  Equal observations are one.
**
** If all are rows of one table, whose columns are about different atoms that nothing is known
** of, then they differ as their cells do, and observation i is row i: nothing is kept of them
** but the table, and their literals are made when they are asked for. */
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
typedef VEC(Lit) Lits;

typedef struct {
  Violations violations;     /* but for rows of tables; by block, statement, the atom's name */
  VEC(Lit) columns;          /* of all tables, one after the other: what each is about */
  VEC(Observation) list;     /* different ones */
  Lits literals;             /* that hold; sorted, observation after observation */
  VEC(uint32_t) of_block;    /* by block: which observation it is */
  const ObservedTable *rows; /* borrowed from the program: they are these, and the last three are
                             ** empty; or NULL */
  VEC(uint32_t) order;       /* of its columns: by atom */
} Observations;              /* {0} is empty */

/* Different ones. */
static inline size_t observations_count(const Observations *o) {
  return o->rows ? o->rows->rows : o->list.n;
}

/* Which one a block is, and the first block that says so. */
uint32_t observations_of(const Observations *, uint32_t block);
uint32_t observations_block(const Observations *, size_t observation);

/* Its literals, sorted.  They may be made in `room`, behind what it has: they are there until it
** grows, or goes, and it does not grow if there is room for observations_most. */
const Lit *observations_literals(const Observations *, size_t observation, Lits *room,
                                 uint32_t *size);
size_t observations_most(const Observations *);

/* Rows that are all of a program's observations, if they differ as literals do; false: they are to
** be merged. */
bool observations_pack(Observations *, const Ground *, const Program *);

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
