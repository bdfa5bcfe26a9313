/* batch_plan.c - from the nodes below one to steps, and the terms; see batch.h.
**
** Here every step has a result of its own.  What it reads are ids: slots for
** constants and literals, and first_result + its number for a step.  What becomes
** of them is for batch_order.c. */
#include "circuit/batch_kernels.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  BatchPlan *plan;
  const Circuit *c;
  const CircuitBlock *block;
  uint32_t node;
  uint32_t *id; /* by node up to the one that is asked for; 0: not below it */
  uint32_t first_result;
  VEC(uint32_t) factors; /* of the product at work */
} Maker;

static uint32_t literal_slot(const Maker *m, uint32_t variable, bool negated) {
  assert(variable - m->block->first < m->block->count);
  return 2 + 2 * (variable - m->block->first) + negated;
}

/* Marks what is below the node by an id that is not 0; returns the least. */
static uint32_t mark_below(Maker *m) {
  uint32_t least = m->node;
  m->id[m->node] = 1;
  for (uint32_t i = m->node; i >= least && i > CIRCUIT_TRUE; i--) {
    const CircuitNode *node = &m->c->nodes.at[i];
    if (!m->id[i])
      continue;
    bool product = node->variable == CIRCUIT_NONE;
    const uint32_t *child = product ? m->c->children.at + node->first : &node->first;
    for (uint32_t k = 0; k < (product ? node->second : 2); k++) {
      m->id[child[k]] = 1;
      if (child[k] > CIRCUIT_TRUE && child[k] < least)
        least = child[k];
    }
    m->plan->edges += product ? node->second : 2;
  }
  return least;
}

static uint32_t add_step(Maker *m, uint32_t literal, uint32_t first, uint32_t second) {
  size_t to = m->first_result + m->plan->steps.n;
  assert(to < UINT32_MAX);
  vec_push(&m->plan->steps, (BatchStep){(uint32_t)to, literal, first, second});
  return (uint32_t)to;
}

static bool is_result(const Maker *m, uint32_t id) { return id >= m->first_result; }

static uint32_t multiply(Maker *m, uint32_t first, uint32_t second) {
  assert(first != CIRCUIT_FALSE && second != CIRCUIT_FALSE);
  if (first == CIRCUIT_TRUE || second == CIRCUIT_TRUE)
    return first == CIRCUIT_TRUE ? second : first;
  if (!is_result(m, first))
    return add_step(m, first | BATCH_ONE_WAY, second, CIRCUIT_FALSE);
  if (!is_result(m, second))
    return add_step(m, second | BATCH_ONE_WAY, first, CIRCUIT_FALSE);
  return add_step(m, 0, first, second);
}

static uint32_t add_decision(Maker *m, const CircuitNode *node) {
  m->plan->mentioned[node->variable - m->block->first] = true;
  uint32_t high = m->id[node->first], low = m->id[node->second];
  uint32_t literal = literal_slot(m, node->variable, false);
  assert(high != CIRCUIT_FALSE || low != CIRCUIT_FALSE);
  if (low == CIRCUIT_FALSE)
    return multiply(m, literal, high);
  if (high == CIRCUIT_FALSE)
    return multiply(m, literal + 1, low);
  return add_step(m, literal, high, low);
}

/* A tree, which depends less on what was just computed than a chain does. */
static uint32_t add_product(Maker *m, const CircuitNode *node) {
  m->factors.n = 0;
  for (uint32_t k = 0; k < node->second; k++)
    vec_push(&m->factors, m->id[m->c->children.at[node->first + k]]);
  assert(m->factors.n >= 2);
  for (size_t i = 0; i + 1 < m->factors.n; i += 2)
    vec_push(&m->factors, multiply(m, m->factors.at[i], m->factors.at[i + 1]));
  return m->factors.at[m->factors.n - 1];
}

static uint32_t add_steps(Maker *m) {
  uint32_t least = mark_below(m);
  m->id[CIRCUIT_FALSE] = CIRCUIT_FALSE;
  m->id[CIRCUIT_TRUE] = CIRCUIT_TRUE;
  for (uint32_t i = least > 2 ? least : 2; i <= m->node; i++)
    if (m->id[i])
      m->id[i] = m->c->nodes.at[i].variable != CIRCUIT_NONE ? add_decision(m, &m->c->nodes.at[i])
                                                            : add_product(m, &m->c->nodes.at[i]);
  return m->id[m->node];
}

static int compare_weights(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static uint32_t weight_position(const BatchPlan *plan, uint32_t weight) {
  const uint32_t *at =
      bsearch(&weight, plan->weights.at, plan->weights.n, sizeof weight, compare_weights);
  assert(at);
  return (uint32_t)(at - plan->weights.at);
}

static void take_terms(const Maker *m) {
  BatchPlan *plan = m->plan;
  uint32_t first = 2 * m->block->first;
  for (size_t i = 0; i < m->c->terms.n; i++)
    if (m->c->terms.at[i].literal - first < 2 * m->block->count) {
      CircuitTerm term = m->c->terms.at[i];
      vec_push(&plan->terms, (BatchTerm){term.literal - first, term.weight});
      vec_push(&plan->weights, term.weight);
    }
  if (!plan->weights.n)
    return;
  qsort(plan->weights.at, plan->weights.n, sizeof *plan->weights.at, compare_weights);
  size_t n = 1;
  for (size_t i = 1; i < plan->weights.n; i++)
    if (plan->weights.at[i] != plan->weights.at[n - 1])
      plan->weights.at[n++] = plan->weights.at[i];
  plan->weights.n = n;
  for (size_t i = 0; i < plan->terms.n; i++)
    plan->terms.at[i].weight = weight_position(plan, plan->terms.at[i].weight);
}

void batch_plan_make(BatchPlan *plan, const Circuit *c, uint32_t node, uint32_t block) {
  assert(node < c->nodes.n && block < c->blocks.n);
  const CircuitBlock *b = &c->blocks.at[block];
  assert(b->count < UINT32_MAX / 2 - 2);
  *plan = (BatchPlan){.variables = b->count};
  plan->input = memory_zero(b->count, sizeof *plan->input);
  plan->mentioned = memory_zero(b->count, sizeof *plan->mentioned);
  plan->always = memory_zero(b->count, sizeof *plan->always);
  for (uint32_t v = 0; v < b->count; v++)
    plan->input[v] = c->variables.at[b->first + v].sort == CIRCUIT_INPUT;
  Maker m = {.plan = plan, .c = c, .block = b, .node = node};
  m.first_result = batch_first_result(plan);
  m.id = memory_zero((size_t)node + 2, sizeof *m.id);
  plan->root = add_steps(&m);
  batch_order(plan);
  vec_reserve(&plan->steps, 1); /* no steps are an array, too: others add to its start */
  take_terms(&m);
  free(m.id);
  vec_free(&m.factors);
}

void batch_plan_free(BatchPlan *plan) {
  free(plan->input);
  free(plan->mentioned);
  free(plan->always);
  vec_free(&plan->weights);
  vec_free(&plan->terms);
  vec_free(&plan->steps);
  vec_free(&plan->segments);
  *plan = (BatchPlan){0};
}
