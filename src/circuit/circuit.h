/* circuit.h - a deterministic decomposable circuit over boolean variables.
**
** Filled by the compiler, then only read.  Nodes stand in topological order:
** children before parents.  A node is a decision (variable, high, low) or a
** product of nodes that share no variable; node 0 is false, node 1 true.  A
** literal is a decision between the two.  What a node does not mention is
** free: both values are models.  Only an INPUT is ever free; a DETERMINED
** variable has a literal on every path from a root to true, or on none.
**
** Variables come in blocks.  A block stands for a kind of component of the
** ground program; a component that is a copy of the kind reads the block's
** variables as its own atoms.  So equal components share everything: a root
** lists, for each block, a node and the components that it is used for.
**
** Weights are not in the circuit.  Each literal has terms, the numbers of the
** weights that are lost when it holds, and each evaluation brings a vector of
** weights.  A term with weight w multiplies by exp(-w).
**
** Evaluation normalises the two factors of each input variable to sum 1 (a
** constant in ln Z): a variable that is skipped then has factor 1, and no
** smoothing is needed. */
#ifndef CIRCUIT_CIRCUIT_H
#define CIRCUIT_CIRCUIT_H

#include "base/memory.h"
#include "base/random.h"
#include "base/scaled.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CIRCUIT_FALSE 0u
#define CIRCUIT_TRUE 1u
#define CIRCUIT_NONE UINT32_MAX

typedef struct {
  uint32_t variable; /* of a decision; CIRCUIT_NONE: a product (or constant) */
  uint32_t first;    /* decision: high child; product: first in children */
  uint32_t second;   /* decision: low child; product: number of children */
} CircuitNode;

typedef enum { CIRCUIT_INPUT, CIRCUIT_DETERMINED } CircuitSort;

typedef struct {
  uint32_t block;
  uint32_t sort; /* CircuitSort */
} CircuitVariable;

typedef struct {
  uint32_t literal; /* 2v: v holds, 2v+1: it does not */
  uint32_t weight;
} CircuitTerm;

/* The first `atoms` variables of a block are the atoms of a component, in the
** order of members; determined ones among them may occur nowhere.  The others
** are events: violations of soft rules. */
typedef struct {
  uint32_t first, count; /* in variables */
  uint32_t atoms;
} CircuitBlock;

/* Where a node is looked for.  Others in its place are told by a part of the hash: to look at
** them costs more than anything else. */
typedef struct {
  uint32_t node; /* 0: empty */
  uint32_t tag;
} CircuitSlot;

typedef struct {
  VEC(CircuitNode) nodes;
  VEC(uint32_t) children;
  VEC(CircuitVariable) variables;
  VEC(CircuitBlock) blocks;
  VEC(CircuitTerm) terms;  /* sorted by literal once sealed */
  VEC(uint32_t) constants; /* weights lost in every model, once per entry */
  VEC(uint32_t) members;   /* atoms, component after component */
  VEC(uint32_t) starts;    /* by component: where its atoms start; one more */
  CircuitSlot *unique;     /* open addressing over nodes */
  size_t unique_room;
  uint32_t weights; /* length of the weight vectors */
  uint32_t atoms;   /* of the ground program */
} Circuit;          /* circuit_begin makes the constants */

void circuit_begin(Circuit *);
void circuit_free(Circuit *);

/* Building.  Equal nodes are made once; trivial ones are simplified, a
** decision between equal children only if its variable is an input. */
uint32_t circuit_decision(Circuit *, uint32_t variable, uint32_t high, uint32_t low);
uint32_t circuit_product(Circuit *, const uint32_t *children, size_t n);
uint32_t circuit_literal(Circuit *, uint32_t variable, bool negated);

/* All nodes of another circuit, whose variables start here at `variable` and are in no node so
** far: they keep their order and need not be looked for.  Returns what is added to the numbers of
** those that are no constants. */
uint32_t circuit_append(Circuit *, const Circuit *from, uint32_t variable);

/* One use of a node: by the components copies[first] .. of its root, which follow those of the
** part before. */
typedef struct {
  uint32_t node, block, first, copies;
} CircuitPart;

/* A program, or a program with evidence: the product over its parts of
** (the node's value) ^ copies. */
typedef struct {
  VEC(CircuitPart) parts;
  VEC(uint32_t) copies; /* components */
} CircuitRoot;

/* Keeps only the nodes below the given roots, whose numbers are adjusted. */
void circuit_compact(Circuit *, CircuitRoot *const *roots, size_t n);

/* Marks all nodes below those that are marked (by node). */
void circuit_mark(const Circuit *, bool *mark);
size_t circuit_size(const Circuit *, uint32_t node); /* nodes below it, itself included */
size_t circuit_memory(const Circuit *);              /* bytes of all nodes */

void circuit_root_free(CircuitRoot *);
bool circuit_possible(const CircuitRoot *); /* false: no model at all */

/* A value is mantissa * BASE^exponent, the mantissa 0 or within [LEAST, MOST); products of two
** mantissas are normal numbers. */
#define CIRCUIT_LEAST 0x1p-480
#define CIRCUIT_MOST 0x1p480
#define CIRCUIT_BASE 0x1p960
enum { CIRCUIT_STEP = 960 };

/* The values of all nodes under one vector of weights; see circuit_value. */
typedef struct {
  bool plain;       /* all exponents are 0; those of nodes are not there */
  double *mantissa; /* by node */
  int64_t *exponent;
  double *share;  /* by decision node, packed: see circuit_share */
  double *factor; /* by literal, normalised: mantissa and exponent */
  int64_t *factor_exponent;
  Log *log_block;   /* by block: what normalising took away, in ln */
  Log *log_literal; /* by literal: ln of its factor as given */
  Log log_constant;
} CircuitValues;

/* The probabilities of a decision's two edges, high and low, the smaller one exact to the last
** digit: a share that is not negative is that of the high edge, the other sign is that of the
** low edge. */
typedef double CircuitPair __attribute__((vector_size(16)));

/* Both at once and without a branch: nobody can foresee which edge is the smaller one. */
static inline CircuitPair circuit_share(double packed) {
  typedef uint64_t Bits __attribute__((vector_size(16)));
  CircuitPair both = {packed, -packed}, one = {1, 1};
  return both + (CircuitPair)((0 - ((Bits)both >> 63)) & (Bits)one);
}

void circuit_values_make(const Circuit *, CircuitValues *);

static inline Scaled circuit_scaled(double mantissa, int64_t exponent) {
  Scaled value = {mantissa, exponent * CIRCUIT_STEP};
  if (mantissa == 0)
    return (Scaled){0};
  value.mantissa = scaled_normalise(mantissa, &value.exponent);
  return value;
}

static inline Scaled circuit_value(const CircuitValues *v, size_t node) {
  return circuit_scaled(v->mantissa[node], v->plain ? 0 : v->exponent[node]);
}

static inline Scaled circuit_factor(const CircuitValues *v, size_t literal) {
  return circuit_scaled(v->factor[literal], v->factor_exponent[literal]);
}

/* The normalised factor of a literal of an input: a probability. */
static inline double circuit_prior(const CircuitValues *v, size_t literal) {
  return v->factor_exponent[literal] ? scaled_double(circuit_factor(v, literal))
                                     : v->factor[literal];
}

void circuit_values_free(CircuitValues *);

/* Upwards: one pass over all nodes, whatever the roots. */
void circuit_evaluate(const Circuit *, const double *weights, CircuitValues *);

/* ln of the sum of the weights of the root's models; -INFINITY if none.  The difference of
** two Logs is right beside large weights, too. */
Log circuit_log(const Circuit *, const CircuitValues *, const CircuitRoot *);
double circuit_log_value(const Circuit *, const CircuitValues *, const CircuitRoot *);

/* Probabilities, downwards.  `held` and `seen` are by variable: the mass of
** its literal, and of both literals; what was not seen is free. */
typedef struct {
  double *flow; /* by node; the way down leaves 0 */
  double *held, *seen;
  double *mass; /* by block: the flow that its variables share */
} CircuitFlow;

void circuit_flow_make(const Circuit *, CircuitFlow *);
void circuit_flow_free(CircuitFlow *);
void circuit_flow_clear(const Circuit *, CircuitFlow *);

/* Adds `scale` times the flow of a possible root; then circuit_flow_down once,
** for any number of roots together. */
void circuit_flow_add(const CircuitRoot *, double scale, CircuitFlow *);
void circuit_flow_down(const Circuit *, const CircuitValues *, CircuitFlow *);

/* The mass of the models in which v holds (its probability, for one part). */
double circuit_held(const Circuit *, const CircuitValues *, const CircuitFlow *, uint32_t v);

/* marginals.c: the probability of each atom of the ground program that is a variable in the
** root's parts, with a relative error of about 1e-10 at most; other entries of `marginals`
** (by atom) stay as they are. */
void circuit_marginals(const Circuit *, const CircuitValues *, const CircuitRoot *,
                       Probability *marginals);

/* Expected number of violations by weight; the gradient of the log value is
** its negation.  Adds scale times it to `expected`. */
void circuit_expectations(const Circuit *, const CircuitValues *, const CircuitRoot *, double scale,
                          double *expected);

/* Adds scale * Cov(n) v: the Hessian of the log value times v. */
void circuit_hessian_product(const Circuit *, const CircuitValues *, const CircuitRoot *,
                             const double *v, double scale, double *product);

/* A sum of ln values of nodes, and of what normalising took from blocks, with factors of
** either sign: observations less the program.  Its gradient and Hessian are those of the
** roots it was made of; what constants add is not in it. */
typedef struct {
  uint32_t number; /* of a node or a block */
  double times;
} CircuitTimes;

typedef struct {
  VEC(CircuitTimes) nodes, blocks; /* each once */
} CircuitSum;                      /* {0} is empty */

void circuit_sum_free(CircuitSum *);

/* Add to arrays by weight: the negated gradient; the Hessian times v. */
void circuit_sum_expectations(const Circuit *, const CircuitValues *, const CircuitSum *,
                              double *expected);
void circuit_sum_hessian_product(const Circuit *, const CircuitValues *, const CircuitSum *,
                                 const double *v, double *product);

/* In nats: ln Z + sum of weight times expected count. */
double circuit_entropy(const Circuit *, const CircuitValues *, const CircuitRoot *,
                       const double *weights);

/* Number of models, in decimal; the caller frees it. */
char *circuit_count(const Circuit *, const CircuitRoot *);

/* One model: the atoms of the root's variables, true or false; others of the
** caller's array (by atom) stay as they are.  Independent and exact. */
void circuit_sample(const Circuit *, const CircuitValues *, const CircuitRoot *, Random *,
                    bool *atoms);

/* Models from the most probable on.  Each call to circuit_best_next writes the
** root's variables into `atoms` (by atom) and the ln weight; false: no more.
** Ties come one after the other, in an order that depends on nothing else. */
typedef struct CircuitBest CircuitBest;
CircuitBest *circuit_best_make(const Circuit *, const CircuitRoot *, const double *weights);
bool circuit_best_next(CircuitBest *, bool *atoms, Log *log_weight);
void circuit_best_free(CircuitBest *);

/* Two layers: some variables are decided, all others are below them (compile.h), and what
** these are worth is computed by others.  Worths of independent parts add up. */
typedef struct {
  bool *top;    /* by variable: decided */
  bool *below;  /* by node: it mentions no such variable… */
  Log *worth;   /* …and then it is worth this */
  Log *literal; /* by literal of a top variable */
  Log *block;   /* by block: what its other variables are worth as a whole */
  Log constant;
} CircuitLayers;

/* layers.c: `top` is copied.  Nothing is worth anything so far. */
void circuit_layers_make(const Circuit *, const bool *top, CircuitLayers *);
void circuit_layers_free(CircuitLayers *);

/* What is below is worth the ln of the sum of its weights; so are literals. */
void circuit_layers_sum(const Circuit *, const double *weights, const CircuitValues *,
                        CircuitLayers *);

/* What is below is worth an expectation: that of the sum of `gain` (by variable) over the
** variables that hold. */
void circuit_layers_expect(const Circuit *, const CircuitValues *, const double *gain,
                           CircuitLayers *);

/* As circuit_best_make: the decisions of the largest worth first.  Of the root's variables only
** those on top are written. */
CircuitBest *circuit_best_layered(const Circuit *, const CircuitRoot *, const CircuitLayers *);

/* condition.c: the root with atoms set: value (by atom) is 1, 0, or -1 for open, and open
** for determined atoms that the root does not mention.  `to` and `made` are new; the models
** are those of the root that agree. */
void circuit_condition(const Circuit *, const CircuitRoot *, const int8_t *value, Circuit *to,
                       CircuitRoot *made);

/* thin.c: the same nodes (with their numbers) and weights, and of the variables only those that
** an evaluation depends on: most of the atoms of a component may occur nowhere.  It has no
** atoms; `to` is new. */
void circuit_thin(const Circuit *, Circuit *to);

/* Of a thin circuit the marked nodes, below which all are marked, with new numbers, which the sum
** gets. */
void circuit_part(const Circuit *, const bool *mark, CircuitSum *, Circuit *to);

/* Re-checks every invariant: order, decomposability, determinism.  NULL, or
** what is wrong (a constant text). */
const char *circuit_check(const Circuit *, const CircuitRoot *roots, size_t n);

/* The same for debug builds: circuits for which that takes long pass. */
bool circuit_sound(const Circuit *, const CircuitRoot *roots, size_t n);

/* Every reference of a circuit without roots is to something that is there; in linear time. */
bool circuit_fits(const Circuit *);

/* A versioned file with a checksum: the circuit and n roots.  circuit_load
** refuses anything that is not exactly such a file (INPUT). */
Status circuit_save(const Circuit *, const CircuitRoot *, size_t n, Text *out);
Status circuit_load(Circuit *, CircuitRoot *, size_t n, const char *bytes, size_t length);

#endif
