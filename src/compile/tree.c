/* tree.c - the order of a tree decomposition for a question; see search.h. */
#include "compile/search.h"

#include "base/memory.h"
#include "compile/decompose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 1000000 }; /* effort of the first decomposition */
enum { AGAIN = 4 };       /* times the effort, with which another one is tried */

/* The atom at place k of a rule: of its body, then its head (THEORY_NONE: none). */
static uint32_t atom_at(const uint32_t *rule, uint32_t k) {
  return k < rule_size(rule) ? rule[2 + k] >> 1 : rule[0];
}

/* Calls for each atom of each rule of all parts. */
static void each_rule(const Search *s, void (*visit)(const uint32_t *rule, void *), void *data) {
  const Residual *r = &s->residual;
  for (size_t p = 0; p < r->parts.n; p++)
    for (size_t i = r->parts.at[p].begin; i < r->parts.at[p].end; i += rule_words(r->words.at + i))
      visit(r->words.at + i, data);
}

/* The graph of the rules: atoms that are in more than one of them are vertices; the
** others are decided last. */
typedef struct {
  uint32_t *uses, *vertex; /* by atom; THEORY_NONE: no vertex */
  Words atoms;             /* by vertex */
  Words single;            /* atoms in one rule */
  Words start, pool;
} Rules;

static void count_uses(const uint32_t *rule, void *data) {
  Rules *g = data;
  for (uint32_t k = 0; k <= rule_size(rule); k++)
    if (atom_at(rule, k) != THEORY_NONE)
      g->uses[atom_at(rule, k)]++;
}

static void add_edge(const uint32_t *rule, void *data) {
  Rules *g = data;
  for (uint32_t k = 0; k <= rule_size(rule); k++) {
    uint32_t atom = atom_at(rule, k);
    if (atom != THEORY_NONE && g->uses[atom] == 1)
      vec_push(&g->single, atom);
    if (atom == THEORY_NONE || g->uses[atom] == 1)
      continue;
    if (g->vertex[atom] == THEORY_NONE) {
      g->vertex[atom] = (uint32_t)g->atoms.n;
      vec_push(&g->atoms, atom);
    }
    vec_push(&g->pool, g->vertex[atom]);
  }
  if (g->pool.n > g->start.at[g->start.n - 1])
    vec_push(&g->start, (uint32_t)g->pool.n);
}

static Rules rules_make(const Search *s) {
  Rules g = {.uses = memory_zero(s->theory->atoms, sizeof *g.uses),
             .vertex = memory_zero(s->theory->atoms, sizeof *g.vertex)};
  memset(g.vertex, 0xff, s->theory->atoms * sizeof *g.vertex);
  each_rule(s, count_uses, &g);
  vec_push(&g.start, 0);
  each_rule(s, add_edge, &g);
  return g;
}

static void rules_free(Rules *g) {
  free(g->uses);
  free(g->vertex);
  vec_free(&g->atoms);
  vec_free(&g->single);
  vec_free(&g->start);
  vec_free(&g->pool);
}

static void adopt(Search *s, const Decomposition *found, const Rules *g, const uint32_t *rank) {
  assert(found->width);
  s->tree = *found;
  s->width = found->width > s->width ? found->width : s->width;
  if (!s->rank)
    s->rank = memory_zero(s->theory->atoms, sizeof *s->rank);
  for (size_t i = 0; i < g->atoms.n; i++)
    s->rank[g->atoms.at[i]] = rank[i];
  for (size_t i = 0; i < g->single.n; i++)
    s->rank[g->single.at[i]] = (uint32_t)(g->atoms.n + i);
}

/* Orders the atoms that the question left by a decomposition of their rules. */
static void find_tree(Search *s, uint64_t effort, const Limits *limits) {
  Rules g = rules_make(s);
  uint32_t n = (uint32_t)g.atoms.n;
  uint32_t *rank = memory_zero(n, sizeof *rank), *order = memory_zero(n, sizeof *order);
  for (uint32_t i = 0; i < n; i++)
    order[i] = s->theory->rank.at[g.atoms.at[i]];
  DecomposeGraph graph = {n, g.start.at, g.pool.at, g.start.n - 1, order, NULL};
  Decomposition found = decompose(&graph, effort, limits, rank);
  s->residual.work += found.work / 4; /* they are short ones */
  if (found.width && (!s->tree.width || found.cost < s->tree.cost))
    adopt(s, &found, &g, rank);
  s->tree.work = found.work, s->tree.complete = found.complete;
  rules_free(&g);
  free(rank);
  free(order);
}

bool search_decompose(Search *s, uint64_t effort, const SearchLimits *limits) {
  assert(s->way == WAY_TREE);
  if (!s->residual.parts.n) /* nothing to decide */
    return true;
  effort = effort > LEAST ? effort : LEAST;
  if (!s->tree.complete && effort >= AGAIN * s->tree.work)
    find_tree(s, effort, &(Limits){.deadline = limits->deadline, .stop = limits->stop});
  if (s->tree.width)
    s->residual.rank = s->rank;
  return s->tree.width || s->choice == CHOOSE_TREE;
}
