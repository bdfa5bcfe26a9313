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

/* Nodes in a row often decide the same variable, and an addition to a number that was just
** written has to wait for it: so they take turns. */
enum { TURNS = 4 };

typedef struct {
  CircuitPair turn[TURNS]; /* held, seen */
} Turns;

static void add_turns(const Circuit *c, const Turns *turns, CircuitFlow *f) {
  for (size_t v = 0; v < c->variables.n; v++) {
    const CircuitPair *turn = turns[v].turn;
    CircuitPair sum = (turn[0] + turn[1]) + (turn[2] + turn[3]);
    f->held[v] += sum[0], f->seen[v] += sum[1];
  }
}

void circuit_flow_down(const Circuit *c, const CircuitValues *v, CircuitFlow *f) {
  assert(v->share && f->flow);
  Turns *turns = memory_zero(c->variables.n, sizeof *turns);
  double *restrict flows = f->flow;
  const double *restrict shares = v->share;
  const CircuitNode *nodes = c->nodes.at;
  for (size_t i = c->nodes.n; i-- > 2;) {
    const CircuitNode *node = &nodes[i];
    double flow = flows[i];
    flows[i] = 0;
    if (node->variable != CIRCUIT_NONE) {
      CircuitPair part = flow * circuit_share(shares[i]);
      flows[node->first] += part[0];
      flows[node->second] += part[1];
      turns[node->variable].turn[i % TURNS] += (CircuitPair){part[0], flow};
    } else if (flow != 0) {
      for (uint32_t k = 0; k < node->second; k++)
        flows[c->children.at[node->first + k]] += flow;
    }
  }
  flows[CIRCUIT_FALSE] = flows[CIRCUIT_TRUE] = 0;
  add_turns(c, turns, f);
  free(turns);
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

/* `either`: flows have both signs. */
static double literal_mass(const Circuit *c, const CircuitValues *values, const CircuitFlow *f,
                           uint32_t literal, bool either) {
  uint32_t v = literal >> 1;
  double held = literal & 1 ? f->seen[v] - f->held[v] : f->held[v], rest = free_mass(c, f, v);
  if (either && c->variables.at[v].sort == CIRCUIT_INPUT)
    rest = f->mass[c->variables.at[v].block] - f->seen[v];
  return held + (rest != 0 ? rest * circuit_prior(values, literal) : 0);
}

void circuit_expectations(const Circuit *c, const CircuitValues *v, const CircuitRoot *root,
                          double scale, double *expected) {
  CircuitFlow f;
  circuit_flow_make(c, &f);
  circuit_flow_add(root, 1, &f);
  circuit_flow_down(c, v, &f);
  for (size_t i = 0; i < c->terms.n; i++)
    expected[c->terms.at[i].weight] +=
        scale * literal_mass(c, v, &f, c->terms.at[i].literal, false);
  for (size_t i = 0; i < c->constants.n; i++)
    expected[c->constants.at[i]] += scale;
  circuit_flow_free(&f);
}

void circuit_sum_expectations(const Circuit *c, const CircuitValues *v, const CircuitSum *sum,
                              double *expected) {
  CircuitFlow f;
  circuit_flow_make(c, &f);
  for (size_t i = 0; i < sum->nodes.n; i++)
    f.flow[sum->nodes.at[i].number] += sum->nodes.at[i].times;
  for (size_t i = 0; i < sum->blocks.n; i++)
    f.mass[sum->blocks.at[i].number] += sum->blocks.at[i].times;
  circuit_flow_down(c, v, &f);
  for (size_t i = 0; i < c->terms.n; i++)
    expected[c->terms.at[i].weight] += literal_mass(c, v, &f, c->terms.at[i].literal, true);
  circuit_flow_free(&f);
}

void circuit_sum_free(CircuitSum *sum) {
  vec_free(&sum->nodes);
  vec_free(&sum->blocks);
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
