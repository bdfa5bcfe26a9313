/* nnf.c - a root as text in the NNF format of c2d; see nnf.h.
**
** "nnf nodes edges variables", then a line per node: "L literal",
** "A count children" (A 0: true), "O variable count children" (O 0 0: false).
** A literal 2v of copy k becomes the number of (k, v) from 1 on, copies in the
** order of the root. */
#include "write/nnf.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const Circuit *c;
  Text lines;
  size_t nodes, edges;
  uint32_t shift;   /* number of the block's first variable in this copy, - 1 */
  uint32_t *number; /* by node of this copy: its line; 0: not needed */
} Nnf;

static size_t line(Nnf *w) { return w->nodes++; }

/* "literal and child", or just the literal. */
static size_t write_edge(Nnf *w, long literal, uint32_t child) {
  assert(child != CIRCUIT_FALSE);
  size_t leaf = line(w);
  text_printf(&w->lines, "L %ld\n", literal);
  if (child == CIRCUIT_TRUE)
    return leaf;
  text_printf(&w->lines, "A 2 %zu %u\n", leaf, w->number[child]);
  w->edges += 2;
  return line(w);
}

static uint32_t write_decision(Nnf *w, const CircuitNode *node) {
  const CircuitBlock *block = &w->c->blocks.at[w->c->variables.at[node->variable].block];
  long literal = (long)w->shift + (long)(node->variable - block->first) + 1;
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

static uint32_t write_product(Nnf *w, const CircuitNode *node) {
  text_printf(&w->lines, "A %u", node->second);
  for (uint32_t k = 0; k < node->second; k++)
    text_printf(&w->lines, " %u", w->number[w->c->children.at[node->first + k]]);
  text_puts(&w->lines, "\n");
  w->edges += node->second;
  return (uint32_t)line(w);
}

/* Returns the line of the copy's root. */
static uint32_t write_copy(Nnf *w, const CircuitPart *part, const bool *mark) {
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

/* By variable: it is an input, or some node decides it. */
static bool *used_variables(const Circuit *c) {
  bool *used = memory_zero(c->variables.n, sizeof *used);
  for (size_t v = 0; v < c->variables.n; v++)
    used[v] = c->variables.at[v].sort == CIRCUIT_INPUT;
  for (size_t i = 2; i < c->nodes.n; i++)
    if (c->nodes.at[i].variable != CIRCUIT_NONE)
      used[c->nodes.at[i].variable] = true;
  return used;
}

/* `c NUMBER ATOM` for each variable of the NNF, copies in the order of the root. */
static void name_variables(const Ground *g, const Circuit *c, const CircuitRoot *root, Text *out) {
  bool *used = used_variables(c);
  uint32_t shift = 1;
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    const CircuitBlock *block = &c->blocks.at[part->block];
    for (uint32_t k = 0; k < part->copies; k++, shift += block->count) {
      const uint32_t *members = c->members.at + c->starts.at[root->copies.at[part->first + k]];
      for (uint32_t v = 0; v < block->count; v++) {
        uint32_t name = v < block->atoms ? g->atoms.at[members[v]].name : NONE;
        const char *text = v < block->atoms ? "(auxiliary)" : "(violation of a soft rule)";
        if (used[block->first + v])
          text_printf(out, "c %u %s\n", shift + v, name != NONE ? ground_text(g, name) : text);
      }
    }
  }
  free(used);
}

void write_nnf(const Ground *g, const Circuit *c, const CircuitRoot *root, Text *out) {
  assert(g->sealed && circuit_possible(root));
  name_variables(g, c, root, out);
  Nnf w = {.c = c, .number = memory_zero(c->nodes.n, sizeof *w.number)};
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
