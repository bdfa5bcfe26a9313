/* bound.c - which nodes are expanded: the heaviest first; see bound.h.
**
** In rounds: the graph is evaluated, and the open nodes that have most of the weight that
** is not explored are expanded, and so are those below them that are as heavy.  A round
** expands a share of the graph at most, so that evaluations cost little beside. */
#include "compile/bound.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROUND = 64, SHARE = 4 }; /* a round: nodes at least, and share of the graph */

/* An open node, and how much hangs on it. */
typedef struct {
  long double mass;
  uint32_t node;
} Leaf;

typedef VEC(Leaf) Leaves;

static int compare_leaves(const void *a, const void *b) {
  const Leaf *x = a, *y = b;
  if (x->mass != y->mass)
    return x->mass > y->mass ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/* Below `least` (of the best model) there is nothing to be found. */
static void list_leaves(const Bound *b, long double least, Leaves *leaves) {
  leaves->n = 0;
  for (size_t i = 0; i < b->order.n; i++) {
    uint32_t node = b->order.at[i];
    if (bound_open(b, node) && b->value.at[node].above_most > least)
      vec_push(leaves, (Leaf){b->value.at[node].above_most, node});
  }
  if (leaves->n)
    qsort(leaves->at, leaves->n, sizeof *leaves->at, compare_leaves);
}

static size_t memory_used(const Bound *b) {
  return b->kept * sizeof(uint32_t) + b->nodes.room * (sizeof *b->nodes.at + sizeof *b->value.at) +
         b->branches.room * sizeof *b->branches.at + b->links.room * sizeof *b->links.at +
         b->told.room * sizeof *b->told.at + b->memo_room * sizeof *b->memo;
}

static Status check(const Bound *b, const BoundLimits *limits) {
  if (limits->memory && memory_used(b) > limits->memory)
    return LIMIT;
  return limits_check(&limits->until);
}

/* The nodes below one that has just been expanded are as heavy as its factor says. */
static void push_below(const Bound *b, const Leaf *above, long double least, Leaves *todo) {
  const BoundBranch *sides = &b->branches.at[b->nodes.at[above->node].branch];
  for (int side = 0; side < 2; side++) {
    long double mass = above->mass * sides[side].factor;
    for (uint32_t i = 0; mass >= least && mass > 0 && i < sides[side].parts; i++)
      vec_push(todo, (Leaf){mass, b->links.at[sides[side].first + i]});
  }
}

/* Expands the heaviest leaves, and below them what is not lighter than the last of them. */
static Status expand_round(Bound *b, const Leaves *leaves, Leaves *todo, uint64_t end,
                           const BoundLimits *limits) {
  size_t most = b->order.n / SHARE > ROUND ? b->order.n / SHARE : ROUND, done = 0;
  size_t n = leaves->n < most ? leaves->n : most;
  long double least = leaves->at[n - 1].mass;
  Status status = OK;
  for (size_t i = 0; i < n; i++) {
    todo->n = 0;
    vec_push(todo, leaves->at[i]);
    while (todo->n && status == OK && b->residual.work < end && done < 2 * most) {
      Leaf leaf = todo->at[--todo->n];
      if (!bound_open(b, leaf.node))
        continue;
      bound_expand(b, leaf.node);
      push_below(b, &leaf, least, todo);
      status = ++done % 16 ? OK : check(b, limits);
    }
  }
  return status;
}

Status bound_run(Bound *b, uint32_t question, const BoundLimits *limits) {
  assert(question < b->questions.n);
  uint64_t end = b->residual.work + limits->work;
  Leaves leaves = {0}, todo = {0};
  Status status = check(b, limits);
  while (status == OK && b->residual.work < end && !b->questions.at[question].closed) {
    BoundValue all = bound_evaluate(b, question);
    list_leaves(b, b->best ? all.least : 0, &leaves);
    b->questions.at[question].closed = !leaves.n;
    if (leaves.n)
      status = expand_round(b, &leaves, &todo, end, limits);
    if (status == OK)
      status = check(b, limits);
  }
  vec_free(&leaves);
  vec_free(&todo);
  return status;
}
