/* test_circuit.c - what is asked of circuits: numbers, derivatives, samples,
** files.  The circuits come from random programs, the truth from brute force. */
#include "unit.h"

#include "compile/compile.h"
#include "unit/random_program.h"
#include "write/nnf.h"

static const TestStyle style = {9, 14, 45, 15, 10, 55, 8, 70};

typedef struct {
  TestProgram program;
  TestModels models;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root;
  CircuitValues values;
} Case;

static void case_free(Case *k) {
  circuit_values_free(&k->values);
  circuit_root_free(&k->root);
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
  free(k->models.model);
}

static void case_build(Case *k) {
  test_models(&k->program, &k->models);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  Atom all[MOST_ATOMS];
  for (unsigned a = 0; a < k->program.atoms; a++)
    all[a] = a;
  assert_int_equal(compile_root(&k->compiled, NULL, 0, all, k->program.atoms, &k->root), OK);
  circuit_values_make(&k->compiled.circuit, &k->values);
  circuit_evaluate(&k->compiled.circuit, k->program.value, &k->values);
}

/* A random program with at least `least` models. */
static void case_make(Case *k, Random *random, size_t least) {
  for (;;) {
    *k = (Case){0};
    test_program(random, &style, &k->program);
    case_build(k);
    if (k->models.models >= least && k->models.models <= 200)
      return;
    case_free(k);
  }
}

static double log_value(Case *k, const double *weights) {
  circuit_evaluate(&k->compiled.circuit, weights, &k->values);
  return circuit_log_value(&k->compiled.circuit, &k->values, &k->root);
}

/* The same in log space, the plain way, one node after the other. */
static double reference(const Case *k, const double *weights) {
  const Circuit *c = &k->compiled.circuit;
  double *log_of = calloc(c->nodes.n, sizeof *log_of), sum = 0;
  double *literal = calloc(2 * c->variables.n, sizeof *literal);
  for (size_t i = 0; i < c->terms.n; i++)
    literal[c->terms.at[i].literal] -= weights[c->terms.at[i].weight];
  double *both = calloc(c->variables.n, sizeof *both);
  for (size_t v = 0; v < c->variables.n; v++) {
    double x = literal[2 * v], y = literal[2 * v + 1];
    if (c->variables.at[v].sort == CIRCUIT_INPUT)
      both[v] = fmax(x, y) + log1p(exp(-fabs(x - y)));
  }
  log_of[CIRCUIT_FALSE] = -INFINITY;
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (node->variable == CIRCUIT_NONE) {
      for (uint32_t j = 0; j < node->second; j++)
        log_of[i] += log_of[c->children.at[node->first + j]];
      continue;
    }
    uint32_t v = node->variable;
    double x = literal[2 * v] - both[v] + log_of[node->first];
    double y = literal[2 * v + 1] - both[v] + log_of[node->second];
    log_of[i] = fmax(x, y) + log1p(exp(-fabs(x - y)));
  }
  for (size_t i = 0; i < c->constants.n; i++)
    sum -= weights[c->constants.at[i]];
  for (size_t i = 0; i < k->root.parts.n; i++) {
    const CircuitBlock *block = &c->blocks.at[k->root.parts.at[i].block];
    double part = log_of[k->root.parts.at[i].node];
    for (uint32_t v = block->first; v < block->first + block->count; v++)
      part += both[v];
    sum += k->root.parts.at[i].copies * part;
  }
  free(literal);
  free(both);
  free(log_of);
  return sum;
}

static void test_extreme_weights(void **state) {
  (void)state;
  Random random = random_make(11, 0);
  for (int i = 0; i < 200; i++) {
    Case k;
    case_make(&k, &random, 2);
    double weights[MOST_WEIGHTS];
    for (int w = 0; w < MOST_WEIGHTS; w++)
      weights[w] = (random_unit(&random) - 0.5) * 20000;
    double expected = reference(&k, weights);
    assert_true(fabs(log_value(&k, weights) - expected) <= 1e-11 * (1 + fabs(expected)));
    case_free(&k);
  }
}

/* --- numbers of all magnitudes: weights are sixteenths, whose sums are exact --- */

static int64_t sixteenths(Random *random) {
  int64_t most = INT64_C(1) << (int[]){4, 8, 14, 30, 58}[test_below(random, 5)];
  if (!test_below(random, 3))
    return test_below(random, 2) ? most : -most;
  int64_t any = (int64_t)random_below(random, (uint64_t)most) - most / 2;
  return (int64_t)(double)any; /* as a double, too */
}

/* ln of the sum of the weights of models that have the atom (NONE: of all), less `top`. */
static long double log_sum(const Case *k, const int64_t *weight, Atom atom, int64_t top) {
  long double sum = 0;
  int64_t best = INT64_MIN;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < k->models.models; i++) {
      const TestModel *m = &k->models.model[i];
      int64_t log = 0;
      for (unsigned w = 0; w < k->program.weights; w++)
        log -= weight[w] * (int64_t)m->count[w];
      if (atom != NONE && !(m->set >> atom & 1))
        continue;
      if (pass)
        sum += expl((long double)(log - best) / 16);
      else if (log > best)
        best = log;
    }
  return best == INT64_MIN ? -INFINITY : logl(sum) + (long double)(best - top) / 16;
}

static int64_t largest(const Case *k, const int64_t *weight) {
  int64_t best = INT64_MIN;
  for (size_t i = 0; i < k->models.models; i++) {
    int64_t log = 0;
    for (unsigned w = 0; w < k->program.weights; w++)
      log -= weight[w] * (int64_t)k->models.model[i].count[w];
    best = log > best ? log : best;
  }
  return best;
}

static size_t having(const Case *k, Atom atom) {
  size_t n = 0;
  for (size_t i = 0; i < k->models.models; i++)
    n += k->models.model[i].set >> atom & 1;
  return n;
}

/* Models come in order and with probabilities that are right and sum to 1. */
static void check_best(const Case *k, const double *weights, Log all) {
  CircuitBest *best = circuit_best_make(&k->compiled.circuit, &k->root, weights);
  bool atoms[MOST_ATOMS];
  double sum = 0, before = INFINITY;
  for (Log found; circuit_best_next(best, atoms, &found);) {
    double log = log_apart(found, all);
    assert_true(log <= before + 1e-12 * (1 + fabs(log)));
    before = log, sum += exp(log);
  }
  assert_true(fabs(sum - 1) < 1e-11);
  circuit_best_free(best);
}

static void test_all_magnitudes(void **state) {
  (void)state;
  Random random = random_make(12, 0);
  size_t tiny = 0;
  for (int i = 0; i < 400; i++) {
    Case k;
    case_make(&k, &random, 2);
    int64_t weight[MOST_WEIGHTS];
    double weights[MOST_WEIGHTS];
    for (int w = 0; w < MOST_WEIGHTS; w++)
      weight[w] = sixteenths(&random), weights[w] = (double)weight[w] / 16;
    circuit_evaluate(&k.compiled.circuit, weights, &k.values);
    Log all = circuit_log(&k.compiled.circuit, &k.values, &k.root);
    int64_t top = largest(&k, weight);
    long double log_all = log_sum(&k, weight, NONE, top);
    Log expected = log_plus((Log){top / 16, (double)(top % 16) / 16}, log_of((double)log_all));
    assert_true(fabs(log_apart(all, expected)) < 1e-12);
    Probability marginal[MOST_ATOMS];
    for (unsigned a = 0; a < k.program.atoms; a++)
      marginal[a] = probability_known(k.ground.atoms.at[a].truth == ATOM_CERTAIN);
    circuit_marginals(&k.compiled.circuit, &k.values, &k.root, marginal);
    for (unsigned a = 0; a < k.program.atoms; a++) {
      double log = (double)(log_sum(&k, weight, a, top) - log_all);
      assert_int_equal(marginal[a].log == -INFINITY, having(&k, a) == 0);
      assert_int_equal(marginal[a].log == 0, having(&k, a) == k.models.models);
      if (having(&k, a))
        assert_true(fabs(marginal[a].log - log) <= 2e-10 + 1e-15 * fabs(log));
      assert_true(fabs(marginal[a].value - exp(log)) <= 2e-10 * exp(log));
      tiny += log < -800 && having(&k, a);
    }
    check_best(&k, weights, all);
    case_free(&k);
  }
  assert_true(tiny > 100); /* that a double can't hold */
}

/* --- deep circuits, whose values leave the range of doubles on the way up --- */

enum { LAYERS = 800, WIDTH = 8 };

static uint32_t layer_node(Circuit *c, Random *random, uint32_t variable, const uint32_t *below) {
  uint32_t high = below[test_below(random, WIDTH)], low = below[test_below(random, WIDTH)];
  uint32_t literal = circuit_literal(c, variable + 1, test_below(random, 2));
  unsigned kind = test_below(random, 4);
  if (kind == 0)
    return circuit_product(c, (uint32_t[]){literal, high}, 2);
  return circuit_decision(c, variable, high, kind == 1 || high == low ? CIRCUIT_FALSE : low);
}

/* Two inputs in each layer; what is free follows the prior. */
static void deep_circuit(Circuit *c, Random *random) {
  uint32_t below[WIDTH], layer[WIDTH];
  circuit_begin(c);
  vec_push(&c->blocks, (CircuitBlock){.count = 2 * LAYERS});
  for (uint32_t v = 0; v < 2 * LAYERS; v++) {
    vec_push(&c->variables, (CircuitVariable){0, CIRCUIT_INPUT});
    vec_push(&c->terms, (CircuitTerm){2 * v, v});
  }
  c->weights = 2 * LAYERS;
  for (uint32_t i = 0; i < WIDTH; i++)
    below[i] = CIRCUIT_TRUE;
  for (uint32_t l = 0; l < LAYERS; l++) {
    for (uint32_t i = 0; i < WIDTH; i++)
      layer[i] = layer_node(c, random, 2 * l, below);
    memcpy(below, layer, sizeof below);
  }
}

static long double log_factor(const double *weights, uint32_t literal) {
  long double w = (long double)weights[literal / 2] * (literal & 1 ? -1 : 1);
  return -fmaxl(w, 0) - log1pl(expl(-fabsl(w)));
}

static long double log_edge(const double *weights, const long double *log_of, uint32_t literal,
                            uint32_t child) {
  return log_factor(weights, literal) + log_of[child];
}

/* Node after node: the value, and the share of the smaller edge. */
static void check_deep(const Circuit *c, const CircuitValues *v, const double *weights) {
  long double *log_of = calloc(c->nodes.n, sizeof *log_of);
  log_of[CIRCUIT_FALSE] = -INFINITY;
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    for (uint32_t k = 0; node->variable == CIRCUIT_NONE && k < node->second; k++)
      log_of[i] += log_of[c->children.at[node->first + k]];
    if (node->variable != CIRCUIT_NONE) {
      long double high = log_edge(weights, log_of, 2 * node->variable, node->first);
      long double low = log_edge(weights, log_of, 2 * node->variable + 1, node->second);
      log_of[i] = fmaxl(high, low) + log1pl(expl(-fabsl(high - low)));
      double share = fmin(circuit_share(v->share[i])[0], circuit_share(v->share[i])[1]);
      double expected = (double)expl(fminl(high, low) - log_of[i]);
      assert_true(fabs(share - expected) <= 1e-10 * expected + 1e-280);
    }
    double log = log_double(scaled_log(circuit_value(v, i)));
    assert_true(fabs(log - (double)log_of[i]) <= 1e-12 * (1 + fabs(log)));
  }
  free(log_of);
}

static void test_deep_circuits(void **state) {
  (void)state;
  Random random = random_make(14, 0);
  size_t plain = 0, late = 0;
  for (int i = 0; i < 20; i++) {
    Circuit c;
    CircuitValues v;
    deep_circuit(&c, &random);
    circuit_values_make(&c, &v);
    for (int k = 0; k < 5; k++) { /* the same arrays, wide and plain in turn */
      double weights[2 * LAYERS], range = (double[]){0.1, 4, 700, 30, 1e6}[k];
      for (uint32_t w = 0; w < 2 * LAYERS; w++)
        weights[w] = range * (2 * random_unit(&random) - 1);
      circuit_evaluate(&c, weights, &v);
      plain += v.plain, late += !v.plain && range < 300;
      check_deep(&c, &v, weights);
    }
    circuit_values_free(&v);
    circuit_free(&c);
  }
  assert_true(plain > 10 && late > 30);
}

static void test_derivatives(void **state) {
  (void)state;
  Random random = random_make(12, 0);
  const double h = 1e-5;
  for (int i = 0; i < 300; i++) {
    Case k;
    case_make(&k, &random, 3);
    const Circuit *c = &k.compiled.circuit;
    double w[MOST_WEIGHTS], v[MOST_WEIGHTS], up[MOST_WEIGHTS] = {0}, down[MOST_WEIGHTS] = {0},
                                             expected[MOST_WEIGHTS] = {0},
                                             product[MOST_WEIGHTS] = {0};
    memcpy(w, k.program.value, sizeof w);
    for (int j = 0; j < MOST_WEIGHTS; j++)
      v[j] = 2 * random_unit(&random) - 1;
    circuit_expectations(c, &k.values, &k.root, 1, expected);
    circuit_hessian_product(c, &k.values, &k.root, v, 1, product);
    for (unsigned j = 0; j < k.program.weights; j++) {
      double keep = w[j];
      w[j] = keep + h;
      double above = log_value(&k, w);
      w[j] = keep - h;
      double below = log_value(&k, w);
      w[j] = keep;
      assert_true(fabs((above - below) / (2 * h) + expected[j]) < 1e-7);
    }
    for (unsigned j = 0; j < k.program.weights; j++)
      w[j] = k.program.value[j] + h * v[j];
    circuit_evaluate(c, w, &k.values);
    circuit_expectations(c, &k.values, &k.root, 1, up);
    for (unsigned j = 0; j < k.program.weights; j++)
      w[j] = k.program.value[j] - h * v[j];
    circuit_evaluate(c, w, &k.values);
    circuit_expectations(c, &k.values, &k.root, 1, down);
    for (unsigned j = 0; j < k.program.weights; j++)
      assert_true(fabs((down[j] - up[j]) / (2 * h) - product[j]) < 1e-7);
    case_free(&k);
  }
}

static void test_entropy(void **state) {
  (void)state;
  Random random = random_make(13, 0);
  for (int i = 0; i < 200; i++) {
    Case k;
    case_make(&k, &random, 2);
    double log_sum = test_log_sum(&k.models, NULL, 0), entropy = 0;
    for (size_t j = 0; j < k.models.models; j++) {
      double log_p = k.models.model[j].log_weight - log_sum;
      entropy -= exp(log_p) * log_p;
    }
    double found = circuit_entropy(&k.compiled.circuit, &k.values, &k.root, k.program.value);
    assert_true(fabs(found - entropy) < 1e-9);
    case_free(&k);
  }
}

/* --- samples --- */

/* Upper tail of the chi-square distribution, by Wilson and Hilferty. */
static double chi_square_tail(double x, double degrees) {
  double s = 2 / (9 * degrees);
  double z = (cbrt(x / degrees) - (1 - s)) / sqrt(s);
  return 0.5 * erfc(z / sqrt(2));
}

/* The p-value of `counts` samples of the models; models with few expected
** samples are put together. */
static double p_value(const Case *k, const size_t *counts, size_t samples) {
  double log_sum = test_log_sum(&k->models, NULL, 0), x = 0, rare = 0, rare_count = 0;
  double degrees = -1;
  for (size_t i = 0; i < k->models.models; i++) {
    double e = (double)samples * exp(k->models.model[i].log_weight - log_sum);
    if (e < 10) {
      rare += e, rare_count += (double)counts[i];
      continue;
    }
    x += ((double)counts[i] - e) * ((double)counts[i] - e) / e;
    degrees++;
  }
  if (rare >= 5)
    x += (rare_count - rare) * (rare_count - rare) / rare, degrees++;
  return degrees < 1 ? 1 : chi_square_tail(x, degrees);
}

static size_t model_index(const Case *k, const bool *atoms) {
  unsigned set = 0;
  for (unsigned a = 0; a < k->program.atoms; a++)
    set |= (unsigned)atoms[a] << a;
  for (size_t i = 0; i < k->models.models; i++)
    if (k->models.model[i].set == set)
      return i;
  fail_msg("a sample is no stable model");
  return 0;
}

/* Draws samples; biased: each is repeated with probability 1/5. */
static double sample_case(Case *k, Random *random, size_t samples, bool biased) {
  size_t *counts = calloc(k->models.models, sizeof *counts), last = 0;
  for (size_t i = 0; i < samples; i++) {
    bool atoms[MOST_ATOMS] = {false};
    if (biased && i && random_unit(random) < 0.2) {
      last = last > k->models.models / 2 ? last : 0; /* sticks to the first half's head */
    } else {
      circuit_sample(&k->compiled.circuit, &k->values, &k->root, random, atoms);
      strata_extend(&k->ground, &k->compiled.strata, atoms);
      last = model_index(k, atoms);
    }
    counts[last]++;
  }
  double p = p_value(k, counts, samples);
  free(counts);
  return p;
}

static void test_samples(void **state) {
  (void)state;
  enum { CASES = 60 };
  Random random = random_make(14, 0);
  int rejected = 0;
  for (int i = 0; i < CASES; i++) {
    Case k;
    case_make(&k, &random, 8);
    assert_true(sample_case(&k, &random, 100 * k.models.models, false) > 1e-4 / CASES);
    rejected += sample_case(&k, &random, 100 * k.models.models, true) < 1e-4 / CASES;
    case_free(&k);
  }
  assert_true(rejected > CASES / 2);
}

/* --- files --- */

static void test_save_and_load(void **state) {
  (void)state;
  Random random = random_make(15, 0);
  for (int i = 0; i < 100; i++) {
    Case k;
    case_make(&k, &random, 3);
    Text bytes = {0};
    assert_int_equal(circuit_save(&k.compiled.circuit, &k.root, 1, &bytes), OK);
    Circuit c;
    CircuitRoot root;
    assert_int_equal(circuit_load(&c, &root, 1, bytes.at, bytes.n), OK);
    CircuitValues v;
    circuit_values_make(&c, &v);
    circuit_evaluate(&c, k.program.value, &v);
    assert_true(circuit_log_value(&c, &v, &root) ==
                circuit_log_value(&k.compiled.circuit, &k.values, &k.root));
    circuit_values_free(&v);
    circuit_root_free(&root);
    circuit_free(&c);
    vec_free(&bytes);
    case_free(&k);
  }
}

static uint64_t checksum(const char *bytes, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) {
    h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    h ^= h >> 29;
  }
  return h;
}

static void forge_checksum(char *bytes, size_t length) {
  uint64_t sum = checksum(bytes, length - 8);
  for (int i = 0; i < 8; i++)
    bytes[length - 8 + (size_t)i] = (char)(sum >> 8 * i & 255);
}

/* Every damaged byte and every truncation is refused; with the checksum forged
** too, loading still never crashes. */
static void test_damaged_files(void **state) {
  (void)state;
  Random random = random_make(16, 0);
  Case k;
  case_make(&k, &random, 10);
  Text bytes = {0};
  assert_int_equal(circuit_save(&k.compiled.circuit, &k.root, 1, &bytes), OK);
  Circuit c;
  CircuitRoot root;
  char *copy = malloc(bytes.n + 4);
  for (size_t i = 0; i < bytes.n; i++) {
    memcpy(copy, bytes.at, bytes.n);
    copy[i] = (char)(copy[i] ^ (1 << random_below(&random, 8)));
    assert_int_equal(circuit_load(&c, &root, 1, copy, bytes.n), INPUT);
    assert_int_equal(circuit_load(&c, &root, 1, bytes.at, i), INPUT);
    forge_checksum(copy, bytes.n);
    if (circuit_load(&c, &root, 1, copy, bytes.n) == OK) {
      circuit_free(&c);
      circuit_root_free(&root);
    }
  }
  memcpy(copy, bytes.at, bytes.n);
  memset(copy + bytes.n, 0, 4);
  assert_int_equal(circuit_load(&c, &root, 1, copy, bytes.n + 4), INPUT);
  assert_int_equal(circuit_load(&c, &root, 1, "", 0), INPUT);
  free(copy);
  vec_free(&bytes);
  case_free(&k);
}

/* circuit_check sees what is wrong. */
static void test_check(void **state) {
  (void)state;
  Circuit c;
  circuit_begin(&c);
  vec_push(&c.blocks, (CircuitBlock){.first = 0, .count = 3, .atoms = 2});
  for (int i = 0; i < 3; i++)
    vec_push(&c.variables, (CircuitVariable){0, i < 2 ? CIRCUIT_INPUT : CIRCUIT_DETERMINED});
  vec_push(&c.starts, 0);
  vec_push(&c.starts, 2);
  vec_push(&c.members, 0);
  vec_push(&c.members, 1);
  c.atoms = 2;
  CircuitRoot root = {0};
  uint32_t a = circuit_literal(&c, 0, false), b = circuit_literal(&c, 1, true);
  uint32_t e = circuit_literal(&c, 2, false);
  uint32_t both[] = {a, b}, same[] = {a, circuit_decision(&c, 1, a, CIRCUIT_TRUE)};
  circuit_product(&c, both, 2);
  assert_null(circuit_check(&c, &root, 0));
  size_t sane = c.nodes.n;
  circuit_product(&c, same, 2);
  assert_non_null(circuit_check(&c, &root, 0)); /* not decomposable */
  c.nodes.n = sane;
  vec_push(&c.nodes, (CircuitNode){0, a, CIRCUIT_TRUE});
  assert_non_null(circuit_check(&c, &root, 0)); /* decided twice */
  c.nodes.n = sane;
  vec_push(&c.nodes, (CircuitNode){0, e, CIRCUIT_TRUE});
  assert_non_null(circuit_check(&c, &root, 0)); /* an event is free */
  c.nodes.n = sane;
  vec_push(&c.nodes, (CircuitNode){1, (uint32_t)sane + 3, CIRCUIT_TRUE});
  assert_non_null(circuit_check(&c, &root, 0)); /* a child after its parent */
  circuit_free(&c);
}

/* --- NNF --- */

/* Reads the text back; each input literal counts 1/2, others 1. */
static double nnf_share(const char *text, const bool *input) {
  size_t nodes, edges;
  unsigned variables;
  int used;
  while (text[0] == 'c') /* names of variables */
    text = strchr(text, '\n') + 1;
  assert_int_equal(sscanf(text, "nnf %zu %zu %u\n%n", &nodes, &edges, &variables, &used), 3);
  double *value = calloc(nodes, sizeof *value);
  size_t seen = 0;
  text += used;
  for (size_t i = 0; i < nodes; i++) {
    char kind;
    long first, child;
    assert_int_equal(sscanf(text, " %c %ld%n", &kind, &first, &used), 2);
    text += used;
    if (kind == 'L') {
      value[i] = input[labs(first) - 1] ? 0.5 : 1;
      continue;
    }
    long count = first;
    if (kind == 'O') {
      assert_int_equal(sscanf(text, " %ld%n", &count, &used), 1);
      text += used;
    }
    value[i] = kind == 'A';
    for (long j = 0; j < count; j++, seen++) {
      assert_int_equal(sscanf(text, " %ld%n", &child, &used), 1);
      text += used;
      assert_true(child >= 0 && (size_t)child < i);
      value[i] = kind == 'A' ? value[i] * value[child] : value[i] + value[child];
    }
  }
  assert_int_equal(seen, edges);
  double result = value[nodes - 1];
  free(value);
  return result;
}

static void test_nnf(void **state) {
  (void)state;
  Random random = random_make(17, 0);
  for (int i = 0; i < 100; i++) {
    Case k;
    case_make(&k, &random, 2);
    const Circuit *c = &k.compiled.circuit;
    bool input[256] = {false};
    size_t n = 0, inputs = 0;
    for (size_t p = 0; p < k.root.parts.n; p++)
      for (uint32_t j = 0; j < k.root.parts.at[p].copies; j++) {
        const CircuitBlock *block = &c->blocks.at[k.root.parts.at[p].block];
        for (uint32_t v = block->first; v < block->first + block->count; v++) {
          assert_true(n < sizeof input);
          input[n] = c->variables.at[v].sort == CIRCUIT_INPUT;
          inputs += input[n++];
        }
      }
    Text text = {0};
    write_nnf(&k.ground, c, &k.root, &text);
    assert_true(fabs(ldexp(nnf_share(text.at, input), (int)inputs) - (double)k.models.models) <
                1e-9);
    vec_free(&text);
    case_free(&k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_extreme_weights), cmocka_unit_test(test_all_magnitudes),
      cmocka_unit_test(test_deep_circuits),   cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_entropy),         cmocka_unit_test(test_samples),
      cmocka_unit_test(test_save_and_load),   cmocka_unit_test(test_damaged_files),
      cmocka_unit_test(test_check),           cmocka_unit_test(test_nnf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
