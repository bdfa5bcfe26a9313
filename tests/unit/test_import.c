/* test_import.c - programs of other languages: which one it is, where things came
** from, how terms are shown. */
#include "unit.h"

#include "dialects/dialect.h"

static Program program;
static Dialect dialect;

static lpmln_language of(lpmln_language said, lpmln_role role, const char *name) {
  bool guessed;
  return dialect_language(said, LPMLN_LANGUAGE_PROBLOG, role, name, &guessed);
}

static void languages(void **state) {
  (void)state;
  bool guessed;
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_PROGRAM, "a.lpmln"), LPMLN_LANGUAGE_LPMLN);
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_PROGRAM, "a"), LPMLN_LANGUAGE_LPMLN);
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_PROGRAM, ".pl"), LPMLN_LANGUAGE_LPMLN);
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_PROGRAM, "a.b/c.problog"), LPMLN_LANGUAGE_PROBLOG);
  assert_int_equal(of(LPMLN_LANGUAGE_LPMLN, LPMLN_PROGRAM, "a.pl"), LPMLN_LANGUAGE_LPMLN);
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_EVIDENCE, "a.obs"), LPMLN_LANGUAGE_LPMLN);
  assert_int_equal(of(LPMLN_LANGUAGE_AUTO, LPMLN_EVIDENCE, "a.txt"), LPMLN_LANGUAGE_PROBLOG);
  assert_int_equal(of(LPMLN_LANGUAGE_PROBLOG, LPMLN_DATA, "a.csv"), LPMLN_LANGUAGE_LPMLN);
  dialect_language(LPMLN_LANGUAGE_AUTO, LPMLN_LANGUAGE_LPMLN, LPMLN_PROGRAM, "a.pl", &guessed);
  assert_true(guessed);
  dialect_language(LPMLN_LANGUAGE_PROBLOG, LPMLN_LANGUAGE_LPMLN, LPMLN_PROGRAM, "a.pl", &guessed);
  assert_false(guessed);
}

static void read_problog(const char *text) {
  program = (Program){0};
  dialect = (Dialect){.program = &program};
  uint32_t source =
      source_add(&program.sources, "p.pl", memory_copy(text, strlen(text)), strlen(text));
  vec_push(&dialect.inputs, (DialectInput){LPMLN_PROGRAM, source});
  dialect_problog(&dialect);
}

static void forget(void) {
  dialect_free(&dialect);
  program_free(&program);
}

/* A report about the derived text points at the foreign one. */
static void places(void **state) {
  (void)state;
  read_problog("0.3::a.\n0.4::b :-\n  c.\n c.");
  assert_int_equal(program.sources.errors, 0);
  program_read(&program, dialect_source(&dialect, &dialect.rules, "p.pl"), NULL);
  assert_int_equal(program.sources.errors, 0);
  const char *file;
  unsigned line;
  Text text = {0};
  const Statement *s = &program.statements.at[1]; /* the fact of the second clause */
  program_describe(&program, s, &file, &line, &text);
  assert_string_equal(file, "p.pl");
  assert_int_equal(line, 2);
  assert_string_equal(text.at, "0.4::b :- c");
  diagnose_error(&program.sources, program_place(&program, s, s->body), NULL, "here");
  Place place = program.sources.diagnostics.at[program.sources.diagnostics.n - 1].place;
  assert_int_equal(place.source, 0);
  assert_int_equal(place.offset, 8);
  vec_free(&text);
  forget();
}

static void expect_shown(const char *atom, const char *shown) {
  Text text = {0};
  program_display(&program, atom, &text);
  assert_string_equal(text.at, shown);
  vec_free(&text);
}

static void display(void **state) {
  (void)state;
  read_problog("'My pred'(1). query('My pred'(_)).");
  expect_shown("a", "a");
  expect_shown("p(1,-2,f(a))", "p(1,-2,f(a))");
  expect_shown("p((a,(b,())))", "p([a, b])");
  expect_shown("p((a,b),())", "p([a | b],[])");
  expect_shown("p(((a,()),()),c)", "p([[a]],c)");
  expect_shown("p(\"'A b'\",\"s\",\"0.5\",\"a,\\\"b\")", "p('A b',\"s\",0.5,\"a,\\\"b\")");
  expect_shown("quoted_My_pred(1)", "'My pred'(1)");
  expect_shown("not q(())", "\\+q([])");
  forget();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(languages), cmocka_unit_test(places),
                                     cmocka_unit_test(display)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
