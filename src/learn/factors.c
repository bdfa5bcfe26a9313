/* factors.c - see factors.h. */
#include "learn/factors.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Seven bits a byte, the lowest first; all but the last have the eighth. */
static void put_number(Factors *f, uint32_t value) {
  for (; value >= 128; value >>= 7)
    vec_push(&f->list, (uint8_t)(value & 127) | 128);
  vec_push(&f->list, (uint8_t)value);
}

static uint32_t next_number(const Factors *f, size_t *at) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    assert(*at < f->list.n && shift < 32);
    uint8_t byte = f->list.at[(*at)++];
    value |= (uint32_t)(byte & 127) << shift;
    if (byte < 128)
      return value;
  }
}

/* `known`, by node: its number in f->nodes, CIRCUIT_NONE: none yet. */
static void add_factor(Factors *f, const CircuitPart *part, uint32_t node, uint32_t *known) {
  if (node == CIRCUIT_TRUE)
    return;
  if (known[node] == CIRCUIT_NONE) {
    known[node] = (uint32_t)f->nodes.parts.n;
    vec_push(&f->nodes.parts, (CircuitPart){.node = node, .block = part->block}); /* no copies */
  }
  assert(known[node] <= UINT32_MAX / 2);
  put_number(f, 2 * known[node] + (part->copies > 1));
  if (part->copies > 1)
    put_number(f, part->copies);
}

static void add_root(Factors *f, const Circuit *c, const CircuitRoot *root, uint32_t *known) {
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    const CircuitNode *node = &c->nodes.at[part->node];
    if (part->node <= CIRCUIT_TRUE || node->variable != CIRCUIT_NONE)
      add_factor(f, part, part->node, known);
    else
      for (uint32_t k = 0; k < node->second; k++)
        add_factor(f, part, c->children.at[node->first + k], known);
  }
}

void factors_add(Factors *f, const Circuit *c, CircuitRoot *roots, size_t n) {
  assert(f->starts.n || !f->nodes.parts.n);
  uint32_t *known = memory_zero(c->nodes.n, sizeof *known);
  memset(known, 0xff, c->nodes.n * sizeof *known);
  for (size_t i = 0; i < f->nodes.parts.n; i++)
    known[f->nodes.parts.at[i].node] = (uint32_t)i;
  for (size_t i = 0; i < n; i++) {
    vec_push(&f->starts, f->list.n);
    if (circuit_possible(&roots[i]))
      add_root(f, c, &roots[i], known);
    circuit_root_free(&roots[i]);
  }
  free(known);
}

void factors_free(Factors *f) {
  circuit_root_free(&f->nodes);
  vec_free(&f->list);
  vec_free(&f->starts);
}

void factors_mix(const Factors *f, size_t observation, const CircuitRoot *program, double times,
                 Mixture *m) {
  assert(observation < f->starts.n);
  bool last = observation + 1 == f->starts.n;
  size_t at = f->starts.at[observation], end = last ? f->list.n : f->starts.at[observation + 1];
  while (at < end) {
    uint32_t part = next_number(f, &at), copies = part & 1 ? next_number(f, &at) : 1;
    mixture_add_node(m, f->nodes.parts.at[part / 2].node, times * copies);
  }
  mixture_add_blocks(m, program, times);
}
