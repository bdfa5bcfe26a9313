/* test_uniform.c - uniform samplers against brute force: every cell has the
** models that it should have, and no test of uniformity rejects a sampler,
** while the same tests reject two that are biased. */
#include "unit.h"

#include "compile/compile.h"
#include "sample/uniform.h"
#include "unit/chi_square.h"
#include "unit/random_program.h"

static const double LEVEL = 1e-4;

static const TestStyle styles[] = {
    {10, 10, 80, 5, 10, 15, 5, 60},  /* mostly choices */
    {11, 13, 55, 0, 5, 35, 5, 80},   /* loops through choice and soft rules */
    {10, 11, 30, 45, 10, 20, 5, 75}, /* disjunction, many head cycles */
    {10, 12, 60, 10, 40, 20, 5, 75}, /* weight bodies */
    {11, 12, 45, 10, 5, 45, 10, 50}, /* soft rules of every kind */
};
enum { STYLES = sizeof styles / sizeof *styles };

static unsigned times(void) { return getenv("LONG") ? 10 : 1; }

/* A program and a slice of it.  Samplers that are to hash see its parts as one. */
typedef struct {
  TestProgram program;
  TestModels models; /* of the slice */
  Ground ground;
  Analysis analysis;
  Limits limits;
  Assumption assumption[2];
  size_t assumptions;
} Case;

static bool holds(const TestProgram *p, Assumption a, unsigned set) {
  if (!a.violation)
    return (set >> a.id & 1) == a.holds;
  unsigned instance = 0;
  for (unsigned i = 0; i < p->rules; i++)
    if (p->rule[i].soft >= 0 && instance++ == a.id)
      return test_satisfied(&p->rule[i], set) != a.holds;
  return false;
}

static Assumption random_assumption(Random *random, const TestProgram *p) {
  unsigned soft = 0;
  for (unsigned i = 0; i < p->rules; i++)
    soft += p->rule[i].soft >= 0;
  Assumption a = {.holds = random_bits(random) & 1};
  a.violation = soft && (random_bits(random) & 1);
  a.id = test_below(random, a.violation ? soft : p->atoms);
  return a;
}

/* The models in which the assumptions hold. */
static void cut(Case *k, const TestModels *all) {
  k->models = (TestModels){malloc((all->models + 1) * sizeof *all->model), 0};
  for (size_t i = 0; i < all->models; i++) {
    bool inside = true;
    for (size_t j = 0; j < k->assumptions; j++)
      inside &= holds(&k->program, k->assumption[j], all->model[i].set);
    if (inside)
      k->models.model[k->models.models++] = all->model[i];
  }
}

static void assume_anew(Case *k, Random *random, const TestModels *all) {
  free(k->models.model);
  k->assumptions = test_below(random, 3);
  for (size_t j = 0; j < k->assumptions; j++)
    k->assumption[j] = random_assumption(random, &k->program);
  cut(k, all);
}

static void ground_case(Case *k) {
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
}

/* A case of which the slice has so many models; `plain`: it is the program. */
static void case_make(Case *k, Random *random, size_t least, size_t most, bool plain) {
  for (;;) {
    TestModels all;
    *k = (Case){.limits = {.memory = 1024}};
    test_program(random, &styles[test_below(random, STYLES)], &k->program);
    test_models(&k->program, &all);
    if (plain)
      cut(k, &all);
    else
      assume_anew(k, random, &all);
    free(all.model);
    if (k->models.models >= least && k->models.models <= most)
      break;
    free(k->models.model);
  }
  ground_case(k);
}

static void case_free(Case *k) {
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

static void begin(Uniform *u, const Case *k, const UniformOptions *o) {
  assert_int_equal(
      uniform_begin(u, &k->ground, &k->analysis, getenv("LPMLN_TEST_WORKER"), &k->limits, o), OK);
}

static unsigned set_of(const Case *k, const Layout *layout, const uint8_t *model) {
  unsigned set = 0;
  for (unsigned a = 0; a < k->program.atoms; a++) {
    bool certain = k->ground.atoms.at[a].truth == ATOM_CERTAIN;
    uint32_t bit = layout->of_atom[a];
    set |= (unsigned)(bit == NONE ? certain : layout_bit(model, bit)) << a;
  }
  return set;
}

/* Its number in the slice; the models of brute force are sorted. */
static size_t number_of(const Case *k, unsigned set) {
  size_t low = 0, high = k->models.models;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (k->models.model[middle].set <= set)
      low = middle;
    else
      high = middle;
  }
  if (low >= k->models.models || k->models.model[low].set != set) {
    fprintf(stderr, "%x is no stable model of the slice\n", set);
    test_print(&k->program);
    fail();
  }
  return low;
}

/* ---- cells ---------------------------------------------------------------------- */

static bool row_holds(const Case *k, const Uniform *u, const uint64_t *row, unsigned set) {
  bool sum = false;
  for (size_t i = 0; i < u->hashed.n; i++)
    for (Atom a = 0; a < k->program.atoms; a++)
      if ((int32_t)u->encoding.atom[a] == u->hashed.at[i])
        sum ^= (row[i >> 6] >> (i & 63) & 1) && (set >> a & 1);
  return sum == (row[u->hashed.n >> 6] >> (u->hashed.n & 63) & 1);
}

/* Hash rows over all or a few atoms; the atoms of tests fit into one word. */
static void random_rows(Random *random, const Uniform *u, uint64_t *rows, uint32_t bits) {
  assert_int_equal(uniform_row_words(u), 1);
  uint64_t parity = (uint64_t)1 << u->hashed.n;
  for (uint32_t i = 0; i < bits; i++) {
    rows[i] = random_bits(random);
    if (random_bits(random) & 1) /* sparse */
      rows[i] &= random_bits(random) & (random_bits(random) | parity);
  }
}

static void check_cell(const Case *k, const Uniform *u, const uint64_t *rows, uint32_t bits) {
  bool *seen = calloc(k->models.models + 1, sizeof *seen);
  size_t expected = 0;
  for (size_t i = 0; i < k->models.models; i++) {
    bool inside = true;
    for (uint32_t r = 0; r < bits; r++)
      inside &= row_holds(k, u, &rows[r], k->models.model[i].set);
    expected += inside;
    seen[i] = !inside;
  }
  for (size_t i = 0; i < u->count; i++) {
    size_t which =
        number_of(k, set_of(k, &u->encoding.layout, u->cell.at + i * u->encoding.layout.bytes));
    assert_false(seen[which]);
    seen[which] = true;
  }
  if (u->count != expected) {
    fprintf(stderr, "%zu models instead of %zu\n", u->count, expected);
    test_print(&k->program);
    fail();
  }
  free(seen);
}

/* Many cells of many slices from one solver: none leaves a trace. */
static void test_cells(void **state) {
  (void)state;
  Random random = random_make(1, 0);
  UniformOptions o = uniform_options_default();
  for (unsigned n = 0; n < 60 * times(); n++) {
    o.together = n & 1;
    Case k;
    Uniform u;
    uint64_t rows[8];
    uint8_t model[64];
    UniformGuarantee guarantee;
    case_make(&k, &random, 8, 4096, true);
    TestModels all = k.models;
    k.models.model = NULL;
    begin(&u, &k, &o);
    for (unsigned i = 0; i < 25; i++) {
      assume_anew(&k, &random, &all);
      Status status = uniform_draw(&u, k.assumption, k.assumptions, &random, model, &guarantee);
      assert_int_equal(status, k.models.models ? OK : NO_ANSWER);
      if (status == OK)
        number_of(&k, set_of(&k, &u.encoding.layout, model));
      uint32_t bits = test_below(&random, 8);
      random_rows(&random, &u, rows, bits);
      u.context.n = 0;
      for (size_t j = 0; j < u.assumed.n; j++)
        vec_push(&u.context, u.assumed.at[j]);
      if (k.models.models) { /* else they may contradict what is certain */
        assert_int_equal(uniform_rows(&u, &u.all, rows, bits, 5000), OK);
        check_cell(&k, &u, rows, bits);
      }
    }
    uniform_free(&u);
    free(all.model);
    case_free(&k);
  }
}

/* ---- samplers ------------------------------------------------------------------- */

/* Draws one model after the other. */
typedef struct {
  const Case *k;
  Uniform u;
  Compiled compiled;
  CircuitRoot root;
  CircuitValues values;
  Random random;
  unsigned last; /* of what repeats */
  UniformGuarantee guarantee;
} Sampler;

static unsigned draw_solver(Sampler *s) {
  uint8_t model[64];
  assert_int_equal(
      uniform_draw(&s->u, s->k->assumption, s->k->assumptions, &s->random, model, &s->guarantee),
      OK);
  return set_of(s->k, &s->u.encoding.layout, model);
}

static unsigned draw_circuit(Sampler *s) {
  bool atoms[MOST_ATOMS] = {0};
  unsigned set = 0;
  for (unsigned a = 0; a < s->k->program.atoms; a++)
    atoms[a] = s->k->ground.atoms.at[a].truth == ATOM_CERTAIN;
  circuit_sample(&s->compiled.circuit, &s->values, &s->root, &s->random, atoms);
  strata_extend(&s->k->ground, &s->compiled.strata, atoms);
  for (unsigned a = 0; a < s->k->program.atoms; a++)
    set |= (unsigned)atoms[a] << a;
  return set;
}

/* Biased: so many hash bits that cells are often empty, and then the model
** before once more. */
static unsigned draw_repeating(Sampler *s) {
  uint8_t model[64];
  Status status =
      uniform_draw(&s->u, s->k->assumption, s->k->assumptions, &s->random, model, &s->guarantee);
  if (status == OK)
    s->last = set_of(s->k, &s->u.encoding.layout, model);
  return s->last;
}

/* Biased: the first model that satisfies two parities of at most three atoms. */
static unsigned draw_first(Sampler *s) {
  uint64_t rows[2];
  for (;;) {
    for (int r = 0; r < 2; r++) {
      rows[r] = (random_bits(&s->random) & 1) << s->u.hashed.n;
      for (int i = 0; i < 3; i++)
        rows[r] |= (uint64_t)1 << random_below(&s->random, s->u.hashed.n);
    }
    assert_int_equal(uniform_rows(&s->u, &s->u.all, rows, 2, 1), OK);
    if (s->u.count)
      return set_of(s->k, &s->u.encoding.layout, s->u.cell.at);
  }
}

typedef unsigned (*Draw)(Sampler *);

static double evenness(Sampler *s, Draw draw, unsigned draws_per_model) {
  size_t n = s->k->models.models;
  unsigned *count = calloc(n, sizeof *count);
  for (size_t i = 0; i < n * draws_per_model; i++)
    count[number_of(s->k, draw(s))]++;
  double p = test_evenness(count, n);
  free(count);
  return p;
}

static double solver_evenness(const Case *k, const UniformOptions *o, Draw draw, unsigned draws,
                              uint64_t seed, UniformGuarantee expected) {
  Sampler s = {.k = k, .random = random_make(seed, 1)};
  begin(&s.u, k, o);
  s.last = draw_solver(&s); /* learns the slice */
  assert_int_equal(s.guarantee, expected);
  if (draw == draw_repeating) { /* every second cell is empty, or more */
    s.u.options.retries = 1;
    s.u.bounds.least = 1;
    s.u.all.hash_bits = (uint32_t)ceil(log2((double)k->models.models)) + 1;
  }
  double p = evenness(&s, draw, draws);
  uniform_free(&s.u);
  return p;
}

static double circuit_evenness(const Case *k, unsigned draws, uint64_t seed) {
  static const double zero[MOST_WEIGHTS];
  Sampler s = {.k = k, .random = random_make(seed, 2)};
  CompileOptions o = compile_options_default();
  compile_begin(&s.compiled, &k->ground, &k->analysis, &o);
  assert_int_equal(compile_root(&s.compiled, NULL, 0, NULL, 0, &s.root), OK);
  circuit_values_make(&s.compiled.circuit, &s.values);
  circuit_evaluate(&s.compiled.circuit, zero, &s.values);
  double p = evenness(&s, draw_circuit, draws);
  circuit_values_free(&s.values);
  circuit_root_free(&s.root);
  compile_free(&s.compiled);
  return p;
}

/* Circuit and enumeration, on programs and slices of 10 to 1,000 models. */
static void test_exact(void **state) {
  (void)state;
  size_t n = 200 * times();
  double *circuit = calloc(n, sizeof *circuit), *pivot = calloc(n, sizeof *pivot);
  double *slice = calloc(n, sizeof *slice);
  UniformOptions o = uniform_options_default();
  Random random = random_make(2, 0);
  for (size_t i = 0; i < n; i++) {
    Case k;
    case_make(&k, &random, 10, 1000, true);
    pivot[i] = solver_evenness(&k, &o, draw_solver, 100, i, UNIFORM_EXACT);
    circuit[i] = circuit_evenness(&k, 100, i);
    case_free(&k);
    case_make(&k, &random, 10, 200, false);
    slice[i] = solver_evenness(&k, &o, draw_solver, 100, i, UNIFORM_EXACT);
    case_free(&k);
  }
  assert_int_equal(test_rejected(circuit, n, LEVEL), 0);
  assert_int_equal(test_rejected(pivot, n, LEVEL), 0);
  assert_int_equal(test_rejected(slice, n, LEVEL), 0);
  free(circuit);
  free(pivot);
  free(slice);
}

/* Hashing, with the pivot as low as it can be; tested against exact uniformity,
** which is more than the guarantee says. */
static void test_hashed(void **state) {
  (void)state;
  enum { PROGRAMS = 10, MOST = 100 };
  double fair[MOST], repeating[MOST], first[MOST];
  size_t n = PROGRAMS * times();
  UniformOptions o = uniform_options_default();
  o.pivot = 1, o.together = true, o.trials = false;
  Random random = random_make(3, 0);
  for (size_t i = 0; i < n; i++) {
    Case k;
    case_make(&k, &random, 4 * uniform_bounds(&o).mean + 1, 300, i & 1);
    fair[i] = solver_evenness(&k, &o, draw_solver, 20, i, UNIFORM_NEAR);
    repeating[i] = solver_evenness(&k, &o, draw_repeating, 20, i, UNIFORM_NEAR);
    first[i] = solver_evenness(&k, &o, draw_first, 20, i, UNIFORM_NEAR);
    case_free(&k);
  }
  assert_int_equal(test_rejected(fair, n, LEVEL), 0);
  assert_true(test_rejected(repeating, n, LEVEL) >= n - n / 10);
  assert_true(test_rejected(first, n, LEVEL) >= n - n / 10);
}

/* ---- by trial ----------------------------------------------------------------------- */

/* Is there a model in the slice with the guesses of this lane? */
static bool agrees(const Case *k, const Reject *r, unsigned lane) {
  for (size_t i = 0; i < k->models.models; i++) {
    bool same = true;
    for (Atom a = 0; a < k->program.atoms; a++)
      if (r->strata.guessed[a] && k->ground.atoms.at[a].truth == ATOM_OPEN)
        same &= lanes_bit(&r->atoms[a], lane) == (k->models.model[i].set >> a & 1);
    if (same)
      return true;
  }
  return false;
}

/* Of a batch that went to its end, each lane is alive that is a model of the slice, and is that
** model. */
static void check_lanes(const Case *k, Uniform *u, size_t *alive) {
  uint8_t model[64];
  for (unsigned lane = 0; lane < LANES; lane++) {
    bool is = lanes_bit(&u->reject.alive, lane);
    assert_int_equal(is, agrees(k, &u->reject, lane));
    if (!is)
      continue;
    ++*alive;
    reject_take(&u->reject, lane, u->all.bits.at, u->all.bits.n, model);
    unsigned set = set_of(k, &u->encoding.layout, model);
    bool atoms[MOST_ATOMS];
    for (Atom a = 0; a < k->program.atoms; a++)
      atoms[a] = set >> a & 1;
    number_of(k, set);
    for (uint32_t i = 0; i < k->ground.rules.n; i++) {
      const Rule *r = &k->ground.rules.at[i];
      uint32_t bit = r->instance == NONE ? NONE : u->encoding.layout.of_instance[r->instance];
      if (bit < u->encoding.layout.bits)
        assert_int_equal(layout_bit(model, bit), ground_violated(&k->ground, r, atoms));
    }
  }
}

/* Programs of every kind and slices of them, all lanes; which parts are not able is known to be
** right by the others. */
static void test_lanes(void **state) {
  (void)state;
  Random random = random_make(8, 0);
  UniformOptions o = uniform_options_default();
  o.together = true;
  size_t able = 0, alive = 0;
  for (unsigned n = 0; n < 400 * times(); n++) {
    Case k;
    Uniform u;
    uint8_t model[64];
    UniformGuarantee guarantee;
    case_make(&k, &random, 1, 4096, n & 1);
    begin(&u, &k, &o);
    assert_int_equal(uniform_draw(&u, k.assumption, k.assumptions, &random, model, &guarantee), OK);
    if (reject_enter(&u.reject, NONE, u.assumed.at, u.assumed.n)) {
      able++;
      for (int i = 0; i < 20; i++)
        if (reject_find(&u.reject, 0, &k.limits, &random) == OK && lanes_any(&u.reject.alive))
          check_lanes(&k, &u, &alive);
    }
    uniform_free(&u);
    case_free(&k);
  }
  print_message("%zu of %u able, %zu lanes alive\n", able, 400 * times(), alive);
  assert_true(able > 100 * times() && alive > 100000);
}

/* Drawn by trial: exactly uniform, also in slices, and in parts that are drawn by turns. */
static void test_trials(void **state) {
  (void)state;
  enum { PROGRAMS = 30 };
  double p[PROGRAMS];
  UniformOptions o = uniform_options_default();
  o.pivot = 1;
  Random random = random_make(9, 0);
  for (size_t i = 0; i < PROGRAMS;) {
    Case k;
    Sampler s = {.k = &k, .random = random_make(i, 3)};
    o.together = i & 1;
    case_make(&k, &random, 4 * uniform_bounds(&o).mean + 1, 500, i & 2);
    begin(&s.u, &k, &o);
    bool able = reject_enter(&s.u.reject, NONE, NULL, 0);
    if (able) {
      p[i++] = evenness(&s, draw_solver, 20);
      assert_int_equal(s.guarantee, UNIFORM_EXACT);
    }
    uniform_free(&s.u);
    case_free(&k);
  }
  assert_int_equal(test_rejected(p, PROGRAMS, LEVEL), 0);
}

/* ---- independent parts -------------------------------------------------------------- */

/* The program twice, without a common atom. */
static void double_ground(const Case *k, Ground *g) {
  test_begin(g);
  for (unsigned a = 0; a < 2 * k->program.atoms; a++)
    ground_atom(g, NULL);
  for (unsigned w = 0; w < k->program.weights; w++)
    vec_push(&g->weights, (Weight){.value = 1, .name = NONE});
  for (unsigned i = 0; i < 2 * k->program.rules; i++)
    test_add_rule(&k->program.rule[i % k->program.rules],
                  i < k->program.rules ? 0 : k->program.atoms, g);
  ground_seal(g);
}

/* The numbers of the models of both copies in one draw. */
static void draw_both(const Case *k, Uniform *u, Random *random, size_t *number) {
  uint8_t model[64];
  UniformGuarantee guarantee;
  assert_int_equal(uniform_draw(u, NULL, 0, random, model, &guarantee), OK);
  assert_int_equal(guarantee, UNIFORM_NEAR);
  for (unsigned j = 0; j < 2; j++) {
    unsigned set = 0;
    for (unsigned i = 0; i < k->program.atoms; i++) {
      Atom a = j * k->program.atoms + i;
      uint32_t bit = u->encoding.layout.of_atom[a];
      bool certain = k->ground.atoms.at[a].truth == ATOM_CERTAIN;
      set |= (unsigned)(bit == NONE ? certain : layout_bit(model, bit)) << i;
    }
    number[j] = number_of(k, set);
  }
}

enum { CLASSES = 8 };

/* How even the models of both copies are, and pairs of classes of them. */
static void both_evenness(const Case *k, Uniform *u, Random *random, double *p) {
  size_t models = k->models.models, number[2], even = models / CLASSES * CLASSES;
  unsigned *count = calloc(2 * models, sizeof *count), pairs[CLASSES * CLASSES] = {0};
  for (size_t i = 0; i < 10 * models; i++) {
    draw_both(k, u, random, number);
    count[number[0]]++;
    count[models + number[1]]++;
    if (number[0] < even && number[1] < even)
      pairs[number[0] % CLASSES * CLASSES + number[1] % CLASSES]++;
  }
  p[0] = test_evenness(count, models);
  p[1] = test_evenness(count + models, models);
  p[2] = test_evenness(pairs, CLASSES * CLASSES);
  free(count);
}

/* Both copies hashed, each on its own: even, and nothing to do with each other. */
static void test_parts(void **state) {
  (void)state;
  enum { PROGRAMS = 5 };
  Random random = random_make(7, 0);
  UniformOptions o = uniform_options_default();
  o.pivot = 1, o.trials = false;
  double p[3 * PROGRAMS];
  for (unsigned n = 0; n < PROGRAMS; n++) {
    Case k;
    Uniform u;
    do {
      case_make(&k, &random, 130, 300, true);
    } while (k.analysis.components > 1 && (case_free(&k), true));
    ground_free(&k.ground);
    analysis_free(&k.analysis);
    double_ground(&k, &k.ground);
    analysis_make(&k.ground, &k.analysis);
    begin(&u, &k, &o);
    assert_int_equal(u.parts.n, 2);
    both_evenness(&k, &u, &random, p + 3 * n);
    uniform_free(&u);
    case_free(&k);
  }
  assert_int_equal(test_rejected(p, 3 * PROGRAMS, LEVEL), 0);
}

/* ---- counting, failing, repeating -------------------------------------------------- */

/* {a1}. ... {an}. with a constraint that takes some models away. */
static void choices(Case *k, unsigned atoms) {
  *k = (Case){.limits = {.memory = 1024}};
  k->program.atoms = atoms;
  for (unsigned a = 0; a < atoms; a++)
    k->program.rule[a] = (TestRule){.choice = true, .heads = 1, .head = {a}, .soft = -1};
  k->program.rule[atoms] = (TestRule){.size = 3, .body = {0, 3, 4}, .soft = -1};
  k->program.rules = atoms + 1;
  test_models(&k->program, &k->models);
  ground_case(k);
}

/* The expected size of a cell is where the guarantee needs it, in all of many
** counts; by Chebyshev alone some might be off. */
static void test_count(void **state) {
  (void)state;
  Case k;
  Uniform u;
  uint8_t model[64];
  UniformGuarantee guarantee;
  UniformOptions o = uniform_options_default();
  o.pivot = 1, o.together = true, o.trials = false;
  choices(&k, 11);
  begin(&u, &k, &o);
  for (uint64_t seed = 0; seed < 30; seed++) {
    Random random = random_make(seed, 4);
    u.all.known = false;
    u.guess = seed & 1 ? 0 : (uint32_t)(seed % 11);
    assert_int_equal(uniform_draw(&u, NULL, 0, &random, model, &guarantee), OK);
    assert_int_equal(guarantee, UNIFORM_NEAR);
    double size = (double)k.models.models / (double)(1u << u.all.hash_bits);
    assert_true(size >= 0.75 * u.bounds.mean && size <= 8 * u.bounds.mean / 3.0);
  }
  uniform_free(&u);
  case_free(&k);
}

/* No cell is accepted: that is an error, and the model is left alone. */
static void test_failure(void **state) {
  (void)state;
  Case k;
  Uniform u;
  uint8_t model[8] = {1, 2, 3};
  UniformGuarantee guarantee;
  UniformOptions o = uniform_options_default();
  o.pivot = 1, o.together = true, o.trials = false;
  Random random = random_make(5, 0);
  choices(&k, 10);
  begin(&u, &k, &o);
  u.bounds.least = u.bounds.most = 1;
  assert_int_equal(uniform_draw(&u, NULL, 0, &random, model, &guarantee), LIMIT);
  assert_int_equal(u.outcome, WORKER_OK);
  assert_int_equal(model[0] + model[1] + model[2], 6);
  uniform_free(&u);
  case_free(&k);
}

/* The same seed gives the same models, whatever the solver did before. */
static void test_same_seed(void **state) {
  (void)state;
  Case k;
  Uniform u[2];
  UniformOptions o = uniform_options_default();
  o.pivot = 1, o.together = true, o.trials = false;
  choices(&k, 12);
  for (int i = 0; i < 2; i++)
    begin(&u[i], &k, &o);
  Random other = random_make(9, 9);
  for (unsigned i = 0; i < 5; i++)
    assert_int_equal(uniform_cell(&u[1], &u[1].all, i, 100, &other), OK);
  Random random[2] = {random_make(6, 0), random_make(6, 0)};
  for (unsigned i = 0; i < 100; i++) {
    uint8_t model[2][8] = {{0}};
    UniformGuarantee guarantee;
    for (int j = 0; j < 2; j++)
      assert_int_equal(uniform_draw(&u[j], NULL, 0, &random[j], model[j], &guarantee), OK);
    assert_memory_equal(model[0], model[1], sizeof model[0]);
  }
  for (int i = 0; i < 2; i++)
    uniform_free(&u[i]);
  case_free(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cells),    cmocka_unit_test(test_exact),
      cmocka_unit_test(test_hashed),   cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_trials),   cmocka_unit_test(test_parts),
      cmocka_unit_test(test_count),    cmocka_unit_test(test_failure),
      cmocka_unit_test(test_same_seed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
