/* html_graph.c - which binary relation is drawn, and in which colours; see html_parts.h.
**
** Which relation: one whose two arguments are of the same kind, that is, which some
** nodes occur on both sides of; one that the program states or guesses before one that it
** derives, because what follows from a graph (who reaches whom) is often everything.  Which
** colour: a predicate that has one probable atom for a node. */
#include "report/html_graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 800, MOST_PICTURES = 2, MOST_RELATIONS = 64 };

static void graph_free(HtmlGraph *g) {
  names_free(&g->nodes);
  vec_free(&g->edges);
  vec_free(&g->value);
  free(g->at);
  *g = (HtmlGraph){0};
}

static bool same(const char *a, size_t n, const char *b, size_t m) {
  return n == m && !memcmp(a, b, n);
}

/* ---- which relation ------------------------------------------------------------------ */

static void add_edge(HtmlGraph *g, const HtmlAtom *a, double value) {
  assert(a->arity == 2);
  uint32_t from = names_add(&g->nodes, a->argument[0], a->size[0]);
  uint32_t to = names_add(&g->nodes, a->argument[1], a->size[1]);
  vec_push(&g->edges, (HtmlEdge){from, to, value});
}

/* Worth a picture: nodes on both sides, and not so many that nothing can be seen. */
static bool is_graph(const HtmlGraph *g) {
  size_t n = g->nodes.list.n, both = 0;
  if (n < 3 || n > HTML_MOST_NODES || g->edges.n > MOST_EDGES)
    return false;
  uint8_t *sides = memory_zero(n, sizeof *sides);
  for (size_t e = 0; e < g->edges.n; e++)
    sides[g->edges.at[e].from] |= 1, sides[g->edges.at[e].to] |= 2;
  for (size_t i = 0; i < n; i++)
    both += sides[i] == 3;
  free(sides);
  return both > 1 && 4 * both >= n;
}

/* Atoms with their probability, NAN: certain. */
typedef struct {
  const HtmlValues *values;
  const char *const *certain;
  size_t count;
} Atoms;

static bool atom_at(const Atoms *a, size_t i, HtmlAtom *atom, double *value) {
  bool certain = a->certain != NULL;
  const char *text = certain ? a->certain[i] : a->values->at[i].text;
  *value = certain ? NAN : a->values->at[i].value;
  return html_atom(text, certain ? strlen(text) : a->values->at[i].length, atom) &&
         atom->arity == 2;
}

static HtmlGraph relation_of(const Atoms *atoms, const char *name, size_t length) {
  HtmlGraph g = {.name = name, .length = length};
  HtmlAtom a;
  double value;
  for (size_t i = 0; i < atoms->count && g.edges.n <= MOST_EDGES; i++)
    if (atom_at(atoms, i, &a, &value) && same(a.name, a.length, name, length))
      add_edge(&g, &a, value);
  return g;
}

/* The largest relation that is worth it, of the predicates in `among`. */
static HtmlGraph choose_relation(const Atoms *atoms, const Names *among) {
  Names seen = {0};
  HtmlGraph best = {0};
  HtmlAtom a;
  double value;
  for (size_t i = 0; i < atoms->count && seen.list.n < MOST_RELATIONS; i++) {
    if (!atom_at(atoms, i, &a, &value) ||
        (among && names_find(among, a.name, a.length) == UINT32_MAX))
      continue;
    size_t before = seen.list.n;
    if (names_add(&seen, a.name, a.length) != before)
      continue; /* not the first atom of its relation */
    HtmlGraph g = relation_of(atoms, a.name, a.length);
    bool better = is_graph(&g) && g.edges.n > best.edges.n;
    graph_free(better ? &best : &g);
    if (better)
      best = g;
  }
  names_free(&seen);
  return best;
}

/* ---- which colours --------------------------------------------------------------------- */

/* Values of a predicate by node, if one argument says which node it is about. */
static size_t colour(HtmlGraph *g, const HtmlValues *values, const HtmlAtom *like,
                     size_t position) {
  assert(position < like->arity);
  size_t coloured = 0;
  g->value.n = 0;
  for (size_t i = 0; i < g->nodes.list.n; i++)
    vec_push(&g->value, NULL);
  for (size_t i = 0; i < values->n; i++) {
    const HtmlValue *v = &values->at[i];
    HtmlAtom a;
    if (!html_atom(v->text, v->length, &a) || a.arity != like->arity ||
        !same(a.name, a.length, like->name, like->length))
      continue;
    uint32_t node = names_find(&g->nodes, a.argument[position], a.size[position]);
    if (node == UINT32_MAX || g->value.at[node])
      return 0;
    g->value.at[node] = v;
    coloured++;
  }
  return coloured;
}

/* The next predicate among the values, from *i on, that colours at least half. */
static bool next_colouring(HtmlGraph *g, const HtmlValues *values, size_t *i, Names *seen,
                           HtmlAtom *like) {
  for (; *i < values->n; ++*i) {
    const HtmlValue *v = &values->at[*i];
    size_t before = seen->list.n;
    if (!html_atom(v->text, v->length, like) || names_add(seen, like->name, like->length) != before)
      continue;
    for (size_t k = 0; k < like->arity; k++)
      if (2 * colour(g, values, like, k) >= g->nodes.list.n)
        return true;
  }
  g->value.n = 0;
  return false;
}

void html_graph(Text *to, const HtmlRun *run, const HtmlValues *values) {
  Atoms probable = {.values = values, .count = values->n};
  Atoms certain = {values, run->sources->certain, run->sources->certain_count};
  HtmlGraph g = {0};
  Names given = {0};
  html_given(run, &given);
  for (int derived = 0; !g.edges.n && derived < 2; derived++) {
    if (certain.count)
      g = choose_relation(&certain, derived ? NULL : &given);
    if (!g.edges.n)
      g = choose_relation(&probable, derived ? NULL : &given);
  }
  names_free(&given);
  if (!g.edges.n)
    return;
  Names seen = {0};
  size_t pictures = 0;
  HtmlAtom like;
  html_section(to, "graph", "The graph");
  html_graph_place(&g);
  for (size_t i = 0; pictures < MOST_PICTURES && next_colouring(&g, values, &i, &seen, &like);
       i++, pictures++)
    html_graph_draw(to, &g, &like);
  if (!pictures)
    html_graph_draw(to, &g, NULL);
  text_puts(to, "</section>\n");
  names_free(&seen);
  graph_free(&g);
}
