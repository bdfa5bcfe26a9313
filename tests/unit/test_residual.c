/* test_residual.c - what a residual says, before and after it is simplified, for all
** values of its inputs: unfolding, merging, aliases, slicing, needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "compile/decompose.h"
#include "compile/residual.h"
#include "compile/theory.h"
#include "ground/ground.h"

#include <string.h>

enum { THEORIES = 4000, INPUTS = 6, DERIVED = 8, ATOMS = INPUTS + DERIVED, LAYERS = 3 };

static uint32_t below(Random *random, uint32_t n) { return (uint32_t)random_below(random, n); }

/* Derived atoms lie in layers, each a positive loop; negation looks below. */
static uint32_t layer_of(uint32_t atom) { return atom < INPUTS ? 0 : 1 + (atom - INPUTS) % LAYERS; }

static uint32_t body_literal(Random *random, uint32_t layer) {
  if (below(random, 100) < 35)
    return below(random, 2 * INPUTS);
  uint32_t atom = INPUTS + below(random, DERIVED);
  uint32_t where = layer_of(atom);
  if (where > layer)
    return below(random, 2 * INPUTS);
  return lit_of(atom, where < layer && below(random, 3) == 0);
}

static void add_rule(Theory *t, Random *random, uint32_t head, uint32_t layer) {
  uint32_t size = 1 + below(random, 100) / 55 + below(random, 100) / 75;
  if (below(random, 100) < 12) {
    uint32_t literals[3], weights[3];
    for (uint32_t k = 0; k < 3; k++)
      literals[k] = body_literal(random, layer), weights[k] = 1 + below(random, 3);
    theory_weighted(t, head, literals, weights, 3, 1 + below(random, 4));
    return;
  }
  theory_rule(t, head);
  for (uint32_t k = 0; k < size; k++)
    theory_literal(t, body_literal(random, layer));
}

static void make_theory(Random *random, Theory *t) {
  *t = (Theory){.members = ATOMS};
  for (uint32_t a = 0; a < ATOMS; a++)
    theory_atom(t, a < INPUTS, layer_of(a));
  for (uint32_t a = INPUTS; a < ATOMS; a++)
    for (uint32_t n = 1 + below(random, 3); n; n--)
      add_rule(t, random, a, layer_of(a));
  for (uint32_t n = below(random, 3); n; n--)
    add_rule(t, random, THEORY_NONE, LAYERS);
  theory_seal(t);
  for (uint32_t a = 0; a < ATOMS; a++)
    t->rank.at[a] = a;
}

static bool body_holds(const uint32_t *rule, const bool *value) {
  uint32_t size = rule_size(rule);
  int64_t missing = rule_weighted(rule) ? rule[2 + 2 * (size_t)size] : 0;
  for (uint32_t k = 0; k < size; k++) {
    bool holds = value[rule[2 + k] >> 1] != (rule[2 + k] & 1);
    if (!rule_weighted(rule) && !holds)
      return false;
    missing -= rule_weighted(rule) && holds ? rule[2 + size + k] : 0;
  }
  return missing <= 0;
}

/* Derives layer after layer.  Returns whether no constraint is violated; a constraint
** `not a` is a need of what is derived. */
static bool extend(const uint32_t *words, size_t n, bool *value) {
  for (uint32_t layer = 1; layer <= LAYERS; layer++)
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < n; i += rule_words(words + i)) {
        const uint32_t *rule = words + i;
        if (rule[0] != THEORY_NONE && layer_of(rule[0]) == layer && !value[rule[0]] &&
            body_holds(rule, value))
          value[rule[0]] = changed = true;
      }
    }
  for (size_t i = 0; i < n; i += rule_words(words + i))
    if (words[i] == THEORY_NONE && body_holds(words + i, value))
      return false;
  return true;
}

/* What the residual says about inputs: whether there is a model, and the outputs. */
static bool residual_extend(const Residual *r, bool failed, uint32_t inputs, bool *value) {
  bool told[ATOMS] = {false};
  for (uint32_t a = 0; a < ATOMS; a++)
    value[a] = a < INPUTS && inputs >> a & 1;
  if (failed)
    return false;
  for (size_t i = 0; i < r->told.n; i++) {
    uint32_t atom = r->told.at[i] >> 1;
    bool holds = !(r->told.at[i] & 1);
    if (atom < INPUTS && value[atom] != holds)
      return false;
    if (atom >= INPUTS)
      told[atom] = holds;
  }
  bool good = true;
  for (size_t p = 0; p < r->parts.n; p++) {
    const ResidualPart *part = &r->parts.at[p];
    good &= extend(r->words.at + part->begin, part->end - part->begin, value);
  }
  for (uint32_t a = INPUTS; a < ATOMS; a++)
    value[a] |= told[a];
  return good;
}

static void compare(const Theory *t, const Residual *r, bool failed, const uint32_t *evidence) {
  for (uint32_t inputs = 0; inputs < 1u << INPUTS; inputs++) {
    bool expected[ATOMS] = {false}, found[ATOMS];
    for (uint32_t a = 0; a < INPUTS; a++)
      expected[a] = inputs >> a & 1;
    bool good = extend(t->rules.at, t->rules.n, expected);
    good &= expected[*evidence >> 1] != (*evidence & 1);
    assert_int_equal(residual_extend(r, failed, inputs, found), good);
    for (uint32_t a = INPUTS; good && a < ATOMS; a++)
      if (r->output[a])
        assert_int_equal(found[a], expected[a]);
  }
}

/* A decided input is told by the caller, so evidence is a constraint here. */
static void check(const Theory *t, const Theory *other, Random *random) {
  Residual r;
  residual_begin(&r, other);
  r.rank = other->rank.at;
  for (uint32_t a = INPUTS; a < ATOMS; a++)
    r.output[a] = below(random, 4) == 0;
  uint32_t evidence = below(random, 2 * ATOMS);
  vec_reserve(&r.words, other->rules.n + 3);
  memcpy(r.words.at, other->rules.at, other->rules.n * sizeof *r.words.at);
  r.words.n = other->rules.n;
  vec_push(&r.words, THEORY_NONE);
  vec_push(&r.words, 2);
  vec_push(&r.words, lit_not(evidence));
  ResidualPart whole = {.end = r.words.n};
  bool good = residual_simplify(&r, &whole, THEORY_NONE, true);
  compare(t, &r, !good, &evidence);
  residual_free(&r);
}

static void copy_theory(const Theory *from, Theory *to) {
  *to = (Theory){.members = from->members};
  for (uint32_t a = 0; a < from->atoms; a++) {
    theory_atom(to, from->input.at[a], from->loop.at[a]);
    to->rank.at[a] = from->rank.at[a];
  }
  for (size_t i = 0; i < from->rules.n; i++)
    vec_push(&to->rules, from->rules.at[i]);
}

/* Simplified with and without aliases, the theory means the same. */
static void test_simplify(void **state) {
  (void)state;
  Random random = random_make(21, 0);
  size_t shorter = 0;
  for (int i = 0; i < THEORIES; i++) {
    Theory t, renamed;
    make_theory(&random, &t);
    copy_theory(&t, &renamed);
    theory_alias(&renamed);
    shorter += renamed.rules.n < t.rules.n;
    check(&t, &t, &random);
    check(&t, &renamed, &random);
    theory_free(&t);
    theory_free(&renamed);
  }
  assert_in_range(shorter, THEORIES / 20, THEORIES);
}

static void plain_rule(Theory *t, uint32_t head, uint32_t first, uint32_t second) {
  theory_rule(t, head);
  theory_literal(t, first);
  if (second != THEORY_NONE)
    theory_literal(t, second);
}

/* An alias of an alias is read as what both stand for. */
static void test_alias_chain(void **state) {
  (void)state;
  enum { CHAIN = 5 };
  Theory t = {0};
  for (uint32_t a = 0; a <= CHAIN; a++)
    theory_atom(&t, !a, 0);
  for (uint32_t a = CHAIN - 1; a > 0; a--)
    plain_rule(&t, a, lit_of(a - 1, false), THEORY_NONE);
  plain_rule(&t, CHAIN, lit_of(CHAIN - 1, false), lit_of(1, false));
  theory_alias(&t);
  for (size_t i = 0; i < t.rules.n; i += rule_words(t.rules.at + i))
    for (uint32_t k = 0; k < rule_size(t.rules.at + i); k++)
      assert_int_equal(t.rules.at[i + 2 + k], lit_of(0, false));
  theory_free(&t);
}

/* Regions that imply each other in different ways leave the same residual. */
static void test_merge(void **state) {
  (void)state;
  uint32_t left[2][16] = {{0}}; /* keys are a theory's own, rules are not */
  for (int way = 0; way < 2; way++) {
    enum { IN, P, Q, S, ALL };
    Theory t = {.members = ALL};
    for (uint32_t a = 0; a < ALL; a++)
      theory_atom(&t, a == IN, a == IN ? 0 : 1);
    uint32_t ring[2][3] = {{P, Q, S}, {S, Q, P}};
    for (int k = 0; k < 3; k++)
      plain_rule(&t, ring[way][k], 2 * ring[way][(k + 1) % 3], THEORY_NONE);
    plain_rule(&t, ring[way][0], 2 * IN, THEORY_NONE);
    theory_seal(&t);
    for (uint32_t a = 0; a < ALL; a++)
      t.rank.at[a] = a;
    Residual r;
    residual_begin(&r, &t);
    r.rank = t.rank.at;
    r.output[P] = r.output[Q] = r.output[S] = true;
    vec_reserve(&r.words, t.rules.n);
    memcpy(r.words.at, t.rules.at, t.rules.n * sizeof *r.words.at);
    r.words.n = t.rules.n;
    ResidualPart whole = {.end = r.words.n};
    assert_true(residual_simplify(&r, &whole, THEORY_NONE, true));
    assert_int_equal(r.parts.n, 1);
    size_t words = r.parts.at[0].end - r.parts.at[0].begin;
    assert_in_range(words, 1, 15);
    memcpy(left[way], r.words.at + r.parts.at[0].begin, words * sizeof *r.words.at);
    residual_free(&r);
    theory_free(&t);
  }
  assert_memory_equal(left[0], left[1], sizeof *left);
}

/* A path of 100 has width 2, a cycle 3, a clique of 9 is one bag; all are ranked. */
static void test_decompose(void **state) {
  (void)state;
  enum { N = 100, CLIQUE = 9 };
  const atomic_bool stop = true;
  const Limits none = {0}, over = {.stop = &stop};
  uint32_t start[N + 1], pool[2 * N], rank[N], order[N];
  for (uint32_t i = 0; i <= N; i++)
    start[i] = 2 * i;
  for (uint32_t i = 0; i < N; i++)
    pool[2 * i] = i, pool[2 * i + 1] = (i + 1) % N, order[i] = i;
  DecomposeGraph graph = {N, start, pool, N - 1, order, NULL};
  assert_int_equal(decompose(&graph, 1000000, &none, rank).width, 2);
  uint64_t ranks = 0;
  for (uint32_t i = 0; i < N; i++)
    ranks += rank[i];
  assert_int_equal(ranks, N * (N - 1) / 2);
  graph.edges = N;
  Decomposition cycle = decompose(&graph, 1000000, &none, rank);
  assert_int_equal(cycle.width, 3);
  assert_true(cycle.complete);
  assert_int_equal(decompose(&graph, 10, &none, rank).width, 0); /* no time for it */
  Decomposition late = decompose(&graph, 1000000, &over, rank);
  assert_int_equal(late.width, 0);
  assert_false(late.complete);
  uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, ends[] = {0, CLIQUE};
  DecomposeGraph clique = {CLIQUE, ends, all, 1, order, NULL};
  assert_int_equal(decompose(&clique, 1000000, &none, rank).width, CLIQUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simplify), cmocka_unit_test(test_alias_chain),
      cmocka_unit_test(test_merge), cmocka_unit_test(test_decompose)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
