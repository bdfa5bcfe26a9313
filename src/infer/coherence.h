/* coherence.h - simple and k-coherent programs (the paper's Section 5.2).
**
** Simple: soft rules are facts, and their atoms head no hard rule.  A simple
** program is k-coherent if every truth assignment to the soft atoms has exactly
** k stable models.  Several soft facts for one atom count as one, whose weight is
** their sum.  The number factors over independent components, and equal ones are
** counted once, on their circuit. */
#ifndef INFER_COHERENCE_H
#define INFER_COHERENCE_H

#include "base/memory.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "infer/task.h"

#include <stdbool.h>

typedef struct {
  bool simple;
  const char *simple_reason; /* why not; in the answer */
  const char *count;         /* k in decimal; NULL: not coherent, or not known */
  const char *reason;        /* why not; in the answer */
} Coherence;

/* Of the program g (the task's, or a view of it) by its circuit; a NULL root: it does not
** compile in time. */
void coherence_find(const Task *, const Ground *g, const Circuit *, const CircuitRoot *,
                    Coherence *);

/* simple.c: marks the atoms of soft facts (by atom).  False, and why, if the
** program is not simple.  `fixed` says which soft fact can't be chosen freely;
** it stays empty if there is none. */
bool simple_find(const Task *, const Ground *, bool *soft, Text *reason, Text *fixed);

#endif
