/* marginals.c - probabilities of atoms, small ones to as many digits as large ones; see
** circuit.h.
**
** As flow.c, but nothing underflows, and the two literals of a variable gather their masses
** apart, so that neither is a difference.  What never reaches an input is free there and
** follows the prior.  How much that is, is a difference: 1 less what reached it.  Where its
** rounding could be seen in the result, the circuit is evaluated once more with the literal
** set, which takes sums of positive terms only. */
#include "circuit/circuit.h"

#include "base/memory.h"
#include "base/scaled.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 0x1p-46 /* of what reached a variable, out of 1 */
#define ACCURACY 1e-10   /* what of it may be seen in a probability */

enum { GROUP = 64 }; /* inputs that are looked at together */

/* An input whose free part matters, and the node of its part. */
typedef struct {
  uint32_t variable, root;
} Seldom;

typedef struct {
  const Circuit *c;
  const CircuitValues *v;
  Scaled *flow;    /* by node */
  Scaled *literal; /* by literal: the mass of the models that mention it */
  VEC(Seldom) seldom;
  /* of a group of these, each a bit */
  uint8_t *bit;         /* by variable: from 1 */
  uint64_t *some, *all; /* by node: what it mentions, and mentions on every path */
  Scaled *set;          /* by node: its value with a literal set */
} Marginals;

static void gather(Scaled *sum, Scaled flow) { *sum = scaled_plus(*sum, flow); }

static void decision_down(Marginals *m, const CircuitNode *node, size_t i, Scaled flow) {
  Scaled each = scaled_over(flow, circuit_value(m->v, i));
  const uint32_t child[2] = {node->first, node->second};
  for (size_t k = 0; k < 2; k++) {
    size_t literal = 2 * (size_t)node->variable + k;
    if (child[k] == CIRCUIT_FALSE)
      continue;
    Scaled part = scaled_times(each, circuit_factor(m->v, literal));
    part = scaled_times(part, circuit_value(m->v, child[k]));
    gather(&m->flow[child[k]], part);
    gather(&m->literal[literal], part);
  }
}

static void flow_down(Marginals *m) {
  for (size_t i = m->c->nodes.n; i-- > 2;) {
    const CircuitNode *node = &m->c->nodes.at[i];
    if (m->flow[i].mantissa == 0)
      continue;
    if (node->variable != CIRCUIT_NONE)
      decision_down(m, node, i, m->flow[i]);
    else
      for (uint32_t k = 0; k < node->second; k++)
        gather(&m->flow[m->c->children.at[node->first + k]], m->flow[i]);
  }
}

/* ---- inputs that are seldom free --------------------------------------------------- */

static void find_mentions(Marginals *m) {
  const Circuit *c = m->c;
  m->all[CIRCUIT_FALSE] = UINT64_MAX; /* it has no paths */
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    uint64_t some = 0, all = 0;
    if (node->variable != CIRCUIT_NONE) {
      uint8_t bit = m->bit[node->variable];
      uint64_t own = bit ? UINT64_C(1) << (bit - 1) : 0;
      some = own | m->some[node->first] | m->some[node->second];
      all = own | (m->all[node->first] & m->all[node->second]);
    } else {
      for (uint32_t k = 0; k < node->second; k++) {
        some |= m->some[c->children.at[node->first + k]];
        all |= m->all[c->children.at[node->first + k]];
      }
    }
    m->some[i] = some, m->all[i] = all;
  }
}

static Scaled value_set(const Marginals *m, uint32_t node, uint64_t bit) {
  return (m->some[node] & bit) ? m->set[node] : circuit_value(m->v, node);
}

static Scaled node_set(const Marginals *m, const CircuitNode *node, uint32_t literal,
                       uint64_t bit) {
  Scaled value = {1, 0};
  if (node->variable == literal >> 1)
    return value_set(m, literal & 1 ? node->second : node->first, bit);
  if (node->variable != CIRCUIT_NONE) {
    size_t high = 2 * (size_t)node->variable;
    value = scaled_times(circuit_factor(m->v, high), value_set(m, node->first, bit));
    return scaled_plus(
        value, scaled_times(circuit_factor(m->v, high + 1), value_set(m, node->second, bit)));
  }
  for (uint32_t k = 0; k < node->second; k++)
    value = scaled_times(value, value_set(m, m->c->children.at[node->first + k], bit));
  return value;
}

/* The mass of the models in which the literal holds. */
static Scaled mass_set(Marginals *m, uint32_t literal, uint64_t bit, uint32_t root) {
  assert(root > CIRCUIT_TRUE);
  for (uint32_t i = 2; i <= root; i++)
    if (m->some[i] & bit)
      m->set[i] = node_set(m, &m->c->nodes.at[i], literal, bit);
  Scaled share = scaled_over(value_set(m, root, bit), circuit_value(m->v, root));
  return scaled_times(share, circuit_factor(m->v, literal));
}

static void settle_group(Marginals *m, const Seldom *group, size_t n) {
  assert(n && n <= GROUP);
  for (size_t k = 0; k < n; k++)
    m->bit[group[k].variable] = (uint8_t)(k + 1);
  find_mentions(m);
  for (size_t k = 0; k < n; k++)
    m->bit[group[k].variable] = 0;
  for (size_t k = 0; k < n; k++)
    for (uint32_t l = 2 * group[k].variable; l < 2 * group[k].variable + 2; l++)
      if (!(m->all[group[k].root] >> k & 1)) /* else it is never free */
        m->literal[l] = mass_set(m, l, UINT64_C(1) << k, group[k].root);
}

static void settle(Marginals *m) {
  if (!m->seldom.n)
    return;
  m->bit = memory_zero(m->c->variables.n, sizeof *m->bit);
  m->some = memory_zero(m->c->nodes.n, sizeof *m->some);
  m->all = memory_zero(m->c->nodes.n, sizeof *m->all);
  m->set = memory_zero(m->c->nodes.n, sizeof *m->set);
  for (size_t i = 0; i < m->seldom.n; i += GROUP)
    settle_group(m, m->seldom.at + i, m->seldom.n - i < GROUP ? m->seldom.n - i : GROUP);
  free(m->bit);
  free(m->some);
  free(m->all);
  free(m->set);
}

/* Adds what is free, unless its rounding could be seen. */
static void add_free(Marginals *m, uint32_t variable, uint32_t root) {
  Scaled *high = &m->literal[2 * (size_t)variable], *low = high + 1;
  Scaled prior[2] = {circuit_factor(m->v, 2 * (size_t)variable),
                     circuit_factor(m->v, 2 * (size_t)variable + 1)};
  double rest = 1 - scaled_double(scaled_plus(*high, *low)), least = ROUNDING / ACCURACY;
  bool much = high->mantissa > 0 && scaled_double(scaled_over(*high, prior[0])) > least;
  if (rest < least && (!much || low->mantissa == 0)) {
    vec_push(&m->seldom, (Seldom){variable, root});
    return;
  }
  Scaled part = {rest > 0 ? rest : 0, 0};
  if (rest > 0)
    part.mantissa = scaled_normalise(rest, &part.exponent);
  gather(high, scaled_times(part, prior[0]));
  gather(low, scaled_times(part, prior[1]));
}

/* ---- all of them ------------------------------------------------------------------- */

static void write_part(const Marginals *m, const CircuitRoot *root, const CircuitPart *part,
                       Probability *marginals) {
  assert(part->first + (size_t)part->copies <= root->copies.n);
  const Circuit *c = m->c;
  const CircuitBlock *block = &c->blocks.at[part->block];
  for (uint32_t k = 0; k < block->atoms; k++) {
    const Scaled *literal = &m->literal[2 * (size_t)(block->first + k)];
    if (literal[0].mantissa == 0 && literal[1].mantissa == 0)
      continue; /* not a variable of this root */
    Probability p = probability_of(literal[0], literal[1]);
    for (uint32_t i = 0; i < part->copies; i++)
      marginals[c->members.at[c->starts.at[root->copies.at[part->first + i]] + k]] = p;
  }
}

/* From a flow of mass 1 through parts of different blocks. */
static void do_parts(Marginals *m, const CircuitRoot *root, const size_t *parts, size_t n,
                     Probability *marginals) {
  memset(m->flow, 0, m->c->nodes.n * sizeof *m->flow);
  memset(m->literal, 0, 2 * m->c->variables.n * sizeof *m->literal);
  m->seldom.n = 0;
  for (size_t i = 0; i < n; i++) {
    assert(root->parts.at[parts[i]].node != CIRCUIT_FALSE);
    m->flow[root->parts.at[parts[i]].node] = (Scaled){1, 0};
  }
  flow_down(m);
  for (size_t i = 0; i < n; i++) {
    const CircuitPart *part = &root->parts.at[parts[i]];
    const CircuitBlock *block = &m->c->blocks.at[part->block];
    for (uint32_t v = block->first; v < block->first + block->atoms; v++)
      if (m->c->variables.at[v].sort == CIRCUIT_INPUT)
        add_free(m, v, part->node);
  }
  settle(m);
  for (size_t i = 0; i < n; i++)
    write_part(m, root, &root->parts.at[parts[i]], marginals);
}

/* Parts of different blocks share no variable, so one pass serves a part of
** each block: as many passes as the most popular block has parts. */
void circuit_marginals(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                       Probability *marginals) {
  Marginals m = {.c = c, .v = v};
  m.flow = memory_zero(c->nodes.n, sizeof *m.flow);
  m.literal = memory_zero(2 * c->variables.n, sizeof *m.literal);
  bool *done = memory_zero(root->parts.n, 1);
  uint32_t *turn = memory_zero(c->blocks.n, sizeof *turn);
  VEC(size_t) chosen = {0};
  size_t left = root->parts.n;
  for (uint32_t pass = 1; left; pass++, left -= chosen.n) {
    chosen.n = 0;
    for (size_t i = 0; i < root->parts.n; i++)
      if (!done[i] && turn[root->parts.at[i].block] != pass) {
        done[i] = true, turn[root->parts.at[i].block] = pass;
        vec_push(&chosen, i);
      }
    do_parts(&m, root, chosen.at, chosen.n, marginals);
  }
  vec_free(&chosen);
  vec_free(&m.seldom);
  free(done);
  free(turn);
  free(m.flow);
  free(m.literal);
}
