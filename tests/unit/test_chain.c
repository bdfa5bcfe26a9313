/* test_chain.c - Markov chains against brute force: long-run frequencies are the exact
** probabilities, stated errors cover as often as they claim, the number of threads does not
** matter.  And what the diagnostics say of series that are known. */
#include "unit.h"

#include "sample/chains.h"
#include "sample/diagnostics.h"
#include "unit/chi_square.h"
#include "unit/random_program.h"

static const TestStyle styles[] = {
    {6, 7, 70, 5, 10, 40, 5, 60},  /* mostly choices */
    {7, 9, 45, 0, 5, 60, 5, 80},   /* loops through choice and soft rules */
    {6, 8, 30, 35, 10, 40, 5, 75}, /* disjunction, many head cycles */
    {7, 9, 40, 10, 5, 70, 10, 50}, /* soft rules of every kind */
};
enum { STYLES = sizeof styles / sizeof *styles };

static unsigned times(void) { return getenv("LONG") ? 10 : 1; }

typedef struct {
  TestProgram program;
  TestModels models; /* with the evidence */
  double *probability;
  Ground ground;
  Analysis analysis;
  Lit evidence;
  size_t evidences;
  Target target;
  Limits limits;
  double weights[MOST_WEIGHTS];
} Case;

static void find_probabilities(Case *k, const TestModels *all) {
  double sum = 0;
  k->models = (TestModels){malloc((all->models + 1) * sizeof *all->model), 0};
  for (size_t i = 0; i < all->models; i++)
    if (test_agrees(&all->model[i], &k->evidence, k->evidences))
      k->models.model[k->models.models++] = all->model[i];
  k->probability = malloc((k->models.models + 1) * sizeof *k->probability);
  for (size_t i = 0; i < k->models.models; i++)
    sum += k->probability[i] = exp(k->models.model[i].log_weight);
  for (size_t i = 0; i < k->models.models; i++)
    k->probability[i] /= sum;
}

/* Evidence in every other case. */
static void case_make(Case *k, Random *random, size_t least, size_t most) {
  for (;;) {
    TestModels all;
    *k = (Case){.limits = {.memory = 1024}, .evidences = random_bits(random) & 1};
    test_program(random, &styles[test_below(random, STYLES)], &k->program);
    test_models(&k->program, &all);
    k->evidence = lit_of(test_below(random, k->program.atoms), random_bits(random) & 1);
    find_probabilities(k, &all);
    free(all.model);
    if (k->models.models >= least && k->models.models <= most)
      break;
    free(k->models.model);
    free(k->probability);
  }
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  bool *dropped = calloc(k->ground.atoms.n, 1);
  target_make(&k->ground, dropped, &k->evidence, k->evidences, &k->target);
  free(dropped);
  for (size_t i = 0; i < k->ground.weights.n; i++)
    k->weights[i] = k->ground.weights.at[i].value;
}

static void case_free(Case *k) {
  target_free(&k->target);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
  free(k->probability);
}

static void begin(Chains *c, const Case *k, size_t count, size_t block_moves, uint64_t seed) {
  ChainsOptions options = {.count = count,
                           .block_moves = block_moves,
                           .threads = 1,
                           .seed = seed,
                           .worker_path = getenv("LPMLN_TEST_WORKER"),
                           .limits = &k->limits};
  assert_int_equal(chains_begin(c, &k->target, k->weights, &options), OK);
}

static unsigned set_of(const Case *k, const bool *atoms) {
  unsigned set = 0;
  for (unsigned a = 0; a < k->program.atoms; a++)
    set |= (unsigned)atoms[a] << a;
  return set;
}

/* ---- frequencies ------------------------------------------------------------------ */

typedef struct {
  const Case *k;
  unsigned *count; /* by model */
} Counting;

static void count(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Counting *c = data;
  unsigned set = set_of(c->k, atoms);
  (void)chain, (void)sample;
  for (size_t i = 0; i < c->k->models.models; i++)
    if (c->k->models.model[i].set == set) {
      c->count[i]++;
      return;
    }
  fail_msg("a state that is no stable model with the evidence");
}

/* The probability of frequencies as far from the exact ones, or farther; models that are
** expected less than 5 times count together. */
static double fit(const Case *k, const unsigned *seen, double all) {
  double square = 0, rest_seen = 0, rest = 0, cells = 0;
  for (size_t i = 0; i < k->models.models; i++) {
    double expected = all * k->probability[i];
    if (expected < 5) {
      rest += expected, rest_seen += seen[i];
      continue;
    }
    square += (seen[i] - expected) * (seen[i] - expected) / expected;
    cells++;
  }
  if (rest >= 5)
    square += (rest_seen - rest) * (rest_seen - rest) / rest, cells++;
  return cells < 2 || square <= 0 ? 1 : test_gamma_above((cells - 1) / 2, square / 2);
}

/* Of chains with these moves, on so many programs; samples are far apart. */
static double frequencies(size_t block_moves, uint32_t whole, size_t thin, uint64_t seed) {
  enum { PROGRAMS = 8, SAMPLES = 700 };
  Random random = random_make(seed, 0);
  size_t n = PROGRAMS * times();
  double *p = malloc(n * sizeof *p), worst = 1;
  for (size_t i = 0; i < n; i++) {
    Case k;
    Chains c;
    size_t done;
    case_make(&k, &random, 3, 60);
    unsigned *seen = calloc(k.models.models, sizeof *seen);
    begin(&c, &k, 1, block_moves, i);
    c.chain[0].whole = whole, c.chain[0].part = 2;
    assert_int_equal(chains_run(&c, 50, 1, NULL, NULL, &done), OK);
    assert_int_equal(chains_run(&c, SAMPLES, thin, count, &(Counting){&k, seen}, &done), OK);
    p[i] = fit(&k, seen, SAMPLES);
    worst = p[i] < worst ? p[i] : worst;
    chains_free(&c);
    free(seen);
    case_free(&k);
  }
  print_message("smallest of %zu p-values: %.2g\n", n, worst);
  double rejected = (double)test_rejected(p, n, 1e-4);
  free(p);
  return rejected;
}

static void test_mcasp(void **state) {
  (void)state;
  assert_true(frequencies(0, CHAIN_WHOLE, 15, 1) == 0);
}

static void test_regions(void **state) {
  (void)state;
  assert_true(frequencies(0, 0, 25, 2) == 0);
}

static void test_blocks(void **state) {
  (void)state;
  assert_true(frequencies(SIZE_MAX, CHAIN_WHOLE, 5, 3) == 0);
}

/* ---- errors ------------------------------------------------------------------------- */

enum { CHAINS = 4, LENGTH = 150, WINDOWS = 20 };

typedef struct {
  const Case *k;
  double *values; /* by atom, chain and sample */
} Watching;

static void watch(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Watching *w = data;
  for (unsigned a = 0; a < w->k->program.atoms; a++)
    w->values[(a * CHAINS + chain) * LENGTH + sample] = atoms[a];
}

static double exact_probability(const Case *k, unsigned atom) {
  double sum = 0;
  for (size_t i = 0; i < k->models.models; i++)
    sum += k->models.model[i].set >> atom & 1 ? k->probability[i] : 0;
  return sum;
}

/* The stated 95% intervals of window after window of the same chains. */
static void test_coverage(void **state) {
  (void)state;
  Random random = random_make(4, 0);
  size_t inside = 0, all = 0, programs = 8 * times();
  for (size_t i = 0; i < programs; i++) {
    Case k;
    Chains c;
    size_t done;
    case_make(&k, &random, 3, 60);
    double *values = malloc(k.program.atoms * CHAINS * LENGTH * sizeof *values);
    begin(&c, &k, CHAINS, i % 2 ? SIZE_MAX : 0, i);
    assert_int_equal(chains_run(&c, 100, 1, NULL, NULL, &done), OK);
    for (size_t w = 0; w < WINDOWS; w++) {
      assert_int_equal(chains_run(&c, LENGTH, 2, watch, &(Watching){&k, values}, &done), OK);
      for (unsigned a = 0; a < k.program.atoms; a++) {
        double p = exact_probability(&k, a);
        Estimate e =
            estimate_probability(values + a * CHAINS * LENGTH, CHAINS, LENGTH, CHAINS * LENGTH);
        if (p < 1e-9 || p > 1 - 1e-9)
          continue;
        all++;
        inside += fabs(e.mean - p) <= 1.96 * e.error;
      }
    }
    chains_free(&c);
    free(values);
    case_free(&k);
  }
  print_message("95%% intervals: %zu of %zu cover, %.1f%%\n", inside, all,
                100.0 * (double)inside / (double)all);
  assert_true((double)inside >= 0.90 * (double)all && (double)inside <= 0.99 * (double)all);
}

/* ---- threads ------------------------------------------------------------------------- */

static void test_threads(void **state) {
  (void)state;
  Random random = random_make(5, 0);
  Case k;
  case_make(&k, &random, 20, 60);
  double *values[3];
  for (unsigned threads = 0; threads < 3; threads++) {
    Chains c;
    size_t done;
    values[threads] = calloc(k.program.atoms * CHAINS * LENGTH, sizeof **values);
    begin(&c, &k, CHAINS, 2, 7);
    c.options.threads = 1 + threads;
    assert_int_equal(chains_run(&c, LENGTH, 1, watch, &(Watching){&k, values[threads]}, &done), OK);
    assert_memory_equal(values[threads], values[0],
                        k.program.atoms * CHAINS * LENGTH * sizeof **values);
    chains_free(&c);
  }
  for (unsigned i = 0; i < 3; i++)
    free(values[i]);
  case_free(&k);
}

/* ---- diagnostics ---------------------------------------------------------------------- */

static double normal(Random *random) {
  return sqrt(-2 * log(1 - random_unit(random))) * cos(6.283185307179586 * random_unit(random));
}

/* x' = phi x + noise: n values are worth n (1 - phi) / (1 + phi). */
static void fill_series(Random *random, double phi, double *x, size_t n) {
  double now = normal(random) / sqrt(1 - phi * phi);
  for (size_t i = 0; i < n; i++)
    x[i] = now = phi * now + normal(random);
}

static void test_series(void **state) {
  (void)state;
  enum { N = 20000 };
  Random random = random_make(6, 0);
  double *x = malloc(4 * N * sizeof *x);
  for (double phi = 0; phi < 0.95; phi += 0.3) {
    for (int c = 0; c < 4; c++)
      fill_series(&random, phi, x + c * N, N);
    Estimate e = estimate_mean(x, 4, N);
    double expected = 4 * N * (1 - phi) / (1 + phi);
    assert_true(e.ess > 0.85 * expected && e.ess < 1.15 * expected);
    assert_true(e.rhat < 1.01 && fabs(e.mean) < 4 * e.error);
  }
  for (int i = 0; i < N; i++)
    x[i] += 1; /* one chain is somewhere else */
  assert_true(estimate_mean(x, 4, N).rhat > 1.01);
  for (int i = 0; i < 4 * N; i++)
    x[i] = i % N / 1000.0 + normal(&random); /* all drift */
  assert_true(estimate_mean(x, 4, N).rhat > 1.1);
  free(x);
}

static void test_rare(void **state) {
  (void)state;
  double x[400] = {0};
  Estimate e = estimate_probability(x, 4, 100, 400);
  assert_true(isnan(e.ess) && isnan(e.rhat) && e.mean == 0 && e.error > 0.002 && e.error < 0.01);
  e = estimate_probability(x, 4, 1, 4); /* too few to say anything */
  assert_true(e.error > 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_series),  cmocka_unit_test(test_rare),
      cmocka_unit_test(test_mcasp),   cmocka_unit_test(test_regions),
      cmocka_unit_test(test_blocks),  cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
