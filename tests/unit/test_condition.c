/* test_condition.c - circuits with atoms set, against all models by brute force: number,
** weight, the best of them, samples; and every invariant of the result. */
#include "unit.h"

#include "compile/compile.h"
#include "infer/told.h"
#include "unit/random_program.h"

enum { CASES = 300, ROUNDS = 4 };

static const TestStyle styles[] = {
    {9, 14, 45, 15, 10, 55, 8, 70}, /* everything */
    {8, 9, 70, 0, 0, 40, 15, 60},   /* many inputs */
    {10, 10, 60, 0, 5, 30, 0, 80},  /* small components */
};

typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root;
  Told told;
} Case;

static bool case_make(Case *k, Random *random, const TestStyle *style) {
  *k = (Case){0};
  test_program(random, style, &k->program);
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  Atom wanted[MOST_ATOMS];
  size_t n = 0;
  for (unsigned a = 0; a < k->program.atoms; a++)
    if (test_chance(random, 60))
      wanted[n++] = a;
  assert_int_equal(compile_root(&k->compiled, NULL, 0, wanted, n, &k->root), OK);
  assert_int_equal(circuit_possible(&k->root), k->models.models > 0);
  if (k->models.models)
    told_make(&k->told, &k->compiled.circuit, &k->root);
  return k->models.models > 0;
}

static void case_free(Case *k) {
  told_free(&k->told);
  circuit_root_free(&k->root);
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

typedef struct {
  Lit evidence[MOST_ATOMS];
  size_t n;
  int8_t value[MOST_ATOMS];
} Seen;

static void see(const Case *k, Random *random, Seen *seen) {
  unsigned percent = test_below(random, 70);
  seen->n = 0;
  for (Atom a = 0; a < k->program.atoms; a++) {
    seen->value[a] = -1;
    if (!told_has(&k->told, a) || !test_chance(random, percent))
      continue;
    seen->value[a] = (int8_t)test_below(random, 2);
    seen->evidence[seen->n++] = lit_of(a, !seen->value[a]);
  }
}

static size_t count_models(const Case *k, const Seen *seen) {
  size_t count = 0;
  for (size_t i = 0; i < k->models.models; i++)
    count += test_agrees(&k->models.model[i], seen->evidence, seen->n);
  return count;
}

/* Values of the told atoms are those of a model. */
static void expect_model(const Case *k, const Seen *seen, const bool *atoms, double log_weight) {
  bool found = false;
  for (size_t i = 0; !found && i < k->models.models; i++) {
    const TestModel *m = &k->models.model[i];
    found = test_agrees(m, seen->evidence, seen->n) &&
            (isnan(log_weight) || fabs(m->log_weight - log_weight) < 1e-9);
    for (Atom a = 0; found && a < k->program.atoms; a++)
      found = !told_has(&k->told, a) || atoms[a] == (m->set >> a & 1);
  }
  assert_true(found);
}

static void expect_best(const Case *k, const Seen *seen, const Circuit *c,
                        const CircuitRoot *root) {
  bool atoms[MOST_ATOMS] = {false};
  double before = INFINITY;
  size_t n = 0;
  CircuitBest *best = circuit_best_make(c, root, k->program.value);
  for (Log found; circuit_best_next(best, atoms, &found); n++) {
    double weight = log_double(found);
    assert_true(weight <= before + 1e-9);
    before = weight;
    expect_model(k, seen, atoms, weight);
  }
  assert_int_equal(n, count_models(k, seen));
  circuit_best_free(best);
}

static void expect_numbers(const Case *k, const Seen *seen, Random *random, const Circuit *c,
                           const CircuitRoot *root) {
  CircuitValues values;
  circuit_values_make(c, &values);
  circuit_evaluate(c, k->program.value, &values);
  double log_value = circuit_log_value(c, &values, root);
  assert_true(fabs(log_value - test_log_sum(&k->models, seen->evidence, seen->n)) < 1e-9);
  Probability marginals[MOST_ATOMS];
  circuit_marginals(c, &values, root, marginals);
  for (Atom a = 0; a < k->program.atoms; a++) {
    if (!told_has(&k->told, a))
      continue;
    Seen more = *seen;
    more.evidence[more.n++] = lit_of(a, false);
    double p = exp(test_log_sum(&k->models, more.evidence, more.n) - log_value);
    assert_true(fabs(marginals[a].value - p) < 1e-9);
  }
  for (int i = 0; i < 5; i++) {
    bool atoms[MOST_ATOMS] = {false};
    circuit_sample(c, &values, root, random, atoms);
    expect_model(k, seen, atoms, NAN);
  }
  char *count = circuit_count(c, root);
  assert_int_equal(strtoull(count, NULL, 10), count_models(k, seen));
  free(count);
  circuit_values_free(&values);
}

static size_t possible, impossible;

static void check(const Case *k, Random *random) {
  Seen seen;
  Circuit c;
  CircuitRoot root;
  see(k, random, &seen);
  circuit_condition(&k->compiled.circuit, &k->root, seen.value, &c, &root);
  assert_null(circuit_check(&c, &root, 1));
  bool there = count_models(k, &seen) > 0;
  *(there ? &possible : &impossible) += 1;
  assert_int_equal(circuit_possible(&root), there);
  if (there) {
    expect_numbers(k, &seen, random, &c, &root);
    expect_best(k, &seen, &c, &root);
  }
  circuit_root_free(&root);
  circuit_free(&c);
}

static void random_circuits(void **state) {
  (void)state;
  Random random = random_make(23, 0);
  size_t cases = 0;
  for (size_t i = 0; cases < CASES && i < 20 * CASES; i++) {
    Case k;
    if (case_make(&k, &random, &styles[i % (sizeof styles / sizeof *styles)]) &&
        k.models.models <= 300) {
      for (int round = 0; round < ROUNDS; round++)
        check(&k, &random);
      cases++;
    }
    case_free(&k);
  }
  assert_int_equal(cases, CASES);
  assert_true(possible > CASES && impossible > CASES / 4);
}

/* Copies of one component: only those with evidence are taken apart. */
static void copies(void **state) {
  (void)state;
  enum { COPIES = 6 };
  Ground g;
  test_begin(&g);
  vec_push(&g.weights, (Weight){.value = 0.5, .name = NONE});
  for (uint32_t i = 0; i < COPIES; i++) {
    Atom a = ground_atom(&g, NULL);
    vec_push(&g.instances, (Instance){.weight = 0});
    uint32_t *rule = ground_rule(&g, (Rule){.heads = 1, .instance = i});
    rule[0] = a;
  }
  ground_seal(&g);
  Analysis an;
  analysis_make(&g, &an);
  CompileOptions options = compile_options_default();
  Compiled compiled;
  compile_begin(&compiled, &g, &an, &options);
  CircuitRoot root = {0}, made;
  assert_int_equal(compile_root(&compiled, NULL, 0, NULL, 0, &root), OK);
  int8_t value[COPIES] = {-1, 1, -1, 0, -1, -1};
  Circuit c;
  circuit_condition(&compiled.circuit, &root, value, &c, &made);
  assert_null(circuit_check(&c, &made, 1));
  CircuitValues v;
  circuit_values_make(&c, &v);
  circuit_evaluate(&c, (double[]){0.5}, &v);
  assert_true(fabs(circuit_log_value(&c, &v, &made) - (4 * log(1 + exp(-0.5)) - 0.5)) < 1e-12);
  Probability marginals[COPIES];
  circuit_marginals(&c, &v, &made, marginals);
  for (size_t i = 0; i < COPIES; i++)
    assert_true(fabs(marginals[i].value - (value[i] >= 0 ? value[i] : 1 / (1 + exp(-0.5)))) <
                1e-12);
  char *count = circuit_count(&c, &made);
  assert_string_equal(count, "16");
  free(count);
  circuit_values_free(&v);
  circuit_root_free(&made);
  circuit_free(&c);
  circuit_root_free(&root);
  compile_free(&compiled);
  analysis_free(&an);
  ground_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_circuits), cmocka_unit_test(copies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
