/* test_ahead.c - threads that compile ahead of a search, or make its nodes: the bits of one alone.
*Built with
** ThreadSanitizer, too. */
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

/* Threads that help from the first attempt on: the bits of one alone. */
static void test_ahead(void **state) {
  (void)state;
  static const SearchChoice choices[] = {CHOOSE_ALL,  CHOOSE_FAR,  CHOOSE_NEAR,   CHOOSE_HEADS,
                                         CHOOSE_TREE, CHOOSE_FLAT, CHOOSE_CLAUSES};
  Random random = random_make(12, 0);
  for (int i = 0; i < 200; i++) {
    Ground g;
    Analysis an;
    test_chain(&random, &styles[i % STYLES], &g);
    analysis_make(&g, &an);
    CompileOptions options = compile_options_default();
    options.choice = choices[i % 7], options.ahead = 0;
    Lit evidence[] = {test_below(&random, (unsigned)(2 * g.atoms.n))};
    Text alone = bytes_of_circuit(&g, &an, options, evidence, 1);
    for (options.threads = 2; options.threads <= 6; options.threads += 2) {
      Text helped = bytes_of_circuit(&g, &an, options, evidence, 1);
      assert_int_equal(helped.n, alone.n);
      assert_memory_equal(helped.at, alone.at, alone.n);
      vec_free(&helped);
    }
    vec_free(&alone);
    analysis_free(&an);
    ground_free(&g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ahead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
