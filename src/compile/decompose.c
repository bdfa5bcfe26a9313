/* decompose.c - see decompose.h. */
#include "compile/decompose.h"

#include "base/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 300, LARGEST = 64 }; /* bags worth having; edges that count */
enum { RUNS = 40, SMALL = 4096 };    /* vertices, up to which neighbours are bits */
enum { LOOK = 1 << 20 };             /* words between looks at the limits */
enum { FINE = 16 };                  /* steps of a bit, in an order by these */
typedef enum { BY_FILL, BY_DEGREE, BY_ORDER } Rule;

typedef VEC(uint32_t) Neighbours;

typedef struct {
  uint64_t key;
  uint32_t vertex, version;
} Entry;

typedef struct {
  const DecomposeGraph *graph;
  Neighbours *first;    /* by vertex: in the graph */
  Neighbours *adjacent; /* by vertex: among those left; of a small graph only while it is used */
  uint64_t *bits;       /* the same of a small graph: a row of `row` words a vertex; else NULL */
  size_t row;
  uint32_t *mark, clock;
  uint32_t *version; /* by vertex: entries of the heap that count */
  VEC(Entry) heap;
  uint64_t work, effort, look; /* the work at which the limits are looked at again */
  const Limits *limits;
  /* The run under way: bags in the order of elimination. */
  uint32_t *at; /* by vertex: when it was eliminated */
  Neighbours order, bags, starts;
  double cost;
  uint32_t width;
} Decomposer;

static void join_pair(Decomposer *d, uint32_t a, uint32_t b) {
  vec_push(&d->first[a], b);
  vec_push(&d->first[b], a);
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void unique(Neighbours *list) {
  if (list->n)
    qsort(list->at, list->n, sizeof *list->at, compare_numbers);
  size_t n = 0;
  for (size_t i = 0; i < list->n; i++)
    if (!i || list->at[i] != list->at[i - 1])
      list->at[n++] = list->at[i];
  list->n = n;
}

/* Every two vertices of an edge are neighbours. */
static void build(Decomposer *d) {
  const DecomposeGraph *g = d->graph;
  for (size_t e = 0; e < g->edges; e++) {
    uint32_t n = g->start[e + 1] - g->start[e];
    const uint32_t *at = g->pool + g->start[e];
    for (uint32_t i = 0; n <= LARGEST && i < n; i++)
      for (uint32_t k = 0; k < i; k++)
        if (at[i] != at[k])
          join_pair(d, at[i], at[k]);
    d->work += n <= LARGEST ? n * n : n;
  }
  for (uint32_t v = 0; v < g->vertices; v++)
    unique(&d->first[v]);
}

static uint32_t new_mark(Decomposer *d) { return ++d->clock; }

/* The neighbours of a vertex of a small graph, from bits to numbers. */
static void read_bits(Decomposer *d, uint32_t v) {
  const uint64_t *row = d->bits + v * d->row;
  Neighbours *n = &d->adjacent[v];
  n->n = 0;
  for (size_t i = 0; i < d->row; i++)
    for (uint64_t left = row[i]; left; left &= left - 1)
      vec_push(n, (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(left));
  d->work += d->row + n->n;
}

/* Each missing edge is seen from both ends, and each neighbour misses itself. */
static uint64_t fill_in_bits(Decomposer *d, uint32_t v) {
  const uint64_t *own = d->bits + v * d->row;
  uint64_t missing = 0;
  read_bits(d, v);
  const Neighbours *n = &d->adjacent[v];
  for (size_t i = 0; i < n->n; i++) {
    const uint64_t *other = d->bits + n->at[i] * d->row;
    for (size_t k = 0; k < d->row; k++)
      missing += (uint64_t)__builtin_popcountll(own[k] & ~other[k]);
  }
  d->work += n->n * d->row;
  return (missing - n->n) / 2;
}

static uint64_t fill_of(Decomposer *d, uint32_t v) {
  if (d->bits)
    return fill_in_bits(d, v);
  const Neighbours *n = &d->adjacent[v];
  uint64_t missing = 0;
  for (size_t i = 0; i < n->n; i++) {
    const Neighbours *m = &d->adjacent[n->at[i]];
    uint32_t mark = new_mark(d);
    for (size_t k = 0; k < m->n; k++)
      d->mark[m->at[k]] = mark;
    for (size_t k = 0; k < i; k++)
      missing += d->mark[n->at[k]] != mark;
    d->work += m->n + i;
  }
  return missing;
}

static uint64_t stir(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  return x ^ x >> 33;
}

static void heap_add(Decomposer *d, Entry e) {
  vec_push(&d->heap, e);
  size_t i = d->heap.n - 1;
  for (; i && e.key < d->heap.at[(i - 1) / 2].key; i = (i - 1) / 2)
    d->heap.at[i] = d->heap.at[(i - 1) / 2];
  d->heap.at[i] = e;
}

static Entry heap_take(Decomposer *d) {
  assert(d->heap.n);
  Entry top = d->heap.at[0], last = d->heap.at[--d->heap.n];
  size_t i = 0, n = d->heap.n;
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    child += child + 1 < n && d->heap.at[child + 1].key < d->heap.at[child].key;
    if (d->heap.at[child].key >= last.key)
      break;
    d->heap.at[i] = d->heap.at[child];
  }
  if (n)
    d->heap.at[i] = last;
  return top;
}

/* log2 of how many values a vertex and its neighbours have. */
static double bits_of(const Decomposer *d, uint32_t v) {
  const double *bits = d->graph->bits;
  const Neighbours *n = &d->adjacent[v];
  double sum = bits ? bits[v] : (double)n->n + 1;
  for (size_t i = 0; bits && i < n->n; i++)
    sum += bits[n->at[i]];
  return sum;
}

static void score(Decomposer *d, uint32_t v, Rule rule, uint64_t seed) {
  if (d->bits && rule == BY_DEGREE)
    read_bits(d, v);
  uint64_t value = rule == BY_ORDER    ? d->graph->order[v]
                   : rule == BY_DEGREE ? (uint64_t)(FINE * bits_of(d, v))
                                       : fill_of(d, v);
  uint64_t tie = seed ? stir(seed + v) & 0xffffffff : v;
  heap_add(d, (Entry){(value < UINT32_MAX ? value : UINT32_MAX) << 32 | tie, v, d->version[v]});
}

static void eliminate_in_bits(Decomposer *d, uint32_t v) {
  const Neighbours *n = &d->adjacent[v];
  const uint64_t *own = d->bits + v * d->row;
  for (size_t i = 0; i < n->n; i++) {
    uint32_t u = n->at[i];
    uint64_t *other = d->bits + u * d->row;
    for (size_t k = 0; k < d->row; k++)
      other[k] |= own[k];
    other[u / 64] &= ~((uint64_t)1 << u % 64);
    other[v / 64] &= ~((uint64_t)1 << v % 64);
  }
  d->work += n->n * d->row;
}

/* The neighbours of v become neighbours of each other, and v leaves. */
static void eliminate(Decomposer *d, uint32_t v) {
  if (d->bits) {
    eliminate_in_bits(d, v);
    return;
  }
  const Neighbours *n = &d->adjacent[v];
  for (size_t i = 0; i < n->n; i++) {
    Neighbours *m = &d->adjacent[n->at[i]];
    uint32_t mark = new_mark(d);
    size_t left = 0;
    for (size_t k = 0; k < m->n; k++) {
      d->mark[m->at[k]] = mark;
      if (m->at[k] != v)
        m->at[left++] = m->at[k];
    }
    m->n = left;
    d->mark[n->at[i]] = mark;
    for (size_t k = 0; k < n->n; k++)
      if (d->mark[n->at[k]] != mark)
        vec_push(m, n->at[k]);
    d->work += m->n + n->n;
  }
}

/* The graph as it was, as bits or as lists. */
static void copy_graph(Decomposer *d, uint32_t v) {
  const Neighbours *from = &d->first[v];
  d->adjacent[v].n = 0;
  for (size_t i = 0; i < from->n; i++)
    if (d->bits)
      d->bits[v * d->row + from->at[i] / 64] |= (uint64_t)1 << from->at[i] % 64;
    else
      vec_push(&d->adjacent[v], from->at[i]);
}

static void begin_run(Decomposer *d) {
  if (d->bits)
    memset(d->bits, 0, d->graph->vertices * d->row * sizeof *d->bits);
  for (uint32_t v = 0; v < d->graph->vertices; v++) {
    copy_graph(d, v);
    d->version[v] = 0;
    d->at[v] = UINT32_MAX;
  }
  d->heap.n = d->order.n = d->bags.n = d->starts.n = 0;
  d->cost = 0, d->width = 0;
}

static void note_bag(Decomposer *d, uint32_t v) {
  const Neighbours *n = &d->adjacent[v];
  d->at[v] = (uint32_t)d->order.n;
  vec_push(&d->order, v);
  vec_push(&d->starts, (uint32_t)d->bags.n);
  for (size_t i = 0; i < n->n; i++)
    vec_push(&d->bags, n->at[i]);
  d->cost += exp2(bits_of(d, v));
  d->width = n->n + 1 > d->width ? (uint32_t)n->n + 1 : d->width;
}

/* Whether the effort is spent; a limit that is over leaves none. */
static bool is_spent(Decomposer *d) {
  if (d->work >= d->look) {
    d->look = d->work + LOOK;
    if (limits_check(d->limits) != OK)
      d->effort = 0;
  }
  return d->work > d->effort;
}

/* Eliminates all; false if the effort or the width is exceeded. */
static bool run(Decomposer *d, Rule rule, uint64_t seed) {
  begin_run(d);
  for (uint32_t v = 0; v < d->graph->vertices; v++) {
    if (is_spent(d))
      return false;
    score(d, v, rule, seed);
  }
  while (d->heap.n) {
    Entry e = heap_take(d);
    if (d->at[e.vertex] != UINT32_MAX || e.version != d->version[e.vertex])
      continue;
    if (d->bits)
      read_bits(d, e.vertex);
    if (is_spent(d) || d->adjacent[e.vertex].n >= WIDEST)
      return false;
    note_bag(d, e.vertex);
    eliminate(d, e.vertex);
    const Neighbours *n = &d->adjacent[e.vertex];
    for (size_t i = 0; rule != BY_ORDER && i < n->n; i++) {
      d->version[n->at[i]]++;
      score(d, n->at[i], rule, seed);
    }
  }
  vec_push(&d->starts, (uint32_t)d->bags.n);
  return true;
}

/* The bag that a bag hangs on: that of its neighbour that goes next. */
static uint32_t parent_of(const Decomposer *d, uint32_t bag) {
  uint32_t parent = UINT32_MAX;
  for (uint32_t i = d->starts.at[bag]; i < d->starts.at[bag + 1]; i++)
    if (d->at[d->bags.at[i]] < parent)
      parent = d->at[d->bags.at[i]];
  return parent;
}

/* A middle of each tree: no part of the tree without it has more than half of the
** bags.  Later bags are parents of earlier ones. */
static void find_middles(const uint32_t *parent, uint32_t bags, Neighbours *middles) {
  uint32_t *below = memory_zero(bags, sizeof *below), *heavy = memory_zero(bags, sizeof *heavy);
  for (uint32_t b = 0; b < bags; b++) {
    below[b]++;
    if (parent[b] == UINT32_MAX)
      continue;
    below[parent[b]] += below[b];
    if (!heavy[parent[b]] || below[b] > below[heavy[parent[b]] - 1])
      heavy[parent[b]] = b + 1;
  }
  for (uint32_t root = bags; root-- > 0;) {
    if (parent[root] != UINT32_MAX)
      continue;
    uint32_t b = root;
    while (heavy[b] && 2 * below[heavy[b] - 1] > below[root])
      b = heavy[b] - 1;
    vec_push(middles, b);
  }
  free(below);
  free(heavy);
}

/* Breadth first from the middles; the vertices of a bag in the order of their
** elimination, backwards. */
static void make_rank(const Decomposer *d, uint32_t *rank) {
  uint32_t bags = (uint32_t)d->order.n, next = 0;
  uint32_t *parent = memory_zero(bags, sizeof *parent);
  bool *met = memory_zero(bags, 1);
  GraphEdges edges = {0};
  Neighbours queue = {0};
  for (uint32_t b = 0; b < bags; b++) {
    parent[b] = parent_of(d, b);
    if (parent[b] == UINT32_MAX)
      continue;
    vec_push(&edges, (GraphEdge){b, parent[b]});
    vec_push(&edges, (GraphEdge){parent[b], b});
  }
  find_middles(parent, bags, &queue);
  for (size_t i = 0; i < queue.n; i++)
    met[queue.at[i]] = true;
  GraphLists lists = graph_lists(&edges, bags);
  memset(rank, 0xff, d->graph->vertices * sizeof *rank);
  for (size_t i = 0; i < queue.n; i++) {
    uint32_t b = queue.at[i];
    for (uint32_t k = d->starts.at[b]; k < d->starts.at[b + 1]; k++)
      if (rank[d->bags.at[k]] == UINT32_MAX)
        rank[d->bags.at[k]] = next++;
    if (rank[d->order.at[b]] == UINT32_MAX)
      rank[d->order.at[b]] = next++;
    for (uint32_t k = lists.start[b]; k < lists.start[b + 1]; k++)
      if (!met[lists.at[k]])
        met[lists.at[k]] = true, vec_push(&queue, lists.at[k]);
  }
  assert(next == d->graph->vertices);
  graph_lists_free(&lists);
  vec_free(&edges);
  vec_free(&queue);
  free(parent);
  free(met);
}

static void decomposer_free(Decomposer *d) {
  for (uint32_t v = 0; v < d->graph->vertices; v++) {
    vec_free(&d->first[v]);
    vec_free(&d->adjacent[v]);
  }
  free(d->bits);
  free(d->first);
  free(d->adjacent);
  free(d->mark);
  free(d->version);
  free(d->at);
  vec_free(&d->heap);
  vec_free(&d->order);
  vec_free(&d->bags);
  vec_free(&d->starts);
}

Decomposition decompose(const DecomposeGraph *graph, uint64_t effort, const Limits *limits,
                        uint32_t *rank) {
  static const Rule rules[RUNS] = {BY_FILL, BY_ORDER, BY_DEGREE};
  uint32_t n = graph->vertices;
  Decomposer d = {.graph = graph,
                  .first = memory_zero(n, sizeof *d.first),
                  .adjacent = memory_zero(n, sizeof *d.adjacent),
                  .mark = memory_zero(n, sizeof *d.mark),
                  .version = memory_zero(n, sizeof *d.version),
                  .at = memory_zero(n, sizeof *d.at),
                  .effort = effort,
                  .limits = limits};
  Decomposition best = {.cost = INFINITY};
  build(&d);
  d.row = (n + 63) / 64;
  if (n <= SMALL)
    d.bits = memory_zero(n * d.row, sizeof *d.bits);
  for (int i = 0; i < RUNS && d.work < d.effort; i++) {
    if (!run(&d, rules[i], i > 2 ? 1 + (uint64_t)i : 0) || (d.width && log2(d.cost) >= best.cost))
      continue;
    best.width = d.width ? d.width : 1, best.cost = d.width ? log2(d.cost) : 0;
    make_rank(&d, rank);
  }
  best.work = d.work, best.complete = d.work < d.effort;
  decomposer_free(&d);
  return best;
}
