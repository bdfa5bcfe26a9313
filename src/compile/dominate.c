/* dominate.c - rules that only lead back; see residual.h.
**
** If whatever a is derived for goes through d, then a rule a <- d, ... is of no use: a
** derivation that has d already does not need a to get it.  So people on a tree who
** influence each other both ways become people who influence those closer to the one who is
** asked for, and what was one large loop has none.  In other words: a proof without
** repetitions never has d below a if it always has d above a.  What must be told, is
** negated or stands in a constraint is asked for; d dominates a in the graph from there to
** the bodies of rules.
**
** Rules are dropped only if that leaves a tree, or almost: in graphs with many ways round, two
** atoms that imply each other are better, because they become one (merge.c). */
#include "compile/residual.h"

#include "base/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 30 }; /* of the iteration; graphs of rules need three or four */

typedef struct {
  uint32_t root;       /* vertex of the question; the others are atoms */
  GraphLists down, up; /* what is read, and who reads it */
  uint32_t *number;    /* by vertex, in the order in which a search leaves them; 0: not met */
  uint32_t *dominator; /* by vertex: the closest one; UINT32_MAX: none yet */
  Words order;         /* vertices by number - 1 */
} Dominators;

static bool in_loop(const Residual *r, const uint32_t *rule) {
  for (uint32_t k = 0; rule[0] != THEORY_NONE && r->loop[rule[0]] && k < rule_size(rule); k++)
    if (!(rule[2 + k] & 1) && r->loop[rule[2 + k] >> 1] == r->loop[rule[0]])
      return true;
  return false;
}

static bool has_loops(const Residual *r, size_t start, size_t used) {
  for (size_t i = start; i < used; i += rule_words(r->words.at + i))
    if (in_loop(r, r->words.at + i))
      return true;
  return false;
}

static GraphEdges list_edges(const Residual *r, size_t start, size_t used) {
  uint32_t root = r->theory->atoms;
  GraphEdges edges = {0};
  for (size_t i = start; i < used; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    for (uint32_t k = 0; k < rule_size(rule); k++) {
      bool asked = rule[0] == THEORY_NONE || rule[2 + k] & 1;
      if (!r->theory->input.at[rule[2 + k] >> 1])
        vec_push(&edges, (GraphEdge){asked ? root : rule[0], rule[2 + k] >> 1});
    }
  }
  for (size_t i = 0; i < r->pending.n; i++)
    vec_push(&edges, (GraphEdge){root, r->pending.at[i]});
  for (size_t i = 0; i < r->touched.n; i++)
    if (r->needed[r->touched.at[i]])
      vec_push(&edges, (GraphEdge){root, r->touched.at[i]});
  return edges;
}

/* Depth first from the root. */
static void number_vertices(Dominators *d) {
  uint32_t *next = memory_zero(d->root + (size_t)1, sizeof *next);
  Words path = {0};
  vec_push(&path, d->root);
  next[d->root] = d->down.start[d->root] + 1; /* 0: not met */
  while (path.n) {
    uint32_t v = path.at[path.n - 1];
    if (next[v] <= d->down.start[v + 1]) {
      uint32_t w = d->down.at[next[v]++ - 1];
      if (next[w])
        continue;
      next[w] = d->down.start[w] + 1;
      vec_push(&path, w);
    } else {
      vec_push(&d->order, v);
      d->number[v] = (uint32_t)d->order.n;
      path.n--;
    }
  }
  vec_free(&path);
  free(next);
}

/* The closest vertex that dominates both. */
static uint32_t common(const Dominators *d, uint32_t a, uint32_t b) {
  while (a != b) {
    while (d->number[a] < d->number[b])
      a = d->dominator[a];
    while (d->number[b] < d->number[a])
      b = d->dominator[b];
  }
  return a;
}

/* The algorithm of Cooper, Harvey and Kennedy; false if it has not come to its end. */
static bool find_dominators(Dominators *d) {
  assert(d->order.at && d->order.n);
  bool changed = true;
  d->dominator[d->root] = d->root;
  for (int round = 0; changed && round < ROUNDS; round++) {
    changed = false;
    for (size_t i = d->order.n - 1; i-- > 0;) { /* the root is the last */
      uint32_t v = d->order.at[i], best = UINT32_MAX;
      for (uint32_t k = d->up.start[v]; k < d->up.start[v + 1]; k++) {
        uint32_t u = d->up.at[k];
        if (d->number[u] && d->dominator[u] != UINT32_MAX)
          best = best == UINT32_MAX ? u : common(d, best, u);
      }
      assert(best != UINT32_MAX);
      changed |= d->dominator[v] != best;
      d->dominator[v] = best;
    }
  }
  return !changed;
}

static bool dominates(const Dominators *d, uint32_t above, uint32_t below) {
  while (d->number[below] < d->number[above])
    below = d->dominator[below];
  return above == below;
}

static bool leads_back(const Residual *r, const Dominators *d, const uint32_t *rule) {
  if (rule_weighted(rule) || !in_loop(r, rule) || !d->number[rule[0]])
    return false;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t atom = rule[2 + k] >> 1;
    if (!(rule[2 + k] & 1) && !r->theory->input.at[atom] && dominates(d, atom, rule[0]))
      return true;
  }
  return false;
}

/* Whether what is left is a tree, or almost. */
static bool leaves_tree(const Residual *r, const Dominators *d, size_t start, size_t used) {
  size_t heads = 0, reads = 0;
  uint32_t last = THEORY_NONE;
  for (size_t i = start; i < used; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    heads += rule[0] != last && rule[0] != THEORY_NONE;
    last = rule[0];
    for (uint32_t k = 0; !leads_back(r, d, rule) && k < rule_size(rule); k++)
      reads += !r->theory->input.at[rule[2 + k] >> 1];
  }
  return residual_almost_tree(heads, reads);
}

static size_t drop_rules(Residual *r, const Dominators *d, size_t start, size_t used) {
  size_t to = start;
  for (size_t i = start, words; i < used; i += words) {
    words = rule_words(r->words.at + i);
    if (leads_back(r, d, r->words.at + i))
      continue;
    memmove(r->words.at + to, r->words.at + i, words * sizeof *r->words.at);
    to += words;
  }
  return to;
}

/* What loops are left, and definitions before their uses again. */
static void find_loops(Residual *r, size_t start, size_t used) {
  uint32_t atoms = r->theory->atoms, *rules = r->words.at + start;
  uint32_t *component = rules_components(rules, used - start, atoms);
  uint32_t *size = memory_zero(atoms, sizeof *size);
  Words sorted = rules_sorted(rules, used - start, component);
  assert(sorted.n == used - start);
  memcpy(rules, sorted.at, sorted.n * sizeof *rules);
  vec_free(&sorted);
  for (uint32_t a = 0; a < atoms; a++)
    size[component[a]]++;
  for (uint32_t a = 0; a < atoms; a++)
    if (size[component[a]] == 1)
      r->loop[a] = 0;
    else if (r->loop[a])
      r->loop[a] = component[a] + 1;
  for (size_t i = start; i < used; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    for (uint32_t k = 0; rule[0] != THEORY_NONE && k < rule_size(rule); k++)
      if (rule[2 + k] == 2 * rule[0]) /* in a sum of its own */
        r->loop[rule[0]] = component[rule[0]] + 1;
  }
  free(size);
  free(component);
}

size_t residual_dominate(Residual *r, size_t start, size_t used) {
  assert(r->words.n == start && start <= used && r->next == r->limit);
  if (!has_loops(r, start, used))
    return used;
  size_t vertices = r->theory->atoms + (size_t)1;
  Dominators d = {.root = r->theory->atoms,
                  .number = memory_zero(vertices, sizeof *d.number),
                  .dominator = memory_zero(vertices, sizeof *d.dominator)};
  memset(d.dominator, 0xff, vertices * sizeof *d.dominator);
  GraphEdges edges = list_edges(r, start, used);
  d.down = graph_lists(&edges, vertices);
  for (size_t i = 0; i < edges.n; i++)
    edges.at[i] = (GraphEdge){edges.at[i].value, edges.at[i].key};
  d.up = graph_lists(&edges, vertices);
  number_vertices(&d);
  bool tree = find_dominators(&d) && leaves_tree(r, &d, start, used);
  size_t end = tree ? drop_rules(r, &d, start, used) : used;
  if (end < used)
    find_loops(r, start, end);
  r->changed |= end < used;
  r->reduced = end < used;
  graph_lists_free(&d.down);
  graph_lists_free(&d.up);
  vec_free(&edges);
  vec_free(&d.order);
  free(d.number);
  free(d.dominator);
  return end;
}
