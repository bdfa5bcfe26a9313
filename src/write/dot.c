/* dot.c - see dot.h. */
#include "write/dot.h"

#include "base/names.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void dot_quote(Text *out, const char *text) {
  text_puts(out, "\"");
  for (; *text; text++)
    text_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  text_puts(out, "\"");
}

typedef struct {
  const Ground *g;
  Text *out;
  bool *used;  /* by atom: it is drawn */
  Names edges; /* each is drawn once */
} Output;

static void write_node(Output *o, Atom a) {
  const AtomInfo *info = &o->g->atoms.at[a];
  text_printf(o->out, "  a%u [label=", a);
  dot_quote(o->out, info->name == NONE ? "" : ground_text(o->g, info->name));
  if (info->name == NONE)
    text_puts(o->out, ", shape=point");
  else if (info->truth == ATOM_CERTAIN)
    text_puts(o->out, ", style=filled");
  text_puts(o->out, "];\n");
}

static void write_edge(Output *o, const Rule *r, Lit from, Atom to) {
  Text edge = {0};
  bool soft = r->instance != NONE;
  text_printf(&edge, "  a%u -> a%u", lit_atom(from), to);
  if (lit_negated(from) || soft)
    text_printf(&edge, " [%s%s%s]", lit_negated(from) ? "style=dashed" : "",
                lit_negated(from) && soft ? ", " : "", soft ? "color=red" : "");
  text_puts(&edge, ";\n");
  size_t known = o->edges.list.n;
  if (names_add(&o->edges, edge.at, edge.n) == known)
    text_add(o->out, edge.at, edge.n);
  vec_free(&edge);
}

/* A soft fact depends on nothing: a red circle instead of an edge. */
static void write_guess(Output *o, const Rule *r) {
  bool guessed = !r->size && (r->choice || r->instance != NONE || r->heads > 1);
  for (uint32_t h = 0; guessed && h < r->heads; h++)
    text_printf(o->out, "  a%u [peripheries=2%s];\n", rule_heads(o->g, r)[h],
                r->instance != NONE ? ", color=red" : "");
}

/* A constraint is a node of its own. */
static void write_constraint(Output *o, const Rule *r, size_t number) {
  if (!r->size)
    return;
  text_printf(o->out, "  c%zu [label=\"⊥\", shape=plaintext%s];\n", number,
              r->instance != NONE ? ", fontcolor=red" : "");
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(o->g, r)[k];
    text_printf(o->out, "  a%u -> c%zu%s;\n", lit_atom(l), number,
                lit_negated(l) ? " [style=dashed]" : "");
  }
}

static void write_rule(Output *o, size_t i) {
  const Rule *r = &o->g->rules.at[i];
  if (!r->heads) {
    write_constraint(o, r, i);
    return;
  }
  write_guess(o, r);
  for (uint32_t h = 0; h < r->heads; h++)
    for (uint32_t k = 0; k < r->size; k++)
      write_edge(o, r, rule_body(o->g, r)[k], rule_heads(o->g, r)[h]);
}

static void mark(Output *o) {
  for (Atom a = 0; a < o->g->atoms.n; a++)
    o->used[a] = o->g->atoms.at[a].name != NONE && o->g->atoms.at[a].truth != ATOM_IMPOSSIBLE;
  for (size_t i = 0; i < o->g->rules.n; i++) {
    const Rule *r = &o->g->rules.at[i];
    for (uint32_t k = 0; k < r->heads; k++)
      o->used[rule_heads(o->g, r)[k]] = true;
    for (uint32_t k = 0; k < r->size; k++)
      o->used[lit_atom(rule_body(o->g, r)[k])] = true;
  }
}

/* Atoms of each loop in a frame, by linked lists through the atoms. */
static void write_loops(Output *o, const Analysis *an) {
  uint32_t *next = memory_zero(o->g->atoms.n, sizeof *next);
  uint32_t *first = memory_zero(an->sccs, sizeof *first); /* an atom + 1 */
  for (Atom a = (Atom)o->g->atoms.n; a-- > 0;) {
    if (!o->used[a])
      continue;
    bool loop = o->g->atoms.at[a].truth == ATOM_OPEN && an->looping[an->scc[a]];
    if (loop)
      next[a] = first[an->scc[a]], first[an->scc[a]] = a + 1;
    else
      write_node(o, a);
  }
  for (uint32_t c = 0; c < an->sccs; c++) {
    if (!first[c])
      continue;
    text_printf(o->out, "  subgraph cluster%u {\n", c);
    for (uint32_t a = first[c]; a; a = next[a - 1])
      write_node(o, a - 1);
    text_puts(o->out, "  }\n");
  }
  free(next);
  free(first);
}

void write_dot(const Ground *g, const Analysis *an, Text *out) {
  assert(g->sealed && an->scc);
  Output o = {.g = g, .out = out, .used = memory_zero(g->atoms.n, sizeof *o.used)};
  mark(&o);
  text_puts(out, "digraph dependencies {\n  node [shape=box];\n");
  write_loops(&o, an);
  for (size_t i = 0; i < g->rules.n; i++)
    write_rule(&o, i);
  text_puts(out, "}\n");
  free(o.used);
  names_free(&o.edges);
}
