/* sample.c - the cost of uniform samples from a compiled program: `bench-sample
** PROGRAM EVIDENCE WORKER`.  Prints nanoseconds a sample: guessed atoms alone,
** and with the atoms that follow from them. */
#include "api/model.h"
#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 1000000, EXTENDED = 50000 };

int main(int argc, char **argv) {
  lpmln_options options = lpmln_options_default();
  if (argc != 4)
    return 2;
  options.worker = argv[3];
  lpmln_program *p = lpmln_program_new(&options);
  lpmln_program_add_file(p, LPMLN_PROGRAM, argv[1]);
  lpmln_program_add_file(p, LPMLN_EVIDENCE, argv[2]);
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  if (!m)
    return 1;
  const Ground *g = &m->sealed->is.ground;
  CircuitValues values;
  double *zero = memory_zero(g->weights.n, sizeof *zero);
  circuit_values_make(&m->circuit, &values);
  circuit_evaluate(&m->circuit, zero, &values);
  Random random = random_make(1, 0);
  bool *atoms = memory_zero(g->atoms.n, sizeof *atoms);
  double start = clock_now();
  for (int i = 0; i < SAMPLES; i++)
    circuit_sample(&m->circuit, &values, &m->observed, &random, atoms);
  double middle = clock_now();
  for (int i = 0; i < EXTENDED; i++) {
    circuit_sample(&m->circuit, &values, &m->observed, &random, atoms);
    strata_extend(g, &m->strata, atoms);
  }
  double end = clock_now();
  printf("%.1f %.1f\n", 1e9 * (middle - start) / SAMPLES, 1e9 * (end - middle) / EXTENDED);
  free(atoms);
  free(zero);
  circuit_values_free(&values);
  lpmln_model_free(m);
  return 0;
}
