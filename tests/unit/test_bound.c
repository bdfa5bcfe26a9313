/* test_bound.c - bounds of random programs that are interrupted at random moments: the truth, by
** brute force, is inside, later bounds are inside earlier ones, and in the end they close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compile/intervals.h"
#include "unit/random_program.h"

static const TestStyle styles[] = {
    {6, 9, 40, 10, 10, 25, 15, 60},  /* a bit of everything */
    {7, 11, 50, 0, 0, 40, 5, 80},    /* loops through choice and soft rules */
    {6, 8, 15, 70, 10, 30, 5, 75},   /* disjunction, many head cycles */
    {6, 9, 35, 10, 60, 20, 10, 75},  /* weight bodies, many in loops */
    {8, 8, 40, 15, 10, 70, 20, 60},  /* soft rules of every kind */
    {10, 14, 45, 20, 15, 35, 5, 75}, /* larger */
};
enum { STYLES = sizeof styles / sizeof *styles };

static unsigned programs(void) { return getenv("LONG") ? 5000 : 600; }

#define OWN_ERROR 1e-12 /* of brute force, in doubles */

typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  Lit evidence[4];
  size_t evidences;
  double log_all, log_given; /* by brute force */
  Intervals intervals;
  Interval before[MOST_ATOMS];
} Case;

static void case_make(Case *k, Random *random, unsigned i) {
  double stretch = i % 5 ? 1 : 40; /* weights that hardly leave a choice */
  test_program(random, &styles[i % STYLES], &k->program);
  for (unsigned w = 0; w < MOST_WEIGHTS; w++)
    k->program.value[w] *= stretch;
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  k->evidences = test_below(random, 4);
  for (size_t e = 0; e < k->evidences; e++)
    k->evidence[e] = test_below(random, 2 * k->program.atoms);
  k->log_all = test_log_sum(&k->models, NULL, 0);
  k->log_given = test_log_sum(&k->models, k->evidence, k->evidences);
  Atom all[MOST_ATOMS];
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a, k->before[a] = (Interval){0, 1};
  intervals_begin(&k->intervals, &k->compiled, k->evidence, k->evidences, all, k->program.atoms,
                  k->program.value);
}

static void case_free(Case *k) {
  intervals_free(&k->intervals);
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

static void inside(const Case *k, Interval found, double truth, double error, const char *what) {
  if (truth >= found.lower - error && truth <= found.upper + error)
    return;
  fprintf(stderr, "%s: %.17g is not in [%.17g, %.17g]\n", what, truth, found.lower, found.upper);
  test_print(&k->program);
  for (size_t i = 0; i < k->evidences; i++)
    fprintf(stderr, "evidence %s%u\n", k->evidence[i] & 1 ? "not a" : "a", k->evidence[i] / 2);
  fail();
}

static double truth_of(const Case *k, Atom a) {
  double p = 0;
  for (size_t i = 0; i < k->models.models; i++)
    if (test_agrees(&k->models.model[i], k->evidence, k->evidences) &&
        k->models.model[i].set >> a & 1)
      p += exp(k->models.model[i].log_weight - k->log_given);
  return p;
}

/* Everything that is said now, against brute force. */
static void check_now(Case *k) {
  bool possible = isfinite(k->log_given);
  int known = intervals_possible(&k->intervals);
  assert_true(known < 0 || known == possible);
  if (isfinite(k->log_all))
    inside(k, intervals_log_partition(&k->intervals), k->log_all,
           OWN_ERROR * fabs(k->log_all) + OWN_ERROR, "ln Z");
  if (!possible)
    return;
  inside(k, intervals_log_evidence(&k->intervals), k->log_given - k->log_all, 1e-10,
         "ln P(evidence)");
  Interval found[MOST_ATOMS];
  for (unsigned a = 0; a < k->program.atoms; a++) {
    Truth truth = k->ground.atoms.at[a].truth;
    found[a] = (Interval){truth == ATOM_CERTAIN, truth != ATOM_IMPOSSIBLE};
  }
  intervals_probabilities(&k->intervals, found);
  for (unsigned a = 0; a < k->program.atoms; a++) {
    inside(k, found[a], truth_of(k, a), OWN_ERROR, "probability");
    assert_true(found[a].lower >= k->before[a].lower && found[a].upper <= k->before[a].upper);
    k->before[a] = found[a];
  }
}

/* Goes on in steps of random work; each is an interruption. */
static size_t interrupt(Case *k, Random *random) {
  size_t stops = 0;
  check_now(k);
  while (!intervals_closed(&k->intervals, 0, true) && stops < 2000) {
    BoundLimits limits = {.work = 1 + test_below(random, 300u << test_below(random, 6))};
    assert_int_equal(intervals_turn(&k->intervals, 0, true, &limits), OK);
    k->intervals.slice = 1 + test_below(random, 1000);
    check_now(k);
    stops++;
  }
  assert_true(stops < 2000);
  return stops;
}

static void test_truth_inside(void **state) {
  (void)state;
  Random random = random_make(11, 0);
  size_t stops = 0, ran = 0;
  for (unsigned i = 0; i < programs(); i++, ran++) {
    Case k = {0};
    case_make(&k, &random, i);
    stops += interrupt(&k, &random);
    if (isfinite(k.log_given)) {
      assert_true(intervals_width(&k.intervals) < 1e-11);
      assert_int_equal(intervals_possible(&k.intervals), 1);
      assert_true(intervals_explored(&k.intervals) == 1);
    }
    case_free(&k);
  }
  assert_int_equal(ran, programs());
  assert_true(stops > 2 * ran); /* they were interrupted, indeed */
}

/* ---- the best model ----------------------------------------------------------------------- */

static double best_of(const Case *k) {
  double best = -INFINITY;
  for (size_t i = 0; i < k->models.models; i++)
    if (test_agrees(&k->models.model[i], k->evidence, k->evidences))
      best = fmax(best, k->models.model[i].log_weight);
  return best;
}

static size_t interrupt_best(Case *k, Random *random, double best) {
  size_t stops = 0;
  double error = OWN_ERROR * fabs(best) + OWN_ERROR;
  Interval before = intervals_log_best(&k->intervals);
  inside(k, before, best, error, "best log weight");
  while (!intervals_closed(&k->intervals, 0, true) && stops < 2000) {
    BoundLimits limits = {.work = 1 + test_below(random, 30)};
    assert_int_equal(intervals_turn(&k->intervals, 0, true, &limits), OK);
    k->intervals.slice = 1 + test_below(random, 20);
    Interval now = intervals_log_best(&k->intervals);
    inside(k, now, best, error, "best log weight");
    assert_true(now.upper <= before.upper + 1e-9 && now.lower >= before.lower - 1e-9);
    before = now;
    stops++;
  }
  assert_true(stops < 2000);
  assert_true(before.upper - before.lower < 1e-9 * (1 + fabs(best)));
  return stops;
}

static void test_best_inside(void **state) {
  (void)state;
  Random random = random_make(12, 0);
  size_t stops = 0, ran = 0;
  for (unsigned i = 0; i < programs(); i++) {
    Case k = {0};
    case_make(&k, &random, i);
    double best = best_of(&k);
    intervals_free(&k.intervals);
    intervals_begin_best(&k.intervals, &k.compiled, k.evidence, k.evidences, k.program.value);
    if (isfinite(best)) {
      stops += interrupt_best(&k, &random, best);
      ran++;
    }
    case_free(&k);
  }
  assert_true(ran > programs() / 3);
  print_message("%zu stops in %zu programs\n", stops, ran);
  assert_true(2 * stops > ran);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_truth_inside),
                                     cmocka_unit_test(test_best_inside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
