/* test_batch.c - lanes against one evaluation at a time, and against brute force.
**
** Circuits are compiled from random programs, all of whose atoms are variables, or
** made by hand where weights are extreme.  The truth about a part comes from its
** models: every assignment of the block's variables that the node accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "circuit/batch.h"
#include "compile/compile.h"
#include "unit/random_program.h"

enum { MOST_VARIABLES = 20 };

/* --- brute force --- */

typedef struct {
  const Circuit *c;
  const CircuitBlock *block;
  uint32_t node;
  BatchPlan plan;
  BatchWork work;
  double *weights; /* [weight of the plan][lane] */
  int8_t *evidence;
  double *held, *expected;
  double log_value[BATCH_TILE];
} Part;

static void part_make(Part *p, const Circuit *c, uint32_t node, uint32_t block) {
  *p = (Part){.c = c, .block = &c->blocks.at[block], .node = node};
  batch_plan_make(&p->plan, c, node, block);
  batch_work_make(&p->work, &p->plan);
  p->weights = calloc(p->plan.weights.n * BATCH_TILE + 1, sizeof *p->weights);
  p->expected = calloc(p->plan.weights.n * BATCH_TILE + 1, sizeof *p->expected);
  p->held = calloc(p->plan.variables * BATCH_TILE + 1, sizeof *p->held);
  p->evidence = malloc(p->plan.variables * BATCH_TILE + 1);
  memset(p->evidence, -1, p->plan.variables * BATCH_TILE);
}

static void part_free(Part *p) {
  batch_plan_free(&p->plan);
  batch_work_free(&p->work);
  free(p->weights);
  free(p->expected);
  free(p->held);
  free(p->evidence);
}

static void run(Part *p) {
  batch_up(&p->plan, &p->work, p->weights, p->evidence, p->log_value);
  batch_down(&p->plan, &p->work, p->held, p->expected);
}

/* Does the node accept the assignment?  By node, children first. */
static bool accepts(const Part *p, uint32_t model, bool *holds) {
  holds[CIRCUIT_FALSE] = false, holds[CIRCUIT_TRUE] = true;
  for (uint32_t i = 2; i <= p->node; i++) {
    const CircuitNode *node = &p->c->nodes.at[i];
    if (node->variable != CIRCUIT_NONE) {
      uint32_t v = node->variable - p->block->first; /* of another block: whatever */
      holds[i] = holds[v < 32 && model >> v & 1 ? node->first : node->second];
      continue;
    }
    holds[i] = true;
    for (uint32_t k = 0; k < node->second; k++)
      holds[i] &= holds[p->c->children.at[node->first + k]];
  }
  return holds[p->node];
}

static uint32_t *models_of(const Part *p, size_t *n) {
  bool *holds = calloc(p->node + 2, 1);
  uint32_t *models = NULL, forbidden = 0;
  for (uint32_t v = 0; v < p->plan.variables; v++)
    forbidden |= p->plan.input[v] || p->plan.mentioned[v] ? 0 : 1u << v;
  *n = 0;
  for (uint32_t model = 0; model < 1u << p->plan.variables; model++)
    if (!(model & forbidden) && accepts(p, model, holds)) {
      models = realloc(models, (*n + 1) * sizeof *models);
      models[(*n)++] = model;
    }
  free(holds);
  return models;
}

/* What takes no part has no factor: see the forbidden ones above. */
static long double log_weight(const Part *p, uint32_t model, unsigned lane) {
  long double sum = 0;
  for (size_t i = 0; i < p->plan.terms.n; i++) {
    BatchTerm term = p->plan.terms.at[i];
    uint32_t v = term.literal / 2;
    if ((p->plan.input[v] || p->plan.mentioned[v]) && (model >> v & 1) != (term.literal & 1))
      sum -= p->weights[term.weight * BATCH_TILE + lane];
  }
  return sum;
}

static bool agrees(const Part *p, uint32_t model, unsigned lane) {
  for (uint32_t v = 0; v < p->plan.variables; v++) {
    int8_t known = p->evidence[v * BATCH_TILE + lane];
    if (known >= 0 && (model >> v & 1) != (uint32_t)known)
      return false;
  }
  return true;
}

static void near(double found, long double expected, double tolerance, const char *what) {
  long double scale = fabsl(expected) > 1 ? fabsl(expected) : 1;
  if (found == expected || fabsl(found - expected) <= tolerance * scale)
    return;
  fail_msg("%s: %.15g instead of %.15Lg", what, found, expected);
}

static void compare_terms(const Part *p, unsigned lane, const long double *truth,
                          double tolerance) {
  for (size_t k = 0; k < p->plan.weights.n; k++) {
    long double expected = 0;
    for (size_t i = 0; i < p->plan.terms.n; i++) {
      BatchTerm term = p->plan.terms.at[i];
      uint32_t v = term.literal / 2;
      if (term.weight == k && (p->plan.input[v] || p->plan.mentioned[v]))
        expected += term.literal & 1 ? 1 - truth[v] : truth[v];
    }
    near(p->expected[k * BATCH_TILE + lane], expected, tolerance, "expected");
  }
}

static void all_nan(const Part *p, unsigned lane) {
  assert_true(p->log_value[lane] == -INFINITY);
  for (uint32_t v = 0; v < p->plan.variables; v++)
    assert_true(isnan(p->held[v * BATCH_TILE + lane]));
  for (size_t k = 0; k < p->plan.weights.n; k++)
    assert_true(isnan(p->expected[k * BATCH_TILE + lane]));
}

/* Compares a lane with the models; true if it has some. */
static bool compare(const Part *p, const uint32_t *models, size_t n, unsigned lane,
                    double tolerance) {
  long double most = -INFINITY, sum = 0, truth[MOST_VARIABLES] = {0};
  for (size_t i = 0; i < n; i++)
    if (agrees(p, models[i], lane))
      most = fmaxl(most, log_weight(p, models[i], lane));
  if (most == -INFINITY) {
    all_nan(p, lane);
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    if (!agrees(p, models[i], lane))
      continue;
    long double x = expl(log_weight(p, models[i], lane) - most);
    sum += x;
    for (uint32_t v = 0; v < p->plan.variables; v++)
      truth[v] += models[i] >> v & 1 ? x : 0;
  }
  near(p->log_value[lane], most + logl(sum), tolerance, "log value");
  for (uint32_t v = 0; v < p->plan.variables; v++) {
    double held = p->held[v * BATCH_TILE + lane];
    truth[v] /= sum;
    assert_int_equal(isnan(held), !p->plan.input[v] && !p->plan.mentioned[v]);
    if (!isnan(held))
      near(held, truth[v], tolerance, "held");
    assert_true(isnan(held) || (held >= 0 && held <= 1));
  }
  compare_terms(p, lane, truth, tolerance);
  return true;
}

/* --- compiled programs --- */

typedef struct {
  TestProgram program;
  Ground ground;
  Analysis analysis;
  Compiled compiled;
  CircuitRoot root;
} Case;

static void case_make(Case *k, Random *random, const TestStyle *style) {
  *k = (Case){0};
  test_program(random, style, &k->program);
  test_ground(&k->program, &k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  Atom wanted[MOST_ATOMS];
  size_t wants = 0;
  for (unsigned a = 0; a < k->program.atoms; a++)
    if (test_chance(random, 70))
      wanted[wants++] = a;
  assert_int_equal(compile_root(&k->compiled, NULL, 0, wanted, wants, &k->root), OK);
}

static void case_free(Case *k) {
  circuit_root_free(&k->root);
  compile_free(&k->compiled);
  analysis_free(&k->analysis);
  ground_free(&k->ground);
}

static const TestStyle styles[] = {
    {6, 9, 40, 10, 10, 25, 15, 60},  {7, 11, 50, 0, 0, 40, 5, 80}, {8, 8, 40, 15, 10, 70, 20, 60},
    {10, 14, 45, 20, 15, 35, 5, 75}, {9, 12, 60, 0, 0, 50, 0, 50},
};
enum { STYLES = sizeof styles / sizeof *styles };

static void random_weights(Part *p, Random *random, double range) {
  for (size_t i = 0; i < p->plan.weights.n * BATCH_TILE; i++)
    p->weights[i] = (2 * random_unit(random) - 1) * range;
}

static void random_evidence(Part *p, Random *random, unsigned percent) {
  for (uint32_t v = 0; v < p->plan.variables; v++)
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      p->evidence[v * BATCH_TILE + lane] =
          (p->plan.input[v] || p->plan.mentioned[v]) && test_chance(random, percent)
              ? (int8_t)test_below(random, 2)
              : -1;
}

typedef struct {
  size_t parts, possible, impossible, redone;
} Tally;

/* Several tiles by one work, as a caller would do. */
static void check_part(const Circuit *c, const CircuitPart *part, Random *random, Tally *tally) {
  Part p;
  part_make(&p, c, part->node, part->block);
  size_t n;
  uint32_t *models = models_of(&p, &n);
  static const double ranges[] = {2, 2, 30, 2, 5000};
  for (int tile = 0; tile < 5; tile++) {
    random_weights(&p, random, ranges[tile]);
    random_evidence(&p, random, tile == 0 ? 0 : 10 * (unsigned)tile);
    run(&p);
    tally->redone += p.work.redo & ~p.work.impossible ? 1 : 0;
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      *(compare(&p, models, n, lane, 2e-11) ? &tally->possible : &tally->impossible) += 1;
  }
  free(models);
  part_free(&p);
  tally->parts++;
}

static void test_evidence(void **state) {
  (void)state;
  Random random = random_make(21, 0);
  Tally tally = {0};
  for (int i = 0; i < 1000; i++) {
    Case k;
    case_make(&k, &random, &styles[i % STYLES]);
    for (size_t j = 0; j < k.root.parts.n; j++) {
      const CircuitPart *part = &k.root.parts.at[j];
      if (k.compiled.circuit.blocks.at[part->block].count <= MOST_VARIABLES)
        check_part(&k.compiled.circuit, part, &random, &tally);
    }
    case_free(&k);
  }
  assert_true(tally.parts >= 1200 && tally.possible >= 40000);
  assert_true(tally.impossible >= 10000 && tally.redone >= 500);
}

/* --- copies, against one evaluation at a time --- */

/* The program several times over, with one set of weights. */
static void copies_make(Case *k, Random *random, const TestStyle *style, unsigned copies) {
  *k = (Case){0};
  test_begin(&k->ground);
  test_program(random, style, &k->program);
  for (unsigned a = 0; a < k->program.atoms * copies; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    ground_atom(&k->ground, name);
  }
  for (unsigned w = 0; w < k->program.weights; w++)
    vec_push(&k->ground.weights, (Weight){.value = k->program.value[w], .name = NONE});
  for (unsigned i = 0; i < copies; i++)
    for (unsigned r = 0; r < k->program.rules; r++)
      test_add_rule(&k->program.rule[r], i * k->program.atoms, &k->ground);
  ground_seal(&k->ground);
  analysis_make(&k->ground, &k->analysis);
  CompileOptions options = compile_options_default();
  compile_begin(&k->compiled, &k->ground, &k->analysis, &options);
  Atom all[4 * MOST_ATOMS];
  for (unsigned a = 0; a < k->program.atoms * copies; a++)
    all[a] = a;
  size_t n = k->program.atoms * copies;
  assert_int_equal(compile_root(&k->compiled, NULL, 0, all, n, &k->root), OK);
}

typedef struct {
  double log_value, marginal[4 * MOST_ATOMS], expected[MOST_WEIGHTS];
} Answer;

static void copy_part(const Case *k, const CircuitPart *part, const Part *p, unsigned lane,
                      Answer *a) {
  const Circuit *c = &k->compiled.circuit;
  a->log_value += part->copies * p->log_value[lane];
  for (size_t i = 0; i < p->plan.weights.n; i++)
    a->expected[p->plan.weights.at[i]] += part->copies * p->expected[i * BATCH_TILE + lane];
  for (uint32_t i = 0; i < part->copies; i++)
    for (uint32_t v = 0; v < p->block->atoms; v++)
      if (p->plan.input[v] || p->plan.mentioned[v]) {
        uint32_t start = c->starts.at[k->root.copies.at[part->first + i]];
        a->marginal[c->members.at[start + v]] = p->held[v * BATCH_TILE + lane];
      }
}

static void answer_by_lanes(const Case *k, const double weights[][MOST_WEIGHTS], Answer *answers) {
  const Circuit *c = &k->compiled.circuit;
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    for (size_t i = 0; i < c->constants.n; i++) {
      answers[lane].log_value -= weights[lane][c->constants.at[i]];
      answers[lane].expected[c->constants.at[i]] += 1;
    }
  for (size_t j = 0; j < k->root.parts.n; j++) {
    Part p;
    part_make(&p, c, k->root.parts.at[j].node, k->root.parts.at[j].block);
    for (size_t i = 0; i < p.plan.weights.n; i++)
      for (unsigned lane = 0; lane < BATCH_TILE; lane++)
        p.weights[i * BATCH_TILE + lane] = weights[lane][p.plan.weights.at[i]];
    run(&p);
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      copy_part(k, &k->root.parts.at[j], &p, lane, &answers[lane]);
    part_free(&p);
  }
}

static void answer_alone(const Case *k, const double *weights, Answer *a) {
  const Circuit *c = &k->compiled.circuit;
  CircuitValues values;
  circuit_values_make(c, &values);
  circuit_evaluate(c, weights, &values);
  a->log_value = circuit_log_value(c, &values, &k->root);
  Probability marginals[4 * MOST_ATOMS] = {0};
  circuit_marginals(c, &values, &k->root, marginals);
  for (size_t i = 0; i < 4 * MOST_ATOMS; i++)
    a->marginal[i] = marginals[i].value;
  circuit_expectations(c, &values, &k->root, 1, a->expected);
  circuit_values_free(&values);
}

/* Lane 0 has the program's weights: its log value is known from the models, too. */
static void compare_answers(const Case *k, Random *random, unsigned copies) {
  Answer lanes[BATCH_TILE] = {0};
  double weights[BATCH_TILE][MOST_WEIGHTS];
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    for (unsigned w = 0; w < MOST_WEIGHTS; w++)
      weights[lane][w] = lane ? 8 * random_unit(random) - 4 : k->program.value[w];
  answer_by_lanes(k, weights, lanes);
  TestModels models;
  test_models(&k->program, &models);
  near(lanes[0].log_value, copies * test_log_sum(&models, NULL, 0), 1e-10, "log sum");
  free(models.model);
  for (unsigned lane = 0; lane < BATCH_TILE; lane++) {
    Answer alone = {0};
    answer_alone(k, weights[lane], &alone);
    near(lanes[lane].log_value, alone.log_value, 1e-11, "log value");
    for (unsigned a = 0; a < 4 * MOST_ATOMS; a++)
      near(lanes[lane].marginal[a], alone.marginal[a], 1e-11, "marginal");
    for (unsigned w = 0; w < MOST_WEIGHTS; w++)
      near(lanes[lane].expected[w], alone.expected[w], 1e-11, "expected");
  }
}

static void test_copies(void **state) {
  (void)state;
  Random random = random_make(22, 0);
  size_t compared = 0, shared = 0;
  for (int i = 0; i < 400; i++) {
    Case k;
    unsigned copies = 1 + test_below(&random, 4);
    copies_make(&k, &random, &styles[i % STYLES], copies);
    if (circuit_possible(&k.root)) {
      compare_answers(&k, &random, copies);
      compared++;
      for (size_t j = 0; j < k.root.parts.n; j++)
        shared += k.root.parts.at[j].copies > 1;
    }
    case_free(&k);
  }
  assert_true(compared >= 250 && shared >= 200);
}

/* --- circuits of many segments --- */

/* Variable 3l is decided in layer l, between nodes of the layer below; 3l+1 and 3l+2
** are factors there.  Weight l of literal l is lost with it. */
static uint32_t layered(Circuit *c, Random *random, uint32_t layers, uint32_t width) {
  circuit_begin(c);
  vec_push(&c->blocks, (CircuitBlock){.first = 0, .count = 3 * layers + width});
  for (uint32_t v = 0; v < 3 * layers + width; v++) {
    vec_push(&c->variables, (CircuitVariable){0, CIRCUIT_INPUT});
    vec_push(&c->terms, (CircuitTerm){2 * v, 2 * v});
    vec_push(&c->terms, (CircuitTerm){2 * v + 1, 2 * v + 1});
  }
  c->weights = 2 * (uint32_t)c->variables.n;
  uint32_t *below = calloc(2 * width, sizeof *below), *layer = below + width;
  for (uint32_t i = 0; i < width; i++)
    below[i] = CIRCUIT_TRUE;
  for (uint32_t l = 0; l < layers; l++) {
    for (uint32_t i = 0; i < width; i++) {
      uint32_t high = below[test_below(random, width)], low = below[test_below(random, width)];
      uint32_t factors[] = {high, circuit_literal(c, 3 * l + 1, low & 1),
                            circuit_literal(c, 3 * l + 2, i & 1)};
      layer[i] = test_chance(random, 40)   ? circuit_product(c, factors, 2 + (i >> 1 & 1))
                 : test_chance(random, 20) ? circuit_decision(c, 3 * l, CIRCUIT_FALSE, low)
                                           : circuit_decision(c, 3 * l, high, low);
    }
    memcpy(below, layer, width * sizeof *below);
  }
  uint32_t root = below[0];
  for (uint32_t i = 1; i < width; i++)
    root = circuit_decision(c, 3 * layers + i, below[i], root);
  free(below);
  return root;
}

/* Evidence about an input is as good as a weight that nothing outweighs. */
static void evaluate_lane(const Part *p, unsigned lane, CircuitValues *values) {
  double *weights = calloc(p->c->weights, sizeof *weights);
  for (uint32_t w = 0; w < p->c->weights; w++) {
    int8_t known = p->evidence[w / 2 * BATCH_TILE + lane];
    weights[w] = p->weights[w * BATCH_TILE + lane];
    if (known >= 0 && known == (int8_t)(w & 1))
      weights[w] = 1e5;
  }
  circuit_evaluate(p->c, weights, values);
  free(weights);
}

static void compare_lane(const Part *p, unsigned lane, CircuitValues *values, CircuitFlow *flow) {
  CircuitRoot root = {0};
  vec_push(&root.parts, (CircuitPart){p->node, 0, 0, 1});
  evaluate_lane(p, lane, values);
  near(p->log_value[lane], circuit_log_value(p->c, values, &root), 1e-12, "log value");
  circuit_flow_clear(p->c, flow);
  circuit_flow_add(&root, 1, flow);
  circuit_flow_down(p->c, values, flow);
  for (uint32_t v = 0; v < p->plan.variables; v++) {
    double held = p->held[v * BATCH_TILE + lane];
    near(held, circuit_held(p->c, values, flow, v), 1e-11, "held");
    near(p->expected[2 * v * BATCH_TILE + lane], held, 1e-14, "lost if it holds");
    near(p->expected[(2 * v + 1) * BATCH_TILE + lane], 1 - held, 1e-14, "lost if not");
  }
  circuit_root_free(&root);
}

/* No evidence where it could leave no model: circuit_evaluate would see e^-1e5. */
static void test_segments(void **state) {
  (void)state;
  Random random = random_make(23, 0);
  for (int i = 0; i < 6; i++) {
    Circuit c;
    uint32_t node = layered(&c, &random, 240, 20 + 40 * (uint32_t)i);
    Part p;
    part_make(&p, &c, node, 0);
    random_weights(&p, &random, i == 4 ? 60 : 3);
    for (uint32_t v = 0; v < p.plan.variables; v += 3)
      for (unsigned lane = 0; lane < BATCH_TILE; lane++)
        p.evidence[v * BATCH_TILE + lane] = test_chance(&random, 20) ? 0 : -1;
    CircuitValues values;
    CircuitFlow flow;
    circuit_values_make(&c, &values);
    circuit_flow_make(&c, &flow);
    for (int tile = 0; tile < 2; tile++, random_weights(&p, &random, i == 4 ? 60 : 3)) {
      run(&p);
      assert_true((i == 4) == (p.work.redo != 0));
      for (unsigned lane = 0; lane < BATCH_TILE; lane++)
        compare_lane(&p, lane, &values, &flow);
    }
    assert_true(p.plan.segments.n > (i > 2 ? 3 : 1));
    circuit_values_free(&values);
    circuit_flow_free(&flow);
    part_free(&p);
    circuit_free(&c);
  }
}

/* --- extremes --- */

/* The product over i of: input 2i and determined 2i+1 are equal.  Weight 2i is lost if
** the input holds, 2i+1 if the determined one does not. */
static uint32_t pairs(Circuit *c, uint32_t n) {
  circuit_begin(c);
  vec_push(&c->blocks, (CircuitBlock){.first = 0, .count = 2 * n});
  VEC(uint32_t) factors = {0};
  for (uint32_t v = 0; v < 2 * n; v++) {
    vec_push(&c->variables, (CircuitVariable){0, v & 1 ? CIRCUIT_DETERMINED : CIRCUIT_INPUT});
    vec_push(&c->terms, (CircuitTerm){2 * v + (v & 1), v});
  }
  c->weights = 2 * n;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t high = circuit_literal(c, 2 * i + 1, false), low = circuit_literal(c, 2 * i + 1, true);
    vec_push(&factors, circuit_decision(c, 2 * i, high, low));
  }
  uint32_t node = circuit_product(c, factors.at, factors.n);
  vec_free(&factors);
  return node;
}

/* Each pair on its own: ln(e^-w + e^-w') and the logistic of the difference. */
static void compare_pairs(const Part *p, unsigned lane) {
  long double sum = 0, size = 1;
  for (uint32_t i = 0; i < p->plan.variables / 2; i++) {
    long double x = -(long double)p->weights[2 * i * BATCH_TILE + lane];
    long double y = -(long double)p->weights[(2 * i + 1) * BATCH_TILE + lane];
    int8_t known = p->evidence[(2 * i + 1) * BATCH_TILE + lane];
    long double held = known >= 0 ? known : 1 / (1 + expl(y - x));
    sum += known < 0 ? fmaxl(x, y) + log1pl(expl(-fabsl(x - y))) : known ? x : y;
    size += fabsl(x) + fabsl(y);
    for (int k = 0; k < 2; k++)
      near(p->held[(2 * i + (uint32_t)k) * BATCH_TILE + lane], held, 1e-12, "held in a pair");
    near(p->expected[2 * i * BATCH_TILE + lane], held, 1e-12, "expected of an input");
    near(p->expected[(2 * i + 1) * BATCH_TILE + lane], 1 - held, 1e-12, "expected of the other");
  }
  assert_true(fabsl(p->log_value[lane] - sum) <= 1e-14 * size); /* large ones cancel */
}

static void test_long_products(void **state) {
  (void)state;
  static const double ranges[] = {1, 100, 1e5, 1e9};
  Random random = random_make(24, 0);
  for (int i = 0; i < 4; i++) {
    Circuit c;
    Part p;
    part_make(&p, &c, pairs(&c, 3000), 0);
    random_weights(&p, &random, ranges[i]);
    for (size_t k = BATCH_TILE; k < p.plan.weights.n * BATCH_TILE; k++)
      if (k / BATCH_TILE % 4 == 1) /* what decides is small beside the weights */
        p.weights[k] = p.weights[k - BATCH_TILE] + 4 * random_unit(&random) - 2;
    for (uint32_t v = 1; v < p.plan.variables; v += 2)
      for (unsigned lane = 0; lane < BATCH_TILE; lane++)
        p.evidence[v * BATCH_TILE + lane] = (int8_t)(1 - (int)test_below(&random, 3));
    run(&p);
    assert_int_equal(p.work.redo, (1u << BATCH_TILE) - 1);
    assert_int_equal(p.work.impossible, 0);
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      compare_pairs(&p, lane);
    part_free(&p);
    circuit_free(&c);
  }
}

/* Evidence against each other: impossible, not merely small; the others do not care. */
static void test_impossible_lane(void **state) {
  (void)state;
  Random random = random_make(25, 0);
  Circuit c;
  Part p;
  part_make(&p, &c, pairs(&c, 500), 0);
  random_weights(&p, &random, 1000);
  for (unsigned lane = 0; lane < BATCH_TILE; lane += 2) {
    p.evidence[400 * BATCH_TILE + lane] = 1;
    p.evidence[401 * BATCH_TILE + lane] = 0;
  }
  run(&p);
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    if (lane % 2)
      compare_pairs(&p, lane);
    else
      all_nan(&p, lane);
  part_free(&p);
  circuit_free(&c);
}

/* A lane gives the same bits, whatever the others are and wherever it stands. */
static void test_lanes_apart(void **state) {
  (void)state;
  Random random = random_make(26, 0);
  Circuit c;
  Part p;
  part_make(&p, &c, layered(&c, &random, 60, 40), 0);
  random_weights(&p, &random, 3);
  run(&p);
  double log_value = p.log_value[3], *held = malloc(p.plan.variables * sizeof *held);
  for (uint32_t v = 0; v < p.plan.variables; v++)
    held[v] = p.held[v * BATCH_TILE + 3];
  for (size_t i = 0; i < p.plan.weights.n; i++) {
    double weight = p.weights[i * BATCH_TILE + 3];
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      p.weights[i * BATCH_TILE + lane] = lane == 6 ? weight : 500 * random_unit(&random);
  }
  run(&p);
  assert_true(p.work.redo && !(p.work.redo >> 6 & 1));
  assert_true(p.log_value[6] == log_value);
  for (uint32_t v = 0; v < p.plan.variables; v++)
    assert_true(p.held[v * BATCH_TILE + 6] == held[v]);
  free(held);
  part_free(&p);
  circuit_free(&c);
}

/* The constants and a literal: plans without a step. */
static void test_trivial_nodes(void **state) {
  (void)state;
  Circuit c;
  pairs(&c, 1);
  uint32_t nodes[] = {CIRCUIT_FALSE, CIRCUIT_TRUE, circuit_literal(&c, 0, false),
                      circuit_literal(&c, 1, true)};
  for (int i = 0; i < 4; i++) {
    Part p;
    part_make(&p, &c, nodes[i], 0);
    for (size_t k = 0; k < 2 * BATCH_TILE; k++)
      p.weights[k] = (double)k / 10;
    run(&p);
    size_t n;
    uint32_t *models = models_of(&p, &n);
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      assert_int_equal(compare(&p, models, n, lane, 1e-14), i > 0);
    batch_up(&p.plan, &p.work, p.weights, p.evidence, p.log_value);
    batch_down(&p.plan, &p.work, NULL, NULL);
    free(models);
    part_free(&p);
  }
  circuit_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_evidence),        cmocka_unit_test(test_copies),
      cmocka_unit_test(test_segments),        cmocka_unit_test(test_long_products),
      cmocka_unit_test(test_impossible_lane), cmocka_unit_test(test_lanes_apart),
      cmocka_unit_test(test_trivial_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
