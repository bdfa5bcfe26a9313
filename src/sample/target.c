/* target.c - see target.h. */
#include "sample/target.h"

#include "base/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t rule;
  TargetSoft soft;
} Found;

typedef VEC(Found) FoundList;

/* u :- B, not heads. */
static Atom add_violation(Ground *g, uint32_t rule) {
  Rule r = g->rules.at[rule];
  Atom u = ground_atom(g, NULL);
  g->atoms.at[u].truth = ATOM_OPEN;
  Rule definition = {.heads = 1, .size = r.heads + r.size, .instance = NONE};
  uint32_t *to = ground_rule(g, definition);
  const uint32_t *from = g->pool.at + r.first; /* only now: the pool has moved */
  *to++ = u;
  for (uint32_t h = 0; h < r.heads; h++)
    *to++ = lit_of(from[h], true);
  for (uint32_t k = 0; k < r.size; k++)
    *to++ = from[r.heads + k];
  return u;
}

static Lit violation_of(Ground *g, uint32_t rule) {
  const Rule *r = &g->rules.at[rule];
  if (r->heads == 1 && !r->size)
    return lit_of(rule_heads(g, r)[0], true);
  if (!r->heads && r->size == 1)
    return rule_body(g, r)[0];
  return lit_of(add_violation(g, rule), false);
}

static void find_soft(Target *t, FoundList *found) {
  Ground *g = &t->ground;
  size_t rules = g->rules.n; /* definitions follow */
  for (uint32_t i = 0; i < rules; i++) {
    uint32_t instance = g->rules.at[i].instance;
    uint32_t weight = instance == NONE ? NONE : g->instances.at[instance].weight;
    if (weight == NONE)
      continue;
    if (g->rules.at[i].heads + g->rules.at[i].size)
      vec_push(found, (Found){i, {violation_of(g, i), weight}});
    else
      vec_push(&t->constants, weight);
  }
}

static void place_soft(Target *t, const FoundList *found) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < found->n; i++)
    vec_push(&edges, (GraphEdge){t->analysis.component[lit_atom(found->at[i].soft.violated)], (uint32_t)i});
  GraphLists lists = graph_lists(&edges, t->analysis.components);
  t->soft = memory_zero(found->n, sizeof *t->soft);
  for (size_t i = 0; i < found->n; i++)
    t->soft[i] = found->at[lists.at[i]].soft;
  t->soft_start = lists.start;
  free(lists.at);
  vec_free(&edges);
}

static void place_guessed(Target *t) {
  GraphEdges edges = {0};
  for (Atom a = 0; a < t->ground.atoms.n; a++)
    if (t->strata.guessed[a] && t->ground.atoms.at[a].truth == ATOM_OPEN)
      vec_push(&edges, (GraphEdge){t->analysis.component[a], a});
  GraphLists lists = graph_lists(&edges, t->analysis.components);
  t->guess_start = lists.start, t->guessed = lists.at;
  vec_free(&edges);
}

void target_make(const Ground *g, const bool *dropped, const Lit *evidence, size_t evidences, Target *t) {
  *t = (Target){0};
  FoundList found = {0};
  ground_without(g, dropped, &t->ground);
  find_soft(t, &found);
  analysis_make(&t->ground, &t->analysis);
  strata_make(&t->ground, &t->analysis, &t->strata);
  place_soft(t, &found);
  place_guessed(t);
  for (size_t i = 0; i < evidences; i++)
    if (t->ground.atoms.at[lit_atom(evidence[i])].truth == ATOM_OPEN)
      vec_push(&t->evidence, evidence[i]);
  vec_free(&found);
}

void target_free(Target *t) {
  strata_free(&t->strata);
  analysis_free(&t->analysis);
  ground_free(&t->ground);
  free(t->soft);
  free(t->soft_start);
  free(t->guessed);
  free(t->guess_start);
  vec_free(&t->evidence);
  vec_free(&t->constants);
}

void target_count(const Target *t, const bool *atoms, double *counts) {
  uint32_t n = t->soft_start[t->analysis.components];
  for (uint32_t i = 0; i < n; i++)
    counts[t->soft[i].weight] += target_holds(atoms, t->soft[i].violated);
  for (size_t i = 0; i < t->constants.n; i++)
    counts[t->constants.at[i]]++;
}
