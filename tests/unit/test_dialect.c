/* test_dialect.c - programs of other languages: which one it is, where things came
** from, how terms are shown. */
#include "unit.h"

#include "dialects/dialect.h"
#include "dialects/problog/read.h"

static Program program;
static Dialect dialect;

static const char *of(const char *said, lpmln_role role, const char *name) {
  bool guessed;
  const DialectKind *kind = said ? dialect_named(said) : NULL;
  return dialect_of(kind, dialect_named("problog"), role, name, &guessed)->name;
}

static bool guesses(const char *said, const char *programs, lpmln_role role, const char *name) {
  bool guessed;
  dialect_of(said ? dialect_named(said) : NULL, dialect_named(programs), role, name, &guessed);
  return guessed;
}

static void names(void **state) {
  (void)state;
  assert_string_equal(of(NULL, LPMLN_PROGRAM, "a.lpmln"), "lpmln");
  assert_string_equal(of(NULL, LPMLN_PROGRAM, "a"), "lpmln");
  assert_string_equal(of(NULL, LPMLN_PROGRAM, ".pl"), "lpmln");
  assert_string_equal(of(NULL, LPMLN_PROGRAM, "a.b/c.problog"), "problog");
  assert_string_equal(of(NULL, LPMLN_PROGRAM, "a.mln"), "mln");
  assert_string_equal(of(NULL, LPMLN_PROGRAM, "a.plog"), "plog");
  assert_string_equal(of("lpmln", LPMLN_PROGRAM, "a.pl"), "lpmln");
  assert_string_equal(of(NULL, LPMLN_EVIDENCE, "a.obs"), "lpmln");
  assert_string_equal(of(NULL, LPMLN_EVIDENCE, "a.txt"), "problog");
  assert_string_equal(of("problog", LPMLN_DATA, "a.csv"), "lpmln");
  assert_string_equal(of("problog", LPMLN_TEST_DATA, "a.csv"), "lpmln");
  assert_true(guesses(NULL, "lpmln", LPMLN_PROGRAM, "a.pl"));
  assert_false(guesses("problog", "lpmln", LPMLN_PROGRAM, "a.pl"));
  assert_true(guesses(NULL, "lpmln", LPMLN_EVIDENCE, "a.db"));
  assert_false(guesses(NULL, "mln", LPMLN_EVIDENCE, "a.db"));
}

/* The option's names and the table are one. */
static void table(void **state) {
  (void)state;
  size_t n;
  const lpmln_choice *choices = dialect_choices(&n);
  assert_int_equal(n, dialect_kind_count + 1);
  assert_string_equal(choices[0].name, "auto");
  assert_string_equal(choices[1].name, "lpmln");
  assert_null(dialect_named("auto"));
  assert_null(dialect_named("nonsense"));
  for (size_t i = 0; i < dialect_kind_count; i++) {
    assert_string_equal(choices[i + 1].name, dialect_kinds[i].name);
    assert_ptr_equal(dialect_named(dialect_kinds[i].name), &dialect_kinds[i]);
    assert_true(*choices[i + 1].summary);
  }
}

static void read_problog(const char *text) {
  program = (Program){0};
  dialect = (Dialect){.program = &program};
  uint32_t source =
      source_add(&program.sources, "p.pl", memory_copy(text, strlen(text)), strlen(text));
  vec_push(&dialect.inputs, (DialectInput){LPMLN_PROGRAM, source});
  problog_read(&dialect);
}

static void forget(void) {
  dialect_free(&dialect);
  program_free(&program);
}

/* A diagnostic about the derived text points at the user's. */
static void places(void **state) {
  (void)state;
  read_problog("0.3::a.\n0.4::b :-\n  c.\n c.");
  assert_int_equal(program.said.errors, 0);
  program_read(&program, dialect_source(&dialect, &dialect.rules, "p.pl"), NULL);
  assert_int_equal(program.said.errors, 0);
  const char *file;
  unsigned line;
  Text text = {0};
  const Statement *s = &program.statements.at[1]; /* the fact of the second clause */
  program_describe(&program, s, &file, &line, &text);
  assert_string_equal(file, "p.pl");
  assert_int_equal(line, 2);
  assert_string_equal(text.at, "0.4::b :- c");
  diagnose_error(program_said(&program), program_place(&program, s, s->body), NULL, "here");
  Place place = program.said.list.at[program.said.list.n - 1].place;
  assert_int_equal(place.source, 0);
  assert_int_equal(place.offset, 8);
  vec_free(&text);
  forget();
}

static void expect_shown(const char *atom, const char *shown) {
  Text text = {0};
  assert_non_null(program.display);
  program.display(&program, atom, &text);
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
  expect_shown("p(\"'A b'\",\"s\",\"0.5\",\"a,\\\\\\\"b\")", "p('A b',\"s\",0.5,\"a,\\\"b\")");
  expect_shown("quoted_My_pred(1)", "'My pred'(1)");
  expect_shown("not q(())", "\\+q([])");
  forget();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(table),
                                     cmocka_unit_test(places), cmocka_unit_test(display)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
