/* test_ladder.c - sums of weights by sampling, against brute force: stated errors cover as
** often as they claim, and what needs no samples is exact. */
#include "unit.h"

#include "sample/ladder.h"
#include "unit/random_program.h"

static const TestStyle styles[] = {
    {6, 8, 60, 5, 10, 60, 15, 60},  /* mostly choices */
    {7, 9, 45, 0, 5, 70, 15, 80},   /* loops through choice and soft rules */
    {6, 8, 30, 35, 10, 60, 15, 75}, /* disjunction, many head cycles */
    {7, 10, 40, 10, 5, 80, 20, 50}, /* soft rules of every kind */
};
enum { STYLES = sizeof styles / sizeof *styles, CHAINS = 4 };

static unsigned programs(void) { return getenv("LONG") ? 200 : 30; }

/* ln of the sum over stable models with the evidence; -INFINITY: there is none. */
static double truth_of(const TestProgram *p, const Lit *evidence, size_t evidences) {
  TestModels all;
  double sum = 0;
  test_models(p, &all);
  for (size_t i = 0; i < all.models; i++)
    if (test_agrees(&all.model[i], evidence, evidences))
      sum += exp(all.model[i].log_weight);
  free(all.model);
  return log(sum);
}

static LogEstimate climb(const TestProgram *p, const Lit *evidence, size_t evidences,
                         uint64_t seed) {
  Ground ground;
  Target target;
  Limits limits = {.memory = 1024};
  double weights[MOST_WEIGHTS];
  LogEstimate e;
  test_ground(p, &ground);
  bool *dropped = calloc(ground.atoms.n + 1, 1);
  target_make(&ground, dropped, evidence, evidences, &target);
  free(dropped);
  for (size_t i = 0; i < ground.weights.n; i++)
    weights[i] = ground.weights.at[i].value;
  LadderOptions options = {{.count = CHAINS,
                            .block_moves = SIZE_MAX,
                            .threads = 1,
                            .seed = seed,
                            .worker_path = getenv("LPMLN_TEST_WORKER"),
                            .limits = &limits},
                           100,
                           50};
  assert_int_equal(ladder_climb(&target, weights, &options, &e), OK);
  target_free(&target);
  ground_free(&ground);
  return e;
}

/* Evidence about an atom that is open, in every other program. */
static size_t choose_evidence(const TestProgram *p, Random *random, Lit *evidence) {
  *evidence = lit_of(test_below(random, p->atoms), random_bits(random) & 1);
  return random_bits(random) & 1;
}

static bool open_atom(const TestProgram *p, Atom a) {
  Ground ground;
  test_ground(p, &ground);
  bool open = ground.atoms.at[a].truth == ATOM_OPEN;
  ground_free(&ground);
  return open;
}

static void test_coverage(void **state) {
  Random random = random_make(20, 0);
  unsigned inside = 0, exact = 0, sampled = 0, unknown = 0;
  (void)state;
  for (unsigned tried = 0; sampled < programs(); tried++) {
    TestProgram p;
    Lit evidence;
    test_program(&random, &styles[test_below(&random, STYLES)], &p);
    size_t n = choose_evidence(&p, &random, &evidence);
    double truth = truth_of(&p, &evidence, n);
    if (isinf(truth) || (n && !open_atom(&p, lit_atom(evidence))))
      continue;
    LogEstimate e = climb(&p, &evidence, n, tried);
    unknown += isnan(e.value) != 0;
    if (isnan(e.value))
      continue;
    if (e.error == 0) {
      assert_true(fabs(e.value - truth) < 1e-9);
      exact++;
      continue;
    }
    sampled++;
    inside += fabs(e.value - truth) <= 1.96 * e.error;
    assert_true(fabs(e.value - truth) <= 6 * e.error);
  }
  print_message("%u of %u inside, %u exact, %u not known\n", inside, sampled, exact, unknown);
  assert_true(exact >= 5 && unknown <= sampled / 20);
  assert_true(sampled < 200 || (inside >= 0.91 * sampled && inside <= 0.985 * sampled));
  assert_true(inside >= 0.85 * sampled);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_coverage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
