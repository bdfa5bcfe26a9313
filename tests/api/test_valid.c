/* test_valid.c - calls that make no sense: every public function with NULL wherever a pointer
** goes, and every option with values that are none.  Never a crash, never a number with
** status 0, always a message, and the handle answers afterwards. */
#include "api.h"

#define CASES(list) (sizeof(list) / sizeof *(list))

/* ---- NULL ------------------------------------------------------------------------------- */

static lpmln_model *model_of(const char *text) {
  lpmln_program *p = program_of(text);
  lpmln_model *m = lpmln_compile(p, NULL, NULL);
  assert_non_null(m);
  lpmln_program_free(p);
  return m;
}

/* An answer without content: a status, a message, no method. */
static void refused(const void *answer, lpmln_status status, const char *what) {
  assert_non_null(answer);
  const lpmln_answer *about = answer;
  if (about->status != status || about->method != LPMLN_AUTO || about->exact || about->complete ||
      !*about->messages || about->diagnostic_count != 1)
    fail_msg("%s: status %d, messages %s", what, about->status, about->messages);
  lpmln_answer_free(answer);
}

#define NO_HANDLE(call) refused(call, LPMLN_LIMIT, #call)

static void questions_to_null(void **state) {
  (void)state;
  NO_HANDLE(lpmln_infer(NULL));
  NO_HANDLE(lpmln_map(NULL));
  NO_HANDLE(lpmln_decide(NULL));
  NO_HANDLE(lpmln_list(NULL, 1));
  NO_HANDLE(lpmln_draw(NULL, 1));
  NO_HANDLE(lpmln_draw_uniform(NULL, 1));
  NO_HANDLE(lpmln_draw_trace(NULL, 1));
  NO_HANDLE(lpmln_check_chain(NULL, 1));
  NO_HANDLE(lpmln_check(NULL));
  NO_HANDLE(lpmln_infer_rows(NULL));
  NO_HANDLE(lpmln_infer_rows_each(NULL, NULL, NULL));
  NO_HANDLE(lpmln_learn(NULL, NULL));
  NO_HANDLE(lpmln_learn_split(NULL, NULL));
  NO_HANDLE(lpmln_induce(NULL, NULL));
  NO_HANDLE(lpmln_why(NULL, NULL));
  NO_HANDLE(lpmln_compare((lpmln_program *const[]){NULL, NULL}, 2));
  refused(lpmln_compare(NULL, 2), LPMLN_USAGE, "compare without programs");
  refused(lpmln_compare((lpmln_program *const[]){NULL}, 1), LPMLN_USAGE, "compare one program");
  NO_HANDLE(lpmln_weights_from(NULL, "a", "a", 1));
  NO_HANDLE(lpmln_translate(NULL, NULL));
  NO_HANDLE(lpmln_program_sources(NULL));
  NO_HANDLE(lpmln_model_save(NULL));
  NO_HANDLE(lpmln_state_infer(NULL));
  NO_HANDLE(lpmln_state_map(NULL));
  NO_HANDLE(lpmln_state_list(NULL, 1));
  NO_HANDLE(lpmln_state_draw(NULL, 1));
}

static void handles_of_null(void **state) {
  (void)state;
  const lpmln_answer *about = NULL;
  assert_null(lpmln_program_of(NULL));
  assert_null(lpmln_compile(NULL, NULL, NULL));
  assert_null(lpmln_compile(NULL, NULL, &about));
  refused(about, LPMLN_LIMIT, "compile");
  assert_null(lpmln_model_load(NULL, 100, NULL));
  assert_null(lpmln_model_load(NULL, 100, &about));
  refused(about, LPMLN_INPUT, "load");
  assert_null(lpmln_model_keep(NULL));
  assert_null(lpmln_state_new(NULL));
  assert_int_equal(lpmln_program_progress(NULL).stage, LPMLN_IDLE);
  lpmln_program_interrupt(NULL);
  lpmln_state_interrupt(NULL);
  lpmln_state_clear(NULL);
  lpmln_state_seed(NULL, 1);
  lpmln_state_limit(NULL, 1);
  lpmln_program_free(NULL);
  lpmln_model_free(NULL);
  lpmln_state_free(NULL);
  lpmln_answer_free(NULL);
}

static void additions_of_null(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  assert_int_equal(lpmln_program_add_file(NULL, LPMLN_PROGRAM, "a"), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_add_file(p, LPMLN_PROGRAM, NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_program_add_text(NULL, LPMLN_PROGRAM, "a", "a.", 2), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, NULL, "a.", 2), LPMLN_USAGE);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "a", NULL, 2), LPMLN_USAGE);
  assert_int_equal(lpmln_program_add_query(NULL, "a"), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_do(NULL, "a"), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_do(p, NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_program_add_query(p, NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_program_define(NULL, "a", "1"), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_define(p, NULL, "1"), LPMLN_USAGE);
  assert_int_equal(lpmln_program_define(p, "a", NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_program_set_weight(NULL, "a", 1), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_set_weight(p, NULL, 1), LPMLN_USAGE);
  assert_int_equal(lpmln_program_set_weight(p, "a", INFINITY), LPMLN_USAGE);
  assert_int_equal(lpmln_program_set_weight(p, "a", -INFINITY), LPMLN_USAGE);
  const lpmln_ranks bad[] = {
      {.count = 0}, {.rank = 2, .count = 2}, {.count = 2}, {.rank = 1, .count = 2}};
  for (size_t i = 0; i < CASES(bad); i++)
    assert_int_equal(lpmln_program_share(p, &bad[i]), LPMLN_USAGE);
  for (size_t i = 0; i < CASES(bad); i++)
    assert_int_equal(lpmln_serve(&bad[i]), LPMLN_USAGE);
  assert_int_equal(lpmln_serve(NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_program_share(NULL, NULL), LPMLN_LIMIT);
  assert_int_equal(lpmln_program_share(p, NULL), LPMLN_OK);
  refused(lpmln_weights_from(p, NULL, "a", 1), LPMLN_USAGE, "weights without a name");
  refused(lpmln_weights_from(p, "a", NULL, 1), LPMLN_USAGE, "weights without a text");
  const lpmln_inference *answer = lpmln_infer(p); /* nothing was added */
  expect_bird(answer);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

static void models_and_states_of_null(void **state) {
  (void)state;
  lpmln_model *m = model_of("@w(a,1) a.");
  lpmln_state *s = lpmln_state_new(m);
  size_t n = 7;
  assert_null(lpmln_model_parameters(NULL, &n));
  assert_int_equal(n, 0);
  assert_null(lpmln_model_observables(NULL, &n));
  assert_null(lpmln_model_queries(NULL, &n));
  assert_non_null(lpmln_model_parameters(m, NULL));
  assert_non_null(lpmln_model_observables(m, NULL));
  assert_non_null(lpmln_model_queries(m, NULL));
  assert_int_equal(lpmln_model_edges(NULL), 0);
  assert_int_equal(lpmln_state_set_weight(NULL, "a", 1), LPMLN_USAGE);
  assert_int_equal(lpmln_state_set_weight(s, NULL, 1), LPMLN_USAGE);
  assert_int_equal(lpmln_state_set_weight(s, "b", 1), LPMLN_USAGE);
  const double none[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < CASES(none); i++) {
    assert_int_equal(lpmln_state_set_weight(s, "a", none[i]), LPMLN_USAGE);
    lpmln_state_limit(s, none[i]); /* none */
    assert_int_equal(status_of(lpmln_state_infer(s)), LPMLN_OK);
  }
  assert_int_equal(lpmln_state_observe(NULL, "a", LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, NULL, LPMLN_TRUE), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, "a", (lpmln_truth)3), LPMLN_USAGE);
  assert_int_equal(lpmln_state_observe(s, "a", (lpmln_truth)-1), LPMLN_USAGE);
  assert_int_equal(lpmln_state_evaluate(NULL, &(lpmln_batch){0}), LPMLN_USAGE);
  assert_int_equal(lpmln_state_evaluate(s, NULL), LPMLN_USAGE);
  assert_int_equal(lpmln_state_evaluate(s, &(lpmln_batch){.rows = 3}), LPMLN_OK);
  const lpmln_inference *answer = lpmln_state_infer(s);
  assert_near(answer->marginals[0].probability, 1 / (1 + exp(-1)), 1e-15);
  lpmln_answer_free(answer);
  lpmln_state_free(s);
  lpmln_model_free(m);
}

static void names(void **state) {
  (void)state;
  size_t n = 0;
  assert_non_null(lpmln_dialects(NULL));
  assert_non_null(lpmln_targets(NULL));
  assert_true(lpmln_dialects(&n) && n > 1);
  assert_true(lpmln_targets(&n) && n > 1);
  const int none[] = {-1, 100, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < CASES(none); i++) {
    assert_string_equal(lpmln_method_name((lpmln_method)none[i]), "unknown");
    assert_string_equal(lpmln_guarantee_name((lpmln_guarantee)none[i]), "unknown");
    assert_string_equal(lpmln_optimizer_name((lpmln_optimizer)none[i]), "unknown");
  }
}

/* Every function that the header declares stands in this file, or is one of these. */
static void nothing_is_left_out(void **state) {
  (void)state;
  static char header[1 << 17], own[1 << 16];
  static const char elsewhere[] = " lpmln_version lpmln_abi lpmln_program_new ";
  FILE *f = fopen("include/lpmln/lpmln.h", "r"), *g = fopen("tests/api/test_valid.c", "r");
  assert_true(f && g);
  assert_true(fread(header, 1, sizeof header - 1, f) && fread(own, 1, sizeof own - 1, g));
  fclose(f), fclose(g);
  size_t functions = 0;
  for (char *at = header; (at = strstr(at, "\nLPMLN_API")); functions++) {
    char *open = strchr(at + 1, '('), *name = open;
    while (!strchr(" *", name[-1]))
      name--;
    char wanted[80];
    snprintf(wanted, sizeof wanted, "%.*s(", (int)(open - name), name);
    char other[80];
    snprintf(other, sizeof other, " %.*s ", (int)(open - name), name);
    if (!strstr(own, wanted) && !strstr(elsewhere, other))
      fail_msg("%s is not called here", wanted);
    at = open;
  }
  assert_true(functions > 50);
}

/* ---- options ---------------------------------------------------------------------------- */

/* Asks everything with these options. */
static void all_refused(const lpmln_options *o, const char *what) {
  lpmln_program *p = program_with(o, bird, NULL);
  lpmln_translation_options asp = {.target = "asp"};
  const void *answers[] = {lpmln_infer(p),         lpmln_map(p),
                           lpmln_list(p, 1),       lpmln_draw(p, 1),
                           lpmln_check(p),         lpmln_infer_rows(p),
                           lpmln_learn(p, NULL),   lpmln_translate(p, &asp),
                           lpmln_draw_trace(p, 1), lpmln_program_sources(p)};
  for (size_t i = 0; i < CASES(answers); i++)
    refused(answers[i], LPMLN_USAGE, what);
  refused(lpmln_infer_rows_each(p, NULL, NULL), LPMLN_USAGE, what);
  const lpmln_answer *about = NULL;
  assert_null(lpmln_compile(p, NULL, &about));
  refused(about, LPMLN_USAGE, what);
  lpmln_program_free(p);
}

#define REFUSED(field, value)             \
  do {                                    \
    lpmln_options o = options();          \
    o.field = (value);                    \
    all_refused(&o, #field " = " #value); \
  } while (0)

static void program_options(void **state) {
  (void)state;
  REFUSED(method, (lpmln_method)-1);
  REFUSED(method, (lpmln_method)6);
  REFUSED(method, LPMLN_CLOSED_FORM);
  REFUSED(time_limit, NAN);
  REFUSED(time_limit, INFINITY);
  REFUSED(time_limit, -1);
  REFUSED(memory_limit, 0);
  REFUSED(memory_limit, SIZE_MAX);
  REFUSED(compile_limit, NAN);
  REFUSED(compile_limit, INFINITY);
  REFUSED(precision, NAN);
  REFUSED(precision, -1);
  REFUSED(precision, 2);
  REFUSED(sampling.chains, 0);
  REFUSED(sampling.chains, SIZE_MAX);
  REFUSED(sampling.samples, 3);
  REFUSED(sampling.samples, SIZE_MAX);
  REFUSED(sampling.burn_in, SIZE_MAX - 1);
  REFUSED(sampling.thin, 0);
  REFUSED(sampling.thin, SIZE_MAX);
  REFUSED(sampling.block_moves, SIZE_MAX - 1);
  REFUSED(sampling.error, NAN);
  REFUSED(sampling.error, -1);
}

static const char learnable[] = "@w(a,1) a. @w(b) b :- a.\n";

#define LEARNING(...)                                                                    \
  do {                                                                                   \
    lpmln_options usual = options();                                                     \
    lpmln_program *p = program_with(&usual, learnable, ":- not a. :- b.");               \
    lpmln_learning_options o = lpmln_learning_options_default();                         \
    lpmln_learning_options wanted = {__VA_ARGS__};                                       \
    wanted.restarts = o.restarts, wanted.rate = wanted.rate == 0 ? o.rate : wanted.rate; \
    wanted.delta = wanted.delta == 0 ? o.delta : wanted.delta;                           \
    refused(lpmln_learn(p, &wanted), LPMLN_USAGE, #__VA_ARGS__);                         \
    refused(lpmln_learn_split(p, &wanted), LPMLN_USAGE, #__VA_ARGS__);                   \
    assert_int_equal(status_of(lpmln_learn(p, NULL)), LPMLN_OK);                         \
    lpmln_program_free(p);                                                               \
  } while (0)

static void learning_options(void **state) {
  (void)state;
  LEARNING(.optimizer = (lpmln_optimizer)6);
  LEARNING(.optimizer = (lpmln_optimizer)-1);
  LEARNING(.prior = (lpmln_prior)3);
  LEARNING(.noise = (lpmln_noise)3);
  LEARNING(.bounded = true, .lower = NAN, .upper = 1);
  LEARNING(.bounded = true, .lower = -INFINITY, .upper = 1);
  LEARNING(.bounded = true, .lower = 0, .upper = INFINITY);
  LEARNING(.bounded = true, .lower = 1, .upper = 1);
  LEARNING(.prior = LPMLN_GAUSSIAN, .prior_mean = NAN, .prior_deviation = 1);
  LEARNING(.prior = LPMLN_GAUSSIAN, .prior_mean = INFINITY, .prior_deviation = 1);
  LEARNING(.prior = LPMLN_GAUSSIAN, .prior_deviation = NAN);
  LEARNING(.prior = LPMLN_GAUSSIAN, .prior_deviation = INFINITY);
  LEARNING(.prior = LPMLN_GAUSSIAN, .prior_deviation = 0);
  LEARNING(.prior = LPMLN_L1, .prior_strength = NAN);
  LEARNING(.prior = LPMLN_L1, .prior_strength = INFINITY);
  LEARNING(.prior = LPMLN_L1, .prior_strength = -1);
  LEARNING(.optimizer = LPMLN_ASCENT, .rate = NAN);
  LEARNING(.optimizer = LPMLN_ASCENT, .rate = INFINITY);
  LEARNING(.optimizer = LPMLN_ASCENT, .delta = NAN);
  LEARNING(.optimizer = LPMLN_ADAM, .rate = NAN);
  LEARNING(.optimizer = LPMLN_ADAM, .rate = -1);
  LEARNING(.optimizer = LPMLN_ADAM, .rate = 0.1, .folds = 2);
  LEARNING(.optimizer = LPMLN_EM, .batch = 1);
  LEARNING(.noise = LPMLN_NOISE_ATOMS, .noise_weight = NAN);
  LEARNING(.noise = LPMLN_NOISE_ATOMS, .noise_weight = -1);
  LEARNING(.noise = LPMLN_NOISE_ATOMS, .noise_weight = INFINITY);
  LEARNING(.folds = 1);
  LEARNING(.fixed_count = 1);
  LEARNING(.fixed_count = 1, .fixed = (const char *const[]){NULL});
  LEARNING(.bounded = true, .upper = 1, .optimizer = LPMLN_EM);
  LEARNING(.bounded = true, .upper = 1, .prior = LPMLN_L1);
  LEARNING(.prior = LPMLN_L1, .optimizer = LPMLN_NEWTON);
}

static void other_options(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  const lpmln_translation_options wrong[] = {{.target = NULL},
                                             {.target = "asp", .form = (lpmln_form)2},
                                             {.target = "mln", .markov = (lpmln_markov_system)2},
                                             {.target = "asp", .scale = NAN},
                                             {.target = "asp", .scale = -1},
                                             {.target = "asp", .scale = INFINITY},
                                             {.target = "lpmln", .noise = NAN},
                                             {.target = "lpmln", .noise = INFINITY},
                                             {.target = "klingon"}};
  for (size_t i = 0; i < CASES(wrong); i++)
    refused(lpmln_translate(p, &wrong[i]), LPMLN_USAGE, "translate");
  refused(lpmln_translate(p, NULL), LPMLN_USAGE, "translate");
  const lpmln_induction_options bad[] = {{.candidates = NULL, .folds = 5, .penalty = 1},
                                         {.candidates = "a.", .folds = 1, .penalty = 1},
                                         {.candidates = "a.", .folds = 5, .penalty = INFINITY},
                                         {.candidates = "a.", .folds = 5, .penalty = -1}};
  for (size_t i = 0; i < CASES(bad); i++)
    refused(lpmln_induce(p, &bad[i]), LPMLN_USAGE, "induce");
  const lpmln_why_options shares[] = {{.least_share = -1}, {.least_share = 2}, {1, NAN}};
  for (size_t i = 0; i < CASES(shares); i++)
    refused(lpmln_why(p, &shares[i]), LPMLN_USAGE, "why");
  refused(lpmln_why(p, NULL), LPMLN_USAGE, "why without a query");
  const lpmln_compile_options missing = {.observable_count = 1};
  const lpmln_answer *about = NULL;
  assert_null(lpmln_compile(p, &missing, &about));
  refused(about, LPMLN_USAGE, "compile");
  const lpmln_inference *answer = lpmln_infer(p);
  expect_bird(answer);
  lpmln_answer_free(answer);
  lpmln_program_free(p);
}

static void unknown_dialect(void **state) {
  (void)state;
  lpmln_options o = options();
  o.dialect = "klingon";
  lpmln_program *p = program_with(&o, bird, NULL);
  refused(lpmln_infer(p), LPMLN_INPUT, "dialect");
  lpmln_program_free(p);
}

static void defaults_make_sense(void **state) {
  (void)state;
  assert_true(isnan(lpmln_induction_options_default().penalty));
  assert_int_equal(lpmln_why_options_default().most, 10);
  lpmln_options o = lpmln_options_default();
  assert_int_equal(o.sampling.chains, 4);
  assert_true(lpmln_learning_options_default().prior == LPMLN_NO_PRIOR);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(questions_to_null),
                                     cmocka_unit_test(handles_of_null),
                                     cmocka_unit_test(additions_of_null),
                                     cmocka_unit_test(models_and_states_of_null),
                                     cmocka_unit_test(names),
                                     cmocka_unit_test(nothing_is_left_out),
                                     cmocka_unit_test(program_options),
                                     cmocka_unit_test(learning_options),
                                     cmocka_unit_test(other_options),
                                     cmocka_unit_test(unknown_dialect),
                                     cmocka_unit_test(defaults_make_sense)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
