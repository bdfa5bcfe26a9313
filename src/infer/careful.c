/* careful.c - see careful.h. */
#include "infer/careful.h"

#include "base/memory.h"
#include "circuit/circuit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define LARGE 1e5 /* sums of such ln lose 1e-11 */

bool careful_needed(const double *weights, size_t n) {
  assert(weights || !n);
  for (size_t i = 0; i < n; i++)
    if (fabs(weights[i]) > LARGE)
      return true;
  return false;
}

static void evaluate_program(CarefulRow *r, const Told *program, const double *weights) {
  CircuitValues values;
  circuit_values_make(program->circuit, &values);
  circuit_evaluate(program->circuit, weights, &values);
  r->prior = circuit_log(program->circuit, &values, program->root);
  circuit_expectations(program->circuit, &values, program->root, 1, r->prior_counts);
  circuit_values_free(&values);
}

static void evaluate_observed(CarefulRow *r, const Told *told, const double *weights,
                              const int8_t *value) {
  Circuit circuit;
  CircuitRoot root;
  CircuitValues values;
  circuit_condition(told->circuit, told->root, value, &circuit, &root);
  r->observed = (Log){0, -INFINITY};
  if (circuit_possible(&root)) {
    circuit_values_make(&circuit, &values);
    circuit_evaluate(&circuit, weights, &values);
    r->observed = circuit_log(&circuit, &values, &root);
    circuit_marginals(&circuit, &values, &root, r->marginals);
    circuit_expectations(&circuit, &values, &root, 1, r->counts);
    circuit_values_free(&values);
  }
  circuit_root_free(&root);
  circuit_free(&circuit);
}

void careful_evaluate(CarefulRow *r, const Told *told, const Told *program, const double *weights,
                      const int8_t *value) {
  assert(told->circuit->weights == program->circuit->weights);
  size_t n = told->circuit->weights;
  *r = (CarefulRow){.marginals = memory_zero(told->circuit->atoms, sizeof *r->marginals),
                    .counts = memory_zero(n, sizeof *r->counts),
                    .prior_counts = memory_zero(n, sizeof *r->prior_counts)};
  evaluate_program(r, program, weights);
  evaluate_observed(r, told, weights, value);
}

void careful_free(CarefulRow *r) {
  free(r->marginals);
  free(r->counts);
  free(r->prior_counts);
}
