/* analysis.c - strongly connected components, independent components, and
** which of these are equal; see analysis.h. */
#include "ground/analysis.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

GraphLists positive_edges(const Ground *g) {
  assert(g->sealed);
  GraphEdges edges = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      for (uint32_t k = 0; k < r->size; k++)
        if (!lit_negated(rule_body(g, r)[k]))
          vec_push(&edges, (GraphEdge){rule_heads(g, r)[h], lit_atom(rule_body(g, r)[k])});
  }
  GraphLists lists = graph_lists(&edges, g->atoms.n);
  vec_free(&edges);
  return lists;
}

static void find_loops(const Ground *g, const GraphLists *edges, Analysis *an) {
  for (Atom a = 0; a < g->atoms.n; a++) {
    an->scc_size[an->scc[a]]++;
    for (uint32_t k = edges->start[a]; k < edges->start[a + 1]; k++)
      if (an->scc[edges->at[k]] == an->scc[a])
        an->looping[an->scc[a]] = true;
  }
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    const Atom *heads = rule_heads(g, r);
    for (uint32_t h = 0; !r->choice && h < r->heads; h++)
      for (uint32_t j = 0; j < h; j++)
        if (an->scc[heads[h]] == an->scc[heads[j]])
          an->head_cyclic[an->scc[heads[h]]] = true;
  }
  an->tight = an->head_cycle_free = true;
  for (uint32_t s = 0; s < an->sccs; s++) {
    an->loops += an->looping[s];
    an->tight &= !an->looping[s];
    an->head_cycle_free &= !an->head_cyclic[s];
  }
}

static Atom root_of(Atom *parent, Atom a) {
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}

static Atom rule_atom(const Ground *g, const Rule *r, uint32_t k) {
  assert(k < r->heads + r->size);
  return k < r->heads ? rule_heads(g, r)[k] : lit_atom(rule_body(g, r)[k - r->heads]);
}

static void find_components(const Ground *g, Analysis *an) {
  Atom *parent = memory_zero(g->atoms.n, sizeof *parent);
  for (Atom a = 0; a < g->atoms.n; a++)
    parent[a] = a;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t k = 1; k < r->heads + r->size; k++) {
      Atom a = root_of(parent, rule_atom(g, r, 0));
      Atom b = root_of(parent, rule_atom(g, r, k));
      parent[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (Atom a = 0; a < g->atoms.n; a++) { /* the root is the smallest atom */
    Atom root = root_of(parent, a);
    bool open = g->atoms.at[a].truth == ATOM_OPEN;
    an->component[a] = !open ? NONE : root == a ? an->components++ : an->component[root];
  }
  free(parent);
}

/* The rule as a number, atoms standing for their colours.  Order-free within
** heads and body, because renaming changes the order. */
static uint64_t rule_colour(const Ground *g, const Rule *r, const uint64_t *colour) {
  uint64_t heads = 0, body = 0;
  for (uint32_t h = 0; h < r->heads; h++)
    heads += hash_word(1, colour[rule_heads(g, r)[h]]);
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(g, r)[k];
    uint64_t weight = r->weighted ? rule_weights(g, r)[k] : 0;
    body += hash_word(hash_word(2 + lit_negated(l), colour[lit_atom(l)]), weight);
  }
  uint64_t weight = r->instance == NONE ? 0 : 1 + g->instances.at[r->instance].weight;
  uint64_t shape =
      hash_word(hash_word(r->choice, r->weighted ? (uint64_t)r->bound + 1 : 0), weight);
  return hash_word(hash_word(hash_word(shape, r->heads), heads), body);
}

/* Each round gives an atom a colour made of the rules that it is in. */
static void refine(const Ground *g, uint64_t *colour) {
  uint64_t *next = memory_zero(g->atoms.n, sizeof *next);
  for (int round = 0; round < 4; round++) {
    memset(next, 0, g->atoms.n * sizeof *next);
    for (size_t i = 0; i < g->rules.n; i++) {
      const Rule *r = &g->rules.at[i];
      uint64_t whole = rule_colour(g, r, colour);
      for (uint32_t h = 0; h < r->heads; h++)
        next[rule_heads(g, r)[h]] += hash_word(whole, 1);
      for (uint32_t k = 0; k < r->size; k++) {
        Lit l = rule_body(g, r)[k];
        uint64_t weight = r->weighted ? rule_weights(g, r)[k] : 0;
        next[lit_atom(l)] += hash_word(whole, hash_word(2 + lit_negated(l), weight));
      }
    }
    for (Atom a = 0; a < g->atoms.n; a++)
      colour[a] = hash_word(colour[a], next[a]);
  }
  free(next);
}

typedef struct {
  uint64_t colour;
  uint32_t component;
  Atom atom;
} Member;

static int compare_members(const void *a, const void *b) {
  const Member *x = a, *y = b;
  if (x->component != y->component)
    return x->component < y->component ? -1 : 1;
  if (x->colour != y->colour)
    return x->colour < y->colour ? -1 : 1;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

/* Atoms by component, within it by colour and then as the grounder met them:
** the order in which equal components are tried to correspond. */
static void order_members(const Ground *g, const uint64_t *colour, Analysis *an) {
  VEC(Member) members = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (an->component[a] != NONE)
      vec_push(&members, (Member){colour[a], an->component[a], a});
  if (members.n)
    qsort(members.at, members.n, sizeof *members.at, compare_members);
  an->member = memory_zero(members.n, sizeof *an->member);
  for (size_t i = 0; i < members.n; i++) {
    an->member[i] = members.at[i].atom;
    an->first[members.at[i].component + 1] = (uint32_t)(i + 1);
  }
  vec_free(&members);
}

static int compare_literals(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* A component's rules over positions instead of atoms, in a form that is equal
** for equal components: literals sorted within rules, rules sorted. */
typedef VEC(uint64_t) Words;

static int compare_rules(const void *a, const void *b) {
  const Words *x = a, *y = b;
  if (x->n != y->n)
    return x->n < y->n ? -1 : 1;
  return x->n ? memcmp(x->at, y->at, x->n * sizeof *x->at) : 0;
}

static void write_rule(const Ground *g, const Rule *r, const uint32_t *position, Words *out) {
  vec_push(out, r->choice);
  vec_push(out, r->weighted ? (uint64_t)r->bound + 1 : 0);
  vec_push(out, r->instance == NONE ? 0 : 1 + (uint64_t)g->instances.at[r->instance].weight);
  vec_push(out, r->heads);
  for (uint32_t h = 0; h < r->heads; h++)
    vec_push(out, position[rule_heads(g, r)[h]]);
  for (uint32_t k = 0; k < r->size; k++) {
    Lit l = rule_body(g, r)[k];
    uint64_t weight = r->weighted ? rule_weights(g, r)[k] : 0;
    vec_push(out, weight << 32 | lit_of(position[lit_atom(l)], lit_negated(l)));
  }
  uint64_t *heads = out->at + 4, *body = heads + r->heads;
  assert(out->n == 4 + (size_t)r->heads + r->size);
  if (r->heads)
    qsort(heads, r->heads, sizeof *heads, compare_literals);
  if (r->size)
    qsort(body, r->size, sizeof *body, compare_literals);
}

static void write_component(const Ground *g, const GraphLists *rules, uint32_t c,
                            const uint32_t *position, Words *out) {
  uint32_t n = rules->start[c + 1] - rules->start[c];
  Words *each = memory_zero(n, sizeof *each);
  for (uint32_t i = 0; i < n; i++)
    write_rule(g, &g->rules.at[rules->at[rules->start[c] + i]], position, &each[i]);
  qsort(each, n, sizeof *each, compare_rules);
  for (uint32_t i = 0; i < n; i++) {
    vec_push(out, each[i].n);
    for (size_t k = 0; k < each[i].n; k++)
      vec_push(out, each[i].at[k]);
    vec_free(&each[i]);
  }
  free(each);
}

static GraphLists rules_by_component(const Ground *g, const Analysis *an) {
  GraphEdges pairs = {0};
  for (size_t i = 0; i < g->rules.n; i++)
    if (g->rules.at[i].heads + g->rules.at[i].size)
      vec_push(&pairs, (GraphEdge){an->component[rule_atom(g, &g->rules.at[i], 0)], (uint32_t)i});
  GraphLists lists = graph_lists(&pairs, an->components);
  vec_free(&pairs);
  return lists;
}

/* Sorts components by a hash of what they are written as; equal neighbours are
** compared in full, so that a collision can't make different ones equal. */
typedef struct {
  uint64_t hash;
  uint32_t component;
} Keyed;

static int compare_keyed(const void *a, const void *b) {
  const Keyed *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return (x->component > y->component) - (x->component < y->component);
}

static void find_kinds(const Ground *g, Analysis *an) {
  uint32_t n = an->components;
  uint32_t *position = memory_zero(g->atoms.n, sizeof *position);
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t i = an->first[c]; i < an->first[c + 1]; i++)
      position[an->member[i]] = i - an->first[c];
  GraphLists rules = rules_by_component(g, an);
  Words *written = memory_zero(n, sizeof *written);
  Keyed *keyed = memory_zero(n, sizeof *keyed);
  for (uint32_t c = 0; c < n; c++) {
    write_component(g, &rules, c, position, &written[c]);
    uint64_t hash = an->first[c + 1] - an->first[c];
    for (size_t k = 0; k < written[c].n; k++)
      hash = hash_word(hash, written[c].at[k]);
    keyed[c] = (Keyed){hash, c};
  }
  qsort(keyed, n, sizeof *keyed, compare_keyed);
  uint32_t *same = memory_zero(n, sizeof *same); /* the first equal component */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t c = keyed[i].component;
    same[c] = c;
    if (i && keyed[i].hash == keyed[i - 1].hash) {
      uint32_t before = same[keyed[i - 1].component];
      if (!compare_rules(&written[c], &written[before]))
        same[c] = before;
    }
  }
  for (uint32_t c = 0; c < n; c++)
    an->kind[c] = same[c] == c ? an->kinds++ : an->kind[same[c]];
  for (uint32_t c = 0; c < n; c++)
    vec_free(&written[c]);
  free(same);
  free(keyed);
  free(written);
  free(position);
  graph_lists_free(&rules);
}

void analysis_make(const Ground *g, Analysis *an) {
  assert(g->sealed);
  *an = (Analysis){0};
  GraphLists edges = positive_edges(g);
  an->scc = memory_zero(g->atoms.n, sizeof *an->scc);
  an->sccs = graph_components(&edges, g->atoms.n, an->scc);
  an->scc_size = memory_zero(an->sccs, sizeof *an->scc_size);
  an->looping = memory_zero(an->sccs, sizeof *an->looping);
  an->head_cyclic = memory_zero(an->sccs, sizeof *an->head_cyclic);
  find_loops(g, &edges, an);
  graph_lists_free(&edges);
  an->component = memory_zero(g->atoms.n, sizeof *an->component);
  find_components(g, an);
  an->first = memory_zero(an->components + 1, sizeof *an->first);
  an->kind = memory_zero(an->components, sizeof *an->kind);
  uint64_t *colour = memory_zero(g->atoms.n, sizeof *colour);
  refine(g, colour);
  order_members(g, colour, an);
  free(colour);
  find_kinds(g, an);
  assert(analysis_valid(g, an));
}

static bool components_valid(const Ground *g, const Analysis *an) {
  size_t open = 0, kinds = 0;
  for (Atom a = 0; a < g->atoms.n; a++) {
    bool is_open = g->atoms.at[a].truth == ATOM_OPEN;
    open += is_open;
    if (is_open ? an->component[a] >= an->components : an->component[a] != NONE)
      return false;
  }
  for (uint32_t c = 0; c < an->components; c++) {
    if (an->first[c] >= an->first[c + 1] || an->kind[c] > kinds)
      return false;
    kinds += an->kind[c] == kinds; /* by first occurrence */
    for (uint32_t i = an->first[c]; i < an->first[c + 1]; i++)
      if (an->member[i] >= g->atoms.n || an->component[an->member[i]] != c)
        return false;
  }
  return !an->first[0] && an->first[an->components] == open && kinds == an->kinds;
}

bool analysis_valid(const Ground *g, const Analysis *an) {
  size_t atoms = 0, loops = 0;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (an->scc[a] >= an->sccs)
      return false;
  for (uint32_t s = 0; s < an->sccs; s++) {
    if (!an->scc_size[s] || (an->scc_size[s] > 1 && !an->looping[s]))
      return false;
    atoms += an->scc_size[s], loops += an->looping[s];
  }
  return atoms == g->atoms.n && loops == an->loops && an->tight == !loops &&
         components_valid(g, an);
}

void analysis_free(Analysis *an) {
  free(an->scc);
  free(an->scc_size);
  free(an->looping);
  free(an->head_cyclic);
  free(an->component);
  free(an->kind);
  free(an->member);
  free(an->first);
  *an = (Analysis){0};
}
