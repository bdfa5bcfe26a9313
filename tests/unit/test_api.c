/* test_api.c - the public interface: answers, two threads at once, limits. */
#include "unit.h"

#include "lpmln/lpmln.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static lpmln_options options(void) {
  lpmln_options o = lpmln_options_default();
  o.worker = getenv("LPMLN_TEST_WORKER");
  return o;
}

static lpmln *problem(const lpmln_options *o, const char *program, const char *evidence) {
  lpmln *p = lpmln_new(o);
  assert_non_null(p);
  assert_int_equal(lpmln_add_text(p, LPMLN_PROGRAM, "program", program, strlen(program)), LPMLN_OK);
  if (evidence)
    assert_int_equal(lpmln_add_text(p, LPMLN_EVIDENCE, "evidence", evidence, strlen(evidence)),
                     LPMLN_OK);
  return p;
}

static const char bird[] = "bird(X) :- residentBird(X). bird(X) :- migratoryBird(X).\n"
                           ":- residentBird(X), migratoryBird(X).\n"
                           "2 residentBird(jo). 1 migratoryBird(jo).";
static const char many[] = "0.1 a(1..60).";

static double probability(const lpmln_inference *answer, const char *atom) {
  for (size_t i = 0; i < answer->count; i++)
    if (!strcmp(answer->marginals[i].atom, atom))
      return answer->marginals[i].probability;
  return NAN;
}

static void infers(void **state) {
  (void)state;
  lpmln_options o = options();
  lpmln *p = problem(&o, bird, NULL);
  const lpmln_inference *answer;
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_OK);
  assert_true(fabs(probability(answer, "bird(jo)") - (M_E + M_E * M_E) / (1 + M_E + M_E * M_E)) <
              1e-12);
  assert_true(fabs(answer->log_partition - (log(1 + M_E + M_E * M_E) - 3)) < 1e-12);
  assert_true(answer->about.exact && answer->about.complete);
  assert_int_equal(lpmln_add_text(p, LPMLN_EVIDENCE, "e", "bird(jo).", 9),
                   LPMLN_OK); /* asks anew */
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_OK);
  assert_true(fabs(probability(answer, "residentBird(jo)") - M_E / (1 + M_E)) < 1e-12);
  const lpmln_models *best;
  assert_int_equal(lpmln_map(p, &best), LPMLN_OK);
  assert_int_equal(best->count, 1);
  assert_int_equal(best->models[0].violated_count, 1);
  lpmln_free(p);
}

static void no_answer(void **state) {
  (void)state;
  lpmln_options o = options();
  const lpmln_inference *answer;
  size_t n;
  lpmln *p = problem(&o, "a. :- a.", NULL);
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_NO_ANSWER);
  assert_null(answer);
  lpmln_free(p);
  p = problem(&o, "1 a.", "a. not a.");
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_NO_ANSWER);
  const lpmln_diagnostic *d = lpmln_diagnostics(p, &n);
  assert_int_equal(n, 1);
  assert_string_equal(d->file, "evidence");
  lpmln_free(p);
  p = problem(&o, "1 a(.", NULL);
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_INPUT);
  lpmln_free(p);
}

static void *ask(void *data) {
  lpmln_options o = options();
  double *worst = data;
  for (int i = 0; i < 10; i++) {
    lpmln *p = problem(&o, bird, NULL);
    const lpmln_inference *answer;
    if (lpmln_infer(p, &answer) != LPMLN_OK)
      *worst = 1;
    else
      *worst = fmax(*worst, fabs(probability(answer, "migratoryBird(jo)") - 0.24472847105479764));
    lpmln_free(p);
  }
  return NULL;
}

static void two_threads(void **state) {
  (void)state;
  pthread_t thread[2];
  double worst[2] = {0};
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, ask, &worst[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  assert_true(worst[0] < 1e-12 && worst[1] < 1e-12);
}

static void time_limit(void **state) {
  (void)state;
  lpmln_options o = options();
  o.time_limit = 0.5;
  o.method = LPMLN_ENUMERATE;
  lpmln *p = problem(&o, many, NULL);
  const lpmln_inference *answer;
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_LIMIT);
  assert_non_null(answer);
  assert_false(answer->about.complete || answer->about.exact);
  lpmln_free(p);
}

static void *interrupt_soon(void *data) {
  usleep(300000);
  lpmln_interrupt(data);
  return NULL;
}

static void interruption(void **state) {
  (void)state;
  lpmln_options o = options();
  o.method = LPMLN_ENUMERATE;
  lpmln *p = problem(&o, many, NULL);
  pthread_t thread;
  const lpmln_models *answer;
  assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, p), 0);
  assert_int_equal(lpmln_list_models(p, 5, &answer), LPMLN_INTERRUPTED);
  pthread_join(thread, NULL);
  assert_non_null(answer);
  assert_false(answer->about.complete);
  assert_int_equal(answer->count, 5);
  lpmln_free(p);
}

static void memory_limit(void **state) {
  (void)state;
  lpmln_options o = options();
  o.memory_limit = 300;
  lpmln *p = problem(&o, "p(f(X)) :- p(X). p(0).", NULL);
  const lpmln_inference *answer;
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_LIMIT);
  lpmln_free(p);
}

static void missing_worker(void **state) {
  (void)state;
  lpmln_options o = options();
  o.worker = "/nowhere/lpmln-worker";
  lpmln *p = problem(&o, bird, NULL);
  const lpmln_inference *answer;
  assert_int_equal(lpmln_infer(p, &answer), LPMLN_INTERNAL);
  lpmln_free(p);
}

/* In the original definition as many hard rules as possible hold. */
static void violable(void **state) {
  (void)state;
  lpmln_options o = options();
  o.violable = true;
  lpmln *p = problem(&o, "a :- b. b. :- a. 1 c. 2 :- c, a.", NULL);
  const lpmln_models *answer;
  assert_int_equal(lpmln_list_models(p, 0, &answer), LPMLN_OK);
  /* one of the three hard rules is violated: {b,a}, {b}, {}, each with or
  ** without c */
  assert_string_equal(answer->total, "6");
  lpmln_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(infers),         cmocka_unit_test(no_answer),
      cmocka_unit_test(two_threads),    cmocka_unit_test(time_limit),
      cmocka_unit_test(interruption),   cmocka_unit_test(memory_limit),
      cmocka_unit_test(missing_worker), cmocka_unit_test(violable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
