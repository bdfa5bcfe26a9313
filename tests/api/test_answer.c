/* test_answer.c - answers are the caller's own: they outlive everything, and nothing that is
** done to a program, a model or a state later changes them. */
#include "api.h"

static const char text[] = "@w(a,1) a. @w(b,-0.5) b :- a. {c}. d :- c, not b. 2 :- d, a. #show.\n"
                           "#show a/0. #show b/0. #show d/0. #const n=2. e(1..n) :- d.";

/* An answer as bytes that can be compared. */
typedef struct {
  char at[1 << 16];
  size_t n;
} Copy;

__attribute__((format(printf, 2, 3))) static void put(Copy *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  c->n += (size_t)vsnprintf(c->at + c->n, sizeof c->at - c->n, format, arguments);
  va_end(arguments);
  assert_true(c->n < sizeof c->at);
}

static void put_about(Copy *c, const lpmln_answer *a) {
  put(c, "%d %d %d %d %s|%s|", a->status, a->method, a->exact, a->complete,
      a->models_seen ? a->models_seen : "", a->messages);
  for (size_t i = 0; i < a->diagnostic_count; i++) {
    const lpmln_diagnostic *d = &a->diagnostics[i];
    put(c, "%s %u %u %s %s %s|", d->file ? d->file : "", d->line, d->column, d->message,
        d->hint ? d->hint : "", d->source ? d->source : "");
  }
}

static void put_inference(Copy *c, const lpmln_inference *a) {
  put_about(c, &a->about);
  put(c, "%a %a ", a->log_partition, a->log_evidence);
  for (size_t i = 0; i < a->count; i++)
    put(c, "%s %a|", a->marginals[i].atom, a->marginals[i].probability);
}

static void put_models(Copy *c, const lpmln_models *a) {
  put_about(c, &a->about);
  put(c, "%s ", a->total);
  for (size_t i = 0; i < a->count; i++) {
    const lpmln_stable_model *m = &a->models[i];
    put(c, "%a %a ", m->probability, m->log_weight);
    for (size_t k = 0; k < m->atom_count; k++)
      put(c, "%s ", m->atoms[k]);
    for (size_t k = 0; k < m->violated_count; k++)
      put(c, "%s %u %s %s|", m->violated[k].file, m->violated[k].line, m->violated[k].rule,
          m->violated[k].instance);
  }
}

static void put_samples(Copy *c, const lpmln_samples *a) {
  put_about(c, &a->about);
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < a->samples[i].atom_count; k++)
      put(c, "%s ", a->samples[i].atoms[k]);
}

/* One of each. */
typedef struct {
  const lpmln_inference *inference, *wrong;
  const lpmln_models *map, *list;
  const lpmln_samples *samples, *uniform;
  const lpmln_analysis *analysis;
  const lpmln_translation *translation;
  const lpmln_sources *sources;
} Answers;

static void put_all(Copy *c, const Answers *a) {
  c->n = 0;
  put_inference(c, a->inference);
  if (a->wrong)
    put_inference(c, a->wrong);
  put_models(c, a->map);
  put_models(c, a->list);
  put_samples(c, a->samples);
  if (!a->uniform)
    return;
  put_samples(c, a->uniform);
  put_about(c, &a->analysis->about);
  put(c, "%zu %s ", a->analysis->atoms, a->analysis->simple_reason);
  for (size_t i = 0; i < a->analysis->advice_count; i++)
    put(c, "%s|", a->analysis->advice[i]);
  put(c, "%s|", a->translation->text);
  for (size_t i = 0; i < a->sources->text_count; i++)
    put(c, "%s %s|", a->sources->texts[i].name, a->sources->texts[i].bytes);
}

static Answers ask_program(lpmln_program *p) {
  lpmln_translation_options asp = {.target = "asp"};
  Answers a = {.inference = lpmln_infer(p),
               .map = lpmln_map(p),
               .list = lpmln_list(p, 0),
               .samples = lpmln_draw(p, 5),
               .uniform = lpmln_draw_uniform(p, 5),
               .analysis = lpmln_check(p),
               .translation = lpmln_translate(p, &asp),
               .sources = lpmln_program_sources(p)};
  assert_int_equal(a.translation->about.status, LPMLN_OK);
  assert_int_equal(a.inference->about.status, LPMLN_OK);
  return a;
}

static Answers ask_state(lpmln_state *s) {
  return (Answers){.inference = lpmln_state_infer(s),
                   .map = lpmln_state_map(s),
                   .list = lpmln_state_list(s, 0),
                   .samples = lpmln_state_draw(s, 5)};
}

static void answers_free(const Answers *a) {
  lpmln_answer_free(a->inference);
  lpmln_answer_free(a->wrong);
  lpmln_answer_free(a->map);
  lpmln_answer_free(a->list);
  lpmln_answer_free(a->samples);
  lpmln_answer_free(a->uniform);
  lpmln_answer_free(a->analysis);
  lpmln_answer_free(a->translation);
  lpmln_answer_free(a->sources);
}

static Copy before, after;

static void expect_unchanged(const Answers *a) {
  put_all(&after, a);
  assert_int_equal(before.n, after.n);
  assert_memory_equal(before.at, after.at, before.n);
}

/* Adding to a program leaves its answers alone. */
static void additions(void **state) {
  (void)state;
  lpmln_program *p = program_of(text);
  Answers a = ask_program(p);
  put_all(&before, &a);
  assert_int_equal(lpmln_program_set_weight(p, "a", -3), LPMLN_OK);
  expect_unchanged(&a);
  assert_int_equal(lpmln_program_define(p, "n", "4"), LPMLN_OK);
  expect_unchanged(&a);
  assert_int_equal(lpmln_program_add_query(p, "e(4)"), LPMLN_OK);
  expect_unchanged(&a);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_EVIDENCE, "e", "c.", 2), LPMLN_OK);
  expect_unchanged(&a);
  assert_int_equal(lpmln_program_add_text(p, LPMLN_PROGRAM, "q", "1 q. r(", 7), LPMLN_OK);
  a.wrong = lpmln_infer(p);
  assert_int_equal(a.wrong->about.status, LPMLN_INPUT);
  assert_true(a.wrong->about.diagnostic_count > 0);
  put_all(&before, &a);
  lpmln_program_free(p);
  expect_unchanged(&a); /* diagnostics, too, with their lines of text */
  answers_free(&a);
}

/* Answers outlive the program, the model and the state. */
static void lifetimes(void **state) {
  (void)state;
  lpmln_program *p = program_of(text);
  const lpmln_answer *about;
  lpmln_model *m = lpmln_compile(p, NULL, &about);
  lpmln_state *s = lpmln_state_new(m);
  Answers a = ask_state(s);
  put_all(&before, &a);
  lpmln_program_free(p);
  expect_unchanged(&a);
  Answers again = ask_state(s); /* the model has what it needs */
  assert_near(again.inference->log_partition, a.inference->log_partition, 0);
  answers_free(&again);
  lpmln_state_set_weight(s, "a", 5);
  lpmln_state_observe(s, "c", LPMLN_FALSE);
  answers_free(&(Answers){.inference = lpmln_state_infer(s)});
  expect_unchanged(&a);
  lpmln_model_free(m);
  again = ask_state(s); /* the state keeps the model */
  assert_int_equal(again.inference->about.status, LPMLN_OK);
  answers_free(&again);
  lpmln_state_observe(s, "c", LPMLN_TRUE);
  lpmln_state_observe(s, "d", LPMLN_TRUE);
  lpmln_state_observe(s, "b", LPMLN_TRUE);
  a.wrong = lpmln_state_infer(s);
  assert_int_equal(a.wrong->about.status, LPMLN_NO_ANSWER);
  put_all(&before, &a);
  lpmln_state_free(s);
  expect_unchanged(&a);
  assert_int_equal(status_of(about), LPMLN_OK);
  answers_free(&a);
}

/* Holders: the last one frees. */
static void holders(void **state) {
  (void)state;
  lpmln_program *p = program_of(bird);
  lpmln_model *m = lpmln_compile(p, NULL, NULL), *kept = lpmln_model_keep(m);
  assert_ptr_equal(m, kept);
  lpmln_program_free(p);
  lpmln_model_free(m);
  lpmln_state *s = lpmln_state_new(kept), *t = lpmln_state_new(kept);
  lpmln_model_free(kept);
  lpmln_state_free(s);
  const lpmln_inference *x = lpmln_state_infer(t);
  expect_bird(x);
  lpmln_state_free(t);
  expect_bird(x);
  lpmln_answer_free(x);
}

/* Learned weights and tables, too. */
static void learning(void **state) {
  (void)state;
  static const char program[] = "@w(a) a. b :- a.", data[] = "a,b\n1,1\n1,\n0,0\n";
  lpmln_program *p = program_of(program);
  lpmln_program_add_text(p, LPMLN_DATA, "rows.csv", data, sizeof data - 1);
  const lpmln_learning *l = lpmln_learn(p, NULL);
  const lpmln_table *t = lpmln_infer_rows(p);
  assert_int_equal(l->about.status, LPMLN_OK);
  assert_int_equal(t->about.status, LPMLN_OK);
  lpmln_program_add_text(p, LPMLN_PROGRAM, "more", "c.", 2);
  lpmln_program_free(p);
  assert_int_equal(l->weight_count, 1);
  assert_string_equal(l->weights[0].parameter, "a");
  assert_near(l->weights[0].weight, log(2), 1e-6);
  assert_non_null(strstr(l->program, "b :- a."));
  assert_int_equal(t->row_count, 3);
  assert_near(t->log_evidence[2], log(0.5), 1e-12);
  assert_near(t->probabilities[0], 1, 0);
  assert_string_equal(t->queries[0], "a");
  lpmln_answer_free(l);
  lpmln_answer_free(t);
}

/* Rows of so many that they come in parts, some of them impossible. */
enum { ROWS = 300000 };

typedef struct {
  const lpmln_table *whole;
  size_t rows, parts, impossible;
} Received;

static bool receive(void *data, const lpmln_table *part) {
  Received *r = data;
  assert_int_equal(part->query_count, r->whole->query_count);
  assert_string_equal(part->queries[1], r->whole->queries[1]);
  size_t width = part->query_count * sizeof *part->probabilities;
  assert_true(r->rows + part->row_count <= r->whole->row_count);
  assert_memory_equal(part->log_evidence, r->whole->log_evidence + r->rows,
                      part->row_count * sizeof *part->log_evidence);
  for (size_t i = 0; i < part->row_count; i++) {
    bool impossible = isinf(part->log_evidence[i]);
    const double *other = r->whole->probabilities + (r->rows + i) * part->query_count;
    if (impossible)
      assert_true(isnan(part->probabilities[i * part->query_count]) && isnan(*other));
    else
      assert_memory_equal(part->probabilities + i * part->query_count, other, width);
    r->impossible += impossible;
  }
  r->rows += part->row_count;
  r->parts++;
  return true;
}

static bool stop(void *data, const lpmln_table *part) {
  *(size_t *)data += part->row_count;
  return false;
}

static void parts(void **state) {
  (void)state;
  static const char program[] = "@log(0.3/0.7) a. @log(0.6/0.4) b. c :- a, b. :- a, not b, d. {d}.";
  char *rows = malloc(8 * ROWS);
  assert_non_null(rows);
  size_t n = (size_t)sprintf(rows, "a,b,d\n");
  for (unsigned i = 0; i < ROWS; i++)
    n += (size_t)sprintf(rows + n, "%s,%s,%s\n", i % 7 < 3 ? "1" : "",
                         i % 5 < 2   ? "0"
                         : i % 5 < 3 ? "1"
                                     : "",
                         i % 11 < 4 ? "1" : "");
  lpmln_program *p = program_of(program);
  lpmln_program_add_text(p, LPMLN_DATA, "rows.csv", rows, n);
  Received r = {.whole = lpmln_infer_rows(p)};
  assert_int_equal(r.whole->about.status, LPMLN_OK);
  assert_int_equal(r.whole->row_count, ROWS);
  const lpmln_table *t = lpmln_infer_rows_each(p, receive, &r);
  assert_int_equal(t->about.status, LPMLN_OK);
  assert_true(r.parts > 2 && r.rows == ROWS && t->row_count == ROWS && !t->probabilities);
  assert_true(r.impossible && r.impossible == t->impossible &&
              t->impossible == r.whole->impossible);
  assert_int_equal(t->about.diagnostic_count, r.whole->about.diagnostic_count);
  lpmln_answer_free(t);
  size_t first = 0;
  t = lpmln_infer_rows_each(p, stop, &first);
  assert_int_equal(t->about.status, LPMLN_INTERRUPTED);
  assert_true(first && first < ROWS && !t->probabilities);
  lpmln_answer_free(t);
  lpmln_answer_free(r.whole);
  lpmln_program_free(p);
  free(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(additions), cmocka_unit_test(lifetimes), cmocka_unit_test(holders),
      cmocka_unit_test(learning),  cmocka_unit_test(parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
