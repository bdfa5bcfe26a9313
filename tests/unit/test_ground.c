/* test_ground.c - simplification, loops, components. */
#include "unit.h"

#include "ground/analysis.h"

/* `r: h h : b -b` adds a rule over atoms 0..; kinds: r rule, c choice, s soft. */
static void add(Ground *g, char kind, const int *heads, uint32_t n, const int *body,
                uint32_t size) {
  uint32_t instance = NONE;
  if (kind == 's') {
    instance = (uint32_t)g->instances.n;
    vec_push(&g->instances, (Instance){.weight = 0});
  }
  uint32_t *words =
      ground_rule(g, (Rule){.choice = kind == 'c', .heads = n, .size = size, .instance = instance});
  for (uint32_t i = 0; i < n; i++)
    words[i] = (uint32_t)heads[i];
  for (uint32_t i = 0; i < size; i++)
    words[n + i] = lit_of((Atom)(abs(body[i]) - 1), body[i] < 0);
}
#define LIST(...) (int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int)
#define EMPTY NULL, 0

static Ground atoms(unsigned n) {
  Ground g = {0};
  ground_name(&g, "", 0);
  vec_push(&g.soft, (SoftRule){0});
  for (int i = 1; i <= 2; i++)
    vec_push(&g.weights, (Weight){.value = i, .name = NONE});
  for (unsigned i = 0; i < n; i++)
    ground_atom(&g, "a");
  return g;
}

static void simplifies(void **state) {
  (void)state;
  /* 0. 1 :- 0. {2}. 3 :- 1, 2. 4 :- not 0. 5 :- 5. soft 6 :- 3, not 4. :- 0, 6. */
  Ground g = atoms(7);
  add(&g, 'r', LIST(0), EMPTY);
  add(&g, 'r', LIST(1), LIST(1));
  add(&g, 'c', LIST(2), EMPTY);
  add(&g, 'r', LIST(3), LIST(2, 3));
  add(&g, 'r', LIST(4), LIST(-1));
  add(&g, 'r', LIST(5), LIST(6));
  add(&g, 's', LIST(6), LIST(4, -5));
  add(&g, 'r', NULL, 0, LIST(1, 7));
  ground_seal(&g);
  const Truth truth[] = {ATOM_CERTAIN,    ATOM_CERTAIN,    ATOM_OPEN, ATOM_OPEN,
                         ATOM_IMPOSSIBLE, ATOM_IMPOSSIBLE, ATOM_OPEN};
  for (Atom a = 0; a < 7; a++)
    assert_int_equal(g.atoms.at[a].truth, truth[a]);
  assert_int_equal(g.rules.n, 4);
  const Rule *soft = &g.rules.at[2];
  assert_int_equal(soft->size, 1);
  assert_int_equal(rule_body(&g, soft)[0], lit_of(3, false));
  assert_int_equal(g.rules.at[3].size, 1);
  assert_false(g.inconsistent);
  ground_free(&g);
}

static void weighted_bodies(void **state) {
  (void)state;
  /* {0;1}. 2. 3 :- 4 <= [0=2, 1=2, 2=1].  becomes 3 :- 3 <= [0=2, 1=2] = 0, 1. */
  Ground g = atoms(4);
  add(&g, 'c', LIST(0, 1), EMPTY);
  add(&g, 'r', LIST(2), EMPTY);
  uint32_t *words = ground_rule(
      &g, (Rule){.weighted = true, .heads = 1, .size = 3, .bound = 4, .instance = NONE});
  const uint32_t rule[] = {3, 0, 2, 4, 2, 2, 1};
  memcpy(words, rule, sizeof rule);
  ground_seal(&g);
  const Rule *r = &g.rules.at[1];
  assert_false(r->weighted);
  assert_int_equal(r->size, 2);
  ground_free(&g);
}

static void inconsistent(void **state) {
  (void)state;
  Ground g = atoms(1);
  add(&g, 'r', LIST(0), EMPTY);
  add(&g, 'r', NULL, 0, LIST(1));
  ground_seal(&g);
  assert_true(g.inconsistent);
  ground_free(&g);
}

static void loops(void **state) {
  (void)state;
  /* {0;1}. 2 :- 3. 3 :- 2. 2 :- 0. 4|5 :- 1. 4 :- 5. 5 :- 4. 6|7. */
  Ground g = atoms(8);
  add(&g, 'c', LIST(0, 1), EMPTY);
  add(&g, 'r', LIST(2), LIST(4));
  add(&g, 'r', LIST(3), LIST(3));
  add(&g, 'r', LIST(2), LIST(1));
  add(&g, 'r', LIST(4, 5), LIST(2));
  add(&g, 'r', LIST(4), LIST(6));
  add(&g, 'r', LIST(5), LIST(5));
  add(&g, 'r', LIST(6, 7), EMPTY);
  ground_seal(&g);
  Analysis an;
  analysis_make(&g, &an);
  assert_false(an.tight);
  assert_false(an.head_cycle_free);
  assert_int_equal(an.loops, 2);
  assert_int_equal(an.scc[2], an.scc[3]);
  assert_true(an.scc[2] > an.scc[0]);
  assert_true(an.head_cyclic[an.scc[4]]);
  assert_false(an.head_cyclic[an.scc[6]]);
  assert_int_equal(an.components, 2);
  analysis_free(&an);
  ground_free(&g);
}

static void equal_components(void **state) {
  (void)state;
  /* three copies of {a}. b :- a, not c. {c}.  in different orders, the third
  ** with another weight on a soft constraint */
  static const int order[3][3] = {{0, 1, 2}, {5, 3, 4}, {7, 8, 6}};
  Ground g = atoms(9);
  for (int i = 0; i < 3; i++) {
    const int a = order[i][0], b = order[i][1], c = order[i][2];
    add(&g, 'c', LIST(a), EMPTY);
    add(&g, 'r', LIST(b), LIST(a + 1, -(c + 1)));
    add(&g, 'c', LIST(c), EMPTY);
    add(&g, 's', NULL, 0, LIST(b + 1));
    g.instances.at[i].weight = i == 2;
  }
  ground_seal(&g);
  Analysis an;
  analysis_make(&g, &an);
  assert_int_equal(an.components, 3);
  assert_int_equal(an.kinds, 2);
  assert_int_equal(an.kind[an.component[0]], an.kind[an.component[5]]);
  for (uint32_t i = 0; i < 3; i++) { /* positions correspond */
    Atom x = an.member[an.first[0] + i], y = an.member[an.first[1] + i];
    for (int k = 0; k < 3; k++)
      assert_int_equal((int)x == order[0][k], (int)y == order[1][k]);
  }
  analysis_free(&an);
  ground_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplifies),       cmocka_unit_test(weighted_bodies),
      cmocka_unit_test(inconsistent),     cmocka_unit_test(loops),
      cmocka_unit_test(equal_components),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
