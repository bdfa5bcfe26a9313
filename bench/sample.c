/* sample.c - the cost of uniform samples from a compiled program: `bench-sample
** PROGRAM EVIDENCE WORKER`.  Prints nanoseconds a sample: guessed atoms alone,
** and with the atoms that follow from them. */
#include "api/problem.h"

#include <stdio.h>

enum { SAMPLES = 1000000, EXTENDED = 50000 };

int main(int argc, char **argv) {
  lpmln_options options = lpmln_options_default();
  if (argc != 4)
    return 2;
  options.worker = argv[3];
  lpmln *p = lpmln_new(&options);
  lpmln_add_file(p, LPMLN_PROGRAM, argv[1]);
  lpmln_add_file(p, LPMLN_EVIDENCE, argv[2]);
  const char *bytes;
  size_t length;
  if (lpmln_compile(p, &bytes, &length) != LPMLN_OK)
    return 1;
  const Ground *g = &p->ground;
  Lit *evidence = memory_zero(g->violations.n, sizeof *evidence);
  for (size_t i = 0; i < g->violations.n; i++)
    evidence[i] = lit_of(g->violations.at[i].atom, true);
  CircuitRoot root = {0};
  if (compile_root(&p->compiled, evidence, g->violations.n, NULL, 0, &root) != LPMLN_OK)
    return 1;
  CircuitValues values;
  double *zero = memory_zero(g->weights.n, sizeof *zero);
  circuit_values_make(&p->compiled.circuit, &values);
  circuit_evaluate(&p->compiled.circuit, zero, &values);
  Random random = random_make(1, 0);
  bool *atoms = memory_zero(g->atoms.n, sizeof *atoms);
  double start = clock_now();
  for (int i = 0; i < SAMPLES; i++)
    circuit_sample(&p->compiled.circuit, &values, &root, &random, atoms);
  double middle = clock_now();
  for (int i = 0; i < EXTENDED; i++) {
    circuit_sample(&p->compiled.circuit, &values, &root, &random, atoms);
    strata_extend(g, &p->compiled.strata, atoms);
  }
  double end = clock_now();
  printf("%.1f %.1f\n", 1e9 * (middle - start) / SAMPLES, 1e9 * (end - middle) / EXTENDED);
  free(atoms);
  free(zero);
  free(evidence);
  circuit_values_free(&values);
  circuit_root_free(&root);
  lpmln_free(p);
  return 0;
}
