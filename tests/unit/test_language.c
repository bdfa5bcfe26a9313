/* test_language.c - lexer, weights, statements, global variables. */
#include "unit.h"

#include "language/instance.h"

#include <math.h>

static Program program;

static void read_text(const char *text) {
  program = (Program){0};
  uint32_t source =
      source_add(&program.sources, "test", memory_copy(text, strlen(text)), strlen(text));
  program_read(&program, source, NULL);
}

static const Statement *first(void) {
  assert_int_equal(program.said.errors, 0);
  assert_true(program.statements.n > 0);
  return &program.statements.at[0];
}

static double value(const Statement *s) { return weight_evaluate(&s->expression, NULL); }

/* The weight of the first statement, or hard. */
static void expect(const char *text, WeightKind kind, double weight, HeadKind head) {
  read_text(text);
  const Statement *s = first();
  assert_int_equal(s->weight_kind, kind);
  if (kind == WEIGHT_NUMBER && weight_constant(&s->expression))
    assert_float_equal(value(s), weight, 1e-12);
  if (kind == WEIGHT_PARAMETER)
    assert_float_equal(s->initial, weight, 1e-12);
  assert_int_equal(s->head_kind, head);
  program_free(&program);
}

static void weights(void **state) {
  (void)state;
  expect("2.5 a(X) :- b(X).", WEIGHT_NUMBER, 2.5, HEAD_LITERAL);
  expect("-3/2 a.", WEIGHT_NUMBER, -1.5, HEAD_LITERAL);
  expect("1e-3 a.", WEIGHT_NUMBER, 1e-3, HEAD_LITERAL);
  expect("2.5e2 a.", WEIGHT_NUMBER, 250, HEAD_LITERAL);
  expect("@log(0.2/0.8) a.", WEIGHT_NUMBER, log(0.25), HEAD_LITERAL);
  expect("2*@exp(0)-(1+1) a.", WEIGHT_NUMBER, 0, HEAD_LITERAL);
  expect("--2 a.", WEIGHT_NUMBER, 2, HEAD_LITERAL);
  expect("2-3-4 a.", WEIGHT_NUMBER, -5, HEAD_LITERAL);
  expect("1+2*3/4 a.", WEIGHT_NUMBER, 2.5, HEAD_LITERAL);
  expect("0x10 a.", WEIGHT_NUMBER, 16, HEAD_LITERAL);
  expect("2 -a(X) :- b(X).", WEIGHT_NUMBER, 2, HEAD_LITERAL);
  expect("2 :- a.", WEIGHT_NUMBER, 2, HEAD_NONE);
  expect("0.3 : p.", WEIGHT_NUMBER, 0.3, HEAD_LITERAL);
  expect("alpha : p :- q.", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("alpha.", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("@w(1) a.", WEIGHT_PARAMETER, 0, HEAD_LITERAL);
  expect("@getWeight(1, 0.5) a.", WEIGHT_PARAMETER, 0.5, HEAD_LITERAL);
  expect("@w(f(X,g(Y)), -2) a(X,Y).", WEIGHT_PARAMETER, -2, HEAD_LITERAL);
  expect("@w a ; b.", WEIGHT_PARAMETER, 0, HEAD_DISJUNCTION);
  expect("W e(X,Y) :- c(X,Y,W).", WEIGHT_NUMBER, 0, HEAD_LITERAL);
}

static void bounds(void **state) {
  (void)state;
  expect("1 { a; b } 1 :- c.", WEIGHT_HARD, 0, HEAD_BOUNDED);
  expect("2-1 { a } .", WEIGHT_HARD, 0, HEAD_BOUNDED);
  expect("N { a } :- n(N).", WEIGHT_HARD, 0, HEAD_BOUNDED);
  expect("2 < X :- p(X).", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("1 #count { X : p(X) } :- q.", WEIGHT_HARD, 0, HEAD_BOUNDED);
  expect("1 : { a } 1.", WEIGHT_NUMBER, 1, HEAD_BOUNDED);
  expect("1 : { a }.", WEIGHT_NUMBER, 1, HEAD_CHOICE);
  expect("1.5 { a } 1.", WEIGHT_NUMBER, 1.5, HEAD_BOUNDED);
  expect("1e2 { a } 1.", WEIGHT_NUMBER, 100, HEAD_BOUNDED);
  expect("@log(2) { a } 1.", WEIGHT_NUMBER, log(2), HEAD_BOUNDED);
  expect("3 1{a;b}1.", WEIGHT_NUMBER, 3, HEAD_BOUNDED);
  expect("2 X < 3 :- p(X).", WEIGHT_NUMBER, 2, HEAD_LITERAL);
  expect("1..3 = X :- p(X).", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("X**2 < 3 :- p(X).", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("|X| < 3 :- p(X).", WEIGHT_HARD, 0, HEAD_LITERAL);
  expect("a : b | c.", WEIGHT_HARD, 0, HEAD_DISJUNCTION);
}

/* The number of errors in the text. */
static unsigned errors_in(const char *text) {
  read_text(text);
  unsigned errors = program.said.errors;
  program_free(&program);
  return errors;
}

static void wrong(void **state) {
  (void)state;
  assert_int_equal(errors_in("a. b c( . d) . e."), 2);
  assert_int_equal(errors_in("2."), 1);
  assert_int_equal(errors_in("1/0 a."), 1);
  assert_int_equal(errors_in("@log(0) a. @log(-1) b."), 2);
  assert_int_equal(errors_in("@foo(1) a."), 1);
  assert_int_equal(errors_in("a :- @f(X)."), 1);
  assert_int_equal(errors_in("#shwo a/1."), 1);
  assert_int_equal(errors_in(":~ a. [1]\n#minimize{1:a}. #script (lua) x #end. b."), 3);
  assert_int_equal(errors_in("p(2147483647). p(2147483648)."), 1);
  assert_int_equal(errors_in("@w(1,1) a. @w(1,2) b."), 1);
  assert_int_equal(errors_in("@w(1,1) a. @w(1) b. @w(1,1) c."), 0);
  assert_int_equal(errors_in("p(2.5)."), 1);
  assert_int_equal(errors_in("\"open"), 1);
  assert_int_equal(errors_in("a. % fine\n%* also %* nested *% fine *% b."), 0);
  assert_int_equal(errors_in("a. %* open"), 1);
  assert_int_equal(errors_in("a. \xff"), 1);
}

/* `X,Y; p(X)` : global variables, then the written body. */
static void expect_shape(const char *text, const char *variables, const char *body) {
  read_text(text);
  assert_int_equal(program.said.errors, 0);
  Shape shape;
  shape_make(&program, NULL, &program.statements.at[program.statements.n - 1], true, "V", &shape);
  Text names = {0};
  for (size_t i = 0; i < shape.variables.n; i++)
    text_printf(&names, "%s%s", i ? "," : "", shape.variables.at[i].name);
  text_add(&names, "", 0);
  assert_string_equal(names.at, variables);
  Writer w = {0};
  writer_puts(&w, "");
  writer_body(&w, &program, &shape, "");
  assert_string_equal(w.text.at, body);
  vec_free(&names);
  writer_free(&w);
  shape_free(&shape);
  program_free(&program);
}

static void shapes(void **state) {
  (void)state;
  expect_shape("1 p(X) :- q(X,Y), not r(Z).", "X,Y,Z", "q(X,Y), not r(Z)");
  expect_shape("1 p :- q(X) : r(X); s(Y).", "Y", "q(X) : r(X); s(Y)");
  expect_shape("1 p :- N = #sum { X,Y : q(X,Y) }.", "N", "N = #sum { X,Y : q(X,Y) }");
  expect_shape("#domain d(X). 1 p :- q.", "", "q");
  expect_shape("#domain d(X). 1 : {p(X)} 1.", "X", "d(X)");
  expect_shape("#domain e(X,Y). #domain f(Y,Z). 1 p(X) :- q : r.", "X,Y,Z",
               "q : r; e(X,Y); f(Y,Z)");
  expect_shape("#domain d(X;Y). 1 p(X).", "X,Y", "d(X); d(Y)");
  expect_shape("1 p(1..3).", "V1", "V1=(1..3)");
  expect_shape("1 p(X+1..N*2,a) :- q(X,N).", "X,N,V1", "q(X,N); V1=(X+1..N*2)");
  expect_shape("1 p :- q(1;2), r((3;4)), X = 1..2.", "X,V1,V2,V3",
               "q(V1), r((V2)), X = V3; V1=(1;2); V2=(3;4); V3=(1..2)");
  expect_shape("1 p :- not q(1..2).", "V1", "not q(V1); V1=(1..2)");
  expect_shape("1 : { p(1..2) } 1.", "", "");
  expect_shape("W*2 p :- c(X,W).", "W,X", "c(X,W)");
  expect_shape("@w(f(X)) p :- q(X).", "X", "q(X)");
}

static void observations(void **state) {
  (void)state;
  static const char text[] = "a. not b.\n--- 25\n:- not c.\n---\nd.\n---\n";
  program = (Program){0};
  uint32_t source =
      source_add(&program.sources, "o", memory_copy(text, sizeof text - 1), sizeof text - 1);
  program_read_observations(&program, source, true);
  assert_int_equal(program.said.errors, 0);
  assert_int_equal(program.blocks.n, 3);
  assert_true(program.blocks.at[0].count == 25 && program.blocks.at[1].count == 1);
  assert_int_equal(program.statements.at[2].block, 1);
  assert_int_equal(program.statements.at[0].kind, S_LITERAL);
  assert_int_equal(program.statements.at[2].kind, S_RULE);
  program_free(&program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights), cmocka_unit_test(bounds),       cmocka_unit_test(wrong),
      cmocka_unit_test(shapes),  cmocka_unit_test(observations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
