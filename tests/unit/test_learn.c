/* test_learn.c - the parts of learning: eigenvalues, sums of log values and their
** derivatives, optimisers on the same objective, the public interface. */
#include "unit.h"

#include "base/limits.h"
#include "base/random.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "learn/eigen.h"
#include "learn/factors.h"
#include "learn/journal.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/portions.h"
#include "lpmln/lpmln.h"
#include "unit/random_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  Factors factors;
  Mixture mixture;
  Portions portions; /* or these, some of them in a file */
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

/* Each observation is a portion. */
static void divide(Case *k) {
  k->portions.most = 2000;
  for (unsigned i = 0; i < MOST_SEEN; i++) {
    Mixture both = {0}, observed = {0};
    mixture_add(&both, &k->seen[i], k->counts[i]);
    mixture_add(&both, &k->root, -k->counts[i]);
    mixture_add(&observed, &k->seen[i], k->counts[i]);
    mixture_seal(&both);
    mixture_seal(&observed);
    assert_int_equal(portions_add(&k->portions, &k->compiled.circuit, &both, &observed, &k->limits),
                     OK);
    mixture_free(&both);
    mixture_free(&observed);
  }
}

/* As they are, taken apart, or in portions: the same. */
static void mix(Case *k, Random *random, double sum) {
  unsigned way = test_below(random, 3);
  for (unsigned i = 0; i < MOST_SEEN && way == 0; i++)
    mixture_add(&k->mixture, &k->seen[i], k->counts[i]);
  if (way == 1)
    factors_add(&k->factors, &k->compiled.circuit, k->seen, MOST_SEEN);
  for (unsigned i = 0; i < MOST_SEEN && way == 1; i++)
    factors_mix(&k->factors, i, &k->root, k->counts[i], &k->mixture);
  if (way < 2)
    mixture_add(&k->mixture, &k->root, -sum);
  else
    divide(k);
  mixture_seal(&k->mixture);
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
    sum += k->counts[i];
  }
  mix(k, random, sum);
  for (unsigned i = 0; i < k->program.weights; i++)
    k->place[i] = i;
  k->objective = (Objective){.mixture = &k->mixture,
                             .portions = &k->portions,
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
  factors_free(&k->factors);
  mixture_free(&k->mixture);
  portions_free(&k->portions);
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

/* L-BFGS, the trust region and Adam end at the same height from the same start, where
** there is one optimum: with a prior that makes the objective concave enough. */
static void optimisers(void **state) {
  (void)state;
  Random random = random_make(5, 0);
  for (int round = 0; round < 200; round++) {
    Case k;
    if (case_make(&k, &random)) {
      Objective *o = &k.objective;
      Point a = point_make(o->n), b = point_make(o->n);
      o->prior = (Prior){.kind = LPMLN_GAUSSIAN, .deviation = 0.1 / sqrt(o->count)};
      lbfgs_maximise(o, &a, 1000);
      newton_maximise(o, &b, 1000);
      near(a.value, b.value, 1e-9 * o->count, "lbfgs and newton");
      assert_true(a.converged && b.converged);
      if (k.portions.list.n) {
        memset(b.w, 0, o->n * sizeof *b.w);
        adam_maximise(o, &b, (Adam){.rate = 0.1}, 20000);
        near(b.value, a.value, 1e-9 * o->count, "lbfgs and adam");
        assert_true(b.converged);
      }
      point_free(&a);
      point_free(&b);
    }
    case_free(&k);
  }
}

/* ---- the public interface ---------------------------------------------------------- */

static lpmln_program *program_of(const char *program, const char *seen) {
  lpmln_options o = lpmln_options_default();
  o.worker = getenv("LPMLN_TEST_WORKER");
  lpmln_program *p = lpmln_program_new(&o);
  assert_non_null(p);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "program", program, strlen(program)),
                   LPMLN_OK);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_EVIDENCE, "seen", seen, strlen(seen)), LPMLN_OK);
  return p;
}

/* The answer's status; its content is gone. */
static lpmln_status status_of(lpmln_program *p, const lpmln_learning_options *o) {
  const lpmln_learning *answer = lpmln_learn(p, o);
  lpmln_status status = answer->about.status;
  assert_true(!answer->weights == (answer->about.method == LPMLN_AUTO));
  lpmln_answer_free(answer);
  return status;
}

static const char coin[] = "{flip}. @w(1) head :- flip.";
static const char flips[] = "flip. not head.\n--- 2\nflip. head.\n";

static void learns(void **state) {
  (void)state;
  lpmln_program *p = program_of(coin, flips);
  const lpmln_learning *answer = lpmln_learn(p, NULL);
  assert_int_equal(answer->about.status, LPMLN_OK);
  lpmln_learning_options o = lpmln_learning_options_default();
  o.noise = LPMLN_NOISE_ATOMS; /* a second question to the same program */
  assert_int_equal(status_of(p, &o), LPMLN_OK);
  const lpmln_learning *again = lpmln_learn(p, NULL);
  assert_int_equal(again->about.status, LPMLN_OK);
  assert_true(again->weights[0].weight == answer->weights[0].weight);
  lpmln_answer_free(again);
  lpmln_program_free(p); /* the answer stays */
  assert_true(answer->converged && answer->diagnosed);
  assert_true(answer->about.exact && answer->about.complete);
  assert_int_equal(answer->weight_count, 1);
  assert_true(fabs(answer->weights[0].weight + log(4)) < 1e-9);
  assert_true(fabs(answer->log_likelihood - (2 * log(4) - 3 * log(6))) < 1e-9);
  assert_true(fabs(answer->weights[0].standard_error - sqrt(1.5)) < 1e-6);
  assert_non_null(strstr(answer->program, "-1.386294"));
  lpmln_answer_free(answer);
}

/* An observation that only noise explains: without noise atoms it is refused. */
static void absorbs(void **state) {
  (void)state;
  lpmln_program *p = program_of(coin, "flip. head.\n---\nhead. not flip.\n---\nflip. not head.");
  lpmln_learning_options o = lpmln_learning_options_default();
  assert_int_equal(status_of(p, &o), LPMLN_NO_ANSWER);
  o.noise = LPMLN_NOISE_ATOMS;
  const lpmln_learning *answer = lpmln_learn(p, &o);
  assert_int_equal(answer->about.status, LPMLN_OK);
  assert_non_null(strstr(answer->about.messages, "observation 2 is impossible but for noise"));
  assert_null(strstr(answer->about.messages, "observation 1"));
  assert_true(answer->observations == 3);
  assert_non_null(strstr(answer->program, "noise")); /* what was learned is about both */
  lpmln_answer_free(answer);
  o.noise = LPMLN_DROP;
  answer = lpmln_learn(p, &o);
  assert_int_equal(answer->about.status, LPMLN_OK);
  assert_true(answer->dropped == 1 && answer->observations == 2);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
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
  lpmln_program *p = program_of(coin, flips);
  lpmln_learning_options o = lpmln_learning_options_default();
  size_t calls = 0;
  o.progress = stop_at_two, o.progress_data = &calls;
  const lpmln_learning *answer = lpmln_learn(p, &o);
  assert_int_equal(answer->about.status, LPMLN_OK);
  assert_false(answer->converged);
  assert_int_equal(calls, 2);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

static void refuses(void **state) {
  (void)state;
  lpmln_learning_options o = lpmln_learning_options_default();
  lpmln_program *p = program_of("1 a.", "a.");
  assert_int_equal(status_of(p, NULL), LPMLN_INPUT); /* no parameter */
  lpmln_program_free(p);
  p = program_of(coin, "head. not flip.");
  assert_int_equal(status_of(p, NULL), LPMLN_NO_ANSWER);
  o.bounded = true, o.lower = 1, o.upper = 0;
  assert_int_equal(status_of(p, &o), LPMLN_USAGE);
  o = lpmln_learning_options_default();
  o.prior = LPMLN_GAUSSIAN, o.prior_deviation = 0;
  assert_int_equal(status_of(p, &o), LPMLN_USAGE);
  o = lpmln_learning_options_default();
  o.optimizer = LPMLN_ASCENT, o.rate = NAN;
  assert_int_equal(status_of(p, &o), LPMLN_USAGE);
  lpmln_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvectors), cmocka_unit_test(derivatives), cmocka_unit_test(optimisers),
      cmocka_unit_test(learns),       cmocka_unit_test(absorbs),     cmocka_unit_test(stops),
      cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
