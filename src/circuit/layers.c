/* layers.c - what is below the decisions of a layered circuit is worth; see circuit.h. */
#include "circuit/circuit.h"

#include "base/memory.h"
#include "base/scaled.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* No decision about another variable is above one that is on top. */
static bool layered(const Circuit *c, const CircuitLayers *l) {
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (node->variable != CIRCUIT_NONE && !l->top[node->variable] && !l->below[i])
      return false;
  }
  return true;
}

static void find_below(const Circuit *c, CircuitLayers *l) {
  l->below[CIRCUIT_FALSE] = l->below[CIRCUIT_TRUE] = true;
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    bool below = true;
    if (node->variable != CIRCUIT_NONE)
      below = !l->top[node->variable] && l->below[node->first] && l->below[node->second];
    else
      for (uint32_t k = 0; k < node->second; k++)
        below &= l->below[c->children.at[node->first + k]];
    l->below[i] = below;
  }
  assert(layered(c, l));
  (void)layered;
}

void circuit_layers_make(const Circuit *c, const bool *top, CircuitLayers *l) {
  assert(top || !c->variables.n);
  *l = (CircuitLayers){0};
  l->top = memory_zero(c->variables.n, sizeof *l->top);
  for (size_t v = 0; v < c->variables.n; v++)
    l->top[v] = top[v];
  l->below = memory_zero(c->nodes.n, sizeof *l->below);
  l->worth = memory_zero(c->nodes.n, sizeof *l->worth);
  l->literal = memory_zero(2 * c->variables.n, sizeof *l->literal);
  l->block = memory_zero(c->blocks.n, sizeof *l->block);
  find_below(c, l);
}

void circuit_layers_free(CircuitLayers *l) {
  free(l->top);
  free(l->below);
  free(l->worth);
  free(l->literal);
  free(l->block);
  *l = (CircuitLayers){0};
}

/* What normalising the two factors of an input took away: ln(e^x + e^y). */
static Log normalised(const CircuitValues *v, size_t variable) {
  size_t literal = 2 * variable;
  literal += circuit_prior(v, literal) < 0.5; /* the larger one */
  return log_minus(v->log_literal[literal], scaled_log(circuit_factor(v, literal)));
}

void circuit_layers_sum(const Circuit *c, const double *weights, const CircuitValues *v,
                        CircuitLayers *l) {
  assert(weights || !c->weights);
  for (size_t i = CIRCUIT_TRUE; i < c->nodes.n; i++)
    if (l->below[i])
      l->worth[i] = scaled_log(circuit_value(v, i));
  for (size_t i = 0; i < 2 * c->variables.n; i++)
    l->literal[i] = v->log_literal[i];
  for (size_t i = 0; i < c->variables.n; i++) {
    Log *block = &l->block[c->variables.at[i].block];
    if (!l->top[i] && c->variables.at[i].sort == CIRCUIT_INPUT)
      *block = log_plus(*block, normalised(v, i));
  }
  for (size_t i = 0; i < c->constants.n; i++)
    l->constant = log_minus(l->constant, log_of(weights[c->constants.at[i]]));
}

void circuit_layers_expect(const Circuit *c, const CircuitValues *v, const double *gain,
                           CircuitLayers *l) {
  assert(gain || !c->variables.n);
  double *mean = memory_zero(c->nodes.n, sizeof *mean);
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (!l->below[i])
      continue;
    if (node->variable != CIRCUIT_NONE) {
      CircuitPair share = circuit_share(v->share[i]);
      mean[i] =
          share[0] * (gain[node->variable] + mean[node->first]) + share[1] * mean[node->second];
    } else {
      for (uint32_t k = 0; k < node->second; k++)
        mean[i] += mean[c->children.at[node->first + k]];
    }
    l->worth[i] = log_of(mean[i]);
  }
  for (size_t i = 0; i < c->variables.n; i++)
    if (l->top[i])
      l->literal[2 * i] = log_of(gain[i]);
  free(mean);
}
