/* ladder_foot.c - the program at the foot of a ladder; see ladder.h. */
#include "base/limits.h"
#include "base/memory.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/ladder.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work, not time, so that the answer does not depend on the machine. */
enum { BRANCHES = 20000, NODES = 2000000 };

static bool is_fact(const Rule *r) { return r->heads == 1 && !r->size; }

bool *ladder_growing(const Target *t) {
  bool *growing = memory_zero(t->ground.weights.n, sizeof *growing);
  uint32_t n = t->soft_start[t->analysis.components];
  for (uint32_t i = 0; i < n; i++)
    growing[t->soft[i].weight] |= !is_fact(&t->ground.rules.at[t->soft[i].rule]);
  return growing;
}

/* A rule whose weight is 0: as a constraint it says nothing, with one head it is a choice. */
static bool without_weight(const Target *t, const Rule *r, const bool *growing, Rule *to) {
  *to = *r;
  uint32_t weight = r->instance == NONE ? NONE : t->ground.instances.at[r->instance].weight;
  if (weight == NONE)
    return true;
  if (!r->heads && (!r->size || growing[weight]))
    return false;
  if (r->heads == 1 && growing[weight])
    to->choice = true, to->instance = NONE;
  return true;
}

static void copy_rules(const Target *t, const bool *growing, Ground *to) {
  const Ground *g = &t->ground;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    size_t words = (size_t)r->heads + (size_t)r->size * (r->weighted ? 2 : 1);
    Rule now;
    if (!without_weight(t, r, growing, &now))
      continue;
    uint32_t *pool = ground_rule(to, now);
    if (words)
      memcpy(pool, g->pool.at + r->first, words * sizeof *pool);
  }
}

static void make_ground(const Target *t, const bool *growing, Ground *to) {
  const Ground *g = &t->ground;
  bool *dropped = memory_zero(g->atoms.n, sizeof *dropped);
  ground_without(g, dropped, to); /* the tables; rules follow anew */
  free(dropped);
  to->rules.n = to->pool.n = 0;
  to->sealed = false;
  copy_rules(t, growing, to);
  to->sealed = true;
  assert(ground_valid(to));
}

static CompileOptions compile_options(const Limits *limits) {
  CompileOptions options = compile_options_default();
  options.branches = BRANCHES;
  options.nodes = NODES;
  options.deadline = limits->deadline;
  options.stop = limits->stop;
  options.threads = 1;
  return options;
}

/* Weights at the foot: what grows is 0 there. */
static double *foot_weights(const Target *t, const double *weights, const bool *growing) {
  double *now = memory_zero(t->ground.weights.n, sizeof *now);
  for (size_t i = 0; i < t->ground.weights.n; i++)
    now[i] = growing[i] ? 0 : weights[i];
  return now;
}

Status ladder_foot(const Target *t, const double *weights, const bool *growing,
                   const Limits *limits, double *log_sum) {
  assert(t->ground.sealed && (growing || !t->ground.weights.n));
  Ground ground = {0};
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root = {0};
  CompileOptions options = compile_options(limits);
  make_ground(t, growing, &ground);
  analysis_make(&ground, &analysis);
  compile_begin(&compiled, &ground, &analysis, &options);
  Status status = compile_root(&compiled, t->evidence.at, t->evidence.n, NULL, 0, &root);
  *log_sum = NAN;
  if (status == OK) {
    CircuitValues values;
    double *now = foot_weights(t, weights, growing);
    circuit_values_make(&compiled.circuit, &values);
    circuit_evaluate(&compiled.circuit, now, &values);
    *log_sum = circuit_log_value(&compiled.circuit, &values, &root);
    circuit_values_free(&values);
    free(now);
  }
  circuit_root_free(&root);
  compile_free(&compiled);
  analysis_free(&analysis);
  ground_free(&ground);
  return status == LIMIT && limits_check(limits) == OK ? OK : status;
}
