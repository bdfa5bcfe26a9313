/* order.c - see order.h. */
#include "compile/order.h"

#include "base/graph.h"
#include "base/memory.h"
#include "base/random.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 4, SWEEPS = 60, PATIENCE = 6 };
enum {
  LARGE = 1000,
  VERY_LARGE = 5000
}; /* vertices, above which chance is no good start,
    ** and above which only the start from one end pays */

typedef struct {
  double place;
  uint32_t vertex;
} Placed;

typedef struct {
  uint32_t vertices;
  const uint32_t *start, *pool;
  size_t edges;
  uint32_t *rank;   /* by vertex */
  double *sum;      /* by vertex: of the centres of its edges */
  uint32_t *degree; /* by vertex */
  Placed *placed;
} Force;

static int compare_placed(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static double total_span(const Force *f) {
  double total = 0;
  for (size_t e = 0; e < f->edges; e++) {
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t k = f->start[e]; k < f->start[e + 1]; k++) {
      uint32_t r = f->rank[f->pool[k]];
      least = r < least ? r : least;
      most = r > most ? r : most;
    }
    total += least == UINT32_MAX ? 0 : most - least;
  }
  return total;
}

static void sweep(Force *f) {
  memset(f->sum, 0, f->vertices * sizeof *f->sum);
  for (size_t e = 0; e < f->edges; e++) {
    double centre = 0;
    for (uint32_t k = f->start[e]; k < f->start[e + 1]; k++)
      centre += f->rank[f->pool[k]];
    assert(f->start[e] < f->start[e + 1]);
    centre /= f->start[e + 1] - f->start[e];
    for (uint32_t k = f->start[e]; k < f->start[e + 1]; k++)
      f->sum[f->pool[k]] += centre;
  }
  for (uint32_t v = 0; v < f->vertices; v++)
    f->placed[v] = (Placed){f->degree[v] ? f->sum[v] / f->degree[v] : f->rank[v], v};
  qsort(f->placed, f->vertices, sizeof *f->placed, compare_placed);
  for (uint32_t i = 0; i < f->vertices; i++)
    f->rank[f->placed[i].vertex] = i;
}

/* Sweeps until it stops helping; leaves the best in `best`. */
static void descend(Force *f, double *least, uint32_t *best) {
  int since = 0;
  for (int i = 0; i < SWEEPS && since < PATIENCE; i++, since++) {
    sweep(f);
    double span = total_span(f);
    if (span < *least) {
      *least = span, since = 0;
      memcpy(best, f->rank, f->vertices * sizeof *best);
    }
  }
}

static void shuffle(Force *f, Random *random) {
  for (uint32_t v = f->vertices; v > 1; v--) {
    uint32_t other = (uint32_t)random_below(random, v), t = f->rank[v - 1];
    f->rank[v - 1] = f->rank[other], f->rank[other] = t;
  }
}

/* Vertices by distance from `root`, which is left in f->rank; returns a vertex
** at the greatest distance.  What is not reached keeps its order, behind. */
static uint32_t breadth_first(Force *f, const GraphLists *edges_of, uint32_t root) {
  uint32_t *queue = memory_zero(f->vertices, sizeof *queue), queued = 0;
  bool *met = memory_zero(f->vertices, 1), *used = memory_zero(f->edges, 1);
  for (uint32_t seed = 0, done = 0; seed <= f->vertices; seed++) {
    uint32_t first = seed ? seed - 1 : root; /* root, then 0, 1, 2, ... */
    if (!met[first])
      met[first] = true, queue[queued++] = first;
    for (; done < queued; done++)
      for (uint32_t i = edges_of->start[queue[done]]; i < edges_of->start[queue[done] + 1]; i++) {
        uint32_t e = edges_of->at[i];
        for (uint32_t k = f->start[e]; !used[e] && k < f->start[e + 1]; k++)
          if (!met[f->pool[k]])
            met[f->pool[k]] = true, queue[queued++] = f->pool[k];
        used[e] = true;
      }
  }
  assert(queued == f->vertices);
  for (uint32_t i = 0; i < queued; i++)
    f->rank[queue[i]] = i;
  uint32_t last = queued ? queue[queued - 1] : root;
  free(queue);
  free(met);
  free(used);
  return last;
}

/* Starts from one end of the graph, or from the other: twice to the far end and back. */
static void start_from_end(Force *f, bool other) {
  GraphEdges pairs = {0};
  for (size_t e = 0; e < f->edges; e++)
    for (uint32_t k = f->start[e]; k < f->start[e + 1]; k++)
      vec_push(&pairs, (GraphEdge){f->pool[k], (uint32_t)e});
  GraphLists edges_of = graph_lists(&pairs, f->vertices);
  uint32_t end = breadth_first(f, &edges_of, 0);
  end = breadth_first(f, &edges_of, end);
  if (other)
    end = breadth_first(f, &edges_of, end);
  breadth_first(f, &edges_of, end);
  graph_lists_free(&edges_of);
  vec_free(&pairs);
}

void order_force(uint32_t vertices, const uint32_t *start, const uint32_t *pool, size_t edges,
                 uint64_t seed, uint32_t *rank) {
  assert(start[edges] == 0 || pool);
  Force f = {vertices,
             start,
             pool,
             edges,
             memory_zero(vertices, sizeof *f.rank),
             memory_zero(vertices, sizeof *f.sum),
             memory_zero(vertices, sizeof *f.degree),
             memory_zero(vertices, sizeof *f.placed)};
  for (size_t e = 0; e < edges; e++)
    for (uint32_t k = start[e]; k < start[e + 1]; k++)
      f.degree[pool[k]]++;
  for (uint32_t v = 0; v < vertices; v++)
    f.rank[v] = rank[v] = v;
  Random random = random_make(seed, 0);
  double least = total_span(&f);
  int first = vertices > VERY_LARGE ? 1 : 0, last = vertices > LARGE ? 1 : STARTS - 1;
  for (int i = first; i <= last && vertices > 2; i++) {
    if (i == 1)
      start_from_end(&f, false);
    else if (i)
      shuffle(&f, &random);
    descend(&f, &least, rank);
    if (i == 1) {
      start_from_end(&f, true);
      descend(&f, &least, rank);
    }
  }
  free(f.rank);
  free(f.sum);
  free(f.degree);
  free(f.placed);
}
