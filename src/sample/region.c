/* region.c - see region.h. */
#include "sample/region.h"

#include "compile/strata.h"
#include "ground/analysis.h"

#include <assert.h>
#include <stdlib.h>

static GraphLists rules_of_atoms(const Ground *g) {
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      vec_push(&edges, (GraphEdge){rule_heads(g, r)[h], i});
    for (uint32_t k = 0; k < r->size; k++)
      vec_push(&edges, (GraphEdge){lit_atom(rule_body(g, r)[k]), i});
  }
  GraphLists lists = graph_lists(&edges, g->atoms.n);
  vec_free(&edges);
  return lists;
}

void region_begin(Region *r, const Target *t) {
  *r = (Region){.target = t, .rules = rules_of_atoms(&t->ground)};
  r->chosen = memory_zero(t->ground.atoms.n, sizeof *r->chosen);
  r->seen = memory_zero(t->ground.atoms.n + t->ground.rules.n, sizeof *r->seen);
}

void region_free(Region *r) {
  if (!r->target)
    return;
  graph_lists_free(&r->rules);
  free(r->chosen);
  free(r->seen);
  vec_free(&r->queue);
}

static void see(Region *r, Atom a, size_t *left) {
  assert(a < r->target->ground.atoms.n);
  if (r->seen[a] == r->search)
    return;
  r->seen[a] = r->search;
  vec_push(&r->queue, a);
  if (*left && r->target->strata.guessed[a])
    r->chosen[a] = true, --*left;
}

static void see_rule(Region *r, uint32_t number, size_t *left) {
  const Ground *g = &r->target->ground;
  const Rule *rule = &g->rules.at[number];
  uint32_t *seen = &r->seen[g->atoms.n + number];
  if (*seen == r->search)
    return;
  *seen = r->search;
  for (uint32_t h = 0; h < rule->heads; h++)
    see(r, rule_heads(g, rule)[h], left);
  for (uint32_t k = 0; k < rule->size; k++)
    see(r, lit_atom(rule_body(g, rule)[k]), left);
}

/* The guessed atoms nearest to one of them, by rules in common. */
static void choose_near(Region *r, Atom from, size_t left) {
  r->queue.n = 0;
  r->search++;
  see(r, from, &left);
  for (size_t i = 0; left && i < r->queue.n; i++)
    for (uint32_t k = r->rules.start[r->queue.at[i]];
         left && k < r->rules.start[r->queue.at[i] + 1]; k++)
      see_rule(r, r->rules.at[k], &left);
}

void region_choose(Region *r, uint32_t component, size_t size, Random *random) {
  assert(component < r->target->analysis.components);
  const Target *t = r->target;
  uint32_t first = t->guess_start[component], n = t->guess_start[component + 1] - first;
  if (n <= size) {
    for (uint32_t i = 0; i < n; i++)
      r->chosen[t->guessed[first + i]] = true;
  } else if (random_bits(random) >> 63) {
    choose_near(r, t->guessed[first + random_below(random, n)], size);
  } else {
    for (size_t left = size; left;) {
      Atom a = t->guessed[first + random_below(random, n)];
      left -= !r->chosen[a];
      r->chosen[a] = true;
    }
  }
}

void region_fix_others(Region *r, const bool *atoms, RegionFix fix, void *data) {
  assert(r->target && r->chosen);
  const Target *t = r->target;
  uint32_t all = t->guess_start[t->analysis.components];
  for (uint32_t i = 0; i < all; i++) {
    Atom a = t->guessed[i];
    if (!r->chosen[a])
      fix(data, a, atoms[a]);
    r->chosen[a] = false;
  }
}
