/* evaluate.c - values of all nodes, upwards; see circuit.h.
**
** Numbers are mantissa * 2^exponent with a mantissa in [1, 2), or 0: plain
** doubles over- and underflow on long products, logarithms are ten times
** slower.  circuit_evaluate's loop is hot. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void circuit_values_make(const Circuit *c, CircuitValues *v) {
  size_t literals = 2 * c->variables.n;
  v->mantissa = memory_zero(c->nodes.n, sizeof *v->mantissa);
  v->exponent = memory_zero(c->nodes.n, sizeof *v->exponent);
  v->share = memory_zero(c->nodes.n, sizeof *v->share);
  v->factor = memory_zero(literals, sizeof *v->factor);
  v->factor_exponent = memory_zero(literals, sizeof *v->factor_exponent);
  v->log_literal = memory_zero(literals, sizeof *v->log_literal);
  v->log_block = memory_zero(c->blocks.n, sizeof *v->log_block);
  v->log_constant = 0;
}

void circuit_values_free(CircuitValues *v) {
  free(v->mantissa);
  free(v->exponent);
  free(v->share);
  free(v->factor);
  free(v->factor_exponent);
  free(v->log_literal);
  free(v->log_block);
  *v = (CircuitValues){0};
}

/* exp(log) as a scaled number.  Exponents stay far from overflow: sums of
** 2^20 of them still fit. */
static void set_factor(CircuitValues *v, size_t literal, double log) {
  assert(isfinite(log));
  double e = floor(log / M_LN2);
  if (fabs(e) > 0x1p42)
    e = copysign(0x1p42, e);
  double rest = fma(-e, M_LN2, log);
  v->factor[literal] = fabs(rest) < 2 ? exp(rest) : 1;
  v->factor_exponent[literal] = (int64_t)e;
}

/* ln(1 + exp(x)) */
static double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

static void set_factors(const Circuit *c, const double *weights, CircuitValues *v) {
  memset(v->log_literal, 0, 2 * c->variables.n * sizeof *v->log_literal);
  memset(v->log_block, 0, c->blocks.n * sizeof *v->log_block);
  v->log_constant = 0;
  for (size_t i = 0; i < c->terms.n; i++)
    v->log_literal[c->terms.at[i].literal] -= weights[c->terms.at[i].weight];
  for (size_t i = 0; i < c->constants.n; i++)
    v->log_constant -= weights[c->constants.at[i]];
  for (size_t i = 0; i < c->variables.n; i++) {
    double high = v->log_literal[2 * i], low = v->log_literal[2 * i + 1];
    bool input = c->variables.at[i].sort == CIRCUIT_INPUT;
    /* through the difference of the two, which is exact beside large weights */
    set_factor(v, 2 * i, input ? -softplus(low - high) : high);
    set_factor(v, 2 * i + 1, input ? -softplus(high - low) : low);
    if (input)
      v->log_block[c->variables.at[i].block] += high + softplus(low - high);
  }
}

/* 2^-d for d >= 0, 0 where it is too small to matter. */
static inline double power_down(int64_t d) {
  assert(d >= 0);
  if (d > 1000)
    return 0;
  uint64_t bits = (uint64_t)(1023 - d) << 52;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* Moves the binary exponent of a normal positive number out of it. */
static inline double normalise(double x, int64_t *exponent) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  *exponent += (int64_t)(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffu) | (uint64_t)1023 << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline void evaluate_decision(const CircuitNode *node, CircuitValues *v, size_t i) {
  size_t high = 2 * (size_t)node->variable, low = high + 1;
  double a = v->factor[high] * v->mantissa[node->first];
  double b = v->factor[low] * v->mantissa[node->second];
  int64_t ea = v->factor_exponent[high] + v->exponent[node->first];
  int64_t eb = v->factor_exponent[low] + v->exponent[node->second];
  if (b == 0 || (a != 0 && ea >= eb))
    b = b == 0 ? 0 : b * power_down(ea - eb);
  else
    a = a == 0 ? 0 : a * power_down(eb - ea), ea = eb;
  double sum = a + b;
  v->share[i] = a <= b ? a / sum : -b / sum;
  v->mantissa[i] = normalise(sum, &ea);
  v->exponent[i] = ea;
}

static inline void evaluate_product(const Circuit *c, const CircuitNode *node, CircuitValues *v,
                                    size_t i) {
  double mantissa = 1;
  int64_t exponent = 0;
  for (uint32_t k = 0; k < node->second; k++) {
    uint32_t child = c->children.at[node->first + k];
    exponent += v->exponent[child];
    mantissa = normalise(mantissa * v->mantissa[child], &exponent);
  }
  v->mantissa[i] = mantissa;
  v->exponent[i] = exponent;
}

void circuit_evaluate(const Circuit *c, const double *weights, CircuitValues *v) {
  assert(weights || !c->weights);
  assert(v->mantissa && v->share && c->nodes.n >= 2);
  set_factors(c, weights, v);
  v->mantissa[CIRCUIT_FALSE] = 0, v->exponent[CIRCUIT_FALSE] = 0;
  v->mantissa[CIRCUIT_TRUE] = 1, v->exponent[CIRCUIT_TRUE] = 0;
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (node->variable != CIRCUIT_NONE)
      evaluate_decision(node, v, i);
    else
      evaluate_product(c, node, v, i);
  }
}

double circuit_log_value(const Circuit *c, const CircuitValues *v, const CircuitRoot *root) {
  (void)c;
  double sum = v->log_constant;
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    if (part->node == CIRCUIT_FALSE)
      return -INFINITY;
    assert(part->node < c->nodes.n && part->block < c->blocks.n);
    double log = fma((double)v->exponent[part->node], M_LN2, log1p(v->mantissa[part->node] - 1));
    sum += part->copies * (log + v->log_block[part->block]);
  }
  return sum;
}
