/* html_graph.h - a binary relation that is drawn: chosen in html_graph.c, drawn in
** html_picture.c. */
#ifndef REPORT_HTML_GRAPH_H
#define REPORT_HTML_GRAPH_H

#include "report/html_parts.h"

enum { HTML_MOST_NODES = 150 };

typedef struct {
  const char *name; /* of the relation */
  size_t length;
  Names nodes;
  VEC(HtmlEdge) edges;
  VEC(const HtmlValue *) value; /* by node, of the picture under way; NULL: none */
  HtmlPoint *at;                /* by node, set by html_graph_place */
  double radius;
} HtmlGraph;

void html_graph_place(HtmlGraph *);

/* A figure; `like` is an atom of the predicate that colours it, or NULL. */
void html_graph_draw(Text *, const HtmlGraph *, const HtmlAtom *like);

/* html_given.c: predicates that the texts state as facts, choose or guess by soft rules; the
** others follow from these. */
void html_given(const HtmlRun *, Names *);

#endif
