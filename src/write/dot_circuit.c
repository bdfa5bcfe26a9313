/* dot_circuit.c - a circuit for Graphviz; see dot.h. */
#include "write/dot.h"

#include "base/memory.h"
#include "circuit/circuit.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const Ground *g;
  const Circuit *c;
  const CircuitPart *part;
  const uint32_t *members; /* atoms of the part's first component */
  size_t number;           /* of the part */
  Text *out;
} Output;

static const char *variable_name(const Output *o, uint32_t variable) {
  assert(variable >= o->c->blocks.at[o->part->block].first);
  const CircuitBlock *block = &o->c->blocks.at[o->part->block];
  uint32_t v = variable - block->first;
  if (v >= block->atoms)
    return "(violation)";
  uint32_t name = o->g->atoms.at[o->members[v]].name;
  return name == NONE ? "(auxiliary)" : ground_text(o->g, name);
}

static void write_edge(const Output *o, uint32_t from, uint32_t to, const char *style) {
  if (to != CIRCUIT_FALSE)
    text_printf(o->out, "    n%zu_%u -> n%zu_%u%s;\n", o->number, from, o->number, to, style);
}

static void write_node(const Output *o, uint32_t i) {
  const CircuitNode *node = &o->c->nodes.at[i];
  text_printf(o->out, "    n%zu_%u [", o->number, i);
  if (i < 2) {
    text_printf(o->out, "label=\"%s\", shape=box];\n", i == CIRCUIT_TRUE ? "⊤" : "⊥");
  } else if (node->variable == CIRCUIT_NONE) {
    text_puts(o->out, "label=\"\", shape=point, width=0.1];\n");
    for (uint32_t k = 0; k < node->second; k++)
      write_edge(o, i, o->c->children.at[node->first + k], "");
  } else {
    text_puts(o->out, "label=");
    dot_quote(o->out, variable_name(o, node->variable));
    text_puts(o->out, "];\n");
    write_edge(o, i, node->first, "");
    write_edge(o, i, node->second, " [style=dashed]");
  }
}

static void write_part(Output *o, const CircuitRoot *root) {
  const CircuitPart *part = o->part;
  bool *mark = memory_zero(o->c->nodes.n, 1);
  o->members = o->c->members.at + o->c->starts.at[root->copies.at[part->first]];
  mark[part->node] = true, circuit_mark(o->c, mark);
  text_printf(o->out, "  subgraph cluster%zu {\n", o->number);
  if (part->copies > 1)
    text_printf(o->out, "    label=\"%u equal components\";\n", part->copies);
  for (uint32_t i = 0; i <= part->node; i++)
    if (mark[i] && (i != CIRCUIT_FALSE || part->node == CIRCUIT_FALSE))
      write_node(o, i);
  text_puts(o->out, "  }\n");
  free(mark);
}

void write_circuit_dot(const Ground *g, const Circuit *c, const CircuitRoot *root, Text *out) {
  Output o = {.g = g, .c = c, .out = out};
  text_puts(out, "digraph circuit {\n");
  for (o.number = 0; o.number < root->parts.n; o.number++) {
    o.part = &root->parts.at[o.number];
    if (o.part->copies)
      write_part(&o, root);
  }
  text_puts(out, "}\n");
}
