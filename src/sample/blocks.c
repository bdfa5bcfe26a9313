/* blocks.c - see blocks.h. */
#include "sample/blocks.h"

#include <stdlib.h>

enum { BLOCK = 12, BRANCHES = 200 };

static GraphLists rules_of_atoms(const Ground *g) {
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      vec_push(&edges, (GraphEdge){rule_heads(g, r)[h], i});
    for (uint32_t k = 0; k < r->size; k++)
      vec_push(&edges, (GraphEdge){lit_atom(rule_body(g, r)[k]), i});
  }
  GraphLists lists = graph_lists(&edges, g->atoms.n);
  vec_free(&edges);
  return lists;
}

void blocks_begin(Blocks *b, const Target *t, const Limits *limits) {
  CompileOptions options = compile_options_default();
  options.branches = BRANCHES;
  options.stop = limits->stop;
  *b = (Blocks){.target = t, .size = BLOCK, .begun = true};
  compile_begin(&b->compiled, &t->ground, &t->analysis, &options);
  b->rules = rules_of_atoms(&t->ground);
  b->chosen = memory_zero(t->ground.atoms.n, sizeof *b->chosen);
  b->seen = memory_zero(t->ground.atoms.n + t->ground.rules.n, sizeof *b->seen);
}

void blocks_free(Blocks *b) {
  if (!b->begun)
    return;
  compile_free(&b->compiled);
  graph_lists_free(&b->rules);
  free(b->chosen);
  free(b->seen);
  vec_free(&b->queue);
  vec_free(&b->fixed);
}

/* ---- which atoms ----------------------------------------------------------------- */

static void see(Blocks *b, Atom a, size_t *left) {
  if (b->seen[a] == b->search)
    return;
  b->seen[a] = b->search;
  vec_push(&b->queue, a);
  if (*left && b->target->strata.guessed[a])
    b->chosen[a] = true, --*left;
}

static void see_rule(Blocks *b, uint32_t rule, size_t *left) {
  const Ground *g = &b->target->ground;
  const Rule *r = &g->rules.at[rule];
  uint32_t *seen = &b->seen[g->atoms.n + rule];
  if (*seen == b->search)
    return;
  *seen = b->search;
  for (uint32_t h = 0; h < r->heads; h++)
    see(b, rule_heads(g, r)[h], left);
  for (uint32_t k = 0; k < r->size; k++)
    see(b, lit_atom(rule_body(g, r)[k]), left);
}

/* The guessed atoms nearest to one of them, by rules in common. */
static void choose_near(Blocks *b, Atom from) {
  size_t left = b->size;
  b->queue.n = 0;
  b->search++;
  see(b, from, &left);
  for (size_t i = 0; left && i < b->queue.n; i++)
    for (uint32_t k = b->rules.start[b->queue.at[i]]; left && k < b->rules.start[b->queue.at[i] + 1]; k++)
      see_rule(b, b->rules.at[k], &left);
}

static void choose(Blocks *b, uint32_t component, Random *random) {
  const Target *t = b->target;
  uint32_t first = t->guess_start[component], n = t->guess_start[component + 1] - first;
  bool near = random_bits(random) >> 63;
  if (n <= b->size) {
    for (uint32_t i = 0; i < n; i++)
      b->chosen[t->guessed[first + i]] = true;
  } else if (near) {
    choose_near(b, t->guessed[first + random_below(random, n)]);
  } else {
    for (size_t left = b->size; left;) {
      Atom a = t->guessed[first + random_below(random, n)];
      left -= !b->chosen[a];
      b->chosen[a] = true;
    }
  }
}

/* ---- the move ---------------------------------------------------------------------- */

static void fix_others(Blocks *b, Random *random, const bool *atoms) {
  const Target *t = b->target;
  uint32_t all = t->guess_start[t->analysis.components];
  for (uint32_t k = 0; k < t->analysis.components; k++)
    choose(b, k, random);
  b->fixed.n = 0;
  for (size_t i = 0; i < t->evidence.n; i++)
    vec_push(&b->fixed, t->evidence.at[i]);
  for (uint32_t i = 0; i < all; i++) {
    Atom a = t->guessed[i];
    if (!b->chosen[a])
      vec_push(&b->fixed, lit_of(a, !atoms[a]));
    b->chosen[a] = false;
  }
}

Status blocks_move(Blocks *b, const double *weights, Random *random, bool *atoms) {
  CircuitRoot root = {0};
  Compiled *c = &b->compiled;
  fix_others(b, random, atoms);
  Status status = compile_root(c, b->fixed.at, b->fixed.n, NULL, 0, &root);
  if (status == OK) {
    CircuitValues values;
    circuit_values_make(&c->circuit, &values);
    circuit_evaluate(&c->circuit, weights, &values);
    circuit_sample(&c->circuit, &values, &root, random, atoms);
    circuit_values_free(&values);
    strata_extend(&b->target->ground, &b->target->strata, atoms);
    b->moved++;
  }
  b->failed += status == LIMIT;
  circuit_root_free(&root);
  compile_compact(c, NULL, 0); /* nothing is remembered that would change the next block's budget */
  return status == LIMIT ? OK : status;
}
