/* test_cnf.c - gates: every assignment of the inputs has one extension, and the output holds
** in it iff the gate does. */
#include "unit.h"

#include "base/random.h"
#include "write/cnf.h"

enum { MOST_INPUTS = 5, MOST_VARIABLES = 20 };

static bool holds(unsigned set, int32_t literal) {
  if (abs(literal) == CNF_TRUE)
    return literal > 0;
  return (set >> (abs(literal) - 1) & 1) == (literal > 0);
}

static bool satisfied(const Cnf *c, unsigned set) {
  for (size_t i = 0; i < c->literals.n; i++) {
    bool some = false;
    for (; c->literals.at[i]; i++)
      some |= holds(set, c->literals.at[i]);
    if (!some)
      return false;
  }
  return true;
}

typedef bool (*Meaning)(const void *data, unsigned set);

/* The first `inputs` variables are the inputs. */
static void check_gate(const Cnf *c, unsigned inputs, int32_t output, Meaning meaning,
                       const void *data) {
  assert_true(c->variables <= MOST_VARIABLES);
  assert_false(c->full);
  for (unsigned set = 0; set < 1u << inputs; set++) {
    unsigned found = 0;
    for (unsigned rest = 0; rest < 1u << (c->variables - (int)inputs); rest++)
      if (satisfied(c, set | rest << inputs)) {
        found++;
        assert_int_equal(holds(set | rest << inputs, output), meaning(data, set));
      }
    assert_int_equal(found, 1);
  }
}

typedef struct {
  size_t n;
  int32_t literals[MOST_INPUTS];
  uint32_t weights[MOST_INPUTS];
  int64_t bound;
} Sum;

static bool sum_holds(const void *data, unsigned set) {
  const Sum *s = data;
  int64_t total = 0;
  for (size_t i = 0; i < s->n; i++)
    total += holds(set, s->literals[i]) ? s->weights[i] : 0;
  return total >= s->bound;
}

static bool all_hold(const void *data, unsigned set) {
  const Sum *s = data;
  for (size_t i = 0; i < s->n; i++)
    if (!holds(set, s->literals[i]))
      return false;
  return true;
}

static bool some_holds(const void *data, unsigned set) {
  const Sum *s = data;
  for (size_t i = 0; i < s->n; i++)
    if (holds(set, s->literals[i]))
      return true;
  return false;
}

/* Some literals repeated, negated or constant. */
static Sum random_sum(Random *random, Cnf *c, unsigned inputs) {
  Sum s = {.n = random_below(random, MOST_INPUTS + 1)};
  for (unsigned i = 0; i < inputs; i++)
    cnf_variable(c);
  for (size_t i = 0; i < s.n; i++) {
    int32_t v = random_below(random, 8) ? 1 + (int32_t)random_below(random, inputs) : CNF_TRUE;
    s.literals[i] = random_below(random, 2) ? v : -v;
    s.weights[i] = 1 + (uint32_t)random_below(random, 4);
  }
  s.bound = (int64_t)random_below(random, 12) - 1;
  return s;
}

static void test_gates(void **state) {
  (void)state;
  Random random = random_make(1, 0);
  for (unsigned i = 0; i < 600; i++) {
    Cnf c = {0};
    unsigned inputs = 1 + (unsigned)random_below(&random, MOST_INPUTS);
    Sum s = random_sum(&random, &c, inputs);
    Meaning meanings[] = {sum_holds, all_hold, some_holds};
    int32_t output = i % 3 == 0   ? cnf_sum(&c, s.literals, s.weights, s.n, s.bound)
                     : i % 3 == 1 ? cnf_and(&c, s.literals, s.n)
                                  : cnf_or(&c, s.literals, s.n);
    check_gate(&c, inputs, output, meanings[i % 3], &s);
    cnf_free(&c);
  }
}

static void test_shared(void **state) {
  (void)state;
  Cnf c = {0};
  int32_t a = cnf_variable(&c), b = cnf_variable(&c);
  int32_t one[] = {a, -b}, two[] = {-b, a, a, CNF_TRUE}, three[] = {-a, b};
  int32_t gate = cnf_and(&c, one, 2);
  assert_int_equal(cnf_and(&c, two, 4), gate);
  assert_int_equal(cnf_or(&c, three, 2), -gate);
  assert_int_equal(c.variables, 3);
  int32_t clash[] = {a, -a};
  assert_int_equal(cnf_and(&c, clash, 2), -CNF_TRUE);
  size_t clauses = c.clauses;
  cnf_clause(&c, clash, 2); /* it always holds */
  assert_int_equal(c.clauses, clauses);
  cnf_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gates), cmocka_unit_test(test_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
