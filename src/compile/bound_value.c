/* bound_value.c - what a graph says: values, upwards, and derivatives, downwards; see bound.h.
**
** A value is computed in the usual way, and beside it a bound of its relative error: the
** operations that lead to it, counted along its longest product.  Nothing cancels in sums
** and products of numbers that are not negative. */
#include "compile/bound.h"

#include "base/memory.h"
#include "circuit/circuit.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define UNIT 0x1p-62  /* of error: more than an operation is wrong by */
#define TINY 1e-4000L /* below it, long doubles lose digits: 0, or this much */

/* ---- order ------------------------------------------------------------------------- */

static void visit(Bound *b, const BoundBranch *branch) {
  for (uint32_t i = 0; branch->factor > 0 && i < branch->parts; i++)
    if (b->stamp.at[b->links.at[branch->first + i]] != b->clock)
      vec_push(&b->stack, b->links.at[branch->first + i]);
}

static const BoundBranch *sides_of(const Bound *b, uint32_t node) {
  assert(!bound_open(b, node));
  return &b->branches.at[b->nodes.at[node].branch];
}

/* Nodes that a question reaches, children first.  A node is on the stack twice: to go down
** from it, and, with its top bit set, to be listed when all below it is. */
static void list_nodes(Bound *b, uint32_t question) {
  enum { BACK = 1u << 31 };
  while (b->stamp.n < b->nodes.n) {
    vec_push(&b->stamp, 0);
    vec_push(&b->value, (BoundValue){0});
  }
  b->clock++;
  b->order.n = b->stack.n = 0;
  visit(b, &b->questions.at[question].whole);
  while (b->stack.n) {
    uint32_t node = b->stack.at[--b->stack.n];
    if (node & BACK) {
      vec_push(&b->order, node & ~BACK);
      continue;
    }
    if (b->stamp.at[node] == b->clock)
      continue;
    b->stamp.at[node] = b->clock;
    vec_push(&b->stack, node | BACK);
    for (int side = 0; !bound_open(b, node) && side < 2; side++)
      visit(b, sides_of(b, node) + side);
  }
}

/* ---- upwards ------------------------------------------------------------------------ */

/* What two branches are worth together, or on two ways from above. */
static long double together(const Bound *b, long double x, long double y) {
  return b->best ? fmaxl(x, y) : x + y;
}

/* Adds a branch to its node's value. */
static void add_branch(const Bound *b, const BoundBranch *branch, BoundValue *to) {
  if (branch->factor <= 0)
    return;
  BoundValue v = {.least = branch->factor, .most = branch->factor};
  v.error = branch->factors * b->factor_error + (branch->parts + 4) * UNIT;
  for (uint32_t i = 0; i < branch->parts; i++) {
    const BoundValue *part = &b->value.at[b->links.at[branch->first + i]];
    v.least *= part->least;
    v.most *= part->most;
    v.error += part->error;
  }
  to->least = together(b, to->least, v.least < TINY ? 0 : v.least);
  to->most = together(b, to->most, v.most > 0 ? fmaxl(v.most, TINY) : 0);
  to->error = fmax(to->error, v.error);
}

static void evaluate_node(Bound *b, uint32_t node) {
  BoundValue v = {0};
  if (bound_open(b, node)) {
    long double least = b->nodes.at[node].least;
    v = (BoundValue){.least = least < TINY ? 0 : least, .most = 1};
    v.error = b->nodes.at[node].size * b->factor_error;
  } else {
    add_branch(b, sides_of(b, node), &v);
    add_branch(b, sides_of(b, node) + 1, &v);
  }
  b->value.at[node] = v;
}

/* ---- downwards ---------------------------------------------------------------------- */

/* Each part's derivative is the product of the others: from the left and from the right. */
static void push_branch(Bound *b, const BoundBranch *branch, long double least, long double most) {
  uint32_t n = branch->parts;
  if (branch->factor <= 0 || !n)
    return;
  const uint32_t *parts = b->links.at + branch->first;
  b->scratch.n = 0;
  vec_reserve(&b->scratch, 2 * (size_t)n);
  long double *before = b->scratch.at;
  least *= branch->factor, most *= branch->factor;
  for (size_t i = 0; i < n; i++) {
    before[2 * i] = least, before[2 * i + 1] = most;
    least *= b->value.at[parts[i]].least, most *= b->value.at[parts[i]].most;
  }
  least = most = 1;
  for (size_t i = n; i-- > 0;) {
    BoundValue *part = &b->value.at[parts[i]];
    part->above_least = together(b, part->above_least, before[2 * i] * least);
    part->above_most = together(b, part->above_most, before[2 * i + 1] * most);
    least *= part->least, most *= part->most;
  }
}

BoundValue bound_evaluate(Bound *b, uint32_t question) {
  assert(question < b->questions.n);
  const BoundBranch *whole = &b->questions.at[question].whole;
  list_nodes(b, question);
  for (size_t i = 0; i < b->order.n; i++)
    evaluate_node(b, b->order.at[i]);
  BoundValue v = {.above_least = 1, .above_most = 1};
  add_branch(b, whole, &v);
  push_branch(b, whole, 1, 1);
  for (size_t i = b->order.n; i-- > 0;) {
    uint32_t node = b->order.at[i];
    const BoundValue *at = &b->value.at[node];
    for (int side = 0; !bound_open(b, node) && side < 2; side++)
      push_branch(b, sides_of(b, node) + side, at->above_least, at->above_most);
  }
  return v;
}

/* ---- what is certain ----------------------------------------------------------------- */

/* Weights of what is told, by literal of the unit's variables. */
typedef struct {
  long double *least, *most;
} Told;

static void add_told(const Bound *b, const BoundBranch *branch, const BoundValue *above, Told *to) {
  BoundValue v = {0};
  add_branch(b, branch, &v);
  for (uint32_t i = 0; branch->factor > 0 && i < branch->tolds; i++) {
    uint32_t literal = b->told.at[branch->told + i];
    to->least[literal] += above->above_least * v.least;
    to->most[literal] += above->above_most * v.most;
  }
}

static BoundRange range_of(long double lower, long double upper, double error) {
  lower *= 1 - error;
  return (BoundRange){lower < TINY ? 0 : lower, fmaxl(upper * (1 + error), TINY)};
}

/* Where an input is told neither way it is free, and open nodes may tell it either way. */
static BoundRange of_input(const BoundValue *all, const Told *told, uint32_t literal,
                           long double factor, double error) {
  uint32_t other = lit_not(literal);
  long double free = fmaxl(0, all->least - told->least[literal] - told->least[other]);
  free = fmaxl(0, free - error * all->least);
  long double lower = told->least[literal] + factor * free;
  free = fmaxl(0, all->most - told->most[literal] - told->most[other]) + error * all->most;
  return range_of(lower, told->most[literal] + factor * free, error);
}

/* A derived atom is told wherever there is no open node. */
static BoundRange of_derived(const BoundValue *all, const Told *told, uint32_t literal,
                             double error) {
  long double rest = fmaxl(0, all->most - told->most[lit_not(literal)]) + error * all->most;
  return range_of(told->least[literal], fminl(rest, all->most), error);
}

static BoundRange range_at(const Bound *b, const BoundValue *all, const Told *told, uint32_t atom,
                           bool negated) {
  uint32_t variable = b->unit->variable[atom];
  assert(variable != CIRCUIT_NONE && b->asked[variable]);
  uint32_t literal = lit_of(variable, negated);
  double error = 8 * all->error;
  return b->unit->theory.input.at[atom] ? of_input(all, told, literal, b->factor[literal], error)
                                        : of_derived(all, told, literal, error);
}

/* Share of the upper bound that is in open nodes. */
static double open_share(const Bound *b, const BoundValue *all) {
  long double open = 0;
  for (size_t i = 0; i < b->order.n; i++) {
    uint32_t node = b->order.at[i];
    if (bound_open(b, node))
      open += b->value.at[node].above_most;
  }
  return all->most > 0 ? fmin(1, (double)(open / all->most)) : 0;
}

BoundState bound_read(Bound *b, uint32_t question, const uint32_t *atoms, size_t n,
                      BoundRange *holds, BoundRange *fails) {
  assert((atoms && holds && fails) || !n);
  BoundValue all = bound_evaluate(b, question);
  Told told = {memory_zero(2 * b->unit->variables.n, sizeof(long double)),
               memory_zero(2 * b->unit->variables.n, sizeof(long double))};
  add_told(b, &b->questions.at[question].whole, &all, &told);
  for (size_t i = 0; i < b->order.n; i++) {
    uint32_t node = b->order.at[i];
    for (int side = 0; !bound_open(b, node) && side < 2; side++)
      add_told(b, sides_of(b, node) + side, &b->value.at[node], &told);
  }
  for (size_t i = 0; i < n; i++) {
    holds[i] = range_at(b, &all, &told, atoms[i], false);
    fails[i] = range_at(b, &all, &told, atoms[i], true);
  }
  free(told.least);
  free(told.most);
  BoundRange range = range_of(all.least, all.most, all.error);
  if (all.most <= 0)
    range.upper = 0;
  return (BoundState){range, open_share(b, &all)};
}
