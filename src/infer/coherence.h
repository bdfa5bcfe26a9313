/* coherence.h - simple and k-coherent programs (the paper's Section 5.2).
**
** Simple: soft rules are facts, and their atoms head no hard rule.  A simple
** program is k-coherent if every truth assignment to the soft atoms has exactly
** k stable models.  The number factors over independent components, and equal
** ones are counted once. */
#ifndef INFER_COHERENCE_H
#define INFER_COHERENCE_H

#include "infer/problem.h"

typedef struct {
  bool simple;
  const char *count;  /* k in decimal; NULL: not coherent, or not known */
  const char *reason; /* why not; kept by the problem */
} Coherence;

void coherence_find(lpmln *, Coherence *);

/* Of another ground program than the problem's own. */
void coherence_find_of(lpmln *, const Ground *, const Analysis *, Coherence *);

#endif
