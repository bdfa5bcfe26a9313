/* graph.c - see graph.h; Tarjan's algorithm with a stack of its own. */
#include "base/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

GraphLists graph_lists(const GraphEdges *edges, size_t keys) {
  assert(edges->at || !edges->n);
  GraphLists l = {memory_zero(keys + 1, sizeof *l.start), memory_zero(edges->n, sizeof *l.at)};
  for (size_t i = 0; i < edges->n; i++)
    l.start[edges->at[i].key + 1]++;
  for (size_t k = 0; k < keys; k++)
    l.start[k + 1] += l.start[k];
  uint32_t *fill = memory_zero(keys, sizeof *fill);
  for (size_t i = 0; i < edges->n; i++) {
    uint32_t key = edges->at[i].key;
    assert(key < keys && l.start[key] + fill[key] < l.start[key + 1]);
    l.at[l.start[key] + fill[key]++] = edges->at[i].value;
  }
  free(fill);
  return l;
}

void graph_lists_free(GraphLists *l) {
  free(l->start);
  free(l->at);
  *l = (GraphLists){0};
}

typedef struct {
  const GraphLists *edges;
  uint32_t *component, *index, *low, *edge; /* by key; edge: next to follow */
  uint32_t *stack, *path;
  size_t stacked, depth;
  uint32_t next, components;
} Tarjan;

static void enter(Tarjan *t, uint32_t a) {
  t->index[a] = t->low[a] = ++t->next;
  t->edge[a] = t->edges->start[a];
  t->stack[t->stacked++] = a;
  t->path[t->depth++] = a;
}

static void leave(Tarjan *t, uint32_t a) {
  assert(t->depth && t->path[t->depth - 1] == a);
  t->depth--;
  if (t->depth && t->low[a] < t->low[t->path[t->depth - 1]])
    t->low[t->path[t->depth - 1]] = t->low[a];
  if (t->low[a] != t->index[a])
    return;
  uint32_t b;
  do {
    b = t->stack[--t->stacked];
    t->component[b] = t->components;
  } while (b != a);
  t->components++;
}

static void search(Tarjan *t, uint32_t root) {
  enter(t, root);
  while (t->depth) {
    uint32_t a = t->path[t->depth - 1];
    if (t->edge[a] == t->edges->start[a + 1]) {
      leave(t, a);
      continue;
    }
    uint32_t b = t->edges->at[t->edge[a]++];
    if (!t->index[b])
      enter(t, b);
    else if (t->component[b] == UINT32_MAX && t->index[b] < t->low[a])
      t->low[a] = t->index[b];
  }
}

uint32_t graph_components(const GraphLists *edges, size_t keys, uint32_t *component) {
  assert(edges->start && component);
  uint32_t *words = memory_zero(5 * keys, sizeof *words);
  Tarjan t = {.edges = edges,
              .component = component,
              .index = words,
              .low = words + keys,
              .edge = words + 2 * keys,
              .stack = words + 3 * keys,
              .path = words + 4 * keys};
  memset(component, 0xff, keys * sizeof *component);
  for (uint32_t a = 0; a < keys; a++)
    if (!t.index[a])
      search(&t, a);
  assert(!t.depth && !t.stacked && t.components <= keys);
  free(words);
  return t.components;
}

uint32_t *graph_component_of(GraphEdges *edges, size_t keys) {
  GraphLists lists = graph_lists(edges, keys);
  uint32_t *component = memory_zero(keys, sizeof *component);
  graph_components(&lists, keys, component);
  graph_lists_free(&lists);
  vec_free(edges);
  return component;
}
