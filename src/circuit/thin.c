/* thin.c - a circuit for evaluations alone; see circuit.h. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* By variable: whether an evaluation depends on it. */
static bool *find_needed(const Circuit *c) {
  bool *needed = memory_zero(c->variables.n, sizeof *needed);
  for (size_t i = 2; i < c->nodes.n; i++)
    if (c->nodes.at[i].variable != CIRCUIT_NONE)
      needed[c->nodes.at[i].variable] = true;
  for (size_t i = 0; i < c->terms.n; i++)
    needed[c->terms.at[i].literal / 2] = true;
  for (size_t v = 0; v < c->variables.n; v++)
    needed[v] |= c->variables.at[v].sort == CIRCUIT_INPUT;
  return needed;
}

/* The variables that are needed, block after block; number gets new from old. */
static void keep_variables(const Circuit *c, Circuit *to, uint32_t *number) {
  bool *needed = find_needed(c);
  for (size_t b = 0; b < c->blocks.n; b++) {
    const CircuitBlock *block = &c->blocks.at[b];
    uint32_t first = (uint32_t)to->variables.n;
    for (uint32_t v = block->first; v < block->first + block->count; v++) {
      number[v] = (uint32_t)to->variables.n;
      if (needed[v])
        vec_push(&to->variables, c->variables.at[v]);
    }
    vec_push(&to->blocks, (CircuitBlock){first, (uint32_t)to->variables.n - first, 0});
  }
  free(needed);
}

void circuit_thin(const Circuit *c, Circuit *to) {
  assert(c->nodes.n >= 2 && c != to);
  *to = (Circuit){.weights = c->weights};
  uint32_t *number = memory_zero(c->variables.n, sizeof *number);
  keep_variables(c, to, number);
  for (size_t i = 0; i < c->nodes.n; i++) {
    CircuitNode node = c->nodes.at[i];
    if (node.variable != CIRCUIT_NONE)
      node.variable = number[node.variable];
    vec_push(&to->nodes, node);
  }
  for (size_t i = 0; i < c->children.n; i++)
    vec_push(&to->children, c->children.at[i]);
  for (size_t i = 0; i < c->terms.n; i++) {
    CircuitTerm term = c->terms.at[i];
    uint32_t literal = 2 * number[term.literal / 2] + (term.literal & 1);
    vec_push(&to->terms, (CircuitTerm){literal, term.weight});
  }
  for (size_t i = 0; i < c->constants.n; i++)
    vec_push(&to->constants, c->constants.at[i]);
  free(number);
}

static CircuitNode renumbered(const Circuit *c, size_t i, const uint32_t *number, Circuit *to) {
  CircuitNode node = c->nodes.at[i], is = node;
  if (node.variable != CIRCUIT_NONE)
    return (CircuitNode){node.variable, number[node.first], number[node.second]};
  is.first = (uint32_t)to->children.n;
  for (uint32_t k = 0; k < node.second; k++)
    vec_push(&to->children, number[c->children.at[node.first + k]]);
  return is;
}

void circuit_part(const Circuit *c, const bool *mark, CircuitSum *sum, Circuit *to) {
  assert(c->nodes.n >= 2 && c != to);
  *to = (Circuit){.weights = c->weights};
  uint32_t *number = memory_zero(c->nodes.n, sizeof *number);
  for (size_t i = 0; i < c->nodes.n; i++) {
    if (i > CIRCUIT_TRUE && !mark[i])
      continue;
    number[i] = (uint32_t)to->nodes.n;
    if (i > CIRCUIT_TRUE)
      vec_push(&to->nodes, renumbered(c, i, number, to));
    else
      vec_push(&to->nodes, c->nodes.at[i]);
  }
  for (size_t i = 0; i < sum->nodes.n; i++)
    sum->nodes.at[i].number = number[sum->nodes.at[i].number];
  for (size_t i = 0; i < c->variables.n; i++)
    vec_push(&to->variables, c->variables.at[i]);
  for (size_t i = 0; i < c->blocks.n; i++)
    vec_push(&to->blocks, c->blocks.at[i]);
  for (size_t i = 0; i < c->terms.n; i++)
    vec_push(&to->terms, c->terms.at[i]);
  for (size_t i = 0; i < c->constants.n; i++)
    vec_push(&to->constants, c->constants.at[i]);
  free(number);
}
