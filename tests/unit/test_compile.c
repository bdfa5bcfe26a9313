/* test_compile.c - compiled random programs against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compile/compile.h"
#include "unit/random_program.h"
#include "unit/wire.h"

enum { PROGRAMS = 1500 };

static const TestStyle styles[] = {
    {6, 9, 40, 10, 10, 25, 15, 60},  /* a bit of everything */
    {7, 11, 50, 0, 0, 40, 5, 80},    /* loops through choice and soft rules */
    {6, 8, 15, 70, 10, 30, 5, 75},   /* disjunction, many head cycles */
    {6, 9, 35, 10, 60, 20, 10, 75},  /* weight bodies, many in loops */
    {7, 12, 10, 5, 10, 10, 10, 35},  /* negation */
    {8, 8, 40, 15, 10, 70, 20, 60},  /* soft rules of every kind */
    {10, 14, 45, 20, 15, 35, 5, 75}, /* larger */
};
enum { STYLES = sizeof styles / sizeof *styles };

/* One program with all that is known about it. */
typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  double weights[MOST_WEIGHTS];
} Case;

/* Nothing but choices, and constraints, hard and soft. */
static void flatten(TestProgram *p) {
  for (unsigned i = 0; i < p->rules; i++) {
    TestRule *r = &p->rule[i];
    r->heads = 0, r->choice = false;
    if (2 * i >= p->atoms)
      continue;
    *r = (TestRule){.soft = -1, .choice = true, .heads = 1 + (2 * i + 1 < p->atoms)};
    r->head[0] = 2 * i, r->head[1] = 2 * i + 1;
  }
}

static void case_begin(Case *k, Foundedness foundedness, SearchChoice choice) {
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  options.foundedness = foundedness;
  options.choice = choice;
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  memcpy(k->weights, k->program.value, sizeof k->weights);
}

static void case_make(Case *k, Random *random, const TestStyle *style, Foundedness foundedness,
                      SearchChoice choice) {
  test_program(random, style, &k->program);
  case_begin(k, foundedness, choice);
}

static void case_free(Case *k) {
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

static void near(const Case *k, double found, double expected, const char *what) {
  double scale = fabs(expected) > 1 ? fabs(expected) : 1;
  if (found == expected || fabs(found - expected) <= 1e-9 * scale)
    return;
  fprintf(stderr, "%s: %.12g instead of %.12g\n", what, found, expected);
  test_print(&k->program);
  fail();
}

static void sound(const Case *k, const CircuitRoot *root) {
  const char *wrong = circuit_check(&k->compiled.circuit, root, 1);
  if (!wrong)
    return;
  fprintf(stderr, "circuit_check: %s\n", wrong);
  test_print(&k->program);
  fail();
}

/* Marginals of all atoms and expected counts, given the evidence. */
static void check_expectations(Case *k, const CircuitValues *v, const CircuitRoot *root,
                               const Lit *evidence, size_t n, double log_sum) {
  const TestModels *m = &k->models;
  Probability marginal[MOST_ATOMS];
  double expected[MOST_WEIGHTS] = {0};
  for (unsigned a = 0; a < k->program.atoms; a++)
    marginal[a] = probability_known(k->ground.atoms.at[a].truth == ATOM_CERTAIN);
  circuit_marginals(&k->compiled.circuit, v, root, marginal);
  circuit_expectations(&k->compiled.circuit, v, root, 1, expected);
  for (size_t i = 0; i < m->models; i++) {
    if (!test_agrees(&m->model[i], evidence, n))
      continue;
    double p = exp(m->model[i].log_weight - log_sum);
    for (unsigned a = 0; a < k->program.atoms; a++)
      marginal[a].value -= m->model[i].set >> a & 1 ? p : 0;
    for (unsigned w = 0; w < k->program.weights; w++)
      expected[w] -= p * m->model[i].count[w];
  }
  for (unsigned a = 0; a < k->program.atoms; a++)
    near(k, marginal[a].value, 0, "marginal - true one");
  for (unsigned w = 0; w < k->program.weights; w++)
    near(k, expected[w], 0, "expected count - true one");
}

static size_t count_models(const TestModels *m, const Lit *evidence, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < m->models; i++)
    count += test_agrees(&m->model[i], evidence, n);
  return count;
}

static double weight_of(const Case *k, unsigned set) {
  for (size_t i = 0; i < k->models.models; i++)
    if (k->models.model[i].set == set)
      return k->models.model[i].log_weight;
  return NAN;
}

/* All models come, once each, in order, with their weights; only the guessed
** atoms are known from the circuit, the others by extension. */
static void check_best(Case *k, const CircuitRoot *root, const Lit *evidence, size_t n) {
  CircuitBest *best = circuit_best_make(&k->compiled.circuit, root, k->weights);
  size_t count = 0;
  bool atoms[MOST_ATOMS] = {false}, *seen = calloc(1u << k->program.atoms, 1);
  double last = INFINITY;
  for (Log found; circuit_best_next(best, atoms, &found);) {
    double log_weight = log_double(found);
    strata_extend(&k->ground, &k->compiled.strata, atoms);
    unsigned set = 0;
    for (unsigned a = 0; a < k->program.atoms; a++)
      set |= (unsigned)atoms[a] << a;
    near(k, log_weight, weight_of(k, set), "weight of a best model");
    assert_true(log_weight <= last + 1e-9);
    assert_false(seen[set]);
    seen[set] = true;
    last = log_weight;
    count++;
  }
  assert_int_equal(count, count_models(&k->models, evidence, n));
  free(seen);
  circuit_best_free(best);
}

static void check_root(Case *k, const Lit *evidence, size_t n, const Atom *wanted, size_t wants) {
  CircuitRoot root = {0};
  assert_int_equal(compile_root(&k->compiled, evidence, n, wanted, wants, &root), OK);
  sound(k, &root);
  CircuitValues v;
  circuit_values_make(&k->compiled.circuit, &v);
  circuit_evaluate(&k->compiled.circuit, k->weights, &v);
  double log_sum = test_log_sum(&k->models, evidence, n);
  near(k, circuit_log_value(&k->compiled.circuit, &v, &root), log_sum, "log value");
  char *count = circuit_count(&k->compiled.circuit, &root), expected[32];
  snprintf(expected, sizeof expected, "%zu", count_models(&k->models, evidence, n));
  assert_string_equal(count, expected);
  free(count);
  assert_int_equal(circuit_possible(&root), isfinite(log_sum));
  if (circuit_possible(&root) && wants)
    check_expectations(k, &v, &root, evidence, n, log_sum);
  check_best(k, &root, evidence, n);
  circuit_values_free(&v);
  circuit_root_free(&root);
}

/* Every atom by compile_marginals: in one group, and one by one. */
static void check_marginals(Case *k, const Lit *evidence, size_t n, size_t effort) {
  Atom all[MOST_ATOMS];
  Probability found[MOST_ATOMS] = {0};
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a;
  double log_sum = test_log_sum(&k->models, evidence, n);
  Status status = compile_marginals(&k->compiled, evidence, n, all, k->program.atoms, k->weights,
                                    effort, found);
  assert_int_equal(status, isfinite(log_sum) ? OK : NO_ANSWER);
  for (unsigned a = 0; a < k->program.atoms && status == OK; a++) {
    double p = 0;
    for (size_t i = 0; i < k->models.models; i++)
      if (test_agrees(&k->models.model[i], evidence, n) && k->models.model[i].set >> a & 1)
        p += exp(k->models.model[i].log_weight - log_sum);
    near(k, found[a].value, p, "marginal in groups");
  }
}

static size_t random_evidence(Random *random, const TestProgram *p, Lit *evidence) {
  size_t n = test_below(random, 4);
  for (size_t i = 0; i < n; i++)
    evidence[i] = test_below(random, 2 * p->atoms);
  return n;
}

static void check_case(Case *k, Random *random) {
  Atom all[MOST_ATOMS];
  Lit evidence[4];
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a;
  check_root(k, NULL, 0, NULL, 0);
  check_root(k, NULL, 0, all, k->program.atoms);
  for (int i = 0; i < 3; i++) {
    size_t n = random_evidence(random, &k->program, evidence);
    check_root(k, evidence, n, all, i ? k->program.atoms : 0);
    check_marginals(k, evidence, n, i ? 1 : 0);
  }
}

static void check_programs(Foundedness foundedness, SearchChoice choice, uint64_t seed) {
  Random random = random_make(seed, 0);
  for (int i = 0; i < PROGRAMS; i++) {
    Case k = {0};
    case_make(&k, &random, &styles[i % STYLES], foundedness, choice);
    check_case(&k, &random);
    case_free(&k);
  }
}

static void test_by_twins(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_TWINS, CHOOSE_ALL, 1);
}

static void test_choosing_near(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_TWINS, CHOOSE_NEAR, 5);
  check_programs(FOUNDED_BY_FORMULA, CHOOSE_NEAR, 6);
}

static void test_choosing_far(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_TWINS, CHOOSE_FAR, 8);
  check_programs(FOUNDED_BY_TWINS, CHOOSE_HEADS, 9);
  check_programs(FOUNDED_BY_TWINS, CHOOSE_DOWN, 14);
}

static void test_choosing_tree(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_TWINS, CHOOSE_TREE, 10);
  check_programs(FOUNDED_BY_FORMULA, CHOOSE_TREE, 11);
  check_programs(FOUNDED_BY_TWINS, CHOOSE_FLAT, 12);
}

/* Where no rule waits for another; most of them are compiled without residuals. */
static void test_choosing_flat(void **state) {
  (void)state;
  static const TestStyle flat = {9, 18, 0, 0, 25, 50, 100, 60};
  Random random = random_make(13, 0);
  size_t used = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Case k = {0};
    test_program(&random, &flat, &k.program);
    flatten(&k.program);
    case_begin(&k, FOUNDED_BY_TWINS, CHOOSE_FLAT);
    check_case(&k, &random);
    used += compile_effort(&k.compiled).width > 0;
    case_free(&k);
  }
  assert_in_range(used, PROGRAMS / 2, PROGRAMS);
}

/* A table of three values without rows, one of two values with a row for each of these, and an
** atom that depends on it; now and then a row is wrong or missing. */
static void tabulate(Random *random, TestProgram *p) {
  enum { COINS = 6, FIRST = COINS, SECOND = FIRST + 3, LAST = SECOND + 2 };
  static const unsigned rows[][4] = {{FIRST, 0, 0},
                                     {FIRST + 1, 1, 2},
                                     {FIRST + 2, 1, 3},
                                     {LAST, 2 * SECOND, 10},
                                     {LAST, 2 * SECOND + 2, 11}};
  enum { ROWS = sizeof rows / sizeof *rows };
  p->atoms = LAST + 1, p->rules = 0;
  for (unsigned c = 0; c < COINS; c += 2)
    p->rule[p->rules++] = (TestRule){.soft = -1, .choice = true, .heads = 2, .head = {c, c + 1}};
  for (unsigned i = 0; i < ROWS + 6; i++) {
    TestRule r = {.soft = -1, .heads = 1, .size = 2};
    unsigned k = (i - ROWS) % 3, second = i >= ROWS + 3;
    r.head[0] = i < ROWS ? rows[i][0] : SECOND + second;
    r.body[0] = i < ROWS ? rows[i][1] : 2 * (FIRST + k);
    r.body[1] = i < ROWS ? rows[i][2] : 2 * (2 + k) + second;
    if (test_chance(random, 3))
      r.body[1] ^= 1;
    if (!test_chance(random, 3))
      p->rule[p->rules++] = r;
  }
  for (unsigned i = 0; i < p->weights; i++)
    p->rule[p->rules++] =
        (TestRule){.soft = (int)i, .size = 1, .body = {test_below(random, 2 * p->atoms)}};
}

/* Rows of tables, which are told, needed and read by others. */
static void test_choosing_tables(void **state) {
  (void)state;
  Random random = random_make(18, 0);
  for (int i = 0; i < PROGRAMS; i++) {
    Case k = {0};
    test_program(&random, &styles[5], &k.program);
    tabulate(&random, &k.program);
    case_begin(&k, FOUNDED_BY_TWINS, i % 2 ? CHOOSE_FLAT : CHOOSE_CLAUSES);
    check_case(&k, &random);
    case_free(&k);
  }
}

/* Programs like those of test_choosing_flat, most of them as clauses, without residuals. */
static void test_choosing_clauses(void **state) {
  (void)state;
  static const TestStyle flat = {9, 18, 0, 0, 25, 50, 100, 60};
  check_programs(FOUNDED_BY_TWINS, CHOOSE_CLAUSES, 15);
  check_programs(FOUNDED_BY_FORMULA, CHOOSE_CLAUSES, 16);
  Random random = random_make(17, 0);
  size_t used = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Case k = {0};
    test_program(&random, &flat, &k.program);
    flatten(&k.program);
    case_begin(&k, FOUNDED_BY_TWINS, CHOOSE_CLAUSES);
    check_case(&k, &random);
    for (uint32_t u = 0; u < k.compiled.analysis->kinds; u++)
      used += k.compiled.units[u].lane.search.states > 0;
    case_free(&k);
  }
  assert_true(used > PROGRAMS / 2);
}

static void test_by_formula(void **state) {
  (void)state;
  check_programs(FOUNDED_BY_FORMULA, CHOOSE_ALL, 2);
}

/* Compacting keeps values, and later questions still work. */
static void test_compact(void **state) {
  (void)state;
  Random random = random_make(3, 0);
  for (int i = 0; i < 200; i++) {
    Case k = {0};
    case_make(&k, &random, &styles[i % STYLES], FOUNDED_BY_TWINS, CHOOSE_ALL);
    Lit evidence[4];
    size_t n = random_evidence(&random, &k.program, evidence);
    CircuitRoot root = {0}, other = {0}, *kept = &root;
    assert_int_equal(compile_root(&k.compiled, evidence, n, NULL, 0, &root), OK);
    assert_int_equal(compile_root(&k.compiled, NULL, 0, NULL, 0, &other), OK);
    compile_compact(&k.compiled, &kept, 1);
    sound(&k, &root);
    CircuitValues v;
    circuit_values_make(&k.compiled.circuit, &v);
    circuit_evaluate(&k.compiled.circuit, k.weights, &v);
    near(&k, circuit_log_value(&k.compiled.circuit, &v, &root),
         test_log_sum(&k.models, evidence, n), "log value after compacting");
    circuit_values_free(&v);
    circuit_root_free(&root);
    circuit_root_free(&other);
    check_case(&k, &random);
    case_free(&k);
  }
}

/* ln of the sum, and all marginals if it is finite. */
static double chain_answer(const Ground *g, const Analysis *an, CompileOptions options,
                           const Lit *evidence, size_t n, Probability *marginals) {
  Compiled c;
  CircuitRoot root = {0};
  CircuitValues v;
  double weights[MOST_WEIGHTS];
  for (int w = 0; w < MOST_WEIGHTS; w++)
    weights[w] = g->weights.at[w].value;
  Atom *all = calloc(g->atoms.n, sizeof *all);
  for (Atom a = 0; a < g->atoms.n; a++)
    all[a] = a;
  compile_begin(&c, g, an, &options);
  assert_int_equal(compile_root(&c, evidence, n, all, g->atoms.n, &root), OK);
  assert_null(circuit_check(&c.circuit, &root, 1));
  circuit_values_make(&c.circuit, &v);
  circuit_evaluate(&c.circuit, weights, &v);
  double log_sum = circuit_log_value(&c.circuit, &v, &root);
  if (isfinite(log_sum))
    circuit_marginals(&c.circuit, &v, &root, marginals);
  circuit_values_free(&v);
  circuit_root_free(&root);
  compile_free(&c);
  free(all);
  return log_sum;
}

static void compare_ways(const Ground *g, const Analysis *an, Random *random) {
  static const CompileOptions ways[] = {
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_FAR, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_NEAR, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_HEADS, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_TREE, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_FLAT, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_TWINS, .choice = CHOOSE_CLAUSES, .diagram_nodes = 2000000},
      {.foundedness = FOUNDED_BY_FORMULA, .choice = CHOOSE_NEAR, .diagram_nodes = 2000000}};
  Lit evidence[] = {test_below(random, (unsigned)(2 * g->atoms.n)),
                    test_below(random, (unsigned)(2 * g->atoms.n))};
  double first_log = 0;
  Probability *first = calloc(g->atoms.n, sizeof *first);
  Probability *marginals = calloc(g->atoms.n, sizeof *marginals);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    double log_sum = chain_answer(g, an, ways[i], evidence, 2, i ? marginals : first);
    if (!i)
      first_log = log_sum;
    assert_true(log_sum == first_log || fabs(log_sum - first_log) < 1e-9);
    for (Atom a = 0; i && a < g->atoms.n; a++)
      assert_true(fabs(marginals[a].value - first[a].value) < 1e-9);
  }
  free(first);
  free(marginals);
}

static void test_ways_agree(void **state) {
  (void)state;
  Random random = random_make(7, 0);
  for (int i = 0; i < 300; i++) {
    Ground g;
    Analysis an;
    test_chain(&random, &styles[i % STYLES], &g);
    analysis_make(&g, &an);
    compare_ways(&g, &an, &random);
    analysis_free(&an);
    ground_free(&g);
  }
}

/* n copies of a program over disjoint atoms: one kind, n-fold ln Z, and each
** copy answers for its own evidence. */
static void test_copies(void **state) {
  (void)state;
  enum { COPIES = 5 };
  Ground g;
  test_begin(&g);
  Atom a[COPIES], b[COPIES];
  vec_push(&g.weights, (Weight){.value = 0.7, .name = NONE});
  for (int i = 0; i < COPIES; i++) {
    a[i] = ground_atom(&g, NULL), b[i] = ground_atom(&g, NULL);
    vec_push(&g.instances, (Instance){0});
    *ground_rule(&g, (Rule){.choice = true, .heads = 1, .instance = NONE}) = a[i];
    uint32_t *rule = ground_rule(&g, (Rule){.heads = 1, .size = 1, .instance = (uint32_t)i});
    rule[0] = b[i], rule[1] = lit_of(a[i], false);
  }
  ground_seal(&g);
  Analysis an;
  analysis_make(&g, &an);
  assert_int_equal(an.kinds, 1);
  CompileOptions options = compile_options_default();
  Compiled c;
  compile_begin(&c, &g, &an, &options);
  CircuitRoot root = {0};
  Lit evidence[] = {lit_of(b[1], false), lit_of(a[3], true)};
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root), OK);
  assert_int_equal(root.parts.n, 1);
  assert_int_equal(root.parts.at[0].copies, COPIES);
  double weight = 0.7, one = log(2 + exp(-0.7));
  Probability marginals[2 * COPIES] = {0};
  CircuitValues v;
  circuit_values_make(&c.circuit, &v);
  circuit_evaluate(&c.circuit, &weight, &v);
  assert_true(fabs(circuit_log_value(&c.circuit, &v, &root) - COPIES * one) < 1e-12);
  circuit_values_free(&v);
  assert_int_equal(compile_root(&c, evidence, 2, NULL, 0, &root), OK);
  circuit_values_make(&c.circuit, &v);
  circuit_evaluate(&c.circuit, &weight, &v);
  assert_true(fabs(circuit_log_value(&c.circuit, &v, &root) - 3 * one) < 1e-12);
  circuit_marginals(&c.circuit, &v, &root, marginals);
  assert_true(fabs(marginals[b[0]].value - exp(-one)) < 1e-12);
  assert_true(fabs(marginals[b[1]].value - 1) < 1e-12);
  assert_true(fabs(marginals[a[3]].value) < 1e-12);
  circuit_values_free(&v);
  circuit_root_free(&root);
  compile_free(&c);
  analysis_free(&an);
  ground_free(&g);
}

/* Parity of many choices through constraints on pairs: too big for the limit. */
static void test_limits(void **state) {
  (void)state;
  enum { ATOMS = 60 };
  Ground g;
  test_begin(&g);
  Random random = random_make(4, 0);
  for (int i = 0; i < ATOMS; i++)
    *ground_rule(&g, (Rule){.choice = true, .heads = 1, .instance = NONE}) = ground_atom(&g, NULL);
  for (int i = 0; i < 3 * ATOMS; i++) {
    uint32_t *body = ground_rule(&g, (Rule){.size = 3, .instance = NONE});
    for (int k = 0; k < 3; k++)
      body[k] = test_below(&random, 2 * ATOMS);
  }
  ground_seal(&g);
  Analysis an;
  analysis_make(&g, &an);
  atomic_bool stop = true;
  CompileOptions options = compile_options_default();
  options.branches = 500;
  Compiled c;
  CircuitRoot root = {0};
  compile_begin(&c, &g, &an, &options);
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root), LIMIT);
  assert_non_null(strstr(c.message.at, "60 atoms"));
  c.options.stop = &stop;
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root), INTERRUPTED);
  c.options.stop = NULL, c.options.branches = 0, c.options.seconds = 1e-9;
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root), LIMIT);
  c.options.seconds = 0, c.options.nodes = 10;
  assert_int_equal(compile_root(&c, NULL, 0, NULL, 0, &root), LIMIT);
  circuit_root_free(&root);
  compile_free(&c);
  analysis_free(&an);
  ground_free(&g);
}

/* ---- ranks ------------------------------------------------------------------------------ */

enum { SHARED = 2 * COMPILE_MANY };

typedef struct {
  Lit evidence[SHARED][4];
  CompileQuestion question[SHARED];
  CircuitRoot root[SHARED];
  double value[SHARED];
} Shared;

/* Two turns of questions, by several ranks or alone (0 ranks).  `value`: their logarithms. */
static Status ask_shared(const Case *k, Shared *s, unsigned count, Wire *wire) {
  Compiled c;
  CompileOptions options = compile_options_default();
  Team team = wire_team(wire, count);
  options.share = count ? &team : NULL;
  compile_begin(&c, &k->ground, &k->analysis, &options);
  Status status = OK;
  for (size_t i = 0; i < SHARED && status == OK; i += COMPILE_MANY)
    status = compile_roots(&c, s->question + i, COMPILE_MANY, s->root + i);
  if (status == OK) {
    CircuitValues v;
    circuit_values_make(&c.circuit, &v);
    circuit_evaluate(&c.circuit, k->weights, &v);
    for (size_t i = 0; i < SHARED; i++)
      s->value[i] = circuit_log_value(&c.circuit, &v, &s->root[i]);
    circuit_values_free(&v);
  } else {
    assert_true(c.message.n);
  }
  for (size_t i = 0; i < SHARED; i++)
    circuit_root_free(&s->root[i]);
  compile_free(&c);
  return status;
}

/* One byte changed, or the end cut off, or nothing there at all. */
static void damage(void *data, Text *t) {
  Random *random = data;
  unsigned what = test_below(random, 4);
  if (what == 0)
    t->n = test_below(random, (unsigned)t->n);
  else if (what == 1)
    t->n = 0;
  else
    t->at[test_below(random, (unsigned)t->n)] ^= (char)(1 << test_below(random, 8));
}

/* Returns how many tasks others did. */
static size_t share_one(Case *k, Random *random) {
  static Shared s;
  double alone[SHARED];
  size_t tasks = 0;
  for (size_t i = 0; i < SHARED; i++) {
    size_t n = random_evidence(random, &k->program, s.evidence[i]);
    s.question[i] = (CompileQuestion){.evidence = s.evidence[i], .evidences = n};
  }
  assert_int_equal(ask_shared(k, &s, 0, NULL), OK);
  memcpy(alone, s.value, sizeof alone);
  for (size_t i = 0; i < SHARED; i++)
    near(k, alone[i], test_log_sum(&k->models, s.evidence[i], s.question[i].evidences), "shared");
  for (unsigned ranks = 2; ranks <= WIRE_RANKS; ranks++) {
    Wire wire = {.server = &compile_server};
    assert_int_equal(ask_shared(k, &s, ranks, &wire), OK);
    assert_memory_equal(alone, s.value, sizeof alone); /* to the last bit */
    tasks += wire.tasks;
    wire_free(&wire);
  }
  Wire wire = {.server = &compile_server, .spoil = damage, .data = random};
  Status status = ask_shared(k, &s, 2, &wire);
  assert_int_equal(status, wire.tasks ? INTERNAL : OK);
  wire_free(&wire);
  return tasks;
}

/* Ranks in this process: the bits of one alone; what is lost or damaged
** on the way is refused. */
static void test_ranks(void **state) {
  (void)state;
  enum { CASES = 150 };
  Random random = random_make(11, 0);
  size_t tasks = 0;
  for (int i = 0; i < CASES; i++) {
    Case k = {0};
    case_make(&k, &random, &styles[i % STYLES], FOUNDED_BY_TWINS, CHOOSE_ALL);
    tasks += share_one(&k, &random);
    case_free(&k);
  }
  assert_true(tasks > CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_twins),        cmocka_unit_test(test_by_formula),
      cmocka_unit_test(test_choosing_near),   cmocka_unit_test(test_choosing_far),
      cmocka_unit_test(test_choosing_tree),   cmocka_unit_test(test_choosing_flat),
      cmocka_unit_test(test_choosing_tables), cmocka_unit_test(test_choosing_clauses),
      cmocka_unit_test(test_ways_agree),      cmocka_unit_test(test_compact),
      cmocka_unit_test(test_copies),          cmocka_unit_test(test_limits),
      cmocka_unit_test(test_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
