/* test_flips.c - flips against what they stand for: after every sweep the atoms are those that
** follow from the guesses, hard rules hold, and the long-run frequencies are the exact
** probabilities, with tempered transitions, too; which components flips reach all of, against
** brute force. */
#include "unit.h"

#include "sample/chains.h"
#include "sample/flips.h"
#include "sample/temper.h"
#include "unit/chi_square.h"
#include "unit/random_program.h"

static unsigned times(void) { return getenv("LONG") ? 10 : 1; }

/* ---- large programs: nothing is forgotten ------------------------------------------- */

static uint32_t *begin_rule(Ground *g, Rule r, bool soft) {
  r.instance = NONE;
  if (soft) {
    r.instance = (uint32_t)g->instances.n;
    vec_push(&g->instances, (Instance){.weight = (uint32_t)(g->instances.n % g->weights.n)});
  }
  return ground_rule(g, r);
}

enum { GUESSES = 40, FOLLOWING = 120, SOFT = 150 };

/* Choices; atoms that follow, through positive loops and strata of negation; soft and hard
** constraints over all; choices whose bodies are derived. */
static void make_large(Random *random, Ground *g) {
  test_begin(g);
  for (unsigned a = 0; a < GUESSES + FOLLOWING + 10; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(g, name);
  }
  for (unsigned w = 0; w < 5; w++)
    vec_push(&g->weights, (Weight){.value = random_unit(random) * 2 - 1, .name = NONE});
  for (Atom a = 0; a < GUESSES; a++)
    *begin_rule(g, (Rule){.choice = a % 2, .heads = 1}, a % 2 == 0) = a;
  for (unsigned i = 0; i < 2 * FOLLOWING; i++) {
    Atom head = GUESSES + test_below(random, FOLLOWING);
    unsigned size = 1 + test_below(random, 3), block = 20; /* loops stay within a block */
    bool weighted = test_chance(random, 10) && size > 1;
    uint32_t *words = begin_rule(
        g, (Rule){.heads = 1, .size = size, .weighted = weighted, .bound = weighted ? 2 : 0},
        false);
    *words++ = head;
    for (unsigned k = 0; k < size; k++) {
      Atom top = GUESSES + (head - GUESSES) / block * block, a = test_below(random, top + block);
      *words++ = lit_of(a, a < top && test_chance(random, 40));
    }
    for (unsigned k = 0; weighted && k < size; k++)
      *words++ = 1 + test_below(random, 2);
  }
  for (Atom a = 0; a < 10; a++) { /* tracked ones */
    uint32_t *words = begin_rule(g, (Rule){.choice = a % 2, .heads = 1, .size = 1}, a % 2 == 0);
    *words++ = GUESSES + FOLLOWING + a;
    *words = lit_of(test_below(random, GUESSES + FOLLOWING), test_chance(random, 50));
  }
  for (unsigned i = 0; i < SOFT; i++) {
    uint32_t *words = begin_rule(g, (Rule){.size = 3}, i % 25 != 0);
    for (unsigned k = 0; k < 3; k++)
      *words++ = 2 * test_below(random, GUESSES + FOLLOWING + 10) + test_below(random, 2);
  }
  ground_seal(g);
}

static void check_state(const Target *t, const bool *atoms, bool *copy) {
  const Ground *g = &t->ground;
  memcpy(copy, atoms, g->atoms.n * sizeof *copy);
  strata_extend(g, &t->strata, copy);
  assert_memory_equal(copy, atoms, g->atoms.n * sizeof *copy);
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    bool head = r->choice || r->instance != NONE;
    for (uint32_t h = 0; h < r->heads; h++)
      head |= atoms[rule_heads(g, r)[h]];
    assert_true(head || !ground_holds(g, r, atoms));
  }
}

/* A counter that is wrong shows when it is made anew. */
static void check_counters(Flips *f) {
  size_t atoms = f->target->ground.atoms.n, rules = f->target->ground.rules.n;
  int64_t *left = malloc(rules * sizeof *left);
  uint32_t *supports = malloc(atoms * sizeof *supports), *heads = malloc(rules * sizeof *heads);
  memcpy(left, f->left, rules * sizeof *left);
  memcpy(heads, f->true_head, rules * sizeof *heads);
  memcpy(supports, f->supports, atoms * sizeof *supports);
  Random random = random_make(1, 1);
  FlipPlan plan = *f->plan, *only = (FlipPlan *)f->plan;
  only->count = only->swaps = 0; /* a sweep that only makes the counters */
  flips_stale(f);
  flips_sweep(f, f->weights, &random);
  *only = plan;
  assert_memory_equal(left, f->left, rules * sizeof *left);
  assert_memory_equal(heads, f->true_head, rules * sizeof *heads);
  assert_memory_equal(supports, f->supports, atoms * sizeof *supports);
  free(left);
  free(heads);
  free(supports);
}

static void test_large(void **state) {
  (void)state;
  Random random = random_make(1, 0);
  size_t changed = 0, sorts[4] = {0};
  for (unsigned i = 0; i < 20 * times(); i++) {
    Ground g;
    Analysis an;
    Target t;
    FlipPlan plan;
    Flips f;
    Limits limits = {.memory = 1024};
    make_large(&random, &g);
    analysis_make(&g, &an);
    bool *dropped = calloc(g.atoms.n, 1), *copy = calloc(g.atoms.n, 1);
    double weights[5];
    for (unsigned w = 0; w < 5; w++)
      weights[w] = g.weights.at[w].value;
    target_make(&g, dropped, NULL, 0, &t);
    flip_plan_make(&plan, &t);
    Chain c = {.target = &t,
               .weights = weights,
               .limits = &limits,
               .random = random,
               .plan = &plan,
               .whole = CHAIN_WHOLE,
               .part = CHAIN_REGION};
    Status status = g.inconsistent ? NO_ANSWER : chain_begin(&c, getenv("LPMLN_TEST_WORKER"));
    if (status == OK) {
      flips_begin(&f, &t, &plan, c.atoms);
      for (unsigned sweep = 0; sweep < 30; sweep++) {
        memcpy(copy, c.atoms, g.atoms.n);
        flips_sweep(&f, weights, &random);
        changed += memcmp(copy, c.atoms, g.atoms.n) != 0;
        check_state(&t, c.atoms, copy);
      }
      check_counters(&f);
      flips_free(&f);
    }
    for (uint32_t k = 0; k < plan.count; k++)
      sorts[plan.sort[plan.order[k]]]++;
    chain_free(&c);
    flip_plan_free(&plan);
    target_free(&t);
    analysis_free(&an);
    ground_free(&g);
    free(dropped);
    free(copy);
  }
  print_message("%zu sweeps changed something; table %zu, look %zu, try %zu\n", changed,
                sorts[FLIP_TABLE], sorts[FLIP_LOOK], sorts[FLIP_TRY]);
  assert_true(changed > 300 && sorts[FLIP_TABLE] && sorts[FLIP_LOOK] && sorts[FLIP_TRY]);
}

/* ---- small programs: frequencies and reach -------------------------------------------- */

static const TestStyle styles[] = {
    {8, 9, 60, 0, 10, 40, 0, 50},  /* no constraints: often free */
    {9, 12, 40, 0, 10, 40, 5, 70}, /* loops */
    {8, 10, 40, 20, 5, 50, 5, 60}, /* disjunctions */
};

static unsigned set_of(const bool *atoms, unsigned n) {
  unsigned set = 0;
  for (unsigned a = 0; a < n; a++)
    set |= (unsigned)atoms[a] << a;
  return set;
}

static size_t find_model(const TestModels *all, unsigned set) {
  for (size_t i = 0; i < all->models; i++)
    if (all->model[i].set == set)
      return i;
  fail_msg("a state that is no stable model");
  return 0;
}

/* One of both at a time: tempered transitions with few levels, so that many are rejected. */
static void move(Flips *f, Temper *temper, const double *weights, Random *random) {
  if (temper->levels && test_chance(random, 80))
    temper_move(temper, f, weights, false, random);
  else
    flips_sweep(f, weights, random);
}

/* Flips alone, or with tempered transitions of so many levels, where the plan says that flips reach
** everything; 1: nothing to see. */
static double fit(const TestProgram *program, const TestModels *all, Target *t, FlipPlan *plan,
                  uint32_t levels, Random *random) {
  enum { SAMPLES = 3000, THIN = 8 };
  double weights[MOST_WEIGHTS] = {0}, sum = 0, square = 0, cells = 0;
  Limits limits = {.memory = 1024};
  for (size_t w = 0; w < t->ground.weights.n; w++)
    weights[w] = t->ground.weights.at[w].value;
  Chain c = {.target = t,
             .weights = weights,
             .limits = &limits,
             .random = *random,
             .plan = plan,
             .whole = CHAIN_WHOLE,
             .part = CHAIN_REGION};
  unsigned *seen = calloc(all->models, sizeof *seen);
  Flips f;
  Temper temper = {0};
  assert_int_equal(chain_begin(&c, getenv("LPMLN_TEST_WORKER")), OK);
  flips_begin(&f, t, plan, c.atoms);
  temper_begin(&temper, t);
  temper.levels = temper.levels ? levels : 0;
  for (unsigned i = 0; i < THIN * SAMPLES; i++) {
    move(&f, &temper, weights, random);
    size_t model = find_model(all, set_of(c.atoms, program->atoms));
    seen[model] += i % THIN == 0;
  }
  for (size_t i = 0; i < all->models; i++)
    sum += exp(all->model[i].log_weight);
  for (size_t i = 0; i < all->models; i++) {
    double expected = SAMPLES * exp(all->model[i].log_weight) / sum;
    if (expected < 8)
      continue;
    square += (seen[i] - expected) * (seen[i] - expected) / expected;
    cells++;
  }
  flips_free(&f);
  temper_free(&temper);
  chain_free(&c);
  free(seen);
  return cells < 2 ? 1 : test_gamma_above((cells - 1) / 2, square / 2);
}

static bool all_free(const Target *t, const FlipPlan *plan) {
  for (uint32_t k = 0; k < t->analysis.components; k++)
    if (plan->obstacle[k].reason != FLIP_FREE)
      return false;
  return true;
}

static void test_frequencies(uint64_t seed, uint32_t levels) {
  Random random = random_make(seed, 0);
  size_t programs = 40 * times(), tested = 0;
  double *p = malloc(programs * sizeof *p);
  while (tested < programs) {
    TestProgram program;
    TestModels all;
    Ground g;
    Analysis an;
    Target t;
    FlipPlan plan;
    test_program(&random, &styles[test_below(&random, 3)], &program);
    test_models(&program, &all);
    test_ground(&program, &g);
    analysis_make(&g, &an);
    bool *dropped = calloc(g.atoms.n, 1);
    target_make(&g, dropped, NULL, 0, &t);
    flip_plan_make(&plan, &t);
    if (all.models > 2 && all_free(&t, &plan))
      p[tested++] = fit(&program, &all, &t, &plan, levels, &random);
    flip_plan_free(&plan);
    target_free(&t);
    analysis_free(&an);
    ground_free(&g);
    free(dropped);
    free(all.model);
  }
  assert_int_equal(test_rejected(p, tested, 1e-4), 0);
  free(p);
}

static void test_alone(void **state) {
  (void)state;
  test_frequencies(2, 0);
}

static void test_tempered(void **state) {
  (void)state;
  test_frequencies(3, 2);
}

/* ---- pairs ------------------------------------------------------------------------------------
 */

enum { CHOICES = 3, HEADS = 4, STATES = 64 };

static Atom head_of(unsigned choice, unsigned head) { return choice * (HEADS + 3) + head; }

/* at :- bound { heads }. */
static void add_bound(Ground *g, unsigned choice, Atom at, unsigned bound) {
  uint32_t *words = begin_rule(
      g, (Rule){.heads = 1, .size = HEADS, .weighted = true, .bound = (int)bound}, false);
  *words++ = at;
  for (unsigned h = 0; h < HEADS; h++)
    *words++ = lit_of(head_of(choice, h), false);
  for (unsigned h = 0; h < HEADS; h++)
    *words++ = 1;
}

/* 1 { a; b; c; d } 1, three times; what two neighbours cost if both take the same, or the first. */
static void make_choices(Ground *g) {
  test_begin(g);
  for (unsigned a = 0; a < CHOICES * (HEADS + 3); a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(g, name);
  }
  vec_push(&g->weights, (Weight){.value = 1.1, .name = NONE});
  for (unsigned c = 0; c < CHOICES; c++) {
    uint32_t *words = begin_rule(g, (Rule){.choice = true, .heads = HEADS}, false);
    for (unsigned h = 0; h < HEADS; h++)
      *words++ = head_of(c, h);
    Atom one = head_of(c, HEADS), two = one + 1, right = one + 2;
    add_bound(g, c, one, 1);
    add_bound(g, c, two, 2);
    words = begin_rule(g, (Rule){.heads = 1, .size = 2}, false);
    words[0] = right, words[1] = lit_of(one, false), words[2] = lit_of(two, true);
    *begin_rule(g, (Rule){.size = 1}, false) = lit_of(right, true);
    for (unsigned h = 0; h < HEADS; h++) {
      words = begin_rule(g, (Rule){.size = 2}, true);
      words[0] = lit_of(head_of(c, h), false),
      words[1] = lit_of(head_of((c + 1) % CHOICES, h), false);
    }
    *begin_rule(g, (Rule){.size = 1}, true) = lit_of(head_of(c, 0), false);
  }
  ground_seal(g);
}

static unsigned state_of(const bool *atoms) {
  unsigned state = 0;
  for (unsigned c = 0; c < CHOICES; c++) {
    unsigned held = HEADS;
    for (unsigned h = 0; h < HEADS; h++)
      if (atoms[head_of(c, h)]) {
        assert_int_equal(held, HEADS);
        held = h;
      }
    assert_true(held < HEADS);
    state = state * HEADS + held;
  }
  return state;
}

static double log_weight_of(unsigned state) {
  unsigned held[CHOICES], violated = 0;
  for (unsigned c = CHOICES; c-- > 0; state /= HEADS)
    held[c] = state % HEADS;
  for (unsigned c = 0; c < CHOICES; c++)
    violated += (unsigned)(held[c] == held[(c + 1) % CHOICES]) + (unsigned)(held[c] == 0);
  return -1.1 * violated;
}

/* Flips of single atoms never leave a state; those of pairs reach all, as often as they should. */
static void test_pairs(void **state) {
  (void)state;
  enum { SAMPLES = 40000, THIN = 4 };
  Ground g;
  Target t;
  FlipPlan plan;
  Flips f;
  Random random = random_make(4, 0);
  make_choices(&g);
  bool *dropped = calloc(g.atoms.n, 1), *atoms = calloc(g.atoms.n, 1);
  double weights[] = {1.1}, sum = 0, square = 0;
  unsigned seen[STATES] = {0};
  target_make(&g, dropped, NULL, 0, &t);
  flip_plan_make(&plan, &t);
  assert_int_equal(plan.swaps, CHOICES);
  for (unsigned c = 0; c < CHOICES; c++)
    atoms[head_of(c, 0)] = true;
  flips_begin(&f, &t, &plan, atoms);
  for (unsigned i = 0; i < THIN * SAMPLES; i++) {
    if (i % 2)
      flips_sweep(&f, weights, &random);
    else
      flips_sweep_back(&f, weights, &random);
    seen[state_of(atoms)] += i % THIN == 0;
  }
  check_counters(&f);
  for (unsigned s = 0; s < STATES; s++)
    sum += exp(log_weight_of(s));
  for (unsigned s = 0; s < STATES; s++) {
    double expected = SAMPLES * exp(log_weight_of(s)) / sum;
    square += (seen[s] - expected) * (seen[s] - expected) / expected;
  }
  assert_true(test_gamma_above((STATES - 1) / 2.0, square / 2) > 1e-4);
  assert_true(f.blocked < f.tried / 2);
  flips_free(&f);
  flip_plan_free(&plan);
  target_free(&t);
  ground_free(&g);
  free(dropped);
  free(atoms);
}

/* ---- why not ------------------------------------------------------------------------------ */

static FlipReason reason_of(const Ground *g, const Lit *evidence, size_t evidences) {
  Target t;
  FlipPlan plan;
  bool *dropped = calloc(g->atoms.n, 1);
  target_make(g, dropped, evidence, evidences, &t);
  flip_plan_make(&plan, &t);
  FlipReason reason = FLIP_FREE;
  for (uint32_t k = 0; k < t.analysis.components; k++)
    reason = plan.obstacle[k].reason > reason ? plan.obstacle[k].reason : reason;
  flip_plan_free(&plan);
  target_free(&t);
  free(dropped);
  return reason;
}

static void add(Ground *g, bool choice, Atom head, Lit first, Lit second) {
  unsigned size = first == NONE ? 0 : second == NONE ? 1 : 2;
  uint32_t *words =
      begin_rule(g, (Rule){.choice = choice, .heads = head != NONE, .size = size}, false);
  if (head != NONE)
    *words++ = head;
  if (first != NONE)
    *words++ = first;
  if (second != NONE)
    *words++ = second;
}

/* {a0}. {a1}. a2 :- a0, a1. and a further rule. */
static FlipReason reason_with(bool choice, Atom head, Lit first, Lit second, Lit evidence) {
  Ground g;
  test_begin(&g);
  for (unsigned a = 0; a < 5; a++) {
    char name[8];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(&g, name);
  }
  add(&g, true, 0, NONE, NONE);
  add(&g, true, 1, NONE, NONE);
  add(&g, false, 2, lit_of(0, false), lit_of(1, false));
  add(&g, true, 4, lit_of(3, false), NONE);
  add(&g, choice, head, first, second);
  ground_seal(&g);
  FlipReason reason = reason_of(&g, &evidence, evidence != NONE);
  ground_free(&g);
  return reason;
}

static void test_reasons(void **state) {
  (void)state;
  const Atom a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4;
  assert_int_equal(reason_with(true, a3, lit_of(a2, false), NONE, NONE), FLIP_FREE);
  assert_int_equal(reason_with(true, a3, lit_of(a2, true), NONE, NONE), FLIP_FREE);
  assert_int_equal(reason_with(false, NONE, lit_of(a0, false), lit_of(a1, false), NONE), FLIP_FREE);
  assert_int_equal(reason_with(false, NONE, lit_of(a0, true), lit_of(a1, false), NONE), FLIP_RULE);
  assert_int_equal(reason_with(false, a0, lit_of(a1, false), NONE, NONE), FLIP_RULE);
  assert_int_equal(reason_with(true, a3, lit_of(a4, false), lit_of(a0, false), NONE), FLIP_FREE);
  assert_int_equal(reason_with(true, a3, lit_of(a0, false), NONE, lit_of(a2, false)),
                   FLIP_EVIDENCE);
  assert_int_equal(reason_with(true, a3, lit_of(a0, false), NONE, lit_of(a0, false)), FLIP_FREE);
  assert_int_equal(reason_with(true, a3, lit_of(a4, true), NONE, NONE), FLIP_SUPPORT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large), cmocka_unit_test(test_alone),   cmocka_unit_test(test_tempered),
      cmocka_unit_test(test_pairs), cmocka_unit_test(test_reasons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
