/* bdd.c - see bdd.h. */
#include "compile/bdd.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>

enum { AND = 1, OR = 2 };

#define LEAF UINT32_MAX /* the variable of constants: below all others */

void bdd_begin(Bdd *b, size_t limit) {
  assert(limit >= 2);
  *b = (Bdd){.limit = limit < UINT32_MAX - 2 ? limit : UINT32_MAX - 2};
  vec_push(&b->nodes, (BddNode){LEAF, 0, 0});
  vec_push(&b->nodes, (BddNode){LEAF, 1, 1});
  b->memo_room = 1 << 12;
  b->memo = memory_zero(b->memo_room, sizeof *b->memo);
}

void bdd_free(Bdd *b) {
  vec_free(&b->nodes);
  vec_free(&b->stack);
  free(b->unique);
  free(b->memo);
  *b = (Bdd){0};
}

static uint64_t node_hash(const BddNode *n) {
  return hash_word(hash_word(n->variable, n->high), n->low);
}

static void grow(Bdd *b) {
  assert(!(b->unique_room & (b->unique_room - 1)));
  size_t room = b->unique_room ? 2 * b->unique_room : 1024;
  uint32_t *table = memory_zero(room, sizeof *table);
  for (uint32_t i = 2; i < b->nodes.n; i++) {
    size_t at = node_hash(&b->nodes.at[i]) & (room - 1);
    while (table[at])
      at = (at + 1) & (room - 1);
    table[at] = i;
  }
  free(b->unique);
  b->unique = table, b->unique_room = room;
  if (b->memo_room < room) { /* start afresh: only speed is lost */
    free(b->memo);
    b->memo = memory_zero(room, sizeof *b->memo);
    b->memo_room = room;
  }
}

uint32_t bdd_node(Bdd *b, uint32_t variable, uint32_t high, uint32_t low) {
  if (high == BDD_OVER || low == BDD_OVER)
    return BDD_OVER;
  if (high == low)
    return high;
  assert(variable < b->nodes.at[high].variable && variable < b->nodes.at[low].variable);
  if (2 * b->nodes.n >= b->unique_room)
    grow(b);
  BddNode node = {variable, high, low};
  size_t at = node_hash(&node) & (b->unique_room - 1);
  for (; b->unique[at]; at = (at + 1) & (b->unique_room - 1)) {
    const BddNode *other = &b->nodes.at[b->unique[at]];
    if (other->variable == variable && other->high == high && other->low == low)
      return b->unique[at];
  }
  if (b->nodes.n >= b->limit)
    return BDD_OVER;
  vec_push(&b->nodes, node);
  return b->unique[at] = (uint32_t)(b->nodes.n - 1);
}

uint32_t bdd_literal(Bdd *b, uint32_t variable, bool negated) {
  return bdd_node(b, variable, negated ? BDD_FALSE : BDD_TRUE, negated ? BDD_TRUE : BDD_FALSE);
}

/* Results known without looking at nodes. */
static bool trivial(uint32_t op, uint32_t f, uint32_t g, uint32_t *result) {
  uint32_t strong = op == AND ? BDD_FALSE : BDD_TRUE; /* decides alone */
  if (f == strong || g == strong || f == g)
    *result = f == g ? f : strong;
  else if (f < 2 || g < 2)
    *result = f < 2 ? g : f;
  else
    return false;
  return true;
}

static BddMemo *memo_at(Bdd *b, uint32_t op, uint64_t key) {
  return &b->memo[hash_word(key, op) & (b->memo_room - 1)];
}

static uint64_t pair_key(uint32_t f, uint32_t g) {
  return f < g ? (uint64_t)f << 32 | g : (uint64_t)g << 32 | f;
}

/* Looks the pair up, or pushes a frame for it and returns false. */
static bool known(Bdd *b, uint32_t op, uint32_t f, uint32_t g, uint32_t *result) {
  if (trivial(op, f, g, result))
    return true;
  const BddMemo *memo = memo_at(b, op, pair_key(f, g));
  if (memo->operation == op && memo->key == pair_key(f, g)) {
    *result = memo->result;
    return true;
  }
  vec_push(&b->stack, (BddFrame){.f = f, .g = g, .high = BDD_OVER});
  return false;
}

static uint32_t cofactor(const Bdd *b, uint32_t f, uint32_t variable, bool high) {
  const BddNode *n = &b->nodes.at[f];
  return n->variable != variable ? f : high ? n->high : n->low;
}

static uint32_t top_variable(const Bdd *b, uint32_t f, uint32_t g) {
  uint32_t x = b->nodes.at[f].variable, y = b->nodes.at[g].variable;
  return x < y ? x : y;
}

/* The usual recursion with a stack of its own.  `value` carries the result of
** the frame finished last up to the one below it. */
static uint32_t apply(Bdd *b, uint32_t op, uint32_t f, uint32_t g) {
  if (f == BDD_OVER || g == BDD_OVER)
    return BDD_OVER;
  assert(f < b->nodes.n && g < b->nodes.n);
  uint32_t value = BDD_OVER;
  b->stack.n = 0;
  if (known(b, op, f, g, &value))
    return value;
  bool arrived = false; /* value is the result of a child */
  while (b->stack.n) {
    BddFrame *top = &b->stack.at[b->stack.n - 1];
    uint32_t v = top_variable(b, top->f, top->g);
    if (!top->entered) {
      top->entered = true;
      arrived = known(b, op, cofactor(b, top->f, v, true), cofactor(b, top->g, v, true), &value);
      if (!arrived)
        continue;
      top = &b->stack.at[b->stack.n - 1];
    }
    assert(arrived);
    if (top->high == BDD_OVER) {
      top->high = value;
      arrived = known(b, op, cofactor(b, top->f, v, false), cofactor(b, top->g, v, false), &value);
      if (!arrived)
        continue;
      top = &b->stack.at[b->stack.n - 1];
    }
    value = bdd_node(b, v, top->high, value);
    if (value == BDD_OVER)
      return BDD_OVER;
    *memo_at(b, op, pair_key(top->f, top->g)) = (BddMemo){pair_key(top->f, top->g), value, op};
    b->stack.n--;
    arrived = true;
  }
  return value;
}

uint32_t bdd_and(Bdd *b, uint32_t f, uint32_t g) { return apply(b, AND, f, g); }
uint32_t bdd_or(Bdd *b, uint32_t f, uint32_t g) { return apply(b, OR, f, g); }

/* Children come before parents, so one sweep over the nodes below f does. */
uint32_t bdd_exists_odd(Bdd *b, uint32_t f) {
  if (f == BDD_OVER || f < 2)
    return f;
  bool *below = memory_zero(f + (size_t)1, 1);
  uint32_t *result = memory_zero(f + (size_t)1, sizeof *result);
  below[f] = true;
  for (uint32_t i = f + 1; i-- > 2;)
    if (below[i])
      below[b->nodes.at[i].high] = below[b->nodes.at[i].low] = true;
  result[BDD_TRUE] = BDD_TRUE;
  for (uint32_t i = 2; i <= f; i++) {
    if (!below[i])
      continue;
    BddNode node = b->nodes.at[i];
    uint32_t high = result[node.high], low = result[node.low];
    result[i] = node.variable & 1 ? bdd_or(b, high, low) : bdd_node(b, node.variable, high, low);
  }
  uint32_t all = result[f];
  free(below);
  free(result);
  return all;
}
