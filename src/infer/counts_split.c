/* counts_split.c - expected counts from a circuit.
**
** A circuit counts by weight, and several rules may share one.  So the program is compiled
** once more with a weight of its own for each pair of rule and weight. */
#include "infer/counts.h"

#include "base/memory.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "infer/exact.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Ground ground; /* the task's but for instances and weights */
  Analysis analysis;
  Compiled compiled;
  bool compiling;
  double *weights;
  uint32_t *row; /* by weight */
} Split;

typedef struct {
  uint32_t soft, weight, instance;
} Use;

static int compare_uses(const void *a, const void *b) {
  const Use *x = a, *y = b;
  if (x->soft != y->soft)
    return x->soft < y->soft ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

/* A weight for each pair; weights that nobody uses have none. */
static void split_weights(const Task *t, const Counts *c, Split *s) {
  const Ground *g = t->ground;
  size_t n = 0, made = 0;
  Use *uses = memory_zero(g->instances.n, sizeof *uses);
  for (uint32_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].weight != NONE)
      uses[n++] = (Use){g->instances.at[i].soft, g->instances.at[i].weight, i};
  if (n)
    qsort(uses, n, sizeof *uses, compare_uses);
  s->ground.weights.at = memory_zero(n, sizeof *s->ground.weights.at);
  s->weights = memory_zero(n, sizeof *s->weights);
  s->row = memory_zero(n, sizeof *s->row);
  for (size_t i = 0; i < n; i++) {
    if (!i || compare_uses(&uses[i - 1], &uses[i])) {
      s->ground.weights.at[made] = g->weights.at[uses[i].weight];
      s->ground.weights.at[made].soft = uses[i].soft;
      s->weights[made] = t->weights[uses[i].weight];
      s->row[made++] = c->of[uses[i].instance];
    }
    s->ground.instances.at[uses[i].instance].weight = (uint32_t)(made - 1);
  }
  s->ground.weights.n = made;
  free(uses);
}

static void split_begin(const Task *t, const Counts *c, Split *s) {
  const Ground *g = t->ground;
  *s = (Split){.ground = *g};
  s->ground.instances.at = memory_zero(g->instances.n, sizeof *s->ground.instances.at);
  if (g->instances.n)
    memcpy(s->ground.instances.at, g->instances.at, g->instances.n * sizeof *g->instances.at);
  split_weights(t, c, s);
  analysis_make(&s->ground, &s->analysis);
}

static void split_free(Split *s) {
  if (s->compiling)
    compile_free(&s->compiled);
  analysis_free(&s->analysis);
  free(s->ground.instances.at);
  free(s->ground.weights.at);
  free(s->weights);
  free(s->row);
}

static void add(const Split *s, const Circuit *circuit, const CircuitValues *values,
                const CircuitRoot *root, double *by_row) {
  assert(circuit->weights == s->ground.weights.n);
  double *sum = memory_zero(circuit->weights, sizeof *sum);
  circuit_expectations(circuit, values, root, 1, sum);
  for (uint32_t w = 0; w < circuit->weights; w++)
    if (s->row[w] != NONE)
      by_row[s->row[w]] += sum[w];
  free(sum);
}

Status counts_exactly(const Task *t, Counts *c) {
  assert(t->hard_bound == NONE);
  Split s;
  split_begin(t, c, &s);
  Task own = *t;
  own.ground = &s.ground, own.analysis = &s.analysis, own.weights = s.weights;
  own.compiled = &s.compiled, own.compiling = &s.compiling;
  ExactRoots roots;
  Status status = exact_roots(&own, &roots);
  if (status == OK) {
    CircuitValues values;
    const Circuit *circuit = &roots.c->circuit;
    circuit_values_make(circuit, &values);
    circuit_evaluate(circuit, s.weights, &values);
    add(&s, circuit, &values, &roots.program, c->value[0]);
    add(&s, circuit, &values, &roots.observed, c->value[1]);
    circuit_values_free(&values);
  }
  exact_roots_free(&roots);
  split_free(&s);
  return status;
}
