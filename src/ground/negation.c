/* negation.c - see negation.h. */
#include "ground/negation.h"

#include "base/graph.h"
#include "base/memory.h"
#include "language/lexer.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Place negation_defined_at(const Program *p, const char *atom) {
  size_t n = strcspn(atom, "(");
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    const Token *t = &program_tokens(p, s)[s->head.from];
    if (s->kind == S_RULE && !range_empty(s->head) && !range_empty(s->body) && t->length == n &&
        !strncmp(program_source(p, s)->bytes + t->offset, atom, n))
      return program_place(p, s, s->whole);
  }
  return NOWHERE;
}

static void add_edges(const Ground *g, GraphEdges *edges) {
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      for (uint32_t k = 0; k < r->size; k++)
        vec_push(edges, (GraphEdge){rule_heads(g, r)[h], lit_atom(rule_body(g, r)[k])});
  }
}

Atom negation_loop(const Ground *g) {
  assert(g->sealed);
  GraphEdges edges = {0};
  add_edges(g, &edges);
  uint32_t *component = graph_component_of(&edges, g->atoms.n);
  Atom found = NONE;
  for (size_t i = 0; found == NONE && i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t k = 0; r->heads && k < r->size; k++) {
      Lit l = rule_body(g, r)[k];
      if (lit_negated(l) && component[rule_heads(g, r)[0]] == component[lit_atom(l)])
        found = rule_heads(g, r)[0];
    }
  }
  free(component);
  return found;
}

/* Guards that hold: arithmetic that clingo can't do. */
static void check_guards(const Program *p, const Ground *g, Diagnostics *said) {
  size_t n = p->guard ? strlen(p->guard) : 0;
  for (size_t i = 0; p->guard && i < g->atoms.n; i++) {
    const char *text = g->atoms.at[i].name == NONE ? "" : ground_text(g, g->atoms.at[i].name);
    if (g->atoms.at[i].truth == ATOM_IMPOSSIBLE || strncmp(text, p->guard, n) || text[n] != '(')
      continue;
    size_t number = strtoul(text + n + 1, NULL, 10);
    if (number < p->guards.n)
      diagnose_error(said, p->guards.at[number], "clingo computes with integers of 32 bits",
                     "arithmetic with a value that is no integer, or too large");
  }
}

void negation_check(const Program *p, const Ground *g, Diagnostics *said) {
  assert(g->sealed);
  check_guards(p, g, said);
  Atom loop = p->founded ? negation_loop(g) : NONE;
  if (loop == NONE)
    return;
  const char *name =
      g->atoms.at[loop].name == NONE ? "an atom" : ground_text(g, g->atoms.at[loop].name);
  diagnose_error(said, negation_defined_at(p, name), p->founded, "%s depends on its own negation",
                 name);
}
