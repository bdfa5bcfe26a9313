/* told.c - see told.h. */
#include "infer/told.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void place_copy(Told *t, uint32_t part, uint32_t copy) {
  assert(part < t->root->parts.n && copy < t->root->parts.at[part].copies);
  const CircuitPart *p = &t->root->parts.at[part];
  const CircuitBlock *block = &t->circuit->blocks.at[p->block];
  const BatchPlan *plan = &t->plans[part];
  uint32_t component = t->root->copies.at[p->first + copy];
  const uint32_t *members = t->circuit->members.at + t->circuit->starts.at[component];
  for (uint32_t v = 0; v < block->atoms; v++)
    if (plan->input[v] || plan->mentioned[v])
      t->place[members[v]] = (ToldPlace){part, copy, v};
}

void told_make(Told *t, const Circuit *circuit, const CircuitRoot *root) {
  assert(circuit_possible(root));
  *t = (Told){.circuit = circuit, .root = root, .atoms = circuit->atoms};
  t->plans = memory_zero(root->parts.n, sizeof *t->plans);
  t->place = memory_zero(t->atoms, sizeof *t->place);
  memset(t->place, 0xff, t->atoms * sizeof *t->place); /* part NONE */
  for (uint32_t i = 0; i < root->parts.n; i++) {
    batch_plan_make(&t->plans[i], circuit, root->parts.at[i].node, root->parts.at[i].block);
    for (uint32_t k = 0; k < root->parts.at[i].copies; k++)
      place_copy(t, i, k);
  }
  assert(told_valid(t));
}

bool told_valid(const Told *t) {
  for (size_t a = 0; a < t->atoms; a++) {
    const ToldPlace *at = &t->place[a];
    if (at->part == NONE)
      continue;
    if (at->part >= t->root->parts.n || at->copy >= t->root->parts.at[at->part].copies ||
        at->variable >= t->circuit->blocks.at[t->root->parts.at[at->part].block].atoms)
      return false;
  }
  return true;
}

void told_free(Told *t) {
  for (size_t i = 0; t->plans && i < t->root->parts.n; i++)
    batch_plan_free(&t->plans[i]);
  free(t->plans);
  free(t->place);
  *t = (Told){0};
}
