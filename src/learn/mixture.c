/* mixture.c - see mixture.h. */
#include "learn/mixture.h"

#include "base/memory.h"
#include "base/scaled.h"
#include "circuit/circuit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void mixture_add_node(Mixture *m, uint32_t node, double times) {
  assert(!m->is.nodes.n && node != CIRCUIT_FALSE);
  while (m->nodes.n <= node)
    vec_push(&m->nodes, 0);
  m->nodes.at[node] += times;
}

void mixture_add_blocks(Mixture *m, const CircuitRoot *root, double times) {
  assert(!m->is.blocks.n && circuit_possible(root));
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    while (m->blocks.n <= part->block)
      vec_push(&m->blocks, 0);
    m->blocks.at[part->block] += times * part->copies;
  }
  m->sum += times;
}

void mixture_add(Mixture *m, const CircuitRoot *root, double times) {
  for (size_t i = 0; i < root->parts.n; i++)
    mixture_add_node(m, root->parts.at[i].node, times * root->parts.at[i].copies);
  mixture_add_blocks(m, root, times);
}

void mixture_seal(Mixture *m) {
  assert(!m->is.nodes.n && !m->is.blocks.n);
  for (uint32_t i = CIRCUIT_TRUE + 1; i < m->nodes.n; i++)
    if (m->nodes.at[i] != 0)
      vec_push(&m->is.nodes, (CircuitTimes){i, m->nodes.at[i]});
  for (uint32_t i = 0; i < m->blocks.n; i++)
    if (m->blocks.at[i] != 0)
      vec_push(&m->is.blocks, (CircuitTimes){i, m->blocks.at[i]});
  vec_free(&m->nodes);
  vec_free(&m->blocks);
}

void mixture_free(Mixture *m) {
  circuit_sum_free(&m->is);
  vec_free(&m->nodes);
  vec_free(&m->blocks);
  *m = (Mixture){0};
}

/* Large weights cancel, so what an addition loses is kept (Knuth's two-sum). */
typedef struct {
  double total, lost;
} Sum;

static void add_log(Sum *s, double scale, Log log) {
  double x = scale * (double)log.whole, next = s->total + x, part = next - s->total;
  s->lost += (s->total - (next - part)) + (x - part);
  s->lost += fma(scale, (double)log.whole, -x) + scale * log.rest;
  s->total = next;
}

double mixture_value(const Mixture *m, const CircuitValues *v) {
  assert(!m->nodes.n); /* sealed */
  Sum sum = {0};
  add_log(&sum, m->sum, v->log_constant);
  for (size_t i = 0; i < m->is.nodes.n; i++)
    add_log(&sum, m->is.nodes.at[i].times, scaled_log(circuit_value(v, m->is.nodes.at[i].number)));
  for (size_t i = 0; i < m->is.blocks.n; i++)
    add_log(&sum, m->is.blocks.at[i].times, v->log_block[m->is.blocks.at[i].number]);
  return sum.total + sum.lost;
}

void mixture_gradient(const Mixture *m, const Circuit *c, const CircuitValues *v,
                      double *gradient) {
  assert(!m->nodes.n);
  double *expected = memory_zero(c->weights, sizeof *expected);
  circuit_sum_expectations(c, v, &m->is, expected);
  for (uint32_t w = 0; w < c->weights; w++)
    gradient[w] -= expected[w];
  for (size_t i = 0; i < c->constants.n; i++)
    gradient[c->constants.at[i]] -= m->sum;
  free(expected);
}

void mixture_product(const Mixture *m, const Circuit *c, const CircuitValues *v,
                     const double *direction, double *product) {
  assert(!m->nodes.n && direction != product);
  circuit_sum_hessian_product(c, v, &m->is, direction, product);
}
