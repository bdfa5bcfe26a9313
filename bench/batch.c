/* batch.c - the cost of evaluating a circuit for 64 rows in tiles, up and down, beside
** one row at a time and beside reading the circuit's arrays once.
**
** Prints a line for each circuit: its shape and edges, then nanoseconds per edge (and
** row) of: tiles up, tiles up and down, one row up and down, reading; then tiles by
** reading.  Weights differ from row to row, unless an argument is given.
**
** Circuits are random: in "decisions" every node decides between two of the layer below,
** as in bench-evaluate; "mixed" has decisions with one way and products as well, as
** compiling makes them; "scaled" is mixed with weights so large that every lane is done
** again with scaled numbers. */
#include "circuit/batch.h"
#include "clock.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, TILES = ROWS / BATCH_TILE };

typedef struct {
  const char *name;
  uint32_t layers, width;
  bool mixed;
  double range; /* of weights */
  int repeats;
} Shape;

static const Shape shapes[] = {
    {"decisions", 120, 52, false, 2, 400}, {"mixed", 140, 55, true, 2, 400},
    {"scaled", 140, 55, true, 2000, 100},  {"decisions", 450, 142, false, 2, 40},
    {"decisions", 1500, 440, false, 2, 8}, {"mixed", 1600, 540, true, 2, 8},
};

static uint32_t node_over(Circuit *c, Random *random, const Shape *shape, uint32_t layer,
                          uint32_t high, uint32_t low) {
  uint64_t kind = shape->mixed ? random_below(random, 5) : 0;
  uint32_t v = (shape->mixed ? 3 : 1) * layer;
  if (high == low) /* an input between equal children would be dropped */
    return circuit_literal(c, v, random_bits(random) & 1);
  if (kind < 2)
    return circuit_decision(c, v, high, low);
  if (kind == 2)
    return circuit_decision(c, v, high, CIRCUIT_FALSE);
  uint32_t factors[] = {high, circuit_literal(c, v + 1, low & 1),
                        circuit_literal(c, v + 2, kind & 1)};
  return circuit_product(c, factors, 2 + (low >> 1 & 1));
}

static uint32_t build(Circuit *c, Random *random, const Shape *shape) {
  uint32_t *below = memory_zero(shape->width, sizeof *below);
  uint32_t *layer = memory_zero(shape->width, sizeof *layer);
  for (uint32_t i = 0; i < shape->width; i++)
    below[i] = CIRCUIT_TRUE;
  for (uint32_t l = 0; l < shape->layers; l++) {
    for (uint32_t i = 0; i < shape->width; i++) {
      uint32_t high = below[random_below(random, shape->width)];
      layer[i] = node_over(c, random, shape, l, high, below[random_below(random, shape->width)]);
    }
    uint32_t *swap = below;
    below = layer, layer = swap;
  }
  uint32_t root = below[0], variables = (uint32_t)c->variables.n;
  for (uint32_t i = 1; i < shape->width; i++)
    root = circuit_decision(c, variables - i, root, below[i]);
  free(below);
  free(layer);
  return root;
}

static void make(Circuit *c, CircuitRoot *root, const Shape *shape) {
  Random random = random_make(1, 0);
  uint32_t variables = (shape->mixed ? 3 : 1) * shape->layers + shape->width;
  circuit_begin(c);
  vec_push(&c->blocks, (CircuitBlock){.first = 0, .count = variables, .atoms = 0});
  for (uint32_t v = 0; v < variables; v++) {
    vec_push(&c->variables, (CircuitVariable){0, CIRCUIT_INPUT});
    vec_push(&c->terms, (CircuitTerm){2 * v + 1, v});
  }
  c->weights = variables;
  vec_push(&root->parts, (CircuitPart){build(c, &random, shape), 0, 0, 1});
  vec_push(&root->copies, 0);
  CircuitRoot *roots[] = {root};
  circuit_compact(c, roots, 1);
}

static double read_once(const Circuit *c) {
  double start = cpu_now();
  uint64_t sum = 0;
  for (size_t i = 0; i < c->nodes.n; i++)
    sum += c->nodes.at[i].variable ^ c->nodes.at[i].first ^ c->nodes.at[i].second;
  for (size_t i = 0; i < c->children.n; i++)
    sum += c->children.at[i];
  double end = cpu_now();
  return end - start + (double)(sum & 1) * 1e-15; /* keeps the loop */
}

static double one_row(const Circuit *c, const CircuitRoot *root, const double *weights,
                      CircuitValues *values, CircuitFlow *flow) {
  double start = cpu_now();
  circuit_evaluate(c, weights, values);
  circuit_flow_clear(c, flow);
  circuit_flow_add(root, 1, flow);
  circuit_flow_down(c, values, flow);
  return cpu_now() - start;
}

typedef struct {
  BatchPlan plan;
  BatchWork work;
  double *weights, *held, *expected; /* weights of all tiles */
  int8_t *evidence;                  /* the same in all tiles */
} Batch;

static void batch_make(Batch *b, const Circuit *c, const CircuitRoot *root, double range,
                       bool equal) {
  Random random = random_make(2, 0);
  batch_plan_make(&b->plan, c, root->parts.at[0].node, 0);
  batch_work_make(&b->work, &b->plan);
  size_t n = (size_t)c->weights * BATCH_TILE;
  b->weights = memory_zero(n * TILES, sizeof *b->weights);
  b->held = memory_zero(n, sizeof *b->held);
  b->expected = memory_zero(n, sizeof *b->expected);
  b->evidence = memory_zero(n, 1);
  for (size_t i = 0; i < n * TILES; i++)
    b->weights[i] =
        range * (equal ? (double)(i % n / BATCH_TILE % 7) / 6 - 0.5 : 2 * random_unit(&random) - 1);
  for (size_t i = 0; i < n; i++)
    b->evidence[i] = i / BATCH_TILE % 3 || i % 5 ? -1 : 1; /* no one-way decision is against it */
}

static void batch_free(Batch *b) {
  batch_plan_free(&b->plan);
  batch_work_free(&b->work);
  free(b->weights);
  free(b->held);
  free(b->expected);
  free(b->evidence);
}

static double all_tiles(Batch *b, bool down) {
  double start = cpu_now(), log_value[BATCH_TILE];
  for (int t = 0; t < TILES; t++) {
    const double *weights = b->weights + (size_t)t * b->plan.weights.n * BATCH_TILE;
    batch_up(&b->plan, &b->work, weights, b->evidence, log_value);
    if (down)
      batch_down(&b->plan, &b->work, b->held, b->expected);
    for (int lane = 0; lane < BATCH_TILE; lane++)
      assert(isfinite(log_value[lane]));
  }
  return (cpu_now() - start) / ROWS;
}

static void measure(const Shape *shape, bool equal) {
  Circuit c;
  CircuitRoot root = {0};
  make(&c, &root, shape);
  Batch b;
  batch_make(&b, &c, &root, shape->range, equal);
  CircuitValues values;
  CircuitFlow flow;
  circuit_values_make(&c, &values);
  circuit_flow_make(&c, &flow);
  double up = 1, both = 1, single = 1, reading = 1, scale = 1e9 / (double)b.plan.edges;
  for (int i = 0; i < shape->repeats; i++) {
    both = fmin(both, all_tiles(&b, true));
    up = fmin(up, all_tiles(&b, false));
    single = fmin(single, one_row(&c, &root, b.weights, &values, &flow));
    reading = fmin(reading, read_once(&c));
  }
  printf("%s %zu %.3f %.3f %.3f %.3f %.2f\n", shape->name, b.plan.edges, scale * up, scale * both,
         scale * single, scale * reading, both / reading);
  circuit_values_free(&values);
  circuit_flow_free(&flow);
  batch_free(&b);
  circuit_root_free(&root);
  circuit_free(&c);
}

int main(int argc, char **argv) {
  (void)argv;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    measure(&shapes[i], argc > 1);
  return 0;
}
