/* parts.c - see parts.h. */
#include "learn/parts.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 17, LEAST = 1 << 18 }; /* nodes: of a part, and of a circuit that is cut */

typedef struct {
  const Circuit *c;
  bool *mark; /* by node: below the part that is looked at */
  VEC(uint32_t) marked, stack;
} Walk;

static void push(Walk *w, uint32_t node) {
  if (node <= CIRCUIT_TRUE || w->mark[node])
    return;
  w->mark[node] = true;
  vec_push(&w->marked, node);
  vec_push(&w->stack, node);
}

/* Marks what is below a node. */
static void descend(Walk *w, uint32_t from) {
  push(w, from);
  while (w->stack.n) {
    const CircuitNode *node = &w->c->nodes.at[w->stack.at[--w->stack.n]];
    if (node->variable != CIRCUIT_NONE) {
      push(w, node->first);
      push(w, node->second);
    } else {
      for (uint32_t i = 0; i < node->second; i++)
        push(w, w->c->children.at[node->first + i]);
    }
  }
}

static void forget(Walk *w) {
  for (size_t i = 0; i < w->marked.n; i++)
    w->mark[w->marked.at[i]] = false;
  w->marked.n = 0;
}

/* Marks the part that begins at node number `from` of the mixture; where the next one does. */
static size_t next_part(Walk *w, const CircuitSum *sum, size_t from) {
  forget(w);
  while (from < sum->nodes.n && w->marked.n < PART)
    descend(w, sum->nodes.at[from++].number);
  return from;
}

/* Not much is in several parts. */
static bool falls_apart(Walk *w, const CircuitSum *sum) {
  size_t all = 0, parts = 0;
  for (size_t i = 0; i < sum->nodes.n; parts++) {
    i = next_part(w, sum, i);
    all += w->marked.n;
  }
  return parts > 1 && all <= w->c->nodes.n + w->c->nodes.n / 4;
}

/* The first part has what is not about nodes, too. */
static Status add_part(const Walk *w, const Mixture *m, size_t from, size_t end,
                       const Limits *limits, Portions *to) {
  Circuit part;
  Mixture own = {.sum = from ? 0 : m->sum};
  const Mixture none = {0};
  for (size_t i = from; i < end; i++)
    vec_push(&own.is.nodes, m->is.nodes.at[i]);
  for (size_t i = 0; !from && i < m->is.blocks.n; i++)
    vec_push(&own.is.blocks, m->is.blocks.at[i]);
  circuit_part(w->c, w->mark, &own.is, &part);
  Status status = portions_add(to, &part, &own, &none, limits);
  mixture_free(&own);
  circuit_free(&part);
  return status;
}

Status parts_make(const Circuit *c, const Mixture *m, Team *team, const Limits *limits,
                  Portions *to) {
  assert(!to->list.n && !m->nodes.n);
  if (c->nodes.n < LEAST)
    return OK;
  Walk w = {.c = c, .mark = memory_zero(c->nodes.n, sizeof *w.mark)};
  bool cut = falls_apart(&w, &m->is);
  Status status = OK;
  if (cut && team)
    portions_share(to, team);
  for (size_t i = 0, end; cut && status == OK && i < m->is.nodes.n; i = end) {
    end = next_part(&w, &m->is, i);
    status = add_part(&w, m, i, end, limits, to);
  }
  free(w.mark);
  vec_free(&w.marked);
  vec_free(&w.stack);
  return status;
}
