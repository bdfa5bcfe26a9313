/* html_picture.c - a relation as circles and lines; see html_graph.h. */
#include "report/html_graph.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 280, MARGIN = 30 };
#define TENTHS(x) NUMBER_FIXED(x, 1) /* coordinates */

static bool has_edge(const HtmlGraph *g, uint32_t from, uint32_t to) {
  for (size_t e = 0; e < g->edges.n; e++)
    if (g->edges.at[e].from == from && g->edges.at[e].to == to)
      return true;
  return false;
}

/* ---- where ----------------------------------------------------------------------------- */

enum { SHORT = 4 };       /* names that fit into a node */
enum { LINE = 14 };       /* height of a label */
enum { MOST_SHOWN = 40 }; /* characters of a name in the picture; a hint has all of it */
#define LETTER 7.0        /* width of a letter, at most */

static size_t characters(const char *name) {
  size_t n = 0;
  for (; *name; name++)
    n += ((unsigned char)*name & 0xc0) != 0x80;
  return n;
}

static bool is_inside(const HtmlGraph *g, uint32_t i) {
  return strlen(g->nodes.list.at[i]) <= SHORT && g->radius > 8;
}

/* Half the width of a node with its label, which may be a range such as 0.25–0.50. */
static double half_width(const HtmlGraph *g, uint32_t i) {
  size_t letters = characters(g->nodes.list.at[i]);
  letters = letters < MOST_SHOWN ? letters : MOST_SHOWN;
  return fmax(is_inside(g, i) ? g->radius : LETTER * (double)letters / 2, 5 * LETTER);
}

static double height_of(int nodes) { return nodes <= 20 ? HEIGHT : HEIGHT + 120; }

static void keep_in_box(HtmlGraph *g, uint32_t i) {
  double side = fmin(half_width(g, i), WIDTH / 2.0), top = g->radius + LINE + 4;
  g->at[i].x = fmin(fmax(g->at[i].x, side), WIDTH - side);
  g->at[i].y = fmin(fmax(g->at[i].y, top), height_of((int)g->nodes.list.n) - top);
}

/* Two nodes whose labels meet step aside, the shorter way; false: they do not meet. */
static bool part(HtmlGraph *g, uint32_t i, uint32_t j) {
  HtmlPoint *a = &g->at[i], *b = &g->at[j];
  double wide = half_width(g, i) + half_width(g, j) + 4;
  double high = 2 * g->radius + LINE * (1 + !(is_inside(g, i) && is_inside(g, j))) + 2;
  double x = wide - fabs(a->x - b->x), y = high - fabs(a->y - b->y);
  if (x <= 0 || y <= 0)
    return false;
  if (x < y) {
    a->x += a->x < b->x ? -x / 2 : x / 2;
    b->x += a->x < b->x ? x / 2 : -x / 2;
  } else {
    a->y += a->y < b->y ? -y / 2 : y / 2;
    b->y += a->y < b->y ? y / 2 : -y / 2;
  }
  keep_in_box(g, i);
  keep_in_box(g, j);
  return true;
}

void html_graph_place(HtmlGraph *g) {
  enum { ROUNDS = 80 };
  uint32_t n = (uint32_t)g->nodes.list.n;
  assert(n && n <= HTML_MOST_NODES && !g->at);
  g->at = memory_zero(n, sizeof *g->at);
  g->radius = n <= 14 ? 16 : n <= 30 ? 12 : n <= 60 ? 9 : 6;
  html_layout(n, g->edges.at, g->edges.n, g->at);
  for (uint32_t i = 0; i < n; i++) {
    g->at[i].x = MARGIN + g->at[i].x * (WIDTH - 2 * MARGIN);
    g->at[i].y = MARGIN + g->at[i].y * (height_of((int)n) - 2 * MARGIN);
    keep_in_box(g, i);
  }
  bool met = n <= 60; /* more have no labels that could meet */
  for (int round = 0; met && round < ROUNDS; round++) {
    met = false;
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = i + 1; j < n; j++)
        met |= part(g, i, j);
  }
}

/* ---- labels ---------------------------------------------------------------------------- */

typedef struct {
  double x, y, half, height; /* the middle of its base, and its size */
} Box;

typedef VEC(Box) Boxes;

static bool meets(const Box *a, const Box *b) {
  return fabs(a->x - b->x) < a->half + b->half && a->y - a->height < b->y &&
         b->y - b->height < a->y;
}

/* Takes the place if neither a label nor a node other than `own` is there: the first boxes are
** the nodes'. */
static bool take_place(Boxes *taken, Box box, uint32_t own) {
  for (size_t i = 0; i < taken->n; i++)
    if (i != own && meets(&box, &taken->at[i]))
      return false;
  vec_push(taken, box);
  return true;
}

/* ---- drawing --------------------------------------------------------------------------- */

/* From rim to rim; both directions are one line, one alone has a head. */
static void draw_edge(Text *to, const HtmlGraph *g, const HtmlEdge *e) {
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

/* A string's quotes say nothing in a picture. */
static void label_node(Text *to, const char *name) {
  size_t n = strlen(name), shown = 0, end = 0;
  if (n > 1 && name[0] == '"' && name[n - 1] == '"')
    name++, n -= 2;
  for (; end < n && shown <= MOST_SHOWN; end++)
    shown += ((unsigned char)name[end] & 0xc0) != 0x80;
  html_escape_part(to, name, shown > MOST_SHOWN ? end - 1 : n);
  text_puts(to, shown > MOST_SHOWN ? "…" : "");
}

static void draw_circle(Text *to, const HtmlGraph *g, uint32_t i) {
  assert(!g->value.n || i < g->value.n);
  const HtmlValue *v = g->value.n ? g->value.at[i] : NULL;
  text_puts(to, "<g><title>");
  html_escape(to, g->nodes.list.at[i]);
  if (v) {
    text_puts(to, ": ");
    html_escape_part(to, v->text, v->length);
    text_puts(to, " ");
    label_value(to, v);
  }
  text_printf(to, "</title><circle class=\"node%s%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"",
              v ? "" : " blank", v && v->open ? " open" : "", TENTHS(g->at[i].x),
              TENTHS(g->at[i].y), TENTHS(g->radius));
  if (v)
    text_printf(to, " style=\"--p:%s%%\"", TENTHS(100 * v->value));
  text_puts(to, "/></g>\n");
}

static void draw_name(Text *to, const HtmlGraph *g, uint32_t i, Boxes *taken) {
  bool inside = is_inside(g, i);
  Box box = {g->at[i].x, g->at[i].y + (inside ? 4 : -g->radius - 4), half_width(g, i), LINE};
  if (g->radius <= 6 || !(inside || take_place(taken, box, i)))
    return;
  text_printf(to, "<text class=\"name%s\" x=\"%s\" y=\"%s\">", inside ? "" : " out", TENTHS(box.x),
              TENTHS(box.y));
  label_node(to, g->nodes.list.at[i]);
  text_puts(to, "</text>");
}

static void draw_value(Text *to, const HtmlGraph *g, uint32_t i, Boxes *taken) {
  const HtmlValue *v = g->value.n ? g->value.at[i] : NULL;
  Box box = {g->at[i].x, g->at[i].y + g->radius + 12, v && v->free ? 30 : 14, LINE};
  if (!v || g->radius <= 8 || !take_place(taken, box, i))
    return;
  text_printf(to, "<text class=\"value\" x=\"%s\" y=\"%s\">", TENTHS(box.x), TENTHS(box.y));
  label_value(to, v);
  text_puts(to, "</text>");
}

static void draw_nodes(Text *to, const HtmlGraph *g) {
  Boxes taken = {0};
  uint32_t n = (uint32_t)g->nodes.list.n;
  for (uint32_t i = 0; i < n; i++) {
    vec_push(&taken, ((Box){g->at[i].x, g->at[i].y + g->radius, g->radius, 2 * g->radius}));
    draw_circle(to, g, i);
  }
  for (uint32_t i = 0; i < n; i++)
    draw_name(to, g, i, &taken);
  for (uint32_t i = 0; i < n; i++)
    draw_value(to, g, i, &taken);
  vec_free(&taken);
}

/* What a dashed rim says. */
static const char *about_dashes(const HtmlGraph *g) {
  bool open = false, ranges = true;
  for (size_t i = 0; i < g->value.n; i++)
    if (g->value.at[i] && g->value.at[i]->open)
      open = true, ranges &= g->value.at[i]->free;
  return !open    ? ".\n"
         : ranges ? "; dashed: anything in the range below is as likely.\n"
                  : "; dashed: the data does not determine it alone.\n";
}

static void caption(Text *to, const HtmlGraph *g, const HtmlAtom *like) {
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

void html_graph_draw(Text *to, const HtmlGraph *g, const HtmlAtom *like) {
  text_printf(
      to,
      "<figure class=\"graph\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"graph\">"
      "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0.8 8 4 0 7.2z\"/></marker></defs>\n",
      WIDTH, (int)height_of((int)g->nodes.list.n));
  for (size_t e = 0; e < g->edges.n; e++)
    draw_edge(to, g, &g->edges.at[e]);
  text_puts(to, "\n");
  draw_nodes(to, g);
  text_puts(to, "</svg>\n");
  caption(to, g, like);
}
