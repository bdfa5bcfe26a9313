/* evaluate.c - the cost of one evaluation of a circuit, up and down, per edge, and of
** reading its arrays once.  Prints three numbers of nanoseconds per edge and the edges.
**
** The circuit is random but of the shape that compiling gives: decisions over children
** that are near, and products of two, over a million edges. */
#include "circuit/circuit.h"
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { VARIABLES = 2000, LAYERS = 1500, WIDTH = 350, REPEATS = 20 };

/* Layer l decides variable l mod VARIABLES; the models of a node mention later
** variables only, so that the circuit is decomposable. */
static uint32_t build(Circuit *c, Random *random) {
  uint32_t below[WIDTH], layer[WIDTH];
  for (uint32_t i = 0; i < WIDTH; i++)
    below[i] = CIRCUIT_TRUE;
  for (uint32_t l = 0; l < LAYERS; l++) {
    for (uint32_t i = 0; i < WIDTH; i++) {
      uint32_t high = below[random_below(random, WIDTH)], low = below[random_below(random, WIDTH)];
      layer[i] = circuit_decision(c, l, high, low);
      if (high == low) /* an input between equal children is dropped */
        layer[i] = circuit_literal(c, l, random_bits(random) & 1);
    }
    for (uint32_t i = 0; i < WIDTH; i++)
      below[i] = layer[i];
  }
  uint32_t root = below[0];
  for (uint32_t i = 1; i < WIDTH; i++)
    root = circuit_decision(c, LAYERS + i, root, below[i]);
  return root;
}

static size_t count_edges(const Circuit *c) {
  size_t edges = c->children.n;
  for (size_t i = 2; i < c->nodes.n; i++)
    edges += c->nodes.at[i].variable != CIRCUIT_NONE ? 2 : 0;
  return edges;
}

static double read_once(const Circuit *c) {
  uint64_t sum = 0;
  for (size_t i = 0; i < c->nodes.n; i++)
    sum += c->nodes.at[i].variable ^ c->nodes.at[i].first ^ c->nodes.at[i].second;
  return (double)(sum & 1); /* keeps the loop */
}

int main(void) {
  Circuit c;
  circuit_begin(&c);
  Random random = random_make(1, 0);
  vec_push(&c.blocks, (CircuitBlock){.first = 0, .count = VARIABLES, .atoms = 0});
  for (uint32_t v = 0; v < VARIABLES; v++) {
    vec_push(&c.variables, (CircuitVariable){0, CIRCUIT_INPUT});
    vec_push(&c.terms, (CircuitTerm){2 * v + 1, v});
  }
  c.weights = VARIABLES;
  CircuitRoot root = {0};
  vec_push(&root.parts, (CircuitPart){build(&c, &random), 0, 0, 1});
  vec_push(&root.copies, 0);
  double weights[VARIABLES];
  for (uint32_t v = 0; v < VARIABLES; v++)
    weights[v] = 4 * random_unit(&random) - 2;
  CircuitValues values;
  CircuitFlow flow;
  circuit_values_make(&c, &values);
  circuit_flow_make(&c, &flow);
  double up = 1e9, down = 1e9, reading = 1e9, keep = 0;
  for (int i = 0; i < REPEATS; i++) {
    double start = cpu_now();
    circuit_evaluate(&c, weights, &values);
    double middle = cpu_now();
    circuit_flow_clear(&c, &flow);
    circuit_flow_add(&root, 1, &flow);
    circuit_flow_down(&c, &values, &flow);
    double end = cpu_now();
    keep += read_once(&c);
    double last = cpu_now();
    up = fmin(up, middle - start), down = fmin(down, end - middle),
    reading = fmin(reading, last - end);
  }
  double edges = (double)count_edges(&c);
  printf("%.2f %.2f %.2f %.0f\n", 1e9 * up / edges, 1e9 * down / edges, 1e9 * reading / edges,
         edges + 0 * keep);
  return 0;
}
