/* test_threads.c - eight threads share one model, each with a state, evidence and weights of
** its own, and find what one thread alone finds.  Built with ThreadSanitizer, too. */
#include "api.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 30, ROWS = 19 };

static const char text[] = "n(1..4). @w(s,0.4) s(X) :- n(X). @w(t,-0.2) t(X) :- s(X).\n"
                           "u(X) :- t(X), not v(X). v(X) :- t(X), not u(X).\n"
                           "@w(l,0.7) :- s(X), not t(X), a. @w(a,0.3) a. {b}. c :- a, not b.\n"
                           "d :- c, u(1). e :- d. e :- v(2), b.";

/* Everything that one kind of evidence and weights answers. */
typedef struct {
  double log_evidence, log_partition;
  double marginals[64];
  size_t marginal_count;
  double best;
  size_t best_count;
  char drawn[2048];
  double rows[4][ROWS];
  lpmln_status status;
} Found;

static lpmln_model *model;
static Found alone[ROUNDS];

static void draw_into(lpmln_state *s, Found *to) {
  const lpmln_samples *samples = lpmln_state_draw(s, 5);
  size_t n = 0;
  for (size_t i = 0; i < samples->count; i++)
    for (size_t k = 0; k < samples->samples[i].atom_count; k++)
      n += (size_t)snprintf(to->drawn + n, sizeof to->drawn - n, "%s ",
                            samples->samples[i].atoms[k]);
  lpmln_answer_free(samples);
}

static void evaluate_into(lpmln_state *s, size_t round, Found *to) {
  size_t observables, parameters, queries;
  lpmln_model_observables(model, &observables);
  lpmln_model_parameters(model, &parameters);
  lpmln_model_queries(model, &queries);
  double evidence[ROWS * 64], weights[ROWS * 64], marginals[ROWS * 64];
  for (size_t i = 0; i < ROWS * 64; i++) {
    size_t stir = (i * 2654435761u + round * 40503u) >> 7;
    evidence[i] = stir % 11 ? (double)NAN : (double)(stir / 11 % 2);
    weights[i] = stir % 3 ? (double)NAN : (double)(stir % 17) / 8 - 1;
  }
  lpmln_batch batch = {.rows = ROWS,
                       .threads = 1 + (unsigned)(round % 2),
                       .weights = {weights, 64, 1},
                       .evidence = {evidence, 64, 1},
                       .log_partition = {to->rows[0], 1, 1},
                       .log_evidence = {to->rows[1], 1, 1},
                       .marginals = {marginals, 64, 1}};
  lpmln_status status = lpmln_state_evaluate(s, &batch);
  to->status = to->status == LPMLN_OK ? status : to->status;
  for (size_t row = 0; row < ROWS; row++)
    to->rows[2][row] = marginals[row * 64], to->rows[3][row] = marginals[row * 64 + queries - 1];
}

/* Another round is other evidence: told, untold, impossible, none. */
static void ask(size_t round, Found *to) {
  static const char *const atoms[] = {"a", "b", "s(1)", "t(2)", "e", "u(1)", "d"};
  *to = (Found){.status = LPMLN_OK};
  lpmln_model *kept = lpmln_model_keep(model);
  lpmln_state *s = lpmln_state_new(kept);
  lpmln_model_free(kept);
  for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++)
    if ((round * 5 + i * 3) % 7 < 2)
      (void)lpmln_state_observe(s, atoms[i], (round + i) % 2 ? LPMLN_TRUE : LPMLN_FALSE);
  lpmln_state_set_weight(s, "s", 0.1 * (double)round - 0.5);
  lpmln_state_seed(s, round);
  const lpmln_inference *x = lpmln_state_infer(s);
  to->status = x->about.status;
  to->log_evidence = x->log_evidence, to->log_partition = x->log_partition;
  for (size_t i = 0; i < x->count && i < 64; i++)
    to->marginals[to->marginal_count++] = x->marginals[i].probability;
  lpmln_answer_free(x);
  const lpmln_models *best = lpmln_state_map(s);
  to->best_count = best->count;
  to->best = best->count ? best->models[0].probability : 0;
  lpmln_answer_free(best);
  draw_into(s, to);
  evaluate_into(s, round, to);
  lpmln_state_free(s);
}

static bool same_double(double x, double y) { return memcmp(&x, &y, sizeof x) == 0; }

/* Bits, not tolerances: an answer does not depend on who else is asking. */
static bool same(const Found *x, const Found *y) {
  bool good = x->status == y->status && x->marginal_count == y->marginal_count &&
              x->best_count == y->best_count && same_double(x->best, y->best) &&
              same_double(x->log_evidence, y->log_evidence) &&
              same_double(x->log_partition, y->log_partition) && !strcmp(x->drawn, y->drawn);
  for (size_t i = 0; i < x->marginal_count; i++)
    good = good && same_double(x->marginals[i], y->marginals[i]);
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < ROWS; k++)
      good = good && ((isnan(x->rows[i][k]) && isnan(y->rows[i][k])) ||
                      same_double(x->rows[i][k], y->rows[i][k]));
  return good;
}

static void *run(void *number) {
  size_t *wrong = number, first = *wrong;
  Found *found = malloc(sizeof *found);
  *wrong = 0;
  for (size_t i = 0; i < ROUNDS; i++) {
    size_t round = (first * 5 + i) % ROUNDS;
    ask(round, found);
    *wrong += !same(found, &alone[round]);
  }
  free(found);
  lpmln_model_free(model); /* each thread was given a holder */
  return NULL;
}

static void share(const char *evidence, bool loaded) {
  lpmln_options o = options();
  lpmln_program *p = program_with(&o, text, evidence);
  model = lpmln_compile(p, NULL, NULL);
  lpmln_program_free(p);
  assert_non_null(model);
  if (loaded) {
    const lpmln_bytes *bytes = lpmln_model_save(model);
    lpmln_model_free(model);
    model = lpmln_model_load(bytes->bytes, bytes->length, NULL);
    lpmln_answer_free(bytes);
    assert_non_null(model);
  }
  size_t good = 0;
  for (size_t i = 0; i < ROUNDS; i++) {
    ask(i, &alone[i]);
    good += alone[i].status == LPMLN_OK;
  }
  assert_true(good >= ROUNDS / 2);
  pthread_t thread[THREADS];
  size_t wrong[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    wrong[i] = i;
    assert_non_null(lpmln_model_keep(model));
    assert_int_equal(pthread_create(&thread[i], NULL, run, &wrong[i]), 0);
  }
  lpmln_model_free(model); /* the threads hold it */
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(wrong[i], 0);
  }
}

static void eight_threads(void **state) {
  (void)state;
  share(NULL, false);
}

static void with_evidence(void **state) {
  (void)state;
  share(":- not s(3).", false);
}

static void loaded(void **state) {
  (void)state;
  share(NULL, true);
}

/* Programs of their own, in threads of their own, each with its worker. */
static void *solve(void *data) {
  lpmln_options o = options();
  double *found = data;
  for (int i = 0; i < 2; i++) {
    lpmln_program *p = lpmln_program_new(&o);
    lpmln_program_add_text(p, LPMLN_PROGRAM, "program", bird, sizeof bird - 1);
    const lpmln_inference *x = lpmln_infer(p);
    *found = probability(x, "bird(jo)");
    lpmln_answer_free(x);
    lpmln_program_free(p);
  }
  return NULL;
}

static void programs(void **state) {
  (void)state;
  pthread_t thread[THREADS];
  double found[THREADS];
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, solve, &found[i]), 0);
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_near(found[i], (M_E + M_E * M_E) / (1 + M_E + M_E * M_E), 1e-12);
  }
}

/* Threads of one question: the answer is the same with one. */
static void *question(unsigned threads, int which) {
  static const char data[] = "a,b,c\n1,1,\n1,,0\n0,0,1\n0,,\n1,0,1\n";
  lpmln_options o = options();
  o.threads = threads;
  if (which == 3)
    o.method = LPMLN_MC_ASP, o.sampling.samples = 50;
  lpmln_program *p = program_with(&o, "@w(a) a. @w(b) b :- a. @w(c) c. d :- b, c.", NULL);
  if (which == 2)
    lpmln_program_add_text(p, LPMLN_DATA, "rows.csv", data, sizeof data - 1);
  const void *answer = which == 0   ? (const void *)lpmln_infer(p)
                       : which == 1 ? (const void *)lpmln_draw(p, 40)
                       : which == 2 ? (const void *)lpmln_learn(p, NULL)
                                    : (const void *)lpmln_infer(p);
  lpmln_program_free(p);
  return (void *)(uintptr_t)answer;
}

static void threads_of_a_question(void **state) {
  (void)state;
  for (int which = 0; which < 4; which++) {
    const void *one = question(1, which), *four = question(4, which);
    assert_int_equal(((const lpmln_answer *)one)->status, LPMLN_OK);
    assert_int_equal(((const lpmln_answer *)four)->status, LPMLN_OK);
    if (which == 0 || which == 3) {
      const lpmln_inference *x = one, *y = four;
      assert_int_equal(x->count, y->count);
      for (size_t i = 0; i < x->count; i++)
        assert_true(same_double(x->marginals[i].probability, y->marginals[i].probability));
    } else if (which == 1) {
      const lpmln_samples *x = one, *y = four;
      assert_int_equal(x->count, 40);
      for (size_t i = 0; i < x->count; i++)
        assert_int_equal(x->samples[i].atom_count, y->samples[i].atom_count);
    } else {
      const lpmln_learning *x = one, *y = four;
      for (size_t i = 0; i < x->weight_count; i++)
        assert_true(same_double(x->weights[i].weight, y->weights[i].weight));
    }
    lpmln_answer_free(one);
    lpmln_answer_free(four);
  }
}

/* A question is interrupted, and its progress read, from another thread. */
static lpmln_program *busy;

static void *watch(void *data) {
  (void)data;
  for (;;) {
    lpmln_progress now = lpmln_program_progress(busy);
    if (now.stage == LPMLN_ENUMERATING && now.models > 10)
      break;
  }
  lpmln_program_interrupt(busy);
  return NULL;
}

static void watched(void **state) {
  (void)state;
  lpmln_options o = options();
  o.method = LPMLN_ENUMERATE;
  busy = program_with(&o, "0.1 a(1..60).", NULL);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, watch, NULL), 0);
  assert_int_equal(status_of(lpmln_list(busy, 3)), LPMLN_INTERRUPTED);
  pthread_join(thread, NULL);
  lpmln_program_free(busy);
}

/* While it is compiled, the share of the search that was seen grows from 0. */
static void *watch_compiling(void *data) {
  double *seen = data;
  while (!(*seen > 0)) {
    lpmln_progress now = lpmln_program_progress(busy);
    *seen = now.stage == LPMLN_COMPILING ? now.explored : NAN;
  }
  lpmln_program_interrupt(busy);
  return NULL;
}

static void watched_compiling(void **state) {
  (void)state;
  lpmln_options o = options();
  o.method = LPMLN_EXACT;
  busy = program_with(&o,
                      "n(1..9). -1 e(X,Y) :- n(X), n(Y), X < Y. -1.5 s(X) :- n(X).\n"
                      "0.8 :- e(X,Y), s(X), not s(Y). 0.8 :- e(X,Y), s(Y), not s(X).\n"
                      "r(X,Y) :- e(X,Y). r(X,Y) :- e(Y,X). r(X,Y) :- r(X,Z), r(Z,Y).\n",
                      NULL);
  pthread_t thread;
  double seen = NAN;
  assert_int_equal(pthread_create(&thread, NULL, watch_compiling, &seen), 0);
  assert_int_equal(status_of(lpmln_infer(busy)), LPMLN_INTERRUPTED);
  pthread_join(thread, NULL);
  assert_true(seen > 0 && seen <= 1);
  lpmln_program_free(busy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eight_threads),
      cmocka_unit_test(with_evidence),
      cmocka_unit_test(loaded),
      cmocka_unit_test(programs),
      cmocka_unit_test(watched),
      cmocka_unit_test(watched_compiling),
      cmocka_unit_test(threads_of_a_question),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
