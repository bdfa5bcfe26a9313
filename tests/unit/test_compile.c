/* test_compile.c - compiled random programs against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compile/compile.h"
#include "unit/random_program.h"

enum { PROGRAMS = 1500 };

static const TestStyle styles[] = {
    {6, 9, 40, 10, 10, 25, 15, 60},  /* a bit of everything */
    {7, 11, 50, 0, 0, 40, 5, 80},    /* loops through choice and soft rules */
    {6, 8, 15, 70, 10, 30, 5, 75},   /* disjunction, many head cycles */
    {6, 9, 35, 10, 60, 20, 10, 75},  /* weight bodies, many in loops */
    {7, 12, 10, 5, 10, 10, 10, 35},  /* negation */
    {8, 8, 40, 15, 10, 70, 20, 60},  /* soft rules of every kind */
    {10, 14, 45, 20, 15, 35, 5, 75}, /* larger */
};
enum { STYLES = sizeof styles / sizeof *styles };

/* One program with all that is known about it. */
typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  double weights[MOST_WEIGHTS];
} Case;

static void case_make(Case *k, Random *random, const TestStyle *style,
                      Foundedness foundedness) {
  test_program(random, style, &k->program);
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  options.foundedness = foundedness;
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  memcpy(k->weights, k->program.value, sizeof k->weights);
}

static void case_free(Case *k) {
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

static void near(const Case *k, double found, double expected, const char *what) {
  double scale = fabs(expected) > 1 ? fabs(expected) : 1;
  if (found == expected || fabs(found - expected) <= 1e-9 * scale)
    return;
  fprintf(stderr, "%s: %.12g instead of %.12g\n", what, found, expected);
  test_print(&k->program);
  fail();
}

static void sound(const Case *k, const CircuitRoot *root) {
  const char *wrong = circuit_check(&k->compiled.circuit, root, 1);
  if (!wrong)
    return;
  fprintf(stderr, "circuit_check: %s\n", wrong);
  test_print(&k->program);
  fail();
}

/* Marginals of all atoms and expected counts, given the evidence. */
static void check_expectations(Case *k, const CircuitValues *v, const CircuitRoot *root,
                               const Lit *evidence, size_t n, double log_sum) {
  const TestModels *m = &k->models;
  double marginal[MOST_ATOMS], expected[MOST_WEIGHTS] = {0};
  for (unsigned a = 0; a < k->program.atoms; a++)
    marginal[a] = k->ground.atoms.at[a].truth == ATOM_CERTAIN;
  circuit_marginals(&k->compiled.circuit, v, root, marginal);
  circuit_expectations(&k->compiled.circuit, v, root, 1, expected);
  for (size_t i = 0; i < m->models; i++) {
    if (!test_agrees(&m->model[i], evidence, n))
      continue;
    double p = exp(m->model[i].log_weight - log_sum);
    for (unsigned a = 0; a < k->program.atoms; a++)
      marginal[a] -= m->model[i].set >> a & 1 ? p : 0;
    for (unsigned w = 0; w < k->program.weights; w++)
      expected[w] -= p * m->model[i].count[w];
  }
  for (unsigned a = 0; a < k->program.atoms; a++)
    near(k, marginal[a], 0, "marginal - true one");
  for (unsigned w = 0; w < k->program.weights; w++)
    near(k, expected[w], 0, "expected count - true one");
}

static size_t count_models(const TestModels *m, const Lit *evidence, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < m->models; i++)
    count += test_agrees(&m->model[i], evidence, n);
  return count;
}

static double weight_of(const Case *k, unsigned set) {
  for (size_t i = 0; i < k->models.models; i++)
    if (k->models.model[i].set == set)
      return k->models.model[i].log_weight;
  return NAN;
}

/* All models come, once each, in order, with their weights; only the guessed
** atoms are known from the circuit, the others by extension. */
static void check_best(Case *k, const CircuitRoot *root, const Lit *evidence, size_t n) {
  CircuitBest *best = circuit_best_make(&k->compiled.circuit, root, k->weights);
  size_t count = 0;
  bool atoms[MOST_ATOMS] = {false}, *seen = calloc(1u << k->program.atoms, 1);
  double log_weight, last = INFINITY;
  while (circuit_best_next(best, atoms, &log_weight)) {
    strata_extend(&k->ground, &k->compiled.strata, atoms);
    unsigned set = 0;
    for (unsigned a = 0; a < k->program.atoms; a++)
      set |= (unsigned)atoms[a] << a;
    near(k, log_weight, weight_of(k, set), "weight of a best model");
    assert_true(log_weight <= last + 1e-9);
    assert_false(seen[set]);
    seen[set] = true;
    last = log_weight;
    count++;
  }
  assert_int_equal(count, count_models(&k->models, evidence, n));
  free(seen);
  circuit_best_free(best);
}

static void check_root(Case *k, const Lit *evidence, size_t n, const Atom *wanted,
                       size_t wants) {
  CircuitRoot root = {0};
  assert_int_equal(compile_root(&k->compiled, evidence, n, wanted, wants, &root), OK);
  sound(k, &root);
  CircuitValues v;
  circuit_values_make(&k->compiled.circuit, &v);
  circuit_evaluate(&k->compiled.circuit, k->weights, &v);
  double log_sum = test_log_sum(&k->models, evidence, n);
  near(k, circuit_log_value(&k->compiled.circuit, &v, &root), log_sum, "log value");
  char *count = circuit_count(&k->compiled.circuit, &root), expected[32];
  snprintf(expected, sizeof expected, "%zu", count_models(&k->models, evidence, n));
  assert_string_equal(count, expected);
  free(count);
  assert_int_equal(circuit_possible(&root), isfinite(log_sum));
  if (circuit_possible(&root) && wants)
    check_expectations(k, &v, &root, evidence, n, log_sum);
  check_best(k, &root, evidence, n);
  circuit_values_free(&v);
  circuit_root_free(&root);
}

static size_t random_evidence(Random *random, const TestProgram *p, Lit *evidence) {
  size_t n = test_below(random, 4);
  for (size_t i = 0; i < n; i++)
    evidence[i] = test_below(random, 2 * p->atoms);
  return n;
}

static void check_case(Case *k, Random *random) {
  Atom all[MOST_ATOMS];
  Lit evidence[4];
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a;
  check_root(k, NULL, 0, NULL, 0);
  check_root(k, NULL, 0, all, k->program.atoms);
  for (int i = 0; i < 3; i++) {
    size_t n = random_evidence(random, &k->program, evidence);
    check_root(k, evidence, n, all, i ? k->program.atoms : 0);
  }
}

static void check_programs(Foundedness foundedness, uint64_t seed) {
  Random random = random_make(seed, 0);
  for (int i = 0; i < PROGRAMS; i++) {
    Case k = {0};
    case_make(&k, &random, &styles[i % STYLES], foundedness);
    check_case(&k, &random);
    case_free(&k);
  }
}

static void test_by_twins(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_TWINS, 1);
}

static void test_by_formula(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_FORMULA, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_twins),
      cmocka_unit_test(test_by_formula),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
