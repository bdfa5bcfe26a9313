/* order.h - a linear order in which things that occur together are close.
**
** FORCE (Aloul, Markov, Sakallah 2003): each edge pulls its vertices to its
** centre of gravity, again and again; the best of several starts is kept,
** judged by the sum of the spans of the edges. */
#ifndef COMPILE_ORDER_H
#define COMPILE_ORDER_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/* Edge i is pool[start[i]] .. pool[start[i + 1] - 1]; rank (by vertex) is
** filled with a permutation.  The vertices' own order is the first start. */
void order_force(uint32_t vertices, const uint32_t *start, const uint32_t *pool, size_t edges,
                 uint64_t seed, uint32_t *rank);

#endif
