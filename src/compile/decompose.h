/* decompose.h - an order of deciding from a tree decomposition.
**
** Vertices are eliminated one after the other, each joining its neighbours; a
** vertex and its neighbours at that time are a bag, and the bags make a tree.
** Deciding bag after bag from the middle of the tree cuts what is left into parts
** that know of each other only through the bags between them: a bag of n
** vertices has 2^n states at most.  Several ways of choosing the next vertex are
** tried, as long as the effort lasts, and the order that costs least is kept. */
#ifndef COMPILE_DECOMPOSE_H
#define COMPILE_DECOMPOSE_H

#include "base/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t vertices;
  const uint32_t *start, *pool; /* edge i is pool[start[i]] .. pool[start[i + 1] - 1] */
  size_t edges;
  const uint32_t *order; /* by vertex: a rank, one more order to eliminate by */
  const double *bits;    /* by vertex: log2 of how many values it has; NULL: two each */
} DecomposeGraph;

typedef struct {
  uint32_t width; /* vertices of the largest bag; 0: no decomposition was found */
  double cost;    /* log2 of the sum over all bags of how many values they have */
  uint64_t work;  /* words looked at */
  bool complete;  /* no more effort would help */
} Decomposition;

/* Fills rank (by vertex), what is decided first lowest, if it finds one within
** `effort` words and the limits. */
Decomposition decompose(const DecomposeGraph *, uint64_t effort, const Limits *, uint32_t *rank);

#endif
