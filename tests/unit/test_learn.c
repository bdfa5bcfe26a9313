/* test_learn.c - the parts of learning: eigenvalues, sums of log values and their
** derivatives, optimisers on the same objective, the public interface. */
#include "unit.h"

#include "compile/compile.h"
#include "learn/examine.h"
#include "learn/eigen.h"
#include "unit/random_program.h"

#include <stdio.h>

/* ---- eigenvalues --------------------------------------------------------------- */

static void eigenvectors(void **state) {
  (void)state;
  enum { N = 12 };
  Random random = random_make(1, 0);
  for (int round = 0; round < 50; round++) {
    double a[N * N], copy[N * N], values[N], vectors[N * N];
    for (unsigned i = 0; i < N; i++)
      for (unsigned k = 0; k <= i; k++)
        a[i * N + k] = a[k * N + i] = random_unit(&random) < 0.3 ? 0 : random_unit(&random) - 0.5;
    memcpy(copy, a, sizeof a);
    eigen_find(copy, N, values, vectors);
    for (unsigned e = 0; e < N; e++)
      for (unsigned i = 0; i < N; i++) {
        double product = 0, dot = 0;
        for (unsigned k = 0; k < N; k++) {
          product += a[i * N + k] * vectors[e * N + k];
          dot += vectors[e * N + k] * vectors[i * N + k];
        }
        assert_true(fabs(product - values[e] * vectors[e * N + i]) < 1e-12);
        assert_true(fabs(dot - (e == i)) < 1e-12);
      }
  }
}

/* ---- derivatives ------------------------------------------------------------------ */

enum { MOST_SEEN = 3 };

/* A random program and some observations of it: literals of one of its models. */
typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root, seen[MOST_SEEN];
  Lit literals[MOST_SEEN][MOST_ATOMS];
  size_t sizes[MOST_SEEN];
  double counts[MOST_SEEN];
  Mixture mixture;
  Limits limits;
  uint32_t place[MOST_WEIGHTS];
  Objective objective;
} Case;

static void observe(Case *k, Random *random, unsigned i) {
  const TestModel *m = &k->models.model[test_below(random, (unsigned)k->models.models)];
  static const double counts[] = {1, 3, 0.375, 1e12 + 7};
  k->sizes[i] = 0;
  for (unsigned a = 0; a < k->program.atoms; a++)
    if (test_chance(random, 60))
      k->literals[i][k->sizes[i]++] = lit_of(a, !(m->set >> a & 1));
  k->counts[i] = counts[test_below(random, 4)];
  assert_int_equal(compile_root(&k->compiled, k->literals[i], k->sizes[i], NULL, 0, &k->seen[i]),
                   OK);
}

static bool case_make(Case *k, Random *random) {
  static const TestStyle style = {7, 10, 35, 15, 10, 60, 10, 60};
  *k = (Case){0};
  test_program(random, &style, &k->program);
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  if (!k->models.models)
    return false;
  assert_int_equal(compile_root(&k->compiled, NULL, 0, NULL, 0, &k->root), OK);
  double sum = 0;
  for (unsigned i = 0; i < MOST_SEEN; i++) {
    observe(k, random, i);
    mixture_add(&k->mixture, &k->seen[i], k->counts[i]);
    sum += k->counts[i];
  }
  mixture_add(&k->mixture, &k->root, -sum);
  mixture_seal(&k->mixture);
  for (unsigned i = 0; i < k->program.weights; i++)
    k->place[i] = i;
  k->objective = (Objective){.mixture = &k->mixture,
                             .n = k->program.weights,
                             .place = k->place,
                             .count = sum,
                             .limits = &k->limits};
  objective_begin(&k->objective, &k->compiled.circuit, k->program.value);
  return true;
}

static void case_free(Case *k) {
  if (k->models.models)
    objective_free(&k->objective);
  mixture_free(&k->mixture);
  circuit_root_free(&k->root);
  for (unsigned i = 0; i < MOST_SEEN; i++)
    circuit_root_free(&k->seen[i]);
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

/* By enumeration. */
static double expected_value(Case *k, const double *w) {
  double value = 0;
  for (size_t m = 0; m < k->models.models; m++) {
    TestModel *model = &k->models.model[m];
    model->log_weight = 0;
    for (unsigned i = 0; i < k->program.weights; i++)
      model->log_weight -= w[i] * model->count[i];
  }
  double all = test_log_sum(&k->models, NULL, 0);
  for (unsigned i = 0; i < MOST_SEEN; i++)
    value += k->counts[i] * (test_log_sum(&k->models, k->literals[i], k->sizes[i]) - all);
  return value;
}

static void near(double found, double expected, double scale, const char *what) {
  if (fabs(found - expected) <= scale)
    return;
  fprintf(stderr, "%s: %.12g instead of %.12g\n", what, found, expected);
  fail();
}

static void derivatives(void **state) {
  (void)state;
  Random random = random_make(4, 0);
  for (int round = 0; round < 400; round++) {
    Case k;
    if (case_make(&k, &random)) {
      uint32_t n = k.objective.n;
      double w[MOST_WEIGHTS], g[MOST_WEIGHTS], up[MOST_WEIGHTS], down[MOST_WEIGHTS];
      double hessian[MOST_WEIGHTS * MOST_WEIGHTS], scale = k.objective.count;
      for (uint32_t i = 0; i < n; i++)
        w[i] = 4 * random_unit(&random) - 2;
      near(objective_value(&k.objective, w, g), expected_value(&k, w), 1e-10 * scale, "value");
      objective_hessian(&k.objective, hessian);
      for (uint32_t i = 0; i < n; i++) {
        double x = w[i], step = 1e-5;
        w[i] = x + step;
        double above = objective_value(&k.objective, w, up);
        w[i] = x - step;
        double below = objective_value(&k.objective, w, down);
        w[i] = x;
        near(g[i], (above - below) / (2 * step), 1e-6 * scale, "gradient");
        for (uint32_t j = 0; j < n; j++)
          near(hessian[i * n + j], (up[j] - down[j]) / (2 * step), 1e-6 * scale, "hessian");
      }
    }
    case_free(&k);
  }
}

/* L-BFGS and the trust region end at the same height from the same start, where
** there is one optimum: with a prior that makes the objective concave enough. */
static void optimisers(void **state) {
  (void)state;
  Random random = random_make(5, 0);
  for (int round = 0; round < 200; round++) {
    Case k;
    if (case_make(&k, &random)) {
      Objective *o = &k.objective;
      Point a = point_make(o->n), b = point_make(o->n);
      o->prior = (Prior){LPMLN_GAUSSIAN, 0, 0.1 / sqrt(o->count), 0};
      lbfgs_maximise(o, &a, 1000);
      newton_maximise(o, &b, 1000);
      near(a.value, b.value, 1e-9 * o->count, "lbfgs and newton");
      assert_true(a.converged && b.converged);
      point_free(&a);
      point_free(&b);
    }
    case_free(&k);
  }
}

/* ---- the public interface ------------------------------------------------------- */

static lpmln *problem(const char *program, const char *seen) {
  lpmln_options o = lpmln_options_default();
  o.worker = getenv("LPMLN_TEST_WORKER");
  lpmln *p = lpmln_new(&o);
  assert_non_null(p);
  assert_int_equal(lpmln_add_text(p, LPMLN_PROGRAM, "program", program, strlen(program)), LPMLN_OK);
  assert_int_equal(lpmln_add_text(p, LPMLN_EVIDENCE, "seen", seen, strlen(seen)), LPMLN_OK);
  return p;
}

static const char coin[] = "{flip}. @w(1) head :- flip.";
static const char flips[] = "flip. not head.\n--- 2\nflip. head.\n";

static void learns(void **state) {
  (void)state;
  lpmln *p = problem(coin, flips);
  const lpmln_learning *answer;
  assert_int_equal(lpmln_learn(p, NULL, &answer), LPMLN_OK);
  assert_true(answer->converged && answer->diagnosed);
  assert_int_equal(answer->weight_count, 1);
  assert_true(fabs(answer->weights[0].weight + log(4)) < 1e-9);
  assert_true(fabs(answer->log_likelihood - (2 * log(4) - 3 * log(6))) < 1e-9);
  assert_true(fabs(answer->weights[0].standard_error - sqrt(1.5)) < 1e-6);
  assert_non_null(strstr(answer->program, "-1.386294"));
  lpmln_learning_options o = lpmln_learning_options_default();
  o.noise = LPMLN_NOISE_ATOMS; /* a second question to the same problem */
  assert_int_equal(lpmln_learn(p, &o, &answer), LPMLN_OK);
  assert_int_equal(lpmln_learn(p, NULL, &answer), LPMLN_OK);
  assert_true(fabs(answer->weights[0].weight + log(4)) < 1e-9);
  lpmln_free(p);
}

static bool stop_at_two(void *data, const lpmln_iteration *now) {
  size_t *calls = data;
  ++*calls;
  assert_int_equal(now->count, 1);
  assert_string_equal(now->parameters[0], "1");
  return now->iteration < 2;
}

static void stops(void **state) {
  (void)state;
  lpmln *p = problem(coin, flips);
  lpmln_learning_options o = lpmln_learning_options_default();
  const lpmln_learning *answer;
  size_t calls = 0;
  o.progress = stop_at_two, o.progress_data = &calls;
  assert_int_equal(lpmln_learn(p, &o, &answer), LPMLN_OK);
  assert_false(answer->converged);
  assert_int_equal(calls, 2);
  lpmln_free(p);
}

static void refuses(void **state) {
  (void)state;
  lpmln_learning_options o = lpmln_learning_options_default();
  const lpmln_learning *answer;
  lpmln *p = problem("1 a.", "a.");
  assert_int_equal(lpmln_learn(p, NULL, &answer), LPMLN_INPUT); /* no parameter */
  assert_null(answer);
  lpmln_free(p);
  p = problem(coin, "head. not flip.");
  assert_int_equal(lpmln_learn(p, NULL, &answer), LPMLN_NO_ANSWER);
  assert_null(answer);
  o.bounded = true, o.lower = 1, o.upper = 0;
  assert_int_equal(lpmln_learn(p, &o, &answer), LPMLN_USAGE);
  lpmln_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvectors), cmocka_unit_test(derivatives), cmocka_unit_test(optimisers),
      cmocka_unit_test(learns),       cmocka_unit_test(stops),       cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
