/* unit.h - a kind of component: its theory, and the lanes that compile questions
** about it.
**
** A lane compiles into a circuit of its own, over the unit's own variables, so
** that kinds and lanes can work at the same time; new nodes are then copied to
** the common circuit, kind after kind and lane after lane.  Which lane a question
** takes depends on the questions alone, which makes the result the same for any
** number of threads.  Lanes do not see each other's parts, so that few questions
** share one. */
#ifndef COMPILE_UNIT_H
#define COMPILE_UNIT_H

#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/search.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stdint.h>

enum { UNIT_LANES = 4 };

typedef struct {
  Search search;
  Circuit own;
  VEC(uint32_t) common; /* by node of `own`: in the common circuit */
  Text message;         /* why its last question failed */
  bool begun;
} UnitLane;

typedef struct {
  Theory theory;
  uint32_t *variable;             /* by atom of the theory; CIRCUIT_NONE: none */
  VEC(CircuitVariable) variables; /* of each lane's circuit */
  UnitLane lanes[UNIT_LANES];
  Text message; /* why there is no theory */
  bool begun;   /* the theory is there */
  bool placed;  /* its block has variables in the common circuit */
  bool failed;  /* at one of the last questions */
} CompileUnit;  /* {0} has not begun */

void unit_free(CompileUnit *);

/* Makes the theory of the kind from one of its components. */
Status unit_begin(CompileUnit *, const TheorySource *, uint32_t kind, uint64_t seed);

UnitLane *unit_lane(CompileUnit *, uint32_t number, SearchChoice);

/* Copies the lanes' nodes that are new since the last time. */
void unit_copy(CompileUnit *, Circuit *common, uint32_t kind);

/* Leaves the variables only. */
void unit_forget(CompileUnit *);

#endif
