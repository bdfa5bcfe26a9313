/* observations.h - what was seen, as literals of the ground program.
**
** An observation block holds iff none of its violation atoms does.  Most of
** these atoms only repeat a literal (`:- not a.`); such ones are replaced by
** the literal and leave the program, so that equal components stay equal and a
** table with many rows adds nothing to what is compiled.  Equal observations
** are one, with their counts added. */
#ifndef GROUND_OBSERVATIONS_H
#define GROUND_OBSERVATIONS_H

#include "api/problem.h"

typedef struct {
  uint32_t block;       /* the first one that says this */
  uint32_t first, size; /* in literals */
} Observation;

typedef struct {
  Ground ground; /* the program without what only served observations */
  Analysis analysis;
  VEC(Observation) list;  /* different ones */
  VEC(Lit) literals;      /* sorted, observation after observation */
  VEC(uint32_t) of_block; /* by block: which observation it is */
} Observations;           /* {0} is empty */

void observations_make(const lpmln *, Observations *);
void observations_free(Observations *);

#endif
