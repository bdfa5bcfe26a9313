/* hessian.c - Hessian-vector products of the log value; see circuit.h.
**
** Forward differentiation of both passes along one direction of the weights.
** Upwards, slope[i] is the derivative of the *logarithm* of node i's value, so
** shares, which are ratios, change by share * (slope of edge - slope of node)
** and nothing needs scaling.  Downwards, each flow carries its derivative. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  double *literal;                             /* by literal: derivative of ln of its factor */
  double *prior;                               /* by literal: normalised factor (inputs only) */
  double *slope;                               /* by node */
  double *flow, *rate;                         /* by node: the flow and its derivative */
  double *held, *held_rate, *seen, *seen_rate; /* by variable */
  double *mass;                                /* by block */
} Tangent;

static Tangent tangent_make(const Circuit *c) {
  size_t n = c->nodes.n, v = c->variables.n;
  return (Tangent){
      .literal = memory_zero(2 * v, sizeof(double)),
      .prior = memory_zero(2 * v, sizeof(double)),
      .slope = memory_zero(n, sizeof(double)),
      .flow = memory_zero(n, sizeof(double)),
      .rate = memory_zero(n, sizeof(double)),
      .held = memory_zero(v, sizeof(double)),
      .held_rate = memory_zero(v, sizeof(double)),
      .seen = memory_zero(v, sizeof(double)),
      .seen_rate = memory_zero(v, sizeof(double)),
      .mass = memory_zero(c->blocks.n, sizeof(double)),
  };
}

static void tangent_free(Tangent *t) {
  free(t->literal);
  free(t->prior);
  free(t->slope);
  free(t->flow);
  free(t->rate);
  free(t->held);
  free(t->held_rate);
  free(t->seen);
  free(t->seen_rate);
  free(t->mass);
}

static void differentiate_factors(const Circuit *c, const CircuitValues *values, const double *v,
                                  Tangent *t) {
  for (size_t i = 0; i < c->terms.n; i++)
    t->literal[c->terms.at[i].literal] -= v[c->terms.at[i].weight];
  for (size_t i = 0; i < c->variables.n; i++) {
    if (c->variables.at[i].sort != CIRCUIT_INPUT)
      continue;
    for (size_t l = 2 * i; l < 2 * i + 2; l++)
      t->prior[l] = circuit_prior(values, l);
    double both = t->prior[2 * i] * t->literal[2 * i] + t->prior[2 * i + 1] * t->literal[2 * i + 1];
    t->literal[2 * i] -= both;
    t->literal[2 * i + 1] -= both;
  }
}

static void differentiate_up(const Circuit *c, const CircuitValues *values, Tangent *t) {
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    double slope = 0;
    if (node->variable != CIRCUIT_NONE) {
      CircuitShare share = circuit_share(values->share[i]);
      size_t high = 2 * (size_t)node->variable;
      slope = share.high * (t->literal[high] + t->slope[node->first]) +
              share.low * (t->literal[high + 1] + t->slope[node->second]);
    } else {
      for (uint32_t k = 0; k < node->second; k++)
        slope += t->slope[c->children.at[node->first + k]];
    }
    t->slope[i] = slope;
  }
}

static void down_decision(const CircuitValues *values, const CircuitNode *node, size_t i,
                          Tangent *t) {
  CircuitShare share = circuit_share(values->share[i]);
  uint32_t v = node->variable;
  double high = t->literal[2 * (size_t)v] + t->slope[node->first] - t->slope[i];
  double low = t->literal[2 * (size_t)v + 1] + t->slope[node->second] - t->slope[i];
  double high_rate = share.high * (t->rate[i] + t->flow[i] * high);
  double low_rate = share.low * (t->rate[i] + t->flow[i] * low);
  t->flow[node->first] += t->flow[i] * share.high;
  t->flow[node->second] += t->flow[i] * share.low;
  t->rate[node->first] += high_rate;
  t->rate[node->second] += low_rate;
  t->held[v] += t->flow[i] * share.high;
  t->held_rate[v] += high_rate;
  t->seen[v] += t->flow[i];
  t->seen_rate[v] += t->rate[i];
}

static void differentiate_down(const Circuit *c, const CircuitValues *values, Tangent *t) {
  for (size_t i = c->nodes.n; i-- > 2;) {
    const CircuitNode *node = &c->nodes.at[i];
    if (t->flow[i] == 0 && t->rate[i] == 0)
      continue;
    if (node->variable != CIRCUIT_NONE) {
      down_decision(values, node, i, t);
      continue;
    }
    for (uint32_t k = 0; k < node->second; k++) {
      t->flow[c->children.at[node->first + k]] += t->flow[i];
      t->rate[c->children.at[node->first + k]] += t->rate[i];
    }
  }
}

/* Derivative of the mass of a literal; the free part follows the prior. */
static double literal_rate(const Circuit *c, const Tangent *t, uint32_t literal) {
  uint32_t v = literal >> 1;
  double rate = literal & 1 ? t->seen_rate[v] - t->held_rate[v] : t->held_rate[v];
  if (c->variables.at[v].sort == CIRCUIT_INPUT) {
    double rest = t->mass[c->variables.at[v].block] - t->seen[v];
    rate += t->prior[literal] * (rest * t->literal[literal] - t->seen_rate[v]);
  }
  return rate;
}

void circuit_hessian_product(const Circuit *c, const CircuitValues *values, const CircuitRoot *root,
                             const double *v, double scale, double *product) {
  assert(isfinite(scale) && circuit_possible(root));
  Tangent t = tangent_make(c);
  differentiate_factors(c, values, v, &t);
  differentiate_up(c, values, &t);
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    t.flow[part->node] += part->copies;
    t.mass[part->block] += part->copies;
  }
  differentiate_down(c, values, &t);
  for (size_t i = 0; i < c->terms.n; i++) /* d E[n] = -Cov(n) v */
    product[c->terms.at[i].weight] -= scale * literal_rate(c, &t, c->terms.at[i].literal);
  tangent_free(&t);
}
