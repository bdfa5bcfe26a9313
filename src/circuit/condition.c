/* condition.c - a root with some atoms set; see circuit.h.
**
** In a component with evidence each decision on a variable that is set becomes the child
** of its value, and the literals stand beside what is left: the result is deterministic
** and decomposable as before, and every other pass works on it. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Circuit *from;
  Circuit *to;
  const int8_t *value; /* by atom */
  uint32_t *copy;      /* by node: in `to`, of the component at hand */
  VEC(uint32_t) nodes; /* below the part at hand, children first */
  VEC(uint32_t) buffer;
} Conditioning;

#define COPY(v, w)                                        \
  do {                                                    \
    vec_reserve(v, (w)->n);                               \
    if ((w)->n)                                           \
      memcpy((v)->at, (w)->at, (w)->n * sizeof *(v)->at); \
    (v)->n = (w)->n;                                      \
  } while (0)

static void copy_tables(const Circuit *from, Circuit *to) {
  circuit_begin(to);
  COPY(&to->variables, &from->variables);
  COPY(&to->blocks, &from->blocks);
  COPY(&to->terms, &from->terms);
  COPY(&to->constants, &from->constants);
  COPY(&to->members, &from->members);
  COPY(&to->starts, &from->starts);
  to->weights = from->weights;
  to->atoms = from->atoms;
}

static void find_nodes(Conditioning *k, uint32_t top, bool *mark) {
  memset(mark, 0, k->from->nodes.n);
  mark[top] = true;
  circuit_mark(k->from, mark);
  k->nodes.n = 0;
  for (uint32_t i = 2; i <= top; i++)
    if (mark[i])
      vec_push(&k->nodes, i);
}

/* The value of a variable in a component, or -1. */
static int value_of(const Conditioning *k, uint32_t variable, const uint32_t *members) {
  assert(variable < k->from->variables.n);
  const Circuit *c = k->from;
  const CircuitBlock *block = &c->blocks.at[c->variables.at[variable].block];
  uint32_t local = variable - block->first;
  return members && local < block->atoms ? k->value[members[local]] : -1;
}

/* Copies the nodes of the part; NULL members: without evidence. */
static void copy_nodes(Conditioning *k, const uint32_t *members, uint32_t *number) {
  const Circuit *c = k->from;
  number[CIRCUIT_FALSE] = CIRCUIT_FALSE, number[CIRCUIT_TRUE] = CIRCUIT_TRUE;
  for (size_t n = 0; n < k->nodes.n; n++) {
    const CircuitNode *node = &c->nodes.at[k->nodes.at[n]];
    uint32_t made;
    if (node->variable == CIRCUIT_NONE) {
      k->buffer.n = 0;
      for (uint32_t i = 0; i < node->second; i++)
        vec_push(&k->buffer, number[c->children.at[node->first + i]]);
      made = circuit_product(k->to, k->buffer.at, k->buffer.n);
    } else {
      int value = value_of(k, node->variable, members);
      made = value >= 0 ? number[value ? node->first : node->second]
                        : circuit_decision(k->to, node->variable, number[node->first],
                                           number[node->second]);
    }
    number[k->nodes.at[n]] = made;
  }
}

static bool has_evidence(const Conditioning *k, const CircuitPart *part, const uint32_t *members) {
  for (uint32_t v = 0; v < k->from->blocks.at[part->block].atoms; v++)
    if (k->value[members[v]] >= 0)
      return true;
  return false;
}

static uint32_t condition_copy(Conditioning *k, const CircuitPart *part, const uint32_t *members) {
  assert(k->nodes.n || part->node <= CIRCUIT_TRUE);
  const CircuitBlock *block = &k->from->blocks.at[part->block];
  copy_nodes(k, members, k->copy);
  VEC(uint32_t) factors = {0};
  vec_push(&factors, k->copy[part->node]);
  for (uint32_t v = 0; v < block->atoms; v++)
    if (k->value[members[v]] >= 0)
      vec_push(&factors, circuit_literal(k->to, block->first + v, !k->value[members[v]]));
  uint32_t made = circuit_product(k->to, factors.at, factors.n);
  vec_free(&factors);
  return made;
}

static void condition_part(Conditioning *k, const CircuitRoot *root, const CircuitPart *part,
                           CircuitRoot *made) {
  uint32_t shared = CIRCUIT_NONE; /* the part of the copies without evidence */
  for (uint32_t i = 0; i < part->copies; i++) {
    uint32_t component = root->copies.at[part->first + i];
    const uint32_t *members = k->from->members.at + k->from->starts.at[component];
    if (!has_evidence(k, part, members))
      continue;
    vec_push(&made->parts, (CircuitPart){condition_copy(k, part, members), part->block,
                                         (uint32_t)made->copies.n, 1});
    vec_push(&made->copies, component);
  }
  for (uint32_t i = 0; i < part->copies; i++) {
    uint32_t component = root->copies.at[part->first + i];
    if (has_evidence(k, part, k->from->members.at + k->from->starts.at[component]))
      continue;
    if (shared == CIRCUIT_NONE) {
      shared = (uint32_t)made->parts.n;
      copy_nodes(k, NULL, k->copy);
      vec_push(&made->parts,
               (CircuitPart){k->copy[part->node], part->block, (uint32_t)made->copies.n, 0});
    }
    made->parts.at[shared].copies++;
    vec_push(&made->copies, component);
  }
}

void circuit_condition(const Circuit *from, const CircuitRoot *root, const int8_t *value,
                       Circuit *to, CircuitRoot *made) {
  assert(circuit_possible(root));
  Conditioning k = {.from = from, .to = to, .value = value};
  bool *mark = memory_zero(from->nodes.n, 1);
  k.copy = memory_zero(from->nodes.n, sizeof *k.copy);
  copy_tables(from, to);
  *made = (CircuitRoot){0};
  for (size_t i = 0; i < root->parts.n; i++) {
    find_nodes(&k, root->parts.at[i].node, mark);
    condition_part(&k, root, &root->parts.at[i], made);
  }
  vec_free(&k.nodes);
  vec_free(&k.buffer);
  free(k.copy);
  free(mark);
}
