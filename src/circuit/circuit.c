/* circuit.c - building a circuit; see circuit.h. */
#include "circuit/circuit.h"

#include "base/hash.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void circuit_begin(Circuit *c) {
  *c = (Circuit){0};
  vec_push(&c->nodes, (CircuitNode){CIRCUIT_NONE, 0, 0}); /* false */
  vec_push(&c->nodes, (CircuitNode){CIRCUIT_NONE, 0, 0}); /* true */
}

void circuit_free(Circuit *c) {
  vec_free(&c->nodes);
  vec_free(&c->children);
  vec_free(&c->variables);
  vec_free(&c->blocks);
  vec_free(&c->terms);
  vec_free(&c->constants);
  vec_free(&c->members);
  vec_free(&c->starts);
  free(c->unique);
  *c = (Circuit){0};
}

void circuit_root_free(CircuitRoot *root) {
  vec_free(&root->parts);
  vec_free(&root->copies);
}

bool circuit_possible(const CircuitRoot *root) {
  for (size_t i = 0; i < root->parts.n; i++)
    if (root->parts.at[i].node == CIRCUIT_FALSE)
      return false;
  return true;
}

/* Children of a product are at `children`; a decision has none. */
static uint64_t node_hash(const CircuitNode *node, const uint32_t *children) {
  uint64_t h = hash_word(node->variable, node->second);
  if (node->variable != CIRCUIT_NONE)
    return hash_word(h, node->first);
  for (uint32_t k = 0; k < node->second; k++)
    h = hash_word(h, children[k]);
  return h;
}

static bool node_equal(const Circuit *c, const CircuitNode *a, const CircuitNode *b,
                       const uint32_t *children) {
  if (a->variable != b->variable || a->second != b->second)
    return false;
  if (a->variable != CIRCUIT_NONE)
    return a->first == b->first;
  return !memcmp(c->children.at + a->first, children, a->second * sizeof *children);
}

static uint32_t tag_of(uint64_t hash) { return (uint32_t)(hash >> 32); }

static bool is_full(size_t nodes, size_t room) { return 4 * nodes >= 3 * room; }

static void unique_grow(Circuit *c) {
  assert(!(c->unique_room & (c->unique_room - 1)));
  size_t room = c->unique_room ? c->unique_room : 256;
  do
    room *= 2;
  while (is_full(c->nodes.n, room));
  CircuitSlot *table = memory_resize(NULL, room, sizeof *table);
  memset(table, 0, room * sizeof *table); /* a page that is read first is mapped twice */
  for (uint32_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    bool product = node->variable == CIRCUIT_NONE;
    const uint32_t *children = product ? c->children.at + node->first : NULL;
    uint64_t hash = node_hash(node, children);
    size_t at = hash & (room - 1);
    while (table[at].node)
      at = (at + 1) & (room - 1);
    table[at] = (CircuitSlot){i, tag_of(hash)};
  }
  free(c->unique);
  c->unique = table, c->unique_room = room;
}

static uint32_t unique_node(Circuit *c, CircuitNode node, const uint32_t *children) {
  if (is_full(c->nodes.n, c->unique_room))
    unique_grow(c);
  uint64_t hash = node_hash(&node, children);
  size_t at = hash & (c->unique_room - 1);
  for (; c->unique[at].node; at = (at + 1) & (c->unique_room - 1))
    if (c->unique[at].tag == tag_of(hash) &&
        node_equal(c, &c->nodes.at[c->unique[at].node], &node, children))
      return c->unique[at].node;
  if (node.variable == CIRCUIT_NONE) {
    node.first = (uint32_t)c->children.n;
    vec_reserve(&c->children, node.second);
    memcpy(c->children.at + c->children.n, children, node.second * sizeof *children);
    c->children.n += node.second;
  }
  assert(c->nodes.n < UINT32_MAX);
  vec_push(&c->nodes, node);
  c->unique[at] = (CircuitSlot){(uint32_t)(c->nodes.n - 1), tag_of(hash)};
  return c->unique[at].node;
}

uint32_t circuit_append(Circuit *c, const Circuit *from, uint32_t variable) {
  uint32_t more = (uint32_t)c->nodes.n - 2, children = (uint32_t)c->children.n;
  assert(c->nodes.n + from->nodes.n <= UINT32_MAX && c->nodes.n >= 2);
  vec_reserve(&c->nodes, from->nodes.n);
  for (size_t i = 2; i < from->nodes.n; i++) {
    CircuitNode node = from->nodes.at[i];
    if (node.variable == CIRCUIT_NONE) {
      node.first += children;
    } else {
      node.variable += variable;
      node.first += node.first > CIRCUIT_TRUE ? more : 0;
      node.second += node.second > CIRCUIT_TRUE ? more : 0;
    }
    c->nodes.at[c->nodes.n++] = node;
  }
  vec_reserve(&c->children, from->children.n);
  for (size_t i = 0; i < from->children.n; i++)
    c->children.at[c->children.n++] = from->children.at[i] + more;
  free(c->unique); /* made again if it is needed */
  c->unique = NULL, c->unique_room = 0;
  return more;
}

uint32_t circuit_decision(Circuit *c, uint32_t variable, uint32_t high, uint32_t low) {
  assert(variable < c->variables.n && high < c->nodes.n && low < c->nodes.n);
  bool input = c->variables.at[variable].sort == CIRCUIT_INPUT;
  if (high == low && (input || high == CIRCUIT_FALSE))
    return high;
  return unique_node(c, (CircuitNode){variable, high, low}, NULL);
}

uint32_t circuit_literal(Circuit *c, uint32_t variable, bool negated) {
  return circuit_decision(c, variable, negated ? CIRCUIT_FALSE : CIRCUIT_TRUE,
                          negated ? CIRCUIT_TRUE : CIRCUIT_FALSE);
}

uint32_t circuit_product(Circuit *c, const uint32_t *children, size_t n) {
  VEC(uint32_t) flat = {0}; /* products of products are made flat, and sorted */
  bool impossible = false;
  for (size_t i = 0; i < n; i++) {
    const CircuitNode *node = &c->nodes.at[children[i]];
    assert(children[i] < c->nodes.n);
    impossible |= children[i] == CIRCUIT_FALSE;
    if (children[i] < 2 || node->variable != CIRCUIT_NONE) {
      if (children[i] > 1)
        vec_push(&flat, children[i]);
    } else {
      for (uint32_t k = 0; k < node->second; k++)
        vec_push(&flat, c->children.at[node->first + k]);
    }
  }
  uint32_t result = impossible ? CIRCUIT_FALSE : CIRCUIT_TRUE;
  if (!impossible && flat.n == 1)
    result = flat.at[0];
  if (!impossible && flat.n > 1) {
    sort_words(flat.at, flat.n);
    CircuitNode node = {CIRCUIT_NONE, 0, (uint32_t)flat.n};
    result = unique_node(c, node, flat.at);
  }
  vec_free(&flat);
  return result;
}

void circuit_mark(const Circuit *c, bool *mark) {
  for (size_t i = c->nodes.n; i-- > 2;) { /* parents before children */
    const CircuitNode *node = &c->nodes.at[i];
    if (!mark[i])
      continue;
    if (node->variable != CIRCUIT_NONE)
      mark[node->first] = mark[node->second] = true;
    else
      for (uint32_t k = 0; k < node->second; k++)
        mark[c->children.at[node->first + k]] = true;
  }
}

/* Moves the marked nodes together, children first; number gets new from old. */
static void move_nodes(Circuit *c, const bool *mark, uint32_t *number) {
  uint32_t next = 0;
  size_t children = 0;
  for (size_t i = 0; i < c->nodes.n; i++) {
    CircuitNode node = c->nodes.at[i];
    if (!mark[i])
      continue;
    if (node.variable != CIRCUIT_NONE) {
      node.first = number[node.first], node.second = number[node.second];
    } else if (i > 1) {
      uint32_t *from = c->children.at + node.first; /* never before `children` */
      assert(children <= node.first);
      node.first = (uint32_t)children;
      for (uint32_t k = 0; k < node.second; k++)
        c->children.at[children++] = number[from[k]];
    }
    number[i] = next;
    c->nodes.at[next++] = node;
  }
  c->nodes.n = next;
  c->children.n = children;
}

void circuit_compact(Circuit *c, CircuitRoot *const *roots, size_t n) {
  bool *mark = memory_zero(c->nodes.n, 1);
  uint32_t *number = memory_zero(c->nodes.n, sizeof *number);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < roots[i]->parts.n; k++)
      mark[roots[i]->parts.at[k].node] = true;
  circuit_mark(c, mark);
  mark[CIRCUIT_FALSE] = mark[CIRCUIT_TRUE] = true;
  move_nodes(c, mark, number);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < roots[i]->parts.n; k++)
      roots[i]->parts.at[k].node = number[roots[i]->parts.at[k].node];
    assert(circuit_sound(c, roots[i], 1));
  }
  free(c->unique);
  c->unique = NULL, c->unique_room = 0;
  free(mark);
  free(number);
}
