/* loop.c - a positive loop that can be shown; see analysis.h. */
#include "ground/analysis.h"

#include "base/graph.h"
#include "base/memory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

/* Breadth first from `start` back to it, inside its strongly connected
** component: `before` tells the way, from the end to the start. */
static Atom search(const GraphLists *edges, const Analysis *an, Atom start, size_t atoms,
                   Atom *before) {
  Atom *queue = memory_zero(atoms, sizeof *queue);
  size_t head = 0, tail = 0;
  Atom last = NONE;
  for (size_t i = 0; i < atoms; i++)
    before[i] = NONE;
  queue[tail++] = start;
  while (last == NONE) {
    assert(head < tail); /* the component has a loop through each of its atoms */
    Atom a = queue[head++];
    for (uint32_t k = edges->start[a]; k < edges->start[a + 1] && last == NONE; k++) {
      Atom b = edges->at[k];
      if (b == start)
        last = a;
      else if (an->scc[b] == an->scc[start] && before[b] == NONE)
        before[b] = a, queue[tail++] = b;
    }
  }
  free(queue);
  return last;
}

void loop_find(const Ground *g, const Analysis *an, Atoms *loop) {
  assert(g->sealed && an->scc);
  loop->n = 0;
  Atom start = NONE; /* preferably one with a name */
  for (Atom a = 0; a < g->atoms.n; a++)
    if (an->looping[an->scc[a]] &&
        (start == NONE || (g->atoms.at[start].name == NONE && g->atoms.at[a].name != NONE)))
      start = a;
  if (start == NONE)
    return;
  GraphLists edges = positive_edges(g);
  Atom *before = memory_zero(g->atoms.n, sizeof *before);
  for (Atom a = search(&edges, an, start, g->atoms.n, before); a != NONE; a = before[a])
    vec_push(loop, a);
  for (size_t i = 0; i < loop->n / 2; i++) {
    Atom other = loop->at[i];
    loop->at[i] = loop->at[loop->n - 1 - i];
    loop->at[loop->n - 1 - i] = other;
  }
  free(before);
  graph_lists_free(&edges);
}

void loop_write(const Ground *names, const Atoms *loop, Text *out) {
  enum { MOST_NAMED = 6 };
  size_t named = 0, more = 0;
  for (size_t i = 0; i < loop->n; i++) {
    uint32_t name = names->atoms.at[loop->at[i]].name;
    if (name == NONE)
      continue;
    if (named == MOST_NAMED)
      more++;
    else
      text_printf(out, "%s%s", named++ ? ", " : "", ground_text(names, name));
  }
  if (more)
    text_printf(out, " and %zu more", more);
  if (!named)
    text_puts(out, "atoms without a name");
}
