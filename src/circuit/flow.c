/* flow.c - probabilities of all variables, downwards; see circuit.h.
**
** The flow of a node is the probability that a model passes it.  A decision
** splits its flow by the shares that the evaluation left, a product gives its
** flow to every child.  All flows are in [0, scale], so no scaling is needed.
** What never reaches a variable is free there and follows the prior. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void circuit_flow_make(const Circuit *c, CircuitFlow *f) {
  f->flow = memory_zero(c->nodes.n, sizeof *f->flow);
  f->held = memory_zero(c->variables.n, sizeof *f->held);
  f->seen = memory_zero(c->variables.n, sizeof *f->seen);
  f->mass = memory_zero(c->blocks.n, sizeof *f->mass);
}

void circuit_flow_free(CircuitFlow *f) {
  free(f->flow);
  free(f->held);
  free(f->seen);
  free(f->mass);
  *f = (CircuitFlow){0};
}

void circuit_flow_clear(const Circuit *c, CircuitFlow *f) {
  memset(f->flow, 0, c->nodes.n * sizeof *f->flow);
  memset(f->held, 0, c->variables.n * sizeof *f->held);
  memset(f->seen, 0, c->variables.n * sizeof *f->seen);
  memset(f->mass, 0, c->blocks.n * sizeof *f->mass);
}

void circuit_flow_add(const CircuitRoot *root, double scale, CircuitFlow *f) {
  assert(isfinite(scale));
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    assert(part->node != CIRCUIT_FALSE);
    f->flow[part->node] += scale * part->copies;
    f->mass[part->block] += scale * part->copies;
  }
}

void circuit_flow_down(const Circuit *c, const CircuitValues *v, CircuitFlow *f) {
  assert(v->share && f->flow);
  for (size_t i = c->nodes.n; i-- > 2;) {
    const CircuitNode *node = &c->nodes.at[i];
    double flow = f->flow[i];
    if (flow == 0)
      continue;
    if (node->variable != CIRCUIT_NONE) {
      CircuitShare share = circuit_share(v->share[i]);
      f->flow[node->first] += flow * share.high;
      f->flow[node->second] += flow * share.low;
      f->held[node->variable] += flow * share.high;
      f->seen[node->variable] += flow;
    } else {
      for (uint32_t k = 0; k < node->second; k++)
        f->flow[c->children.at[node->first + k]] += flow;
    }
  }
}

static double free_mass(const Circuit *c, const CircuitFlow *f, uint32_t v) {
  if (c->variables.at[v].sort != CIRCUIT_INPUT)
    return 0;
  double rest = f->mass[c->variables.at[v].block] - f->seen[v];
  return rest > 0 ? rest : 0;
}

double circuit_held(const Circuit *c, const CircuitValues *values, const CircuitFlow *f,
                    uint32_t v) {
  assert(v < c->variables.n);
  double rest = free_mass(c, f, v);
  return f->held[v] + (rest > 0 ? rest * circuit_prior(values, 2 * (size_t)v) : 0);
}

static double literal_mass(const Circuit *c, const CircuitValues *values, const CircuitFlow *f,
                           uint32_t literal) {
  uint32_t v = literal >> 1;
  if (!(literal & 1))
    return circuit_held(c, values, f, v);
  double rest = free_mass(c, f, v);
  return f->seen[v] - f->held[v] + (rest > 0 ? rest * circuit_prior(values, literal) : 0);
}

/* Writes the marginals of one part's copies from a flow of mass 1. */
static void write_part(const Circuit *c, const CircuitValues *v, const CircuitFlow *f,
                       const CircuitRoot *root, const CircuitPart *part, double *marginals) {
  assert(part->first + (size_t)part->copies <= root->copies.n);
  const CircuitBlock *block = &c->blocks.at[part->block];
  for (uint32_t k = 0; k < block->atoms; k++) {
    uint32_t variable = block->first + k;
    bool input = c->variables.at[variable].sort == CIRCUIT_INPUT;
    if (!input && f->seen[variable] == 0)
      continue; /* not a variable of this root */
    double p = circuit_held(c, v, f, variable);
    p = p < 0 ? 0 : p > 1 ? 1 : p;
    for (uint32_t i = 0; i < part->copies; i++)
      marginals[c->members.at[c->starts.at[root->copies.at[part->first + i]] + k]] = p;
  }
}

/* Parts of different blocks share no variable, so one pass serves a part of
** each block: as many passes as the most popular block has parts. */
void circuit_marginals(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                       double *marginals) {
  CircuitFlow f;
  circuit_flow_make(c, &f);
  bool *done = memory_zero(root->parts.n, 1);
  uint32_t *turn = memory_zero(c->blocks.n, sizeof *turn);
  size_t left = root->parts.n;
  for (uint32_t pass = 1; left; pass++) {
    circuit_flow_clear(c, &f);
    VEC(size_t) chosen = {0};
    for (size_t i = 0; i < root->parts.n; i++) {
      const CircuitPart *part = &root->parts.at[i];
      if (done[i] || turn[part->block] == pass)
        continue;
      done[i] = true, turn[part->block] = pass;
      assert(part->node != CIRCUIT_FALSE);
      f.flow[part->node] += 1, f.mass[part->block] += 1;
      vec_push(&chosen, i);
    }
    circuit_flow_down(c, v, &f);
    for (size_t i = 0; i < chosen.n; i++)
      write_part(c, v, &f, root, &root->parts.at[chosen.at[i]], marginals);
    left -= chosen.n;
    vec_free(&chosen);
  }
  free(done);
  free(turn);
  circuit_flow_free(&f);
}

void circuit_expectations(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                          double scale, double *expected) {
  CircuitFlow f;
  circuit_flow_make(c, &f);
  circuit_flow_add(root, 1, &f);
  circuit_flow_down(c, v, &f);
  for (size_t i = 0; i < c->terms.n; i++)
    expected[c->terms.at[i].weight] += scale * literal_mass(c, v, &f, c->terms.at[i].literal);
  for (size_t i = 0; i < c->constants.n; i++)
    expected[c->constants.at[i]] += scale;
  circuit_flow_free(&f);
}

double circuit_entropy(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                       const double *weights) {
  double *expected = memory_zero(c->weights, sizeof *expected);
  circuit_expectations(c, v, root, 1, expected);
  double entropy = circuit_log_value(c, v, root);
  for (uint32_t w = 0; w < c->weights; w++)
    entropy += weights[w] * expected[w];
  free(expected);
  return entropy;
}
