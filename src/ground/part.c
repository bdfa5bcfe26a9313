/* part.c - a part of a ground program; see ground.h. */
#include "ground/ground.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void copy_tables(const Ground *g, const bool *dropped, Ground *copy) {
  vec_reserve(&copy->names, g->names.n);
  if (g->names.n)
    memcpy(copy->names.at, g->names.at, g->names.n);
  copy->names.n = g->names.n;
  for (Atom a = 0; a < g->atoms.n; a++) {
    vec_push(&copy->atoms, g->atoms.at[a]);
    if (dropped[a] && g->atoms.at[a].truth == ATOM_OPEN)
      copy->atoms.at[a].truth = ATOM_IMPOSSIBLE;
  }
  for (size_t i = 0; i < g->instances.n; i++)
    vec_push(&copy->instances, g->instances.at[i]);
  for (size_t i = 0; i < g->soft.n; i++)
    vec_push(&copy->soft, g->soft.at[i]);
  for (size_t i = 0; i < g->weights.n; i++)
    vec_push(&copy->weights, g->weights.at[i]);
}

static bool mentions(const Ground *g, const Rule *r, const bool *dropped) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (dropped[rule_heads(g, r)[h]])
      return true;
  for (uint32_t k = 0; k < r->size; k++)
    if (dropped[lit_atom(rule_body(g, r)[k])])
      return true;
  return false;
}

void ground_without(const Ground *g, const bool *dropped, Ground *copy) {
  assert(g->sealed && !copy->sealed && !copy->atoms.n && (dropped || !g->atoms.n));
  copy_tables(g, dropped, copy);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    size_t words = (size_t)r->heads + (size_t)r->size * (r->weighted ? 2 : 1);
    if (mentions(g, r, dropped))
      continue;
    uint32_t *to = ground_rule(copy, *r);
    if (words)
      memcpy(to, g->pool.at + r->first, words * sizeof *to);
  }
  copy->inconsistent = g->inconsistent;
  copy->sealed = true;
  assert(ground_valid(copy));
}
