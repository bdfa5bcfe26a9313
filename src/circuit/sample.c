/* sample.c - exact independent samples, from the root down; see circuit.h.
**
** Inputs are first drawn from their priors, then the decisions on the path
** overwrite: what the path does not mention is free and keeps its prior. */
#include "circuit/circuit.h"

#include "base/memory.h"
#include "base/random.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef VEC(uint32_t) Stack;

static void draw_inputs(const Circuit *c, const CircuitValues *v, const CircuitBlock *block,
                        const uint32_t *members, Random *random, bool *atoms) {
  for (uint32_t k = 0; k < block->atoms; k++) {
    size_t variable = block->first + k;
    if (c->variables.at[variable].sort != CIRCUIT_INPUT)
      continue;
    atoms[members[k]] = random_unit(random) < circuit_prior(v, 2 * variable);
  }
}

static void draw_path(const Circuit *c, const CircuitValues *v, Stack *stack,
                      const CircuitBlock *block, const uint32_t *members, Random *random,
                      bool *atoms) {
  while (stack->n) {
    uint32_t i = stack->at[--stack->n];
    const CircuitNode *node = &c->nodes.at[i];
    assert(i != CIRCUIT_FALSE);
    if (i == CIRCUIT_TRUE)
      continue;
    if (node->variable == CIRCUIT_NONE) {
      for (uint32_t k = 0; k < node->second; k++)
        vec_push(stack, c->children.at[node->first + k]);
      continue;
    }
    bool only = node->first == CIRCUIT_FALSE || node->second == CIRCUIT_FALSE;
    bool high =
        only ? node->first != CIRCUIT_FALSE : random_unit(random) < circuit_share(v->share[i])[0];
    uint32_t k = node->variable - block->first;
    assert(k < block->count);
    if (k < block->atoms)
      atoms[members[k]] = high;
    vec_push(stack, high ? node->first : node->second);
  }
}

void circuit_sample(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                    Random *random, bool *atoms) {
  assert(circuit_possible(root) && v->share);
  Stack stack = {0};
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    const CircuitBlock *block = &c->blocks.at[part->block];
    for (uint32_t k = 0; k < part->copies; k++) {
      uint32_t component = root->copies.at[part->first + k];
      const uint32_t *members = c->members.at + c->starts.at[component];
      draw_inputs(c, v, block, members, random, atoms);
      vec_push(&stack, part->node);
      draw_path(c, v, &stack, block, members, random, atoms);
    }
  }
  vec_free(&stack);
}
