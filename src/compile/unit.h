/* unit.h - a kind of component: its theory, and the lanes that compile questions
** about it.
**
** A lane compiles into a circuit of its own, over the unit's own variables, so
** that kinds and lanes can work at the same time; new nodes are then copied to
** the common circuit.  A unit has one lane for all few questions.  Many have lanes
** for themselves (jobs.h), which do not see each other's parts. */
#ifndef COMPILE_UNIT_H
#define COMPILE_UNIT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/search.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  Search search;
  Circuit own;
  VEC(uint32_t) common; /* by node of `own`: in the common circuit */
  Text message;         /* why its last question failed */
  bool begun;           /* `own` is there… */
  bool searching;       /* …and `search` */
} UnitLane;             /* {0} has not begun */

typedef struct {
  Theory theory;
  uint32_t *variable;             /* by atom of the theory; CIRCUIT_NONE: none */
  bool *first;                    /* by atom of the theory: decided first; NULL: none is */
  VEC(CircuitVariable) variables; /* of each lane's circuit */
  UnitLane lane;                  /* for few questions */
  Text message;                   /* why there is no theory */
  bool begun;                     /* the theory is there */
  bool placed;                    /* its block has variables in the common circuit */
  bool failed;                    /* at one of the last questions */
} CompileUnit;                    /* {0} has not begun */

void unit_free(CompileUnit *);

/* Makes the theory of the kind from one of its components. */
Status unit_begin(CompileUnit *, const TheorySource *, uint32_t kind, uint64_t seed);

void lane_begin(UnitLane *, const CompileUnit *, SearchChoice);
void lane_finish(UnitLane *); /* no more questions: leaves the circuit */
void lane_free(UnitLane *);

/* The circuit as bytes, and the same elsewhere into a lane that has not begun, where every
** reference is checked; it is only good for copying. */
void lane_put(const UnitLane *, Text *to);
void lane_get(UnitLane *, const CompileUnit *, Bytes *from);

/* Copies a lane's nodes that are new since the last time, or all if the common circuit was
** compacted: then none of them is known there. */
void lane_copy(UnitLane *, CompileUnit *, Circuit *common, uint32_t kind);

void unit_compacted(CompileUnit *);

/* Leaves the variables only. */
void unit_forget(CompileUnit *);

#endif
