/* coherence.h - simple and k-coherent programs (the paper's Section 5.2).
**
** Simple: soft rules are facts, and their atoms head no hard rule.  A simple
** program is k-coherent if every truth assignment to the soft atoms has exactly
** k stable models.  Several soft facts for one atom count as one, whose weight is
** their sum.  The number factors over independent components, and equal ones are
** counted once, on their circuit. */
#ifndef INFER_COHERENCE_H
#define INFER_COHERENCE_H

#include "api/problem.h"

typedef struct {
  bool simple;
  const char *simple_reason; /* why not; kept by the problem */
  const char *count;         /* k in decimal; NULL: not coherent, or not known */
  const char *reason;        /* why not; kept by the problem */
} Coherence;

/* Of the program that this is compiled from, by its circuit. */
void coherence_find(lpmln *, Compiled *, Coherence *);

/* The same without a circuit: one is made for at most `seconds`. */
void coherence_find_of(lpmln *, const Ground *, const Analysis *, double seconds, Coherence *);

/* simple.c: marks the atoms of soft facts (by atom).  False, and why, if the
** program is not simple.  `fixed` says which soft fact can't be chosen freely;
** it stays empty if there is none. */
bool simple_find(const lpmln *, const Ground *, bool *soft, Text *reason, Text *fixed);

#endif
