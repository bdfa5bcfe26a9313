/* html_graph.c - a picture of a binary relation; see html_parts.h.
**
** Which relation: one whose two arguments are of the same kind, that is, which some
** nodes occur on both sides of.  Which colour: a predicate that has one probable atom
** for a node. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 150, MOST_EDGES = 800, MOST_PICTURES = 2, MOST_RELATIONS = 64 };
enum { WIDTH = 480, HEIGHT = 300, MARGIN = 30, WIDE = 52 };
#define TENTHS(x) NUMBER_FIXED(x, 1) /* coordinates */

enum { SHORT = 4 }; /* names that fit into a node */

typedef struct {
  const char *name; /* of the relation */
  size_t length;
  Names nodes;
  VEC(HtmlEdge) edges;
  VEC(const HtmlValue *) value; /* by node, of the picture under way; NULL: none */
  HtmlPoint *at;                /* by node */
  double radius;
} Graph;

static void graph_free(Graph *g) {
  names_free(&g->nodes);
  vec_free(&g->edges);
  vec_free(&g->value);
  free(g->at);
  *g = (Graph){0};
}

static bool same(const char *a, size_t n, const char *b, size_t m) {
  return n == m && !memcmp(a, b, n);
}

/* ---- which relation ------------------------------------------------------------------ */

static void add_edge(Graph *g, const HtmlAtom *a, double value) {
  assert(a->arity == 2);
  uint32_t from = names_add(&g->nodes, a->argument[0], a->size[0]);
  uint32_t to = names_add(&g->nodes, a->argument[1], a->size[1]);
  vec_push(&g->edges, (HtmlEdge){from, to, value});
}

/* Worth a picture: nodes on both sides, and not so many that nothing can be seen. */
static bool is_graph(const Graph *g) {
  size_t n = g->nodes.list.n, both = 0;
  if (n < 3 || n > MOST_NODES || g->edges.n > MOST_EDGES)
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

static Graph relation_of(const Atoms *atoms, const char *name, size_t length) {
  Graph g = {.name = name, .length = length};
  HtmlAtom a;
  double value;
  for (size_t i = 0; i < atoms->count && g.edges.n <= MOST_EDGES; i++)
    if (atom_at(atoms, i, &a, &value) && same(a.name, a.length, name, length))
      add_edge(&g, &a, value);
  return g;
}

/* The largest relation that is worth it. */
static Graph choose_relation(const Atoms *atoms) {
  Names seen = {0};
  Graph best = {0};
  HtmlAtom a;
  double value;
  for (size_t i = 0; i < atoms->count && seen.list.n < MOST_RELATIONS; i++) {
    if (!atom_at(atoms, i, &a, &value))
      continue;
    size_t before = seen.list.n;
    if (names_add(&seen, a.name, a.length) != before)
      continue; /* not the first atom of its relation */
    Graph g = relation_of(atoms, a.name, a.length);
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
static size_t colour(Graph *g, const HtmlValues *values, const HtmlAtom *like, size_t position) {
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
static bool next_colouring(Graph *g, const HtmlValues *values, size_t *i, Names *seen,
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

/* ---- drawing ------------------------------------------------------------------------------ */

static bool has_edge(const Graph *g, uint32_t from, uint32_t to) {
  for (size_t e = 0; e < g->edges.n; e++)
    if (g->edges.at[e].from == from && g->edges.at[e].to == to)
      return true;
  return false;
}

static void place_nodes(Graph *g) {
  uint32_t n = (uint32_t)g->nodes.list.n;
  assert(n && n <= MOST_NODES && !g->at);
  g->at = memory_zero(n, sizeof *g->at);
  g->radius = n <= 14 ? 16 : n <= 30 ? 12 : n <= 60 ? 9 : 6;
  html_layout(n, g->edges.at, g->edges.n, g->at);
  double side = MARGIN;
  for (uint32_t i = 0; i < n; i++)
    side = strlen(g->nodes.list.at[i]) > SHORT ? WIDE : side;
  for (uint32_t i = 0; i < n; i++) {
    g->at[i].x = side + g->at[i].x * (WIDTH - 2 * side);
    g->at[i].y = MARGIN + g->at[i].y * (HEIGHT - 2 * MARGIN - 8);
  }
}

/* From rim to rim; both directions are one line, one alone has a head. */
static void draw_edge(Text *to, const Graph *g, const HtmlEdge *e) {
  assert(e->from < g->nodes.list.n && e->to < g->nodes.list.n);
  HtmlPoint a = g->at[e->from], b = g->at[e->to];
  double x = b.x - a.x, y = b.y - a.y, length = fmax(hypot(x, y), 1e-9);
  bool back = has_edge(g, e->to, e->from);
  if (back && e->to < e->from)
    return;
  if (e->from == e->to) {
    text_printf(to, "<circle class=\"edge\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>",
                TENTHS(a.x + 0.8 * g->radius), TENTHS(a.y - 0.9 * g->radius),
                TENTHS(0.55 * g->radius));
    return;
  }
  double from = g->radius / length, until = (g->radius + (back ? 0 : 5)) / length;
  text_printf(to, "<line class=\"edge\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s",
              TENTHS(a.x + x * from), TENTHS(a.y + y * from), TENTHS(b.x - x * until),
              TENTHS(b.y - y * until), back ? "" : " marker-end=\"url(#head)\"");
  if (isfinite(e->value))
    text_printf(to, " style=\"opacity:%s\"", NUMBER_FIXED(0.08 + 0.92 * e->value, 3));
  text_puts(to, "/>");
}

/* What stands below a node: its probability, or where it may be. */
static void label_value(Text *to, const HtmlValue *v) {
  if (v->free) {
    html_plain(to, v->low, v->low > 0 ? 2 : 0);
    text_puts(to, "–");
    html_plain(to, v->high, 2);
  } else {
    html_plain(to, v->value, v->value > 0.005 && v->value < 0.995 ? 2 : 0);
  }
}

/* A string's quotes say nothing in a picture; long names are cut. */
static void label_node(Text *to, const char *name) {
  enum { MOST = 12 };
  size_t n = strlen(name);
  if (n > 1 && name[0] == '"' && name[n - 1] == '"')
    name++, n -= 2;
  bool cut = n > MOST;
  for (n = cut ? MOST : n; cut && n && ((unsigned char)name[n] & 0xc0) == 0x80; n--)
    ;
  html_escape_part(to, name, n);
  text_puts(to, cut ? "…" : "");
}

static void draw_node(Text *to, const Graph *g, uint32_t i) {
  assert(!g->value.n || i < g->value.n);
  const HtmlValue *v = g->value.n ? g->value.at[i] : NULL;
  HtmlPoint at = g->at[i];
  const char *name = g->nodes.list.at[i];
  bool inside = strlen(name) <= SHORT && g->radius > 8;
  text_puts(to, "<g><title>");
  html_escape(to, name);
  if (v) {
    text_puts(to, ": ");
    html_escape_part(to, v->text, v->length);
    text_puts(to, " ");
    label_value(to, v);
  }
  text_printf(to, "</title><circle class=\"node%s%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"",
              v ? "" : " blank", v && v->open ? " open" : "", TENTHS(at.x), TENTHS(at.y),
              TENTHS(g->radius));
  if (v)
    text_printf(to, " style=\"--p:%s%%\"", TENTHS(100 * v->value));
  text_puts(to, "/>");
  if (g->radius > 6) {
    text_printf(to, "<text class=\"name%s\" x=\"%s\" y=\"%s\">", inside ? "" : " out", TENTHS(at.x),
                TENTHS(inside ? at.y + 4 : at.y - g->radius - 4));
    label_node(to, name);
    text_puts(to, "</text>");
  }
  if (v && g->radius > 10) {
    text_printf(to, "<text class=\"value\" x=\"%s\" y=\"%s\">", TENTHS(at.x),
                TENTHS(at.y + g->radius + 12));
    label_value(to, v);
    text_puts(to, "</text>");
  }
  text_puts(to, "</g>\n");
}

/* What a dashed rim says. */
static const char *about_dashes(const Graph *g) {
  bool open = false, ranges = true;
  for (size_t i = 0; i < g->value.n; i++)
    if (g->value.at[i] && g->value.at[i]->open)
      open = true, ranges &= g->value.at[i]->free;
  return !open    ? ".\n"
         : ranges ? "; dashed: anything in the range below is as likely.\n"
                  : "; dashed: the data does not determine it alone.\n";
}

static void caption(Text *to, const Graph *g, const HtmlAtom *like) {
  text_puts(to, "<figcaption>The relation <code>");
  html_escape_part(to, g->name, g->length);
  text_puts(to, "</code>.");
  if (like) {
    text_puts(to, " <span class=\"scale\">0<i></i>1</span> probability of <code>");
    html_escape_part(to, like->name, like->length);
    text_puts(to, "</code>");
    text_puts(to, about_dashes(g));
  }
  text_puts(to, "</figcaption></figure>\n");
}

static void draw(Text *to, const Graph *g, const HtmlAtom *like) {
  text_printf(
      to,
      "<figure class=\"graph\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"graph\">"
      "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0.8 8 4 0 7.2z\"/></marker></defs>\n",
      WIDTH, HEIGHT);
  for (size_t e = 0; e < g->edges.n; e++)
    draw_edge(to, g, &g->edges.at[e]);
  text_puts(to, "\n");
  for (uint32_t i = 0; i < g->nodes.list.n; i++)
    draw_node(to, g, i);
  text_puts(to, "</svg>\n");
  caption(to, g, like);
}

void html_graph(Text *to, const HtmlRun *run, const HtmlValues *values) {
  Atoms probable = {.values = values, .count = values->n};
  Atoms certain = {values, run->sources->certain, run->sources->certain_count};
  Graph g = {0};
  if (certain.count)
    g = choose_relation(&certain);
  if (!g.edges.n)
    g = choose_relation(&probable);
  if (!g.edges.n)
    return;
  Names seen = {0};
  size_t pictures = 0;
  HtmlAtom like;
  html_section(to, "graph", "The graph");
  place_nodes(&g);
  for (size_t i = 0; pictures < MOST_PICTURES && next_colouring(&g, values, &i, &seen, &like);
       i++, pictures++)
    draw(to, &g, &like);
  if (!pictures)
    draw(to, &g, NULL);
  text_puts(to, "</section>\n");
  names_free(&seen);
  graph_free(&g);
}
