/* progress.h - how much of a search has been seen.
**
** The share of the tree of decisions, as if both branches of each, and all parts of a branch,
** were alike.  Crude, but it grows with the work in the same way as long as nothing changes.
** Frames are added from the deepest one upwards; what is kept is sum * 2^-depth. */
#ifndef COMPILE_PROGRESS_H
#define COMPILE_PROGRESS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct {
  double sum, depth;
} Progress; /* {0}: nothing was seen */

/* A frame with `parts` parts in the branch under way, of which `done` are finished; `second`: it
** is the second branch; `decision`: there are two. */
static inline void progress_add(Progress *p, bool decision, bool second, double done,
                                double parts) {
  double before = second + done / parts;
  p->depth += log2(parts) + decision;
  if (before > 0) {
    p->sum = (decision ? before / 2 : before) + p->sum * exp2(-p->depth);
    p->depth = 0;
  }
}

static inline double progress_log2(const Progress *p) {
  return p->sum > 0 ? log2(p->sum) - p->depth : -DBL_MAX;
}

#endif
