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
  double slope, flow, rate; /* the rate is the derivative of the flow */
} OfNode;

typedef struct {
  double slope[2]; /* by literal: derivative of ln of its factor, */
  double prior[2]; /* and the normalised factor (inputs only) */
  double held_rate, seen, seen_rate;
} OfVariable;

typedef struct {
  OfNode *node;
  OfVariable *variable;
  double *mass; /* by block */
} Tangent;

static Tangent tangent_make(const Circuit *c) {
  return (Tangent){.node = memory_zero(c->nodes.n, sizeof(OfNode)),
                   .variable = memory_zero(c->variables.n, sizeof(OfVariable)),
                   .mass = memory_zero(c->blocks.n, sizeof(double))};
}

static void tangent_free(Tangent *t) {
  free(t->node);
  free(t->variable);
  free(t->mass);
}

static void differentiate_factors(const Circuit *c, const CircuitValues *values, const double *v,
                                  Tangent *t) {
  for (size_t i = 0; i < c->terms.n; i++) {
    CircuitTerm term = c->terms.at[i];
    t->variable[term.literal / 2].slope[term.literal & 1] -= v[term.weight];
  }
  for (size_t i = 0; i < c->variables.n; i++) {
    OfVariable *of = &t->variable[i];
    if (c->variables.at[i].sort != CIRCUIT_INPUT)
      continue;
    for (size_t k = 0; k < 2; k++)
      of->prior[k] = circuit_prior(values, 2 * i + k);
    double both = of->prior[0] * of->slope[0] + of->prior[1] * of->slope[1];
    of->slope[0] -= both;
    of->slope[1] -= both;
  }
}

static void differentiate_up(const Circuit *c, const CircuitValues *values, Tangent *t) {
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    double slope = 0;
    if (node->variable != CIRCUIT_NONE) {
      CircuitPair share = circuit_share(values->share[i]);
      const OfVariable *of = &t->variable[node->variable];
      slope = share[0] * (of->slope[0] + t->node[node->first].slope) +
              share[1] * (of->slope[1] + t->node[node->second].slope);
    } else {
      for (uint32_t k = 0; k < node->second; k++)
        slope += t->node[c->children.at[node->first + k]].slope;
    }
    t->node[i].slope = slope;
  }
}

static void down_decision(double packed, const CircuitNode *node, const OfNode *from, Tangent *t) {
  CircuitPair share = circuit_share(packed);
  OfVariable *of = &t->variable[node->variable];
  OfNode *high = &t->node[node->first], *low = &t->node[node->second];
  double high_slope = of->slope[0] + high->slope - from->slope;
  double low_slope = of->slope[1] + low->slope - from->slope;
  double high_rate = share[0] * (from->rate + from->flow * high_slope);
  double low_rate = share[1] * (from->rate + from->flow * low_slope);
  high->flow += from->flow * share[0];
  low->flow += from->flow * share[1];
  high->rate += high_rate;
  low->rate += low_rate;
  of->held_rate += high_rate;
  of->seen += from->flow;
  of->seen_rate += from->rate;
}

static void differentiate_down(const Circuit *c, const CircuitValues *values, Tangent *t) {
  for (size_t i = c->nodes.n; i-- > 2;) {
    const CircuitNode *node = &c->nodes.at[i];
    const OfNode *from = &t->node[i];
    if (from->flow == 0 && from->rate == 0)
      continue;
    if (node->variable != CIRCUIT_NONE) {
      down_decision(values->share[i], node, from, t);
      continue;
    }
    for (uint32_t k = 0; k < node->second; k++) {
      OfNode *child = &t->node[c->children.at[node->first + k]];
      child->flow += from->flow;
      child->rate += from->rate;
    }
  }
}

/* Derivative of the mass of a literal; the free part follows the prior. */
static double literal_rate(const Circuit *c, const Tangent *t, uint32_t literal) {
  uint32_t v = literal >> 1, k = literal & 1;
  const OfVariable *of = &t->variable[v];
  double rate = k ? of->seen_rate - of->held_rate : of->held_rate;
  if (c->variables.at[v].sort == CIRCUIT_INPUT) {
    double rest = t->mass[c->variables.at[v].block] - of->seen;
    rate += of->prior[k] * (rest * of->slope[k] - of->seen_rate);
  }
  return rate;
}

/* From the flows and masses at the top, which the tangent has: d E[n] = -Cov(n) v. */
static void multiply(const Circuit *c, const CircuitValues *values, const double *v, double scale,
                     Tangent *t, double *product) {
  differentiate_factors(c, values, v, t);
  differentiate_up(c, values, t);
  differentiate_down(c, values, t);
  for (size_t i = 0; i < c->terms.n; i++)
    product[c->terms.at[i].weight] -= scale * literal_rate(c, t, c->terms.at[i].literal);
}

void circuit_hessian_product(const Circuit *c, const CircuitValues *values, const CircuitRoot *root,
                             const double *v, double scale, double *product) {
  assert(isfinite(scale) && circuit_possible(root));
  Tangent t = tangent_make(c);
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    t.node[part->node].flow += part->copies;
    t.mass[part->block] += part->copies;
  }
  multiply(c, values, v, scale, &t, product);
  tangent_free(&t);
}

void circuit_sum_hessian_product(const Circuit *c, const CircuitValues *values,
                                 const CircuitSum *sum, const double *v, double *product) {
  assert(v != product);
  Tangent t = tangent_make(c);
  for (size_t i = 0; i < sum->nodes.n; i++)
    t.node[sum->nodes.at[i].number].flow += sum->nodes.at[i].times;
  for (size_t i = 0; i < sum->blocks.n; i++)
    t.mass[sum->blocks.at[i].number] += sum->blocks.at[i].times;
  multiply(c, values, v, 1, &t, product);
  tangent_free(&t);
}
