/* test_stop.c - uniform samplers that are stopped, or whose time is over, before or between
** draws: they say so, and what they had begun to find out is not taken for the whole. */
#include "unit.h"

#include "sample/uniform.h"
#include "unit/random_program.h"

#include <stdatomic.h>

enum { ATOMS = 8 };

typedef struct {
  TestProgram program;
  Ground ground;
  Analysis analysis;
  atomic_bool stop;
  Limits limits;
  Uniform uniform;
  Random random;
} Case;

/* Choices, of which the first two don't hold together. */
static void begin(Case *k, size_t pivot, bool trials) {
  *k = (Case){.random = random_make(3, 0)};
  k->limits = (Limits){.memory = 1024, .stop = &k->stop};
  k->program.atoms = ATOMS;
  for (unsigned a = 0; a < ATOMS; a++)
    k->program.rule[a] = (TestRule){.choice = true, .heads = 1, .head = {a}, .soft = -1};
  k->program.rule[ATOMS] = (TestRule){.size = 2, .body = {0, 2}, .soft = -1};
  k->program.rules = ATOMS + 1;
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  UniformOptions o = uniform_options_default();
  o.pivot = pivot, o.together = true, o.trials = trials;
  assert_int_equal(uniform_begin(&k->uniform, &k->ground, &k->analysis, getenv("LPMLN_TEST_WORKER"),
                                 &k->limits, &o),
                   OK);
}

static void end(Case *k) {
  uniform_free(&k->uniform);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
}

static Status draw(Case *k) {
  uint8_t model[8];
  UniformGuarantee guarantee;
  return uniform_draw(&k->uniform, NULL, 0, &k->random, model, &guarantee);
}

/* The models are all listed, found by trial, or hashed. */
static const size_t pivots[] = {1000, 1, 1};
enum { HASHED = 2 };

static void test_stopped(void **state) {
  (void)state;
  for (int i = 0; i <= HASHED; i++) {
    Case k;
    begin(&k, pivots[i], i != HASHED);
    atomic_store(&k.stop, true);
    assert_int_equal(draw(&k), INTERRUPTED);
    assert_false(k.uniform.all.known);
    end(&k);
  }
}

static void test_time_over(void **state) {
  (void)state;
  for (int i = 0; i <= HASHED; i++) {
    Case k;
    begin(&k, pivots[i], i != HASHED);
    k.limits.deadline = clock_now() - 1;
    assert_int_equal(draw(&k), LIMIT);
    assert_int_equal(k.uniform.outcome, WORKER_TIME);
    assert_false(k.uniform.all.known);
    end(&k);
  }
}

/* Hashed draws ask the solver each time; others know models by then, or find some at once. */
static void test_stopped_between(void **state) {
  (void)state;
  for (int i = 0; i <= HASHED; i++) {
    Case k;
    begin(&k, pivots[i], i != HASHED);
    assert_int_equal(draw(&k), OK);
    assert_true(k.uniform.all.known && k.uniform.all.whole == (i == 0));
    atomic_store(&k.stop, true);
    Status status = draw(&k);
    assert_true(status == INTERRUPTED || (i != HASHED && status == OK));
    end(&k);
  }
}

int main(void) {
  (void)test_program, (void)test_models; /* brute force has nothing to say here */
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stopped),
                                     cmocka_unit_test(test_time_over),
                                     cmocka_unit_test(test_stopped_between)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
