/* nnf.c - a root as text in the NNF format of c2d; see circuit.h.
**
** "nnf nodes edges variables", then a line per node: "L literal",
** "A count children" (A 0: true), "O variable count children" (O 0 0: false).
** A literal 2v of copy k becomes the number of (k, v) from 1 on, copies in the
** order of the root. */
#include "circuit/circuit.h"

#include <stdlib.h>

typedef struct {
  const Circuit *c;
  Text lines;
  size_t nodes, edges;
  uint32_t shift;   /* number of the block's first variable in this copy, - 1 */
  uint32_t *number; /* by node of this copy: its line; 0: not needed */
} Writer;

static size_t line(Writer *w) { return w->nodes++; }

/* "literal and child", or just the literal. */
static size_t write_edge(Writer *w, long literal, uint32_t child) {
  size_t leaf = line(w);
  text_printf(&w->lines, "L %ld\n", literal);
  if (child == CIRCUIT_TRUE)
    return leaf;
  text_printf(&w->lines, "A 2 %zu %u\n", leaf, w->number[child]);
  w->edges += 2;
  return line(w);
}

static uint32_t write_decision(Writer *w, const CircuitNode *node) {
  const CircuitBlock *block = &w->c->blocks.at[w->c->variables.at[node->variable].block];
  long literal = (long)(w->shift + node->variable - block->first + 1);
  if (node->second == CIRCUIT_FALSE)
    return (uint32_t)write_edge(w, literal, node->first);
  if (node->first == CIRCUIT_FALSE)
    return (uint32_t)write_edge(w, -literal, node->second);
  size_t high = write_edge(w, literal, node->first);
  size_t low = write_edge(w, -literal, node->second);
  text_printf(&w->lines, "O %ld 2 %zu %zu\n", literal, high, low);
  w->edges += 2;
  return (uint32_t)line(w);
}

static uint32_t write_product(Writer *w, const CircuitNode *node) {
  text_printf(&w->lines, "A %u", node->second);
  for (uint32_t k = 0; k < node->second; k++)
    text_printf(&w->lines, " %u", w->number[w->c->children.at[node->first + k]]);
  text_puts(&w->lines, "\n");
  w->edges += node->second;
  return (uint32_t)line(w);
}

/* Returns the line of the copy's root. */
static uint32_t write_copy(Writer *w, const CircuitPart *part, const bool *mark) {
  if (part->node < 2) {
    text_puts(&w->lines, part->node == CIRCUIT_TRUE ? "A 0\n" : "O 0 0\n");
    return (uint32_t)line(w);
  }
  for (uint32_t i = 2; i <= part->node; i++)
    if (mark[i])
      w->number[i] = w->c->nodes.at[i].variable != CIRCUIT_NONE
                         ? write_decision(w, &w->c->nodes.at[i])
                         : write_product(w, &w->c->nodes.at[i]);
  return w->number[part->node];
}

void circuit_write_nnf(const Circuit *c, const CircuitRoot *root, Text *out) {
  Writer w = {.c = c, .number = memory_zero(c->nodes.n, sizeof *w.number)};
  VEC(uint32_t) tops = {0};
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    bool *mark = memory_zero(c->nodes.n, 1);
    mark[part->node] = true, circuit_mark(c, mark);
    for (uint32_t k = 0; k < part->copies; k++) {
      vec_push(&tops, write_copy(&w, part, mark));
      w.shift += c->blocks.at[part->block].count;
    }
    free(mark);
  }
  text_printf(&w.lines, "A %zu", tops.n);
  for (size_t i = 0; i < tops.n; i++)
    text_printf(&w.lines, " %u", tops.at[i]);
  text_printf(out, "nnf %zu %zu %u\n", w.nodes + 1, w.edges + tops.n, w.shift);
  text_add(out, w.lines.at, w.lines.n);
  text_puts(out, "\n");
  vec_free(&tops);
  vec_free(&w.lines);
  free(w.number);
}
