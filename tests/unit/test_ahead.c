/* test_ahead.c - threads that compile ahead of a search, or make its nodes: the bits of one alone.
** Built with ThreadSanitizer, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compile/compile.h"
#include "unit/random_program.h"

static const TestStyle styles[] = {
    {6, 9, 40, 10, 10, 25, 15, 60}, /* a bit of everything */
    {7, 11, 50, 0, 0, 40, 5, 80},   /* loops through choice and soft rules */
    {6, 9, 35, 10, 60, 20, 10, 75}, /* weight bodies, many in loops */
    {8, 8, 40, 15, 10, 70, 20, 60}, /* soft rules of every kind */
};
enum { STYLES = sizeof styles / sizeof *styles };

/* The circuit of a program and some evidence as bytes. */
static Text bytes_of_circuit(const Ground *g, const Analysis *an, CompileOptions options,
                             const Lit *evidence, size_t n) {
  Compiled c;
  CircuitRoot root[2] = {0};
  Text bytes = {0};
  compile_begin(&c, g, an, &options);
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root[0]), OK);
  assert_int_equal(compile_root(&c, evidence, n, NULL, 0, &root[1]), OK);
  assert_int_equal(circuit_save(&c.circuit, root, 2, &bytes), OK);
  for (int i = 0; i < 2; i++)
    circuit_root_free(&root[i]);
  compile_free(&c);
  return bytes;
}

/* The same bits for any number of threads. */
static void check_threads(const Ground *g, CompileOptions options, const Lit *evidence, size_t n) {
  Analysis an;
  analysis_make(g, &an);
  Text alone = bytes_of_circuit(g, &an, options, evidence, n);
  for (options.threads = 2; options.threads <= 6; options.threads += 2) {
    Text helped = bytes_of_circuit(g, &an, options, evidence, n);
    assert_int_equal(helped.n, alone.n);
    assert_memory_equal(helped.at, alone.at, alone.n);
    vec_free(&helped);
  }
  vec_free(&alone);
  analysis_free(&an);
}

/* Threads that help from the first attempt on: the bits of one alone. */
static void test_ahead(void **state) {
  (void)state;
  static const SearchChoice choices[] = {CHOOSE_ALL,  CHOOSE_FAR,  CHOOSE_NEAR,   CHOOSE_HEADS,
                                         CHOOSE_TREE, CHOOSE_FLAT, CHOOSE_CLAUSES};
  Random random = random_make(12, 0);
  for (int i = 0; i < 210; i++) {
    Ground g;
    test_chain(&random, &styles[i % STYLES], &g);
    CompileOptions options = compile_options_default();
    options.choice = choices[i % 7], options.ahead = 0;
    Lit evidence[] = {test_below(&random, (unsigned)(2 * g.atoms.n))};
    check_threads(&g, options, evidence, 1);
    ground_free(&g);
  }
}

/* Guessed atoms, and twice as many constraints on three of them. */
static void random_clauses(Random *random, unsigned atoms, Ground *g) {
  test_begin(g);
  for (unsigned a = 0; a < atoms; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(g, name);
    test_add_rule(&(TestRule){.choice = true, .heads = 1, .head = {a}, .soft = -1}, 0, g);
  }
  for (unsigned i = 0; i < 2 * atoms; i++) {
    TestRule r = {.size = 3, .soft = -1};
    for (unsigned k = 0; k < 3; k++)
      r.body[k] = test_below(random, 2 * atoms);
    test_add_rule(&r, 0, g);
  }
  ground_seal(g);
}

/* So many nodes that threads wait for each other on the way. */
static void test_relay(void **state) {
  (void)state;
  static const SearchChoice choices[] = {CHOOSE_FLAT, CHOOSE_CLAUSES, CHOOSE_ALL};
  Random random = random_make(13, 0);
  for (int i = 0; i < 3; i++) {
    Ground g;
    random_clauses(&random, 42, &g);
    CompileOptions options = compile_options_default();
    options.choice = choices[i], options.ahead = 0;
    check_threads(&g, options, &(Lit){4}, 1);
    ground_free(&g);
  }
}

static Status status_of(const Ground *g, const Analysis *an, CompileOptions options) {
  Compiled c;
  CircuitRoot root = {0};
  compile_begin(&c, g, an, &options);
  Status status = compile_root(&c, NULL, 0, NULL, 0, &root);
  assert_true(status == OK || status == LIMIT);
  circuit_root_free(&root);
  compile_free(&c);
  return status;
}

/* A limit is reached with many threads if it is with one. */
static void test_limit(void **state) {
  (void)state;
  Random random = random_make(14, 0);
  Ground g;
  Analysis an;
  int reached = 0;
  random_clauses(&random, 36, &g);
  analysis_make(&g, &an);
  CompileOptions options = compile_options_default();
  options.choice = CHOOSE_CLAUSES, options.ahead = 0;
  for (options.nodes = 500; options.nodes < 200000; options.nodes += options.nodes / 3) {
    options.threads = 1;
    Status alone = status_of(&g, &an, options);
    options.threads = 2;
    assert_int_equal(status_of(&g, &an, options), alone);
    reached += alone == LIMIT;
  }
  assert_true(reached > 3 && reached < 20);
  analysis_free(&an);
  ground_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ahead), cmocka_unit_test(test_relay),
                                     cmocka_unit_test(test_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
