/* html_layout.c - where the nodes of a graph are drawn; nothing here is random.
**
** Without cycles: layers by longest paths, ordered by the mean place of neighbours.  With cycles,
** or if many edges skip layers: stress majorisation, so that distances in the picture are those in
** the graph, then turned so that the longest extent lies level. */
#include "report/html_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 24, STEPS = 300 };

typedef struct {
  uint32_t n;
  const HtmlEdge *edges;
  size_t count;
  uint32_t *layer;
  double *place; /* within its layer */
} Layers;

/* Longest paths; false if there is a cycle. */
static bool find_layers(Layers *l) {
  for (uint32_t round = 0; round <= l->n; round++) {
    bool moved = false;
    for (size_t e = 0; e < l->count; e++) {
      uint32_t least = l->layer[l->edges[e].from] + 1;
      if (l->layer[l->edges[e].to] < least)
        l->layer[l->edges[e].to] = least, moved = true;
    }
    if (!moved)
      return true;
  }
  return false;
}

/* Layers show little of a graph most of whose edges skip one, and lie upon others then. */
static bool skips_layers(const Layers *l) {
  size_t skipping = 0;
  for (size_t e = 0; e < l->count; e++) {
    assert(l->layer[l->edges[e].to] > l->layer[l->edges[e].from]);
    skipping += l->layer[l->edges[e].to] > l->layer[l->edges[e].from] + 1;
  }
  return 3 * skipping > l->count;
}

/* 0, 1, 2, ... in the order of `wish`, ties as they stand. */
static void rank_layer(Layers *l, uint32_t layer, const double *wish) {
  assert(layer <= l->n);
  for (uint32_t v = 0; v < l->n; v++) {
    if (l->layer[v] != layer)
      continue;
    double before = 0;
    for (uint32_t u = 0; u < l->n; u++)
      before += l->layer[u] == layer && (wish[u] < wish[v] || (wish[u] == wish[v] && u < v));
    l->place[v] = before;
  }
}

/* Every node of the layer near its neighbours on one side. */
static void order_layer(Layers *l, uint32_t layer, bool incoming, const double *middle) {
  double *wish = memory_zero(l->n, sizeof *wish), *number = memory_zero(l->n, sizeof *number);
  for (size_t e = 0; e < l->count; e++) {
    uint32_t v = incoming ? l->edges[e].to : l->edges[e].from;
    uint32_t u = incoming ? l->edges[e].from : l->edges[e].to;
    wish[v] += l->place[u] - middle[l->layer[u]], number[v]++;
  }
  for (uint32_t v = 0; v < l->n; v++)
    wish[v] = number[v] > 0 ? wish[v] / number[v] : l->place[v] - middle[l->layer[v]];
  rank_layer(l, layer, wish);
  free(wish);
  free(number);
}

static void layered(Layers *l, HtmlPoint *to) {
  uint32_t last = 0, most = 1;
  for (uint32_t v = 0; v < l->n; v++)
    last = l->layer[v] > last ? l->layer[v] : last;
  double *size = memory_zero(last + 1, sizeof *size),
         *middle = memory_zero(last + 1, sizeof *middle);
  for (uint32_t v = 0; v < l->n; v++)
    l->place[v] = size[l->layer[v]]++;
  for (uint32_t k = 0; k <= last; k++) {
    middle[k] = (size[k] - 1) / 2;
    most = size[k] > most ? (uint32_t)size[k] : most;
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (uint32_t k = 0; k <= last; k++)
      order_layer(l, sweep % 2 ? last - k : k, sweep % 2 == 0, middle);
  for (uint32_t v = 0; v < l->n; v++) {
    uint32_t k = l->layer[v];
    assert(fabs(l->place[v] - middle[k]) <= middle[k]); /* so it is within the box */
    double gap = fmin(1.0 / fmax(size[k] - 1, 1), 1.35 / fmax(most - 1, 2));
    to[v] = (HtmlPoint){last ? (double)k / last : 0.5, 0.5 + gap * (l->place[v] - middle[k])};
  }
  free(size);
  free(middle);
}

/* ---- distances --------------------------------------------------------------------- */

/* Steps between all pairs; what is not connected stands a little further off. */
static double *distances(uint32_t n, const HtmlEdge *edges, size_t count) {
  double *d = memory_zero((size_t)n * n, sizeof *d), largest = 1;
  for (size_t i = 0; i < (size_t)n * n; i++)
    d[i] = i % (n + 1) == 0 ? 0 : INFINITY;
  for (size_t e = 0; e < count; e++) {
    assert(edges[e].from < n && edges[e].to < n);
    if (edges[e].from != edges[e].to)
      d[(size_t)edges[e].from * n + edges[e].to] = d[(size_t)edges[e].to * n + edges[e].from] = 1;
  }
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        d[(size_t)i * n + j] =
            fmin(d[(size_t)i * n + j], d[(size_t)i * n + k] + d[(size_t)k * n + j]);
  for (size_t i = 0; i < (size_t)n * n; i++)
    largest = isfinite(d[i]) ? fmax(largest, d[i]) : largest;
  for (size_t i = 0; i < (size_t)n * n; i++)
    d[i] = isfinite(d[i]) ? d[i] : largest * 0.6 + 1.2;
  return d;
}

/* One step of majorisation for node i: the weighted mean of where others want it. */
static HtmlPoint wanted(uint32_t n, const double *d, const HtmlPoint *at, uint32_t i) {
  HtmlPoint sum = {0, 0};
  double weights = 0;
  for (uint32_t j = 0; j < n; j++) {
    if (j == i)
      continue;
    double far = d[(size_t)i * n + j], weight = 1 / (far * far);
    double x = at[i].x - at[j].x, y = at[i].y - at[j].y, length = fmax(hypot(x, y), 1e-9);
    sum.x += weight * (at[j].x + far * x / length);
    sum.y += weight * (at[j].y + far * y / length);
    weights += weight;
  }
  return weights > 0 ? (HtmlPoint){sum.x / weights, sum.y / weights} : at[i];
}

static void turn_level(uint32_t n, HtmlPoint *at) {
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (uint32_t i = 0; i < n; i++)
    mx += at[i].x / n, my += at[i].y / n;
  for (uint32_t i = 0; i < n; i++) {
    double x = at[i].x - mx, y = at[i].y - my;
    xx += x * x, xy += x * y, yy += y * y;
  }
  double angle = 0.5 * atan2(2 * xy, xx - yy), c = cos(angle), s = sin(angle);
  for (uint32_t i = 0; i < n; i++) {
    double x = at[i].x - mx, y = at[i].y - my;
    at[i] = (HtmlPoint){c * x + s * y, c * y - s * x};
  }
}

static void fill_box(uint32_t n, HtmlPoint *at) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (uint32_t i = 0; i < n; i++) {
    low[0] = fmin(low[0], at[i].x), high[0] = fmax(high[0], at[i].x);
    low[1] = fmin(low[1], at[i].y), high[1] = fmax(high[1], at[i].y);
  }
  for (uint32_t i = 0; i < n; i++) {
    at[i].x = high[0] - low[0] > 1e-6 ? (at[i].x - low[0]) / (high[0] - low[0]) : 0.5;
    at[i].y = high[1] - low[1] > 1e-6 ? (at[i].y - low[1]) / (high[1] - low[1]) : 0.5;
  }
}

static void by_distance(uint32_t n, const HtmlEdge *edges, size_t count, HtmlPoint *to) {
  double *d = distances(n, edges, count);
  for (uint32_t i = 0; i < n; i++) /* a spiral: no two points fall on each other */
    to[i] = (HtmlPoint){(1 + 0.1 * i) * cos(2.4 * i), (1 + 0.1 * i) * sin(2.4 * i)};
  for (int step = 0; step < STEPS; step++)
    for (uint32_t i = 0; i < n; i++)
      to[i] = wanted(n, d, to, i);
  turn_level(n, to);
  fill_box(n, to);
  free(d);
}

void html_layout(uint32_t nodes, const HtmlEdge *edges, size_t count, HtmlPoint *to) {
  assert(nodes && (edges || !count));
  Layers l = {.n = nodes, .edges = edges, .count = count};
  l.layer = memory_zero(nodes, sizeof *l.layer);
  l.place = memory_zero(nodes, sizeof *l.place);
  if (find_layers(&l) && !skips_layers(&l))
    layered(&l, to);
  else
    by_distance(nodes, edges, count, to);
  free(l.layer);
  free(l.place);
}
