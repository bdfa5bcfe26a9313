/* test_cover.c - bodies that exclude each other and of which one always holds, against all
** values of what they mention. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "compile/cover.h"
#include "compile/exclusive.h"
#include "ground/ground.h"

#include <stdlib.h>

enum { ATOMS = 9, GROUP = 3, CASES = 20000, MOST_BODIES = 12 };

/* Atoms 0 to 2 are a group, of which one holds or at most one; the others are free. */
static bool allowed(uint32_t values, bool exact) {
  uint32_t held = (uint32_t)__builtin_popcount(values & ((1u << GROUP) - 1));
  return held == 1 || (!held && !exact);
}

static bool holds(const uint32_t *rule, uint32_t values) {
  bool all = true;
  for (uint32_t k = 0; k < rule_size(rule); k++)
    all &= (values >> (rule[2 + k] >> 1) & 1) != (rule[2 + k] & 1);
  return all;
}

static Covered by_force(const Words *words, const Bodies *bodies, bool exact) {
  Covered found = {true, true};
  for (uint32_t values = 0; values < 1u << ATOMS; values++) {
    uint32_t held = 0;
    for (size_t i = 0; i < bodies->n; i++)
      held += holds(words->at + bodies->at[i], values);
    found.exclusive &= !allowed(values, exact) || held < 2;
    found.complete &= !allowed(values, exact) || held;
  }
  found.complete &= found.exclusive;
  return found;
}

static void begin_body(Words *words, Bodies *bodies) {
  vec_push(bodies, words->n);
  vec_push(words, THEORY_NONE);
  vec_push(words, 0);
}

/* Copies a body with one more literal. */
static void split_body(Words *words, Bodies *bodies, size_t body, uint32_t literal) {
  size_t from = bodies->at[body];
  begin_body(words, bodies);
  for (uint32_t k = 0; k < rule_size(words->at + from); k++)
    (void)rule_add_literal(words, bodies->at[bodies->n - 1], words->at[from + 2 + k]);
  if (!rule_add_literal(words, bodies->at[bodies->n - 1], literal))
    bodies->n--;
}

/* The leaves of a random decision tree; the group is decided as a whole. */
static void grow(Random *random, Words *words, Bodies *bodies) {
  begin_body(words, bodies);
  while (bodies->n < MOST_BODIES) {
    size_t body = random_below(random, bodies->n);
    uint32_t atom = GROUP - 1 + (uint32_t)random_below(random, ATOMS - GROUP + 1);
    uint32_t values = atom < GROUP ? GROUP : 2;
    bool met = false;
    for (uint32_t k = 0; k < rule_size(words->at + bodies->at[body]); k++) {
      uint32_t other = words->at[bodies->at[body] + 2 + k] >> 1;
      met |= other == atom || (other < GROUP && atom < GROUP);
    }
    for (uint32_t k = 0; k < values && !met; k++)
      split_body(words, bodies, body, atom < GROUP ? 2 * k : lit_of(atom, k));
    if (!met)
      bodies->at[body] = bodies->at[--bodies->n];
  }
}

/* The tree as it is, with a leaf lost, or with a literal lost. */
static void test_trees(void **state) {
  (void)state;
  Random random = random_make(5, 0);
  uint32_t seen[2] = {0};
  for (int i = 0; i < CASES; i++) {
    Words words = {0}, group = {0};
    Bodies bodies = {0};
    Cover c;
    cover_begin(&c, ATOMS);
    c.most = 1000000;
    for (uint32_t a = 0; a < GROUP; a++)
      vec_push(&group, a);
    bool exact = i % 2;
    cover_add(&c, &group, exact);
    grow(&random, &words, &bodies);
    size_t last = bodies.at[bodies.n - 1];
    if (i % 3 == 1)
      bodies.n--;
    else if (i % 3 == 2)
      words.at[last + 1] -= 2;
    Covered found = cover_bodies(&c, &words, &bodies), truth = by_force(&words, &bodies, exact);
    assert_int_equal(found.exclusive, truth.exclusive);
    assert_int_equal(found.complete, truth.complete);
    for (uint32_t a = 0; a < ATOMS; a++)
      assert_true(!c.value[a] && !c.count[a]);
    seen[0] += truth.exclusive, seen[1] += truth.complete;
    cover_free(&c);
    vec_free(&words);
    vec_free(&group);
    vec_free(&bodies);
  }
  assert_in_range(seen[0], CASES / 2, CASES - CASES / 5);
  assert_in_range(seen[1], CASES / 6, CASES / 2);
}

/* Work that is out is no proof. */
static void test_effort(void **state) {
  (void)state;
  Random random = random_make(6, 0);
  Words words = {0};
  Bodies bodies = {0};
  Cover c;
  cover_begin(&c, ATOMS);
  grow(&random, &words, &bodies);
  c.most = 10;
  assert_false(cover_bodies(&c, &words, &bodies).exclusive);
  cover_free(&c);
  vec_free(&words);
  vec_free(&bodies);
}

/* A table of three values with two rows, whose condition is a table without rows: the first
** value of that is an input. */
static void test_tables(void **state) {
  (void)state;
  enum { A, B, C, D, E, FIRST, SECOND, LOW, MIDDLE, HIGH, ALL };
  const int rules[][5] = {{FIRST, -1 - A, 1 + B},      {SECOND, -1 - A, -1 - B},
                          {LOW, 1 + A, 1 + C},         {LOW, 1 + FIRST, 1 + D},
                          {LOW, 1 + SECOND},           {MIDDLE, 1 + A, -1 - C, 1 + E},
                          {MIDDLE, 1 + FIRST, -1 - D}, {HIGH, 1 + A, -1 - C, -1 - E}};
  Words words = {0};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    size_t start = words.n;
    vec_push(&words, (uint32_t)rules[i][0]);
    vec_push(&words, 0);
    for (int k = 1; k < 5 && rules[i][k]; k++)
      (void)rule_add_literal(&words, start,
                             lit_of((uint32_t)abs(rules[i][k]) - 1, rules[i][k] < 0));
  }
  Exclusive x;
  exclusive_begin(&x, &words, ALL);
  assert_int_equal(x.cover.exact.n, 2);
  assert_true(x.cover.exact.at[0] && x.cover.exact.at[1]);
  assert_int_equal(x.cover.group[A], x.cover.group[FIRST]);
  assert_int_equal(x.cover.group[LOW], x.cover.group[HIGH]);
  assert_int_equal(x.cover.group[LOW], x.cover.group[MIDDLE]);
  assert_true(exclusive_atoms(&x, LOW, HIGH) && exclusive_atoms(&x, A, SECOND));
  assert_false(exclusive_atoms(&x, LOW, FIRST));
  exclusive_free(&x);
  vec_free(&words);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees), cmocka_unit_test(test_effort),
                                     cmocka_unit_test(test_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
