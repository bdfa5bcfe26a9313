/* test_program.c - programs: what they answer, limits, interruption, calls that make no
** sense, two threads at once. */
#include "api.h"

#include <pthread.h>
#include <unistd.h>

static const char many[] = "0.1 a(1..60).";

static void version(void **state) {
  (void)state;
  assert_string_equal(lpmln_version(), LPMLN_VERSION);
  assert_int_equal(lpmln_abi(), LPMLN_ABI);
}

static void infers(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  const lpmln_inference *answer = lpmln_infer(p);
  expect_bird(answer);
  assert_near(answer->log_evidence, 0, 0);
  assert_string_equal(answer->about.messages, "");
  lpmln_answer_free(answer);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_EVIDENCE, "e", "bird(jo).", 9), LPMLN_OK);
  answer = lpmln_infer(p); /* asks anew */
  assert_near(probability(answer, "residentBird(jo)"), M_E / (1 + M_E), 1e-12);
  assert_near(answer->log_evidence, log((M_E + M_E * M_E) / (1 + M_E + M_E * M_E)), 1e-12);
  lpmln_answer_free(answer);
  const lpmln_models *best = lpmln_map(p);
  assert_int_equal(best->count, 1);
  assert_int_equal(best->models[0].violated_count, 1);
  assert_string_equal(best->models[0].violated[0].file, "program");
  assert_int_equal(best->models[0].violated[0].line, 3);
  lpmln_answer_free(best);
  lpmln_program_free(p);
}

static void no_answer(void **state) {
  (void)state;
  lpmln_options o = options();
  lpmln_program *p = program_with(&o, "a. :- a.", NULL);
  const lpmln_inference *answer = lpmln_infer(p);
  assert_int_equal(answer->about.status, LPMLN_NO_ANSWER);
  assert_int_equal(answer->count, 0);
  assert_int_equal(answer->about.method, LPMLN_AUTO);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
  p = program_with(&o, "1 a.", "a. not a.");
  answer = lpmln_infer(p);
  assert_int_equal(answer->about.status, LPMLN_NO_ANSWER);
  assert_int_equal(answer->about.diagnostic_count, 1);
  assert_string_equal(answer->about.diagnostics->file, "evidence");
  assert_non_null(strstr(answer->about.messages, "evidence:1:"));
  assert_non_null(strstr(answer->about.messages, answer->about.diagnostics->message));
  lpmln_answer_free(answer);
  lpmln_program_free(p);
  p = program_with(&o, "1 a(.", NULL);
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_INPUT);
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_INPUT); /* again */
  lpmln_program_free(p);
}

static void *ask(void *data) {
  double *worst = data;
  lpmln_options o = options();
  for (int i = 0; i < 10; i++) {
    lpmln_program *p = lpmln_program_new(&o);
    lpmln_program_add_text(p, LPMLN_PROGRAM, "program", bird, sizeof bird - 1);
    const lpmln_inference *answer = lpmln_infer(p);
    *worst = fmax(*worst, answer->about.status == LPMLN_OK
                              ? fabs(probability(answer, "migratoryBird(jo)") - 0.24472847105479764)
                              : 1);
    lpmln_answer_free(answer);
    lpmln_program_free(p);
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
  lpmln_program *p = program_with(&o, many, NULL);
  const lpmln_inference *answer = lpmln_infer(p);
  assert_int_equal(answer->about.status, LPMLN_LIMIT);
  assert_int_equal(answer->about.method, LPMLN_ENUMERATE);
  assert_false(answer->about.complete || answer->about.exact);
  assert_non_null(answer->about.models_seen);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

static void *interrupt_soon(void *data) {
  usleep(300000);
  lpmln_program_interrupt(data);
  return NULL;
}

/* It ends one question; the next one is answered. */
static void interruption(void **state) {
  (void)state;
  lpmln_options o = options();
  o.method = LPMLN_ENUMERATE;
  lpmln_program *p = program_with(&o, many, NULL);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, p), 0);
  const lpmln_models *answer = lpmln_list(p, 5);
  pthread_join(thread, NULL);
  assert_int_equal(answer->about.status, LPMLN_INTERRUPTED);
  assert_false(answer->about.complete);
  assert_int_equal(answer->count, 5);
  lpmln_answer_free(answer);
  lpmln_program_free(p);

  p = program_of(bird);
  for (int i = 0; i < 3; i++) {
    lpmln_program_interrupt(p); /* none is under way: the next one */
    assert_int_equal(status_of(i == 1 ? (const void *)lpmln_map(p) : lpmln_infer(p)),
                     LPMLN_INTERRUPTED);
    const lpmln_inference *whole = lpmln_infer(p);
    expect_bird(whole);
    lpmln_answer_free(whole);
  }
  lpmln_program_free(p);
}

static void progress(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  assert_int_equal(lpmln_program_progress(p).stage, LPMLN_IDLE);
  assert_int_equal(lpmln_program_progress(p).models, 0);
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_OK);
  assert_int_equal(lpmln_program_progress(p).stage, LPMLN_IDLE);
  lpmln_program_free(p);
}

static void memory_limit(void **state) {
  (void)state;
  lpmln_options o = options();
  o.memory_limit = 300;
  lpmln_program *p = program_with(&o, "p(1..2147483647).", NULL);
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_LIMIT);
  lpmln_program_free(p);
}

static void missing_worker(void **state) {
  (void)state;
  lpmln_options o = options();
  o.worker = "/nowhere/lpmln-worker";
  lpmln_program *p = program_with(&o, bird, NULL);
  const lpmln_inference *answer = lpmln_infer(p);
  assert_int_equal(answer->about.status, LPMLN_INTERNAL);
  assert_non_null(strstr(answer->about.messages, "/nowhere/lpmln-worker"));
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

/* In the original definition as many hard rules as possible hold. */
static void violable(void **state) {
  (void)state;
  lpmln_options o = options();
  o.violable = true;
  lpmln_program *p = program_with(&o, "a :- b. b. :- a. 1 c. 2 :- c, a.", NULL);
  const lpmln_models *answer = lpmln_list(p, 0);
  assert_int_equal(answer->about.status, LPMLN_OK);
  /* one of the three hard rules is violated: {b,a}, {b}, {}, each with or
  ** without c */
  assert_string_equal(answer->total, "6");
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

/* A failure leaves the program as it was. */
static void text_added_after_failure(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  assert_int_equal(lpmln_program_add_query(p, "bird("), LPMLN_OK);
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_INPUT);
  assert_int_equal(lpmln_program_set_weight(p, "none", 1), LPMLN_OK);
  assert_int_equal(status_of(lpmln_map(p)), LPMLN_INPUT);
  lpmln_program_free(p);
  p = program_of("@w(a,1) a. #const n=2. b(1..n) :- a.");
  assert_int_equal(status_of(lpmln_infer(p)), LPMLN_OK);
  assert_int_equal(lpmln_program_define(p, "n", "3"), LPMLN_OK);
  assert_int_equal(lpmln_program_set_weight(p, "a", 0), LPMLN_OK);
  const lpmln_inference *answer = lpmln_infer(p);
  assert_int_equal(answer->count, 4);
  assert_near(probability(answer, "b(3)"), 0.5, 1e-15);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

/* ---- calls that make no sense --------------------------------------------------------- */

static void unknown_names(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  const int roles[] = {-1, LPMLN_TEST_DATA + 1, 1000};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    assert_int_equal(lpmln_program_add_text(p, (lpmln_role)roles[i], "a", "a.", 2), LPMLN_USAGE);
    assert_int_equal(lpmln_program_add_file(p, (lpmln_role)roles[i], "a"), LPMLN_USAGE);
  }
  lpmln_translation_options wanted = {.target = "nonsense"};
  const lpmln_translation *text = lpmln_translate(p, &wanted);
  assert_int_equal(text->about.status, LPMLN_USAGE);
  assert_null(text->text);
  assert_non_null(strstr(text->about.messages, "nonsense"));
  lpmln_answer_free(text);
  assert_int_equal(status_of(lpmln_translate(p, NULL)), LPMLN_USAGE);
  const lpmln_inference *answer = lpmln_infer(p);
  expect_bird(answer);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
  lpmln_options o = options();
  o.dialect = "nonsense";
  p = program_with(&o, bird, NULL);
  answer = lpmln_infer(p);
  assert_int_not_equal(answer->about.status, LPMLN_OK);
  assert_non_null(strstr(answer->about.messages, "nonsense"));
  lpmln_answer_free(answer);
  lpmln_program_free(p);
  assert_string_equal(lpmln_method_name((lpmln_method)99), "unknown");
  assert_string_equal(lpmln_guarantee_name((lpmln_guarantee)99), "unknown");
  assert_string_equal(lpmln_optimizer_name((lpmln_optimizer)99), "unknown");
}

/* Every name that is listed is taken. */
static void known_names(void **state) {
  (void)state;
  size_t n;
  const lpmln_choice *list = lpmln_dialects(&n);
  assert_true(n >= 2);
  for (size_t i = 0; i < n; i++) {
    lpmln_options o = options();
    o.dialect = list[i].name;
    lpmln_program *p = lpmln_program_new(&o);
    const lpmln_sources *sources = lpmln_program_sources(p);
    assert_null(strstr(sources->about.messages, "dialect"));
    lpmln_answer_free(sources);
    lpmln_program_free(p);
  }
  list = lpmln_targets(&n);
  assert_true(n >= 5);
  for (size_t i = 0; i < n; i++) {
    lpmln_program *p = program_of("1 a. b :- a.");
    lpmln_translation_options wanted = {.target = list[i].name};
    const lpmln_translation *text = lpmln_translate(p, &wanted);
    assert_int_equal(text->about.status, LPMLN_OK);
    assert_int_equal(strlen(text->text), text->length);
    lpmln_answer_free(text);
    lpmln_program_free(p);
  }
}

static void missing_file(void **state) {
  (void)state;
  lpmln_options o = options();
  lpmln_program *p = lpmln_program_new(&o);
  assert_int_equal(lpmln_program_add_file(p, LPMLN_PROGRAM, "/nowhere/a.lpmln"), LPMLN_OK);
  const lpmln_inference *answer = lpmln_infer(p);
  assert_int_equal(answer->about.status, LPMLN_INPUT);
  assert_non_null(strstr(answer->about.messages, "/nowhere/a.lpmln"));
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

/* A text that takes longer to read than there is time: it ends while it is read, the handle is
** whole, and so it is with an interruption. */
static void limits_while_reading(void **state) {
  (void)state;
  static const char line[] = "0.5 p(1,a,f(b,1)) :- q(1), not r(1).\n";
  size_t lines = 40000, n = strlen(line);
  char *text = malloc(lines * n);
  for (size_t i = 0; i < lines; i++)
    memcpy(text + i * n, line, n);
  lpmln_options o = options();
  o.time_limit = 1e-3;
  for (int interrupted = 0; interrupted < 2; interrupted++) {
    lpmln_program *p = lpmln_program_new(&o);
    assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "t", text, lines * n), LPMLN_OK);
    if (interrupted)
      lpmln_program_interrupt(p);
    for (int i = 0; i < 2; i++) {
      const lpmln_inference *x = lpmln_infer(p);
      bool stopped = interrupted && !i;
      assert_int_equal(x->about.status, stopped ? LPMLN_INTERRUPTED : LPMLN_LIMIT);
      assert_int_equal(x->count, 0);
      assert_true(stopped || strstr(x->about.messages, "while reading the texts"));
      lpmln_answer_free(x);
    }
    lpmln_program_free(p);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_while_reading),
      cmocka_unit_test(version),
      cmocka_unit_test(infers),
      cmocka_unit_test(no_answer),
      cmocka_unit_test(two_threads),
      cmocka_unit_test(time_limit),
      cmocka_unit_test(interruption),
      cmocka_unit_test(progress),
      cmocka_unit_test(memory_limit),
      cmocka_unit_test(missing_worker),
      cmocka_unit_test(violable),
      cmocka_unit_test(text_added_after_failure),
      cmocka_unit_test(unknown_names),
      cmocka_unit_test(known_names),
      cmocka_unit_test(missing_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
