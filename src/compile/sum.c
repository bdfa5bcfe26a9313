/* sum.c - parts that are one sum over inputs; see search.h.
**
** What is left of a sum depends on the literals that are left and the bound, not on the way
** there: literals are decided in one order, the heavy ones first, and the nodes for all
** bounds that can be left are made from the last literal to the first.  Bounds between which
** no sum lies have equal nodes. */
#include "compile/flat.h"
#include "compile/search.h"

#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 65536 }; /* between looks at the limits */

typedef struct {
  uint32_t literal, weight;
} Item;

typedef VEC(Item) Items;

/* The sum of a part: it holds if the weights of items that hold reach the bound. */
typedef struct {
  Items items; /* from the heaviest on */
  int64_t bound;
  uint32_t holds, fails; /* nodes of what is told in either case */
} Sum;

static int compare_items(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* The part's one rule, behind the need of its head; NULL: there are others. */
static const uint32_t *only_rule(const Residual *r, const ResidualPart *part, bool *needed) {
  const uint32_t *rule = r->words.at + part->begin, *end = r->words.at + part->end;
  *needed = rule < end && rule[0] == THEORY_NONE && rule[1] == 2;
  rule += *needed ? 3 : 0;
  return rule < end && rule + rule_words(rule) == end && rule_weighted(rule) ? rule : NULL;
}

static bool reads_different_inputs(const Residual *r, const uint32_t *rule) {
  Words atoms = {0};
  uint32_t size = rule_size(rule);
  bool inputs = true;
  for (uint32_t k = 0; k < size; k++) {
    vec_push(&atoms, rule[2 + k] >> 1);
    inputs &= r->theory->input.at[rule[2 + k] >> 1];
  }
  inputs = inputs && sort_unique(atoms.at, atoms.n) == size;
  vec_free(&atoms);
  return inputs;
}

double sum_states(const Residual *r, const ResidualPart *part) {
  bool needed;
  const uint32_t *rule = only_rule(r, part, &needed);
  if (!rule || !reads_different_inputs(r, rule))
    return 0;
  uint32_t size = rule_size(rule);
  return (double)size * rule[2 + 2 * (size_t)size];
}

static Sum sum_make(const Search *s, const ResidualPart *part) {
  bool needed;
  const uint32_t *rule = only_rule(&s->residual, part, &needed);
  assert(rule);
  uint32_t size = rule_size(rule);
  Sum sum = {.bound = rule[2 + 2 * (size_t)size], .holds = CIRCUIT_TRUE, .fails = CIRCUIT_TRUE};
  for (uint32_t k = 0; k < size; k++)
    vec_push(&sum.items, (Item){rule[2 + k], rule[2 + size + k]});
  assert(sum.items.at);
  qsort(sum.items.at, sum.items.n, sizeof *sum.items.at, compare_items);
  uint32_t variable = rule[0] == THEORY_NONE ? CIRCUIT_NONE : s->variable[rule[0]];
  if (rule[0] == THEORY_NONE)
    sum.holds = CIRCUIT_FALSE;
  else if (needed)
    sum.fails = CIRCUIT_FALSE;
  else if (variable != CIRCUIT_NONE)
    sum.holds = circuit_literal(s->circuit, variable, false),
    sum.fails = circuit_literal(s->circuit, variable, true);
  return sum;
}

/* The nodes of one level, for the bounds low .. high that can be left. */
typedef struct {
  int64_t low, high;
  VEC(uint32_t) nodes;
} Level;

static uint32_t node_at(const Sum *sum, const Level *level, int64_t bound) {
  if (bound <= 0)
    return sum->holds;
  if (bound > level->high)
    return sum->fails;
  assert(bound >= level->low && level->nodes.at);
  return level->nodes.at[bound - level->low];
}

/* `above`: the weights of the items before this one; `below`: of it and those behind. */
static void add_level(Search *s, const Sum *sum, const Item *item, int64_t above, int64_t below,
                      const Level *next, Level *level) {
  uint32_t variable = s->variable[item->literal >> 1], node = CIRCUIT_NONE;
  uint32_t last_with = CIRCUIT_NONE, last_without = CIRCUIT_NONE;
  assert(variable != CIRCUIT_NONE);
  level->low = sum->bound > above ? sum->bound - above : 1;
  level->high = sum->bound < below ? sum->bound : below;
  level->nodes.n = 0;
  for (int64_t bound = level->low; bound <= level->high; bound++) {
    uint32_t with = node_at(sum, next, bound - item->weight), without = node_at(sum, next, bound);
    bool negated = item->literal & 1;
    if (with != last_with || without != last_without)
      node = circuit_decision(s->circuit, variable, negated ? without : with,
                              negated ? with : without);
    last_with = with, last_without = without;
    vec_push(&level->nodes, node);
  }
}

Status sum_compile(Search *s, const ResidualPart *part, const SearchLimits *limits,
                   uint32_t *node) {
  Sum sum = sum_make(s, part);
  Level levels[2] = {{.low = 1}, {.low = 1}}; /* behind the last item any bound is too high */
  int64_t above = 0, below = 0;
  size_t steps = 0;
  Status status = OK;
  for (size_t i = 0; i < sum.items.n; i++)
    above += sum.items.at[i].weight;
  Level *next = &levels[0], *level = &levels[1];
  for (size_t i = sum.items.n; i-- > 0 && status == OK;) {
    above -= sum.items.at[i].weight, below += sum.items.at[i].weight;
    add_level(s, &sum, &sum.items.at[i], above, below, next, level);
    Level *made = level;
    level = next, next = made;
    steps += next->nodes.n;
    s->states += 2 * next->nodes.n;
    s->residual.work += next->nodes.n;
    if (steps >= STEPS)
      status = search_check(s, limits, 0), steps = 0;
  }
  *node = status == OK ? node_at(&sum, next, sum.bound) : CIRCUIT_NONE;
  vec_free(&levels[0].nodes);
  vec_free(&levels[1].nodes);
  vec_free(&sum.items);
  return status;
}
