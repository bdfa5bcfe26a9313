/* merge.c - atoms of a residual that imply each other become one; see residual.h.
**
** What decisions leave of a strongly connected region are unit rules p <- q,
** q <- p.  All atoms on a cycle of such rules are true together, whichever of
** them is derived first, so that one of them can stand for all: rules that are
** left then say how the regions lie to each other and not how they came to be,
** and regions with the same outside are compiled once.
**
** Only unit rules inside one positive loop count.  A member that others ask for
** (an output, or one that the rest mentions) keeps the rule `member <- one`. */
#include "compile/residual.h"

#include "base/memory.h"
#include "compile/theory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The number of an atom among the vertices; UINT32_MAX: none. */
static uint32_t vertex_of(const Residual *r, uint32_t atom) {
  return r->stamp[atom] == r->clock ? r->part[atom] : UINT32_MAX;
}

static uint32_t add_vertex(Residual *r, uint32_t atom) {
  if (r->stamp[atom] != r->clock) {
    r->stamp[atom] = r->clock;
    r->part[atom] = (uint32_t)r->vertices.n;
    vec_push(&r->vertices, (ResidualVertex){.atom = atom, .one = r->part[atom]});
  }
  return r->part[atom];
}

static bool is_unit(const Residual *r, const uint32_t *rule) {
  const Theory *t = r->theory;
  uint32_t head = rule[0];
  return head != THEORY_NONE && rule[1] == 2 && !(rule[2] & 1) && r->loop[head] &&
         !t->input.at[rule[2] >> 1] && r->loop[rule[2] >> 1] == r->loop[head];
}

/* Rules of one head stand together, hence its edges do. */
static void list_edges(Residual *r) {
  residual_tick(r);
  r->vertices.n = 0;
  r->edges.n = 0;
  for (size_t i = 0; i < r->offsets.n; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    if (!is_unit(r, rule))
      continue;
    uint32_t from = add_vertex(r, rule[0]), to = add_vertex(r, rule[2] >> 1);
    ResidualVertex *v = &r->vertices.at[from];
    if (!v->edges++)
      v->edge = (uint32_t)r->edges.n;
    assert(v->edge + v->edges - 1 == r->edges.n);
    vec_push(&r->edges, to);
  }
}

static bool kept(const Residual *r, uint32_t atom) {
  return residual_in_rest(r, atom) || (r->output[atom] && !r->needed[atom]);
}

/* Whether a is better to stand for others: it has to stay, else it lies ahead. */
static bool better(const Residual *r, uint32_t a, uint32_t b) {
  if (kept(r, a) != kept(r, b))
    return kept(r, a);
  return r->theory->rank.at[a] > r->theory->rank.at[b];
}

/* The component on top of the stack, down to v; returns whether it has others. */
static bool close_component(Residual *r, uint32_t v, uint32_t *stack, size_t *height) {
  assert(*height);
  size_t top = *height, bottom = top;
  uint32_t one = v;
  do {
    bottom--;
    if (better(r, r->vertices.at[stack[bottom]].atom, r->vertices.at[one].atom))
      one = stack[bottom];
  } while (stack[bottom] != v);
  for (size_t i = bottom; i < top; i++) {
    r->vertices.at[stack[i]].one = one;
    r->vertices.at[stack[i]].low = UINT32_MAX; /* closed */
  }
  *height = bottom;
  return top - bottom > 1;
}

/* Tarjan's algorithm, from one vertex; path and stack grow in r->queue. */
static bool visit(Residual *r, uint32_t root, uint32_t *count) {
  ResidualVertex *at = r->vertices.at;
  size_t n = r->vertices.n, depth = 0, height = 0;
  uint32_t *path = r->queue.at, *stack = r->queue.at + n, *next = r->queue.at + 2 * n;
  bool found = false;
  at[root].index = at[root].low = ++*count;
  path[depth++] = stack[height++] = root;
  next[root] = 0;
  while (depth) {
    uint32_t v = path[depth - 1];
    if (next[v] < at[v].edges) {
      uint32_t w = r->edges.at[at[v].edge + next[v]++];
      if (!at[w].index) {
        at[w].index = at[w].low = ++*count;
        next[w] = 0;
        path[depth++] = stack[height++] = w;
      } else if (at[w].low != UINT32_MAX && at[w].index < at[v].low) {
        at[v].low = at[w].index;
      }
      continue;
    }
    depth--;
    uint32_t low = at[v].low;
    if (low == at[v].index)
      found |= close_component(r, v, stack, &height);
    else if (low < at[path[depth - 1]].low)
      at[path[depth - 1]].low = low;
  }
  return found;
}

static bool find_components(Residual *r) {
  size_t n = r->vertices.n;
  uint32_t count = 0;
  bool found = false;
  r->queue.n = 0;
  vec_reserve(&r->queue, 3 * n);
  for (uint32_t v = 0; v < n; v++)
    if (!r->vertices.at[v].index)
      found |= visit(r, v, &count);
  return found;
}

static uint32_t one_of(const Residual *r, uint32_t atom) {
  uint32_t v = vertex_of(r, atom);
  return v == UINT32_MAX ? atom : r->vertices.at[r->vertices.at[v].one].atom;
}

/* Copies a rule with new names behind the others; nothing if it is no support. */
static void rename_rule(Residual *r, size_t from) {
  Words *to = &r->words;
  size_t start = to->n, words = rule_words(to->at + from);
  vec_reserve(to, words);
  const uint32_t *rule = to->at + from;
  uint32_t head = rule[0] == THEORY_NONE ? THEORY_NONE : one_of(r, rule[0]);
  uint32_t size = rule_size(rule);
  vec_push(to, head);
  vec_push(to, rule_weighted(rule) ? rule[1] : 0);
  for (uint32_t k = 0; k < size; k++) {
    uint32_t literal = lit_of(one_of(r, rule[2 + k] >> 1), rule[2 + k] & 1);
    if (rule_weighted(rule)) {
      vec_push(to, literal);
    } else if (!rule_add_literal(to, start, literal)) {
      to->n = start;
      return;
    }
  }
  for (size_t k = 2 + (size_t)size; k < words; k++)
    vec_push(to, rule[k]);
}

/* A member that is gone hands its need on. */
static void leave(Residual *r, uint32_t atom, uint32_t one) {
  if (kept(r, atom)) {
    vec_push(&r->words, atom);
    vec_push(&r->words, 2);
    vec_push(&r->words, lit_of(one, false));
  } else if (r->needed[atom]) {
    r->value[atom] = RESIDUAL_TRUE; /* told already, and mentioned no more */
    residual_force(r, lit_of(one, false));
  }
}

/* Rules stand in groups by head: those of all members at the place of the one that
** comes first.  last[v] is the end of v's group, chain[v] the next member. */
static void rename_all(Residual *r) {
  ResidualVertex *all = r->vertices.at;
  size_t n = r->vertices.n;
  uint32_t *first = r->queue.at, *chain = r->queue.at + n; /* room for 3 n */
  for (size_t v = 0; v < n; v++)
    first[v] = chain[v] = UINT32_MAX;
  for (size_t v = n; v-- > 0;) {
    uint32_t one = all[v].one;
    chain[v] = first[one], first[one] = (uint32_t)v;
  }
  uint32_t *rules = r->queue.at + 2 * n; /* by vertex: first of its offsets */
  for (size_t i = r->offsets.n; i-- > 0;) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    uint32_t v = head == THEORY_NONE ? UINT32_MAX : vertex_of(r, head);
    if (v != UINT32_MAX)
      rules[v] = (uint32_t)i, all[v].edges = 1; /* has rules */
  }
  for (size_t i = 0; i < r->offsets.n; i++) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    uint32_t v = head == THEORY_NONE ? UINT32_MAX : vertex_of(r, head);
    if (v == UINT32_MAX) {
      rename_rule(r, r->offsets.at[i]);
      continue;
    }
    uint32_t one = all[v].one, start = first[one];
    first[one] = UINT32_MAX;
    for (uint32_t w = start; w != UINT32_MAX; w = chain[w])
      for (size_t k = rules[w]; all[w].edges && k < r->offsets.n; k++) {
        if (r->words.at[r->offsets.at[k]] != all[w].atom)
          break;
        rename_rule(r, r->offsets.at[k]);
      }
    for (uint32_t w = start; w != UINT32_MAX; w = chain[w])
      if (w != one)
        leave(r, all[w].atom, all[one].atom);
  }
}

size_t residual_merge(Residual *r, size_t start, size_t used) {
  assert(r->words.n == start && start <= used);
  list_edges(r);
  if (r->edges.n < 2 || !find_components(r))
    return used;
  r->words.n = used;
  rename_all(r);
  size_t size = r->words.n - used;
  memmove(r->words.at + start, r->words.at + used, size * sizeof *r->words.at);
  r->words.n = start;
  r->changed = true;
  return start + size;
}
