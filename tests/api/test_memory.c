/* test_memory.c - memory that is out, at the n-th allocation, for every n: a status, no
** abort, and the same handle answers right afterwards.  test_sweep.c goes through all
** questions. */
#include "failing.h"
#include "random_text.h"

/* ---- a question under every n ------------------------------------------------------------ */

typedef lpmln_status (*Asking)(void *handle);
typedef void (*Checking)(void *handle);

/* Every so manieth allocation; odd, so that one and all after it fail in turns. */
static size_t steps(void) { return getenv("LONG") ? 1 : 5; }

/* About how many n make it fail; each failure must be LPMLN_LIMIT. */
static size_t sweep(void *(*make)(void), Asking ask, Checking check, void (*drop)(void *),
                    size_t most) {
  size_t failures = 0, step = steps();
  for (size_t n = 1; n <= most; n += step) {
    void *handle = make();
    fail_at(n, n % 2);
    lpmln_status status = ask(handle);
    bool was = fail_never();
    failures += was && status == LPMLN_LIMIT ? step : 0;
    if (status != LPMLN_LIMIT && !(status == LPMLN_OK && (!was || n % 2 == 0))) {
      fprintf(stderr, "allocation %zu: status %d\n", n, status);
      fail();
    }
    check(handle);
    drop(handle);
    if (!was)
      return failures; /* it needs no more */
  }
  print_message("the sweep ends at allocation %zu, before the question's last\n", most);
  return failures;
}

static void *bird_make(void) { return program_of(bird); }
static void bird_drop(void *p) { lpmln_program_free(p); }
static void bird_check(void *p) {
  const lpmln_inference *x = lpmln_infer(p);
  expect_bird(x);
  lpmln_answer_free(x);
}

static lpmln_status ask_infer(void *p) { return status_of(lpmln_infer(p)); }
static lpmln_status ask_map(void *p) { return status_of(lpmln_map(p)); }

static void inference(void **state) {
  (void)state;
  assert_true(sweep(bird_make, ask_infer, bird_check, bird_drop, 400) >= 200);
  assert_true(sweep(bird_make, ask_map, bird_check, bird_drop, 400) >= 100);
}

/* One handle through all of it: what a failure leaves behind must not add up. */
static void *kept;
static void *kept_make(void) { return kept; }
static void kept_drop(void *p) {
  lpmln_program_add_query(p, "bird(jo)"); /* it has to ground again, with the worker it has */
  lpmln_program_add_query(p, "bird/1");
}
static void kept_check(void *p) {
  const lpmln_inference *x = lpmln_infer(p);
  assert_int_equal(x->about.status, LPMLN_OK);
  assert_near(x->log_partition, log(1 + M_E + M_E * M_E) - 3, 1e-12);
  lpmln_answer_free(x);
}

static void one_handle(void **state) {
  (void)state;
  kept = program_of(bird);
  assert_true(sweep(kept_make, ask_infer, kept_check, kept_drop, 300) >= 200);
  lpmln_program_free(kept);
}

/* The worker is gone when the next failure comes. */
static lpmln_status ask_twice(void *p) {
  size_t n = left;
  bool all = forever;
  (void)ask_infer(p);
  bool first = fail_never();
  fail_at(n / 2 + 1, all);
  lpmln_status status = ask_infer(p);
  failed = failed || first;
  return status;
}

static void again_and_again(void **state) {
  (void)state;
  assert_true(sweep(bird_make, ask_twice, bird_check, bird_drop, 300) >= 100);
}

static lpmln_status ask_compile(void *p) {
  const lpmln_answer *about;
  lpmln_model *m = lpmln_compile(p, NULL, &about);
  on = false;
  assert_int_equal(m != NULL, about->status == LPMLN_OK);
  lpmln_model_free(m);
  return status_of(about);
}

static void compilation(void **state) {
  (void)state;
  assert_true(sweep(bird_make, ask_compile, bird_check, bird_drop, 400) >= 200);
}

/* What there is to say is written after the model is made. */
static const char doubtful[] = "1 a. b :- no_rule_makes_this_one. c :- nor_this_one(1), not a.\n"
                               "d :- this_one_has_a_long_name_too(1), nor_this_one(2).\n"
                               "e :- undefined_and_long_enough_to_fill_a_block(1..9).\n";
static void *doubtful_make(void) { return program_of(doubtful); }
static void doubtful_check(void *p) {
  const lpmln_inference *x = lpmln_infer(p);
  assert_int_equal(x->about.status, LPMLN_OK);
  assert_near(probability(x, "a"), 1 / (1 + exp(-1)), 1e-12);
  assert_true(strlen(x->about.messages) > 500); /* more than the first block of an answer */
  lpmln_answer_free(x);
}

static void compilation_with_warnings(void **state) {
  (void)state;
  assert_true(sweep(doubtful_make, ask_compile, doubtful_check, bird_drop, 1000) >= 200);
}

/* Every other question. */
static lpmln_status ask_list(void *p) { return status_of(lpmln_list(p, 0)); }
static lpmln_status ask_draw(void *p) { return status_of(lpmln_draw(p, 3)); }
static lpmln_status ask_uniform(void *p) { return status_of(lpmln_draw_uniform(p, 3)); }
static lpmln_status ask_check(void *p) { return status_of(lpmln_check(p)); }
static lpmln_status ask_sources(void *p) { return status_of(lpmln_program_sources(p)); }
static lpmln_status ask_translate(void *p) {
  return status_of(lpmln_translate(p, &(lpmln_translation_options){.target = "asp"}));
}
static lpmln_status ask_nnf(void *p) {
  return status_of(lpmln_translate(p, &(lpmln_translation_options){.target = "nnf"}));
}

static void other_questions(void **state) {
  (void)state;
  static const Asking questions[] = {ask_list,    ask_draw,      ask_uniform, ask_check,
                                     ask_sources, ask_translate, ask_nnf};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    assert_true(sweep(bird_make, questions[i], bird_check, bird_drop, 600) >= 10);
}

static void *data_make(void) {
  static const char rows[] = "a,b\n1,1\n1,\n0,0\n";
  void *p = program_of("@w(a) a. b :- a.");
  assert_int_equal(lpmln_program_add_text(p, LPMLN_DATA, "rows.csv", rows, sizeof rows - 1),
                   LPMLN_OK);
  return p;
}
static void data_check(void *p) {
  const lpmln_learning *l = lpmln_learn(p, NULL);
  assert_int_equal(l->about.status, LPMLN_OK);
  assert_near(l->weights[0].weight, log(2), 1e-6);
  lpmln_answer_free(l);
  const lpmln_table *t = lpmln_infer_rows(p);
  assert_int_equal(t->about.status, LPMLN_OK);
  assert_near(t->log_evidence[2], log(0.5), 1e-12);
  lpmln_answer_free(t);
}
static lpmln_status ask_learn(void *p) { return status_of(lpmln_learn(p, NULL)); }
static lpmln_status ask_lbfgs(void *p) {
  lpmln_learning_options o = lpmln_learning_options_default();
  o.optimizer = LPMLN_LBFGS;
  return status_of(lpmln_learn(p, &o));
}
static lpmln_status ask_table(void *p) { return status_of(lpmln_infer_rows(p)); }

static void questions_with_data(void **state) {
  (void)state;
  assert_true(sweep(data_make, ask_learn, data_check, bird_drop, 1200) >= 30);
  assert_true(sweep(data_make, ask_lbfgs, data_check, bird_drop, 1200) >= 30);
  assert_true(sweep(data_make, ask_table, data_check, bird_drop, 1200) >= 30);
}

/* Compiling when all is ground and the failure is behind that. */
static void *asked_make(void) {
  void *p = program_of(bird);
  bird_check(p);
  return p;
}

static void compilation_of_ground(void **state) {
  (void)state;
  assert_true(sweep(asked_make, ask_compile, bird_check, bird_drop, 400) >= 100);
}

/* ---- states ------------------------------------------------------------------------------- */

static lpmln_model *model;

static void *state_make(void) {
  lpmln_state *s = lpmln_state_new(model);
  assert_non_null(s);
  return s;
}
static void state_drop(void *s) { lpmln_state_free(s); }
static void state_check(void *s) {
  lpmln_state_clear(s);
  const lpmln_inference *x = lpmln_state_infer(s);
  expect_bird(x);
  lpmln_answer_free(x);
}

static lpmln_status ask_state_infer(void *s) { return status_of(lpmln_state_infer(s)); }
static lpmln_status ask_state_map(void *s) { return status_of(lpmln_state_map(s)); }
static lpmln_status ask_state_draw(void *s) { return status_of(lpmln_state_draw(s, 3)); }

static double rows[2][8];

static lpmln_status ask_rows(void *s) {
  lpmln_batch batch = {
      .rows = 2, .log_evidence = {rows[0], 1, 1}, .log_partition = {rows[1], 1, 1}};
  return lpmln_state_evaluate(s, &batch);
}

static lpmln_status ask_observe(void *s) {
  lpmln_status status = lpmln_state_observe(s, "bird(jo)", LPMLN_TRUE);
  return status == LPMLN_OK ? status_of(lpmln_state_infer(s)) : status;
}

static void states(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  model = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  static const Asking questions[] = {ask_state_infer, ask_state_map, ask_state_draw, ask_rows,
                                     ask_observe};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    assert_true(sweep(state_make, questions[i], state_check, state_drop, 300) >= 5);
  lpmln_model_free(model);
}

/* Evidence about an atom that the model does not tell is compiled by the state. */
static lpmln_status observe_untold(void *s) {
  lpmln_status status = lpmln_state_observe(s, "e", LPMLN_FALSE);
  return status == LPMLN_OK ? status_of(lpmln_state_infer(s)) : status;
}

static lpmln_status observe_untold_rows(void *s) {
  lpmln_status status = lpmln_state_observe(s, "e", LPMLN_FALSE);
  return status == LPMLN_OK ? ask_rows(s) : status;
}

static void untold_check(void *s) {
  assert_int_equal(lpmln_state_observe(s, "e", LPMLN_FALSE), LPMLN_OK);
  for (int i = 0; i < 2; i++) {
    const lpmln_inference *x = lpmln_state_infer(s);
    assert_int_equal(x->about.status, LPMLN_OK);
    assert_near(x->log_evidence, log(0.875), 1e-12);
    assert_near(probability(x, "a"), 0.375 / 0.875, 1e-12);
    lpmln_answer_free(x);
    assert_int_equal(ask_rows(s), LPMLN_OK);
    assert_near(rows[0][1], log(0.875), 1e-12);
  }
}

static void untold(void **state) {
  (void)state;
  lpmln_program *p = program_of("0 a. 0 b. {c}. d :- a, b. e :- d, not c.");
  lpmln_program_add_query(p, "a");
  model = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  assert_true(sweep(state_make, observe_untold, untold_check, state_drop, 400) >= 50);
  assert_true(sweep(state_make, observe_untold_rows, untold_check, state_drop, 400) >= 50);
  lpmln_model_free(model);
}

/* ---- handles and bytes ----------------------------------------------------------------------- */

static const lpmln_bytes *saved;

static void *nothing_make(void) { return NULL; }
static void nothing_drop(void *p) { (void)p; }
static void nothing_check(void *p) { (void)p; }

static lpmln_status ask_load(void *none) {
  (void)none;
  const lpmln_answer *about;
  lpmln_model *m = lpmln_model_load(saved->bytes, saved->length, &about);
  on = false;
  assert_int_equal(m != NULL, about->status == LPMLN_OK);
  lpmln_model_free(m);
  return status_of(about);
}

static lpmln_status ask_save(void *none) {
  (void)none;
  const lpmln_bytes *bytes = lpmln_model_save(model);
  lpmln_status status = bytes->about.status;
  if (status == LPMLN_OK)
    assert_int_equal(bytes->length, saved->length);
  lpmln_answer_free(bytes);
  return status;
}

static lpmln_status ask_new(void *none) {
  (void)none;
  lpmln_options o = options();
  o.dialect = "lpmln", o.include_root = "/";
  lpmln_program *p = lpmln_program_new(&o);
  lpmln_status status = p ? LPMLN_OK : LPMLN_LIMIT;
  if (p)
    status = lpmln_program_add_text(p, LPMLN_PROGRAM, "p", bird, sizeof bird - 1);
  if (status == LPMLN_OK)
    status = lpmln_program_add_file(p, LPMLN_EVIDENCE, "none");
  if (status == LPMLN_OK)
    status = lpmln_program_add_query(p, "bird(jo)");
  if (status == LPMLN_OK)
    status = lpmln_program_define(p, "n", "3");
  if (status == LPMLN_OK)
    status = lpmln_program_set_weight(p, "w", 1);
  lpmln_program_free(p);
  lpmln_state *s = status == LPMLN_OK ? lpmln_state_new(model) : NULL;
  if (status == LPMLN_OK && !s)
    status = LPMLN_LIMIT;
  lpmln_state_free(s);
  return status;
}

static void files(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  model = lpmln_compile(p, NULL, NULL);
  saved = lpmln_model_save(model);
  lpmln_program_free(p);
  assert_true(sweep(nothing_make, ask_load, nothing_check, nothing_drop, 1000) >= 50);
  assert_true(sweep(nothing_make, ask_save, nothing_check, nothing_drop, 100) >= 3);
  assert_true(sweep(nothing_make, ask_new, nothing_check, nothing_drop, 100) >= 10);
  assert_int_equal(ask_load(NULL), LPMLN_OK);
  lpmln_answer_free(saved);
  lpmln_model_free(model);
}

/* A half-done addition is not there. */
static void additions(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  for (size_t n = 1; n <= 4; n++) {
    fail_at(n, true);
    lpmln_status status = lpmln_program_add_text(p, LPMLN_EVIDENCE, "e", "not bird(jo).", 13);
    if (!fail_never()) {
      assert_int_equal(status, LPMLN_OK);
      const lpmln_inference *x = lpmln_infer(p);
      assert_near(x->log_evidence, -log(1 + M_E + M_E * M_E), 1e-12);
      lpmln_answer_free(x);
      break;
    }
    assert_int_equal(status, LPMLN_LIMIT);
    bird_check(p);
  }
  lpmln_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inference),
      cmocka_unit_test(one_handle),
      cmocka_unit_test(again_and_again),
      cmocka_unit_test(compilation),
      cmocka_unit_test(compilation_of_ground),
      cmocka_unit_test(compilation_with_warnings),
      cmocka_unit_test(other_questions),
      cmocka_unit_test(questions_with_data),
      cmocka_unit_test(states),
      cmocka_unit_test(untold),
      cmocka_unit_test(files),
      cmocka_unit_test(additions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
