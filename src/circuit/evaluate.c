/* evaluate.c - values of all nodes, upwards; see circuit.h.
**
** Factors are normalised, so values are probabilities or not much larger, and plain
** doubles do nearly always.  From where a factor or a value comes out too small (or large)
** numbers are wide: each has an exponent beside it, to a base so large that two numbers
** nearly always have the same one.  The loops over nodes are hot. */
#include "circuit/circuit.h"

#include "base/memory.h"
#include "base/scaled.h"

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
  v->log_constant = (Log){0};
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

/* ---- factors --------------------------------------------------------------------------- */

/* Of 2^e as a wide number. */
static int64_t wide_exponent(int64_t e) {
  int64_t above = e + CIRCUIT_STEP / 2, part = above % CIRCUIT_STEP;
  return (above - part) / CIRCUIT_STEP - (part < 0);
}

static void set_wide(CircuitValues *v, size_t literal, Log log) {
  Scaled factor = scaled_exp(log);
  v->factor_exponent[literal] = wide_exponent(factor.exponent);
  factor.exponent -= v->factor_exponent[literal] * CIRCUIT_STEP;
  v->factor[literal] = scaled_double(factor);
}

static void set_factor(CircuitValues *v, size_t literal, double factor, Log log) {
  v->factor[literal] = factor;
  v->factor_exponent[literal] = 0;
  if (!(factor >= CIRCUIT_LEAST && factor < CIRCUIT_MOST)) {
    v->plain = false;
    set_wide(v, literal, log);
  }
}

/* The factors are those of x = ln(high / low) and sum to 1; what that takes away from both. */
static Log set_input(CircuitValues *v, size_t variable, Log high, Log low) {
  double x = log_apart(high, low), less = x != 0 ? exp(-fabs(x)) : 1;
  Log larger = x > 0 ? high : low, sum = log_plus(larger, log_of(log1p(less)));
  double one = 1 / (1 + less), other = less / (1 + less);
  set_factor(v, 2 * variable, x > 0 ? one : other, log_minus(high, sum));
  set_factor(v, 2 * variable + 1, x > 0 ? other : one, log_minus(low, sum));
  return sum;
}

static void set_logs(const Circuit *c, const double *weights, CircuitValues *v) {
  memset(v->log_literal, 0, 2 * c->variables.n * sizeof *v->log_literal);
  memset(v->log_block, 0, c->blocks.n * sizeof *v->log_block);
  v->log_constant = (Log){0};
  for (size_t i = 0; i < c->terms.n; i++) {
    Log *log = &v->log_literal[c->terms.at[i].literal];
    *log = log_minus(*log, log_of(weights[c->terms.at[i].weight]));
  }
  for (size_t i = 0; i < c->constants.n; i++)
    v->log_constant = log_minus(v->log_constant, log_of(weights[c->constants.at[i]]));
}

/* v->plain becomes whether all of them are. */
static void set_factors(const Circuit *c, const double *weights, CircuitValues *v) {
  set_logs(c, weights, v);
  v->plain = true;
  for (size_t i = 0; i < c->variables.n; i++) {
    Log high = v->log_literal[2 * i], low = v->log_literal[2 * i + 1];
    Log *block = &v->log_block[c->variables.at[i].block];
    if (c->variables.at[i].sort == CIRCUIT_INPUT)
      *block = log_plus(*block, set_input(v, i, high, low));
    else
      for (size_t k = 0; k < 2; k++) { /* most have no weight */
        Log log = v->log_literal[2 * i + k];
        set_factor(v, 2 * i + k, log.whole || log.rest != 0 ? exp(log_double(log)) : 1, log);
      }
  }
}

/* ---- wide numbers ---------------------------------------------------------------------- */

/* Brings a number that is not 0 back to where a wide mantissa belongs. */
static inline double wide(double x, int64_t *exponent) {
  if (x >= CIRCUIT_LEAST && x < CIRCUIT_MOST)
    return x;
  bool small = x < CIRCUIT_LEAST;
  *exponent += small ? -1 : 1;
  return small ? x * CIRCUIT_BASE : x / CIRCUIT_BASE;
}

/* Of two wide numbers, neither 0, with different exponents.  The sum, and the share of the
** first as circuit_share wants it. */
static double add_apart(double a, int64_t ea, double b, int64_t eb, double *share,
                        int64_t *exponent) {
  a = wide(a, &ea), b = wide(b, &eb);
  bool first = ea > eb || (ea == eb && a > b);
  double large = first ? a : b, small = first ? b : a;
  int64_t apart = first ? ea - eb : eb - ea;
  double down = apart > 1 ? 0 : apart ? 1 / CIRCUIT_BASE : 1;
  double sum = large + small * down;
  *exponent = first ? ea : eb;
  *share = (first ? -1 : 1) * (small / sum * down);
  return sum;
}

static inline void wide_decision(const CircuitNode *node, CircuitValues *v, size_t i) {
  size_t high = 2 * (size_t)node->variable, low = high + 1;
  double a = v->factor[high] * v->mantissa[node->first];
  double b = v->factor[low] * v->mantissa[node->second];
  int64_t ea = v->factor_exponent[high] + v->exponent[node->first];
  int64_t eb = v->factor_exponent[low] + v->exponent[node->second], exponent;
  ea = a == 0 ? eb : ea;
  eb = b == 0 ? ea : eb;
  double sum = a + b;
  if (ea == eb)
    v->share[i] = (a <= b ? a : -b) / sum, exponent = ea;
  else
    sum = add_apart(a, ea, b, eb, &v->share[i], &exponent);
  v->mantissa[i] = wide(sum, &exponent);
  v->exponent[i] = exponent;
}

static inline void wide_product(const Circuit *c, const CircuitNode *node, CircuitValues *v,
                                size_t i) {
  double mantissa = 1;
  int64_t exponent = 0;
  for (uint32_t k = 0; k < node->second; k++) {
    uint32_t child = c->children.at[node->first + k];
    exponent += v->exponent[child];
    mantissa = wide(mantissa * v->mantissa[child], &exponent);
  }
  v->mantissa[i] = mantissa;
  v->exponent[i] = exponent;
}

/* From a node on, below which all are plain. */
static void evaluate_wide(const Circuit *c, CircuitValues *v, size_t from) {
  memset(v->exponent, 0, from * sizeof *v->exponent);
  for (size_t i = from; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (node->variable != CIRCUIT_NONE)
      wide_decision(node, v, i);
    else
      wide_product(c, node, v, i);
  }
}

/* ---- plain numbers --------------------------------------------------------------------- */

enum { STRETCH = 1024 }; /* nodes between two looks at the range */

static inline double plain_product(const Circuit *c, const CircuitNode *node, const double *value) {
  double product = 1;
  const uint32_t *child = c->children.at + node->first;
  for (uint32_t k = 0; k < node->second; k++)
    product *= value[child[k]];
  return product;
}

/* False: some value is out of range. */
static bool evaluate_stretch(const Circuit *c, CircuitValues *v, size_t from, size_t end) {
  double *restrict value = v->mantissa, *restrict share = v->share, least = 1, most = 1;
  const double *factor = v->factor;
  const CircuitNode *nodes = c->nodes.at;
  for (size_t i = from; i < end; i++) {
    const CircuitNode *node = &nodes[i];
    double sum;
    if (node->variable != CIRCUIT_NONE) {
      const double *by = factor + 2 * (size_t)node->variable;
      double a = by[0] * value[node->first], b = by[1] * value[node->second];
      sum = a + b;
      share[i] = (a <= b ? a : -b) / sum;
    } else {
      sum = plain_product(c, node, value);
    }
    value[i] = sum;
    least = sum < least ? sum : least;
    most = sum > most ? sum : most;
  }
  return least >= CIRCUIT_LEAST && most < CIRCUIT_MOST;
}

/* The first node of the stretch in which some value is out of range. */
static size_t evaluate_plain(const Circuit *c, CircuitValues *v) {
  for (size_t from = 2, end; from < c->nodes.n; from = end) {
    end = from + STRETCH < c->nodes.n ? from + STRETCH : c->nodes.n;
    if (!evaluate_stretch(c, v, from, end))
      return from;
  }
  return c->nodes.n;
}

void circuit_evaluate(const Circuit *c, const double *weights, CircuitValues *v) {
  assert(weights || !c->weights);
  assert(v->mantissa && v->share && c->nodes.n >= 2);
  set_factors(c, weights, v);
  v->mantissa[CIRCUIT_FALSE] = 0, v->mantissa[CIRCUIT_TRUE] = 1;
  size_t plain = v->plain ? evaluate_plain(c, v) : 2;
  v->plain = v->plain && plain == c->nodes.n;
  if (!v->plain)
    evaluate_wide(c, v, plain);
}

Log circuit_log(const Circuit *c, const CircuitValues *v, const CircuitRoot *root) {
  (void)c;
  Log sum = v->log_constant;
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    if (part->node == CIRCUIT_FALSE)
      return (Log){0, -INFINITY};
    assert(part->node < c->nodes.n && part->block < c->blocks.n);
    Log value = scaled_log(circuit_value(v, part->node));
    sum = log_plus(sum, log_times(log_plus(value, v->log_block[part->block]), part->copies));
  }
  return sum;
}

double circuit_log_value(const Circuit *c, const CircuitValues *v, const CircuitRoot *root) {
  return log_double(circuit_log(c, v, root));
}
