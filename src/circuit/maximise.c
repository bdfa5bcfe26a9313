/* maximise.c - models from the most probable on; see circuit.h.
**
** Best-first search with exact bounds.  Upwards, best[i] is the ln weight of
** node i's best model, where each input's better literal counts 0 (the sum of
** what it really is is a constant), so that a skipped variable counts 0 too.
** A search state is a partial model, the nodes that it still has to pass, and
** the exact ln weight of its best completion.  The search always continues the
** best state towards its better child and queues the other: every queued state
** is the best model of a set, the sets are disjoint, and nothing is expanded
** that does not lead to the next model.
**
** A path that has reached true leaves some inputs free; the models of such a
** cube come in order of the sum of what the flipped inputs cost, by the usual
** enumeration of subsets with least sums.
**
** With two layers the path ends where nothing of the upper one is left: what is below is worth
** what others say. */
#include "circuit/circuit.h"

#include "base/memory.h"
#include "base/scaled.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Persistent lists: states share their tails. */
typedef struct {
  uint32_t what; /* pending: node; trail: literal */
  uint32_t component;
  uint32_t next;
} Cell;

typedef struct {
  Log cost;
  uint32_t atom;
  bool better; /* its value at cost 0 */
} Free;

typedef struct {
  uint32_t trail;
  size_t first, count; /* in free */
} Cube;

typedef struct {
  Log log;
  uint64_t number;  /* ties: first come, first served */
  uint32_t pending; /* cells; if cube is none */
  uint32_t trail;   /* cells; if cube is some: the flipped indices */
  uint32_t cube;
} State;

struct CircuitBest {
  const Circuit *circuit;
  Log *best;    /* by node */
  Log *literal; /* by literal: ln factor, better one of an input is 0 */
  Log *log;     /* by literal: ln factor as it is */
  const CircuitRoot *root;
  const CircuitLayers *layers; /* NULL: all variables are decided */
  VEC(Cell) cells;
  VEC(Free) free;
  VEC(Cube) cubes;
  VEC(State) heap;
  uint64_t numbers;
  uint32_t *stamp; /* by atom: in which cube it was last seen assigned */
};

#define END UINT32_MAX

static bool before(const State *a, const State *b) {
  double apart = log_apart(a->log, b->log);
  return apart > 0 || (apart == 0 && a->number < b->number);
}

static void heap_push(CircuitBest *s, State state) {
  assert(isfinite(state.log.rest));
  state.number = s->numbers++;
  vec_push(&s->heap, state);
  size_t i = s->heap.n - 1;
  for (; i && before(&state, &s->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap.at[i] = s->heap.at[(i - 1) / 2];
  s->heap.at[i] = state;
}

static State heap_pop(CircuitBest *s) {
  assert(s->heap.n);
  State top = s->heap.at[0], last = s->heap.at[--s->heap.n];
  size_t i = 0, n = s->heap.n;
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= n)
      break;
    if (child + 1 < n && before(&s->heap.at[child + 1], &s->heap.at[child]))
      child++;
    if (!before(&s->heap.at[child], &last))
      break;
    s->heap.at[i] = s->heap.at[child];
    i = child;
  }
  if (n)
    s->heap.at[i] = last;
  return top;
}

static uint32_t cell(CircuitBest *s, uint32_t what, uint32_t component, uint32_t next) {
  vec_push(&s->cells, (Cell){what, component, next});
  return (uint32_t)(s->cells.n - 1);
}

/* The larger one. */
static Log best_of(Log x, Log y) { return log_apart(x, y) > 0 ? x : y; }

static bool is_top(const CircuitBest *s, size_t variable) {
  return !s->layers || s->layers->top[variable];
}

static void set_logs(CircuitBest *s, const double *weights) {
  const Circuit *c = s->circuit;
  for (size_t i = 0; i < c->terms.n; i++) {
    Log *log = &s->log[c->terms.at[i].literal];
    *log = log_minus(*log, log_of(weights[c->terms.at[i].weight]));
  }
}

static void set_literals(CircuitBest *s) {
  const Circuit *c = s->circuit;
  for (size_t i = 0; i < c->variables.n; i++) {
    Log high = s->log[2 * i], low = s->log[2 * i + 1];
    bool input = c->variables.at[i].sort == CIRCUIT_INPUT;
    Log better = input ? best_of(high, low) : (Log){0};
    s->literal[2 * i] = log_minus(high, better);
    s->literal[2 * i + 1] = log_minus(low, better);
  }
}

static Log edge_best(const CircuitBest *s, const CircuitNode *node, bool low) {
  return log_plus(s->literal[2 * (size_t)node->variable + low],
                  s->best[low ? node->second : node->first]);
}

static void set_best(CircuitBest *s) {
  const Circuit *c = s->circuit;
  s->best[CIRCUIT_FALSE] = (Log){0, -INFINITY};
  for (size_t i = 2; i < c->nodes.n; i++) {
    const CircuitNode *node = &c->nodes.at[i];
    if (s->layers && s->layers->below[i])
      s->best[i] = s->layers->worth[i];
    else if (node->variable != CIRCUIT_NONE)
      s->best[i] = best_of(edge_best(s, node, false), edge_best(s, node, true));
    else
      for (uint32_t k = 0; k < node->second; k++)
        s->best[i] = log_plus(s->best[i], s->best[c->children.at[node->first + k]]);
  }
}

/* What the better literals of a block's inputs are really worth. */
static Log block_log(const CircuitBest *s, uint32_t number) {
  const CircuitBlock *block = &s->circuit->blocks.at[number];
  Log sum = s->layers ? s->layers->block[number] : (Log){0};
  for (size_t v = block->first; v < block->first + block->count; v++)
    if (s->circuit->variables.at[v].sort == CIRCUIT_INPUT && is_top(s, v))
      sum = log_plus(sum, best_of(s->log[2 * v], s->log[2 * v + 1]));
  return sum;
}

static void push_root(CircuitBest *s, Log log) {
  uint32_t pending = END;
  for (size_t i = 0; i < s->root->parts.n; i++) {
    const CircuitPart *part = &s->root->parts.at[i];
    Log best = log_plus(s->best[part->node], block_log(s, part->block));
    log = log_plus(log, log_times(best, part->copies));
    for (uint32_t k = 0; k < part->copies; k++)
      pending = cell(s, part->node, s->root->copies.at[part->first + k], pending);
  }
  heap_push(s, (State){.log = log, .pending = pending, .trail = END, .cube = END});
}

static CircuitBest *make(const Circuit *c, const CircuitRoot *root) {
  CircuitBest *s = memory_zero(1, sizeof *s);
  s->circuit = c, s->root = root;
  s->best = memory_zero(c->nodes.n, sizeof *s->best);
  s->literal = memory_zero(2 * c->variables.n, sizeof *s->literal);
  s->log = memory_zero(2 * c->variables.n, sizeof *s->log);
  s->stamp = memory_zero(c->atoms, sizeof *s->stamp);
  vec_reserve(&s->free, 1); /* offsets from it are taken even if it is empty */
  return s;
}

static void start(CircuitBest *s, Log constant) {
  set_literals(s);
  set_best(s);
  if (circuit_possible(s->root))
    push_root(s, constant);
}

CircuitBest *circuit_best_make(const Circuit *c, const CircuitRoot *root, const double *weights) {
  assert(weights || !c->weights);
  CircuitBest *s = make(c, root);
  Log constant = {0};
  for (size_t i = 0; i < c->constants.n; i++)
    constant = log_minus(constant, log_of(weights[c->constants.at[i]]));
  set_logs(s, weights);
  start(s, constant);
  return s;
}

CircuitBest *circuit_best_layered(const Circuit *c, const CircuitRoot *root,
                                  const CircuitLayers *layers) {
  assert(layers->top || !c->variables.n);
  CircuitBest *s = make(c, root);
  s->layers = layers;
  for (size_t i = 0; i < 2 * c->variables.n; i++)
    s->log[i] = layers->literal[i];
  start(s, layers->constant);
  return s;
}

void circuit_best_free(CircuitBest *s) {
  if (!s)
    return;
  free(s->best);
  free(s->literal);
  free(s->log);
  free(s->stamp);
  vec_free(&s->cells);
  vec_free(&s->free);
  vec_free(&s->cubes);
  vec_free(&s->heap);
  free(s);
}

static void take_decision(CircuitBest *s, State *state, uint32_t i, uint32_t component) {
  const CircuitNode *node = &s->circuit->nodes.at[i];
  const Log edge[2] = {edge_best(s, node, false), edge_best(s, node, true)};
  bool low = log_apart(edge[1], edge[0]) > 0;
  const uint32_t child[2] = {node->first, node->second};
  uint32_t literal = 2 * node->variable;
  assert(child[low] != CIRCUIT_FALSE); /* a queued state has a completion */
  if (child[!low] != CIRCUIT_FALSE) {
    State other = *state;
    other.log = log_plus(state->log, log_minus(edge[!low], edge[low]));
    other.pending = cell(s, child[!low], component, state->pending);
    other.trail = cell(s, literal + !low, component, state->trail);
    heap_push(s, other);
  }
  state->pending = cell(s, child[low], component, state->pending);
  state->trail = cell(s, literal + low, component, state->trail);
}

static void follow(CircuitBest *s, State *state) {
  while (state->pending != END) {
    Cell top = s->cells.at[state->pending];
    const CircuitNode *node = &s->circuit->nodes.at[top.what];
    state->pending = top.next;
    assert(top.what != CIRCUIT_FALSE);
    if (top.what == CIRCUIT_TRUE || (s->layers && s->layers->below[top.what]))
      continue;
    if (node->variable != CIRCUIT_NONE)
      take_decision(s, state, top.what, top.component);
    else
      for (uint32_t k = 0; k < node->second; k++)
        state->pending =
            cell(s, s->circuit->children.at[node->first + k], top.component, state->pending);
  }
}

/* The atom of a block's variable in a component; END if it is an event. */
static uint32_t atom_of(const CircuitBest *s, uint32_t variable, uint32_t component) {
  assert(variable < s->circuit->variables.n && component + (size_t)1 < s->circuit->starts.n);
  const Circuit *c = s->circuit;
  const CircuitBlock *block = &c->blocks.at[c->variables.at[variable].block];
  uint32_t k = variable - block->first;
  return k < block->atoms ? c->members.at[c->starts.at[component] + k] : END;
}

static int compare_free(const void *a, const void *b) {
  const Free *x = a, *y = b;
  double apart = log_apart(x->cost, y->cost);
  if (apart != 0)
    return apart < 0 ? -1 : 1;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

static void add_free(CircuitBest *s, const CircuitPart *part, uint32_t component, uint32_t stamp) {
  const CircuitBlock *block = &s->circuit->blocks.at[part->block];
  for (uint32_t v = block->first; v < block->first + block->atoms; v++) {
    uint32_t atom = atom_of(s, v, component);
    if (s->circuit->variables.at[v].sort != CIRCUIT_INPUT || s->stamp[atom] == stamp ||
        !is_top(s, v))
      continue;
    Log high = s->literal[2 * (size_t)v], low = s->literal[2 * (size_t)v + 1];
    bool better = log_apart(high, low) > 0;
    vec_push(&s->free, (Free){better ? log_minus(high, low) : log_minus(low, high), atom, better});
  }
}

static uint32_t make_cube(CircuitBest *s, uint32_t trail) {
  Cube cube = {.trail = trail, .first = s->free.n};
  uint32_t stamp = (uint32_t)s->cubes.n + 1;
  for (uint32_t t = trail; t != END; t = s->cells.at[t].next) {
    uint32_t atom = atom_of(s, s->cells.at[t].what >> 1, s->cells.at[t].component);
    if (atom != END)
      s->stamp[atom] = stamp;
  }
  for (size_t i = 0; i < s->root->parts.n; i++) {
    const CircuitPart *part = &s->root->parts.at[i];
    for (uint32_t k = 0; k < part->copies; k++)
      add_free(s, part, s->root->copies.at[part->first + k], stamp);
  }
  cube.count = s->free.n - cube.first;
  if (cube.count)
    qsort(s->free.at + cube.first, cube.count, sizeof *s->free.at, compare_free);
  vec_push(&s->cubes, cube);
  return stamp - 1;
}

/* After a set whose largest flipped index is i come the set with i+1 as well
** and the set with i+1 instead of i; after the empty set, {0}. */
static void push_flips(CircuitBest *s, const State *state) {
  assert(state->cube < s->cubes.n);
  const Cube *cube = &s->cubes.at[state->cube];
  const Free *costs = s->free.at + cube->first;
  State next = *state;
  if (state->trail == END) {
    if (!cube->count)
      return;
    next.log = log_minus(next.log, costs[0].cost);
    next.trail = cell(s, 0, 0, END);
    heap_push(s, next);
    return;
  }
  Cell last = s->cells.at[state->trail];
  assert(last.what < cube->count);
  if (last.what + 1 >= cube->count)
    return;
  next.log = log_minus(state->log, costs[last.what + 1].cost);
  next.trail = cell(s, last.what + 1, 0, state->trail);
  heap_push(s, next);
  next.log = log_plus(next.log, costs[last.what].cost);
  next.trail = cell(s, last.what + 1, 0, last.next);
  heap_push(s, next);
}

static void write_model(CircuitBest *s, const State *state, bool *atoms) {
  const Cube *cube = &s->cubes.at[state->cube];
  const Free *free_inputs = s->free.at + cube->first;
  for (uint32_t t = cube->trail; t != END; t = s->cells.at[t].next) {
    uint32_t literal = s->cells.at[t].what;
    uint32_t atom = atom_of(s, literal >> 1, s->cells.at[t].component);
    if (atom != END)
      atoms[atom] = !(literal & 1);
  }
  for (size_t k = 0; k < cube->count; k++)
    atoms[free_inputs[k].atom] = free_inputs[k].better;
  for (uint32_t t = state->trail; t != END; t = s->cells.at[t].next)
    atoms[free_inputs[s->cells.at[t].what].atom] ^= true;
}

bool circuit_best_next(CircuitBest *s, bool *atoms, Log *log_weight) {
  if (!s->heap.n)
    return false;
  State state = heap_pop(s);
  if (state.cube == END) {
    follow(s, &state);
    state.cube = make_cube(s, state.trail);
    state.trail = END; /* from here on: the flipped indices */
  }
  push_flips(s, &state);
  write_model(s, &state, atoms);
  *log_weight = state.log;
  return true;
}
