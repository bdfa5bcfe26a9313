/* observations.h - what was seen, as literals of the ground program.
**
** Made once, when the program is ground; then only read.  An observation block
** holds iff none of its violations does.  Most of these repeat a literal (`:- not a.`)
** and are that literal, so that a table with many rows adds nothing to the program;
** the others are atoms behind the program's own (Ground.observed).  Equal
** observations are one. */
#ifndef GROUND_OBSERVATIONS_H
#define GROUND_OBSERVATIONS_H

#include "base/memory.h"
#include "ground/ground.h"

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

typedef struct {
  VEC(Violation) violations; /* by block, statement and the atom's name */
  VEC(Observation) list;     /* different ones */
  VEC(Lit) literals;         /* that hold; sorted, observation after observation */
  VEC(uint32_t) of_block;    /* by block: which observation it is */
} Observations;              /* {0} is empty */

/* From the violations, which it sorts. */
void observations_seal(Observations *, const Ground *, uint32_t blocks);
void observations_free(Observations *);

/* Re-checks every reference. */
bool observations_valid(const Observations *, const Ground *);

/* The literals of all blocks together: evidence.  The caller frees them. */
Lit *observations_evidence(const Observations *, size_t *count);

#endif
