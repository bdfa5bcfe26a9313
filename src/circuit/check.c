/* check.c - re-checks every invariant of a circuit; see circuit.h.
**
** Sets of variables are bit sets by node, relative to the node's block, so the
** check costs nodes times variables: it is for tests and debug builds. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Circuit *c;
  size_t words;        /* per set */
  uint64_t *mentioned; /* by node: variables in it */
  uint32_t *block;     /* by node; CIRCUIT_NONE: no variable yet */
  const char *wrong;
} Check;

static uint64_t *set_of(const Check *k, size_t node) { return k->mentioned + node * k->words; }

static void blame(Check *k, bool bad, const char *what) {
  if (bad && !k->wrong)
    k->wrong = what;
}

/* Joins the child's set to the node's; disjoint: they must not overlap. */
static void join(Check *k, size_t node, uint32_t child, bool disjoint) {
  uint64_t *to = set_of(k, node), *from = set_of(k, child);
  for (size_t w = 0; w < k->words; w++) {
    blame(k, disjoint && (to[w] & from[w]), "children of a product share a variable");
    to[w] |= from[w];
  }
  if (k->block[child] == CIRCUIT_NONE)
    return;
  blame(k, k->block[node] != CIRCUIT_NONE && k->block[node] != k->block[child],
        "a node mentions two blocks");
  k->block[node] = k->block[child];
}

static bool has(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }

/* Both ways of a decision, if possible, mention the same determined ones. */
static void compare_determined(Check *k, const CircuitNode *node, const CircuitBlock *block) {
  if (node->first == CIRCUIT_FALSE || node->second == CIRCUIT_FALSE)
    return;
  for (uint32_t i = 0; i < block->count; i++)
    if (k->c->variables.at[block->first + i].sort == CIRCUIT_DETERMINED)
      blame(k, has(set_of(k, node->first), i) != has(set_of(k, node->second), i),
            "a determined variable is free");
}

static void check_decision(Check *k, size_t i, const CircuitNode *node) {
  if (node->variable >= k->c->variables.n || node->first >= i || node->second >= i) {
    blame(k, true, "a decision has a bad variable or child");
    return;
  }
  const CircuitVariable *variable = &k->c->variables.at[node->variable];
  const CircuitBlock *block = &k->c->blocks.at[variable->block];
  uint32_t bit = node->variable - block->first;
  blame(k, node->first == node->second, "a decision has equal children");
  join(k, i, node->first, false);
  join(k, i, node->second, false);
  blame(k, has(set_of(k, i), bit), "a variable is decided twice");
  blame(k, k->block[i] != CIRCUIT_NONE && k->block[i] != variable->block,
        "a node mentions two blocks");
  k->block[i] = variable->block;
  set_of(k, i)[bit / 64] |= (uint64_t)1 << bit % 64;
  compare_determined(k, node, block);
}

static void check_product(Check *k, size_t i, const CircuitNode *node) {
  if ((size_t)node->first + node->second > k->c->children.n) {
    blame(k, true, "a product has bad children");
    return;
  }
  blame(k, node->second < 2, "a product is trivial");
  for (uint32_t j = 0; j < node->second; j++) {
    uint32_t child = k->c->children.at[node->first + j];
    blame(k, child < 2 || child >= i, "a product has a bad child");
    if (!k->wrong)
      join(k, i, child, true);
  }
}

static void check_blocks(Check *k) {
  const Circuit *c = k->c;
  size_t next = 0;
  for (size_t b = 0; b < c->blocks.n; b++) {
    const CircuitBlock *block = &c->blocks.at[b];
    size_t end = (size_t)block->first + block->count;
    blame(k, end > c->variables.n || block->atoms > block->count, "a block is bad");
    next += block->count;
    for (size_t v = block->first; v < end && v < c->variables.n; v++) {
      blame(k, c->variables.at[v].block != b, "a variable has a bad block");
      blame(k, c->variables.at[v].sort == CIRCUIT_INPUT && v >= (size_t)block->first + block->atoms,
            "an event is an input");
    }
    if (block->count > 64 * k->words)
      k->words = (block->count + 63) / 64;
  }
  blame(k, next != c->variables.n, "variables without a block");
  for (size_t i = 0; i < c->terms.n; i++)
    blame(k, c->terms.at[i].literal >= 2 * c->variables.n || c->terms.at[i].weight >= c->weights,
          "a term is bad");
  for (size_t i = 0; i < c->constants.n; i++)
    blame(k, c->constants.at[i] >= c->weights, "a constant is bad");
}

static void check_members(Check *k) {
  const Circuit *c = k->c;
  blame(k, !c->starts.n, "no components");
  for (size_t i = 0; i + 1 < c->starts.n; i++)
    blame(k, c->starts.at[i] > c->starts.at[i + 1], "a component is bad");
  blame(k, c->starts.n && c->starts.at[c->starts.n - 1] != c->members.n,
        "members without a component");
  for (size_t i = 0; i < c->members.n; i++)
    blame(k, c->members.at[i] >= c->atoms, "a member is bad");
}

static void check_root(Check *k, const CircuitRoot *root) {
  const Circuit *c = k->c;
  size_t next = 0;
  for (size_t i = 0; i < root->parts.n && !k->wrong; i++) {
    const CircuitPart *part = &root->parts.at[i];
    if (part->node >= c->nodes.n || part->block >= c->blocks.n || part->first != next ||
        next + part->copies > root->copies.n) {
      blame(k, true, "a part is bad");
      return;
    }
    next += part->copies;
    blame(k, k->block[part->node] != CIRCUIT_NONE && k->block[part->node] != part->block,
          "a part has the wrong block");
    for (uint32_t j = 0; j < part->copies && !k->wrong; j++) {
      uint32_t component = root->copies.at[part->first + j];
      if (component + (size_t)1 >= c->starts.n)
        blame(k, true, "a copy is bad");
      else
        blame(k,
              c->starts.at[component + 1] - c->starts.at[component] !=
                  c->blocks.at[part->block].atoms,
              "a copy has the wrong size");
    }
  }
  blame(k, next != root->copies.n, "copies without a part");
}

const char *circuit_check(const Circuit *c, const CircuitRoot *roots, size_t n) {
  Check k = {.c = c, .words = 1};
  check_blocks(&k);
  check_members(&k);
  if (k.wrong)
    return k.wrong;
  k.mentioned = memory_zero(c->nodes.n, k.words * sizeof *k.mentioned);
  k.block = memory_zero(c->nodes.n, sizeof *k.block);
  memset(k.block, 0xff, c->nodes.n * sizeof *k.block);
  for (size_t i = 2; i < c->nodes.n && !k.wrong; i++)
    if (c->nodes.at[i].variable != CIRCUIT_NONE)
      check_decision(&k, i, &c->nodes.at[i]);
    else
      check_product(&k, i, &c->nodes.at[i]);
  for (size_t i = 0; i < n && !k.wrong; i++)
    check_root(&k, &roots[i]);
  free(k.mentioned);
  free(k.block);
  return k.wrong;
}

/* The check keeps a set of variables for every node. */
bool circuit_sound(const Circuit *c, const CircuitRoot *roots, size_t n) {
  bool large = c->nodes.n * (c->variables.n / 64 + 1) > (size_t)1 << 18;
  return large || !circuit_check(c, roots, n);
}
