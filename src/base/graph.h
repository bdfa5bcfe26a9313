/* graph.h - lists by key, and strongly connected components of a digraph. */
#ifndef BASE_GRAPH_H
#define BASE_GRAPH_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t key, value;
} GraphEdge;

typedef VEC(GraphEdge) GraphEdges;

/* Values by key, in the order given: at[start[k]] .. at[start[k + 1] - 1]. */
typedef struct {
  uint32_t *start, *at;
} GraphLists;

GraphLists graph_lists(const GraphEdges *, size_t keys);
void graph_lists_free(GraphLists *);

/* Fills component (by key) with numbers from 0: a component has edges only to
** itself and to smaller numbers.  Returns how many there are. */
uint32_t graph_components(const GraphLists *, size_t keys, uint32_t *component);

/* The same by key, from edges, which it frees; to be freed. */
uint32_t *graph_component_of(GraphEdges *, size_t keys);

#endif
