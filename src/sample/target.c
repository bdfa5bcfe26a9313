/* target.c - see target.h. */
#include "sample/target.h"

#include "base/graph.h"

#include <assert.h>
#include <stdlib.h>

/* Soft rules by component; those without atoms are constant. */
static void place_soft(Target *t) {
  const Ground *g = &t->ground;
  GraphEdges edges = {0};
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    uint32_t weight = r->instance == NONE ? NONE : g->instances.at[r->instance].weight;
    if (weight == NONE)
      continue;
    Atom some = r->heads ? rule_heads(g, r)[0] : r->size ? lit_atom(rule_body(g, r)[0]) : NONE;
    if (some == NONE)
      vec_push(&t->constants, weight);
    else
      vec_push(&edges, (GraphEdge){t->analysis.component[some], i});
  }
  GraphLists lists = graph_lists(&edges, t->analysis.components);
  t->soft = memory_zero(edges.n, sizeof *t->soft);
  for (size_t i = 0; i < edges.n; i++) {
    uint32_t instance = g->rules.at[lists.at[i]].instance;
    t->soft[i] = (TargetSoft){lists.at[i], instance, g->instances.at[instance].weight};
  }
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

void target_make(const Ground *g, const bool *dropped, const Lit *evidence, size_t evidences,
                 Target *t) {
  assert(g->sealed && (evidence || !evidences));
  *t = (Target){0};
  ground_without(g, dropped, &t->ground);
  analysis_make(&t->ground, &t->analysis);
  strata_make(&t->ground, &t->analysis, &t->strata);
  place_soft(t);
  place_guessed(t);
  for (size_t i = 0; i < evidences; i++)
    if (t->ground.atoms.at[lit_atom(evidence[i])].truth == ATOM_OPEN)
      vec_push(&t->evidence, evidence[i]);
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

bool target_violated(const Target *t, const TargetSoft *soft, const bool *atoms) {
  assert(soft->rule < t->ground.rules.n);
  return ground_violated(&t->ground, &t->ground.rules.at[soft->rule], atoms);
}

void target_count(const Target *t, const bool *atoms, double *counts) {
  uint32_t n = t->soft_start[t->analysis.components];
  for (uint32_t i = 0; i < n; i++)
    counts[t->soft[i].weight] += target_violated(t, &t->soft[i], atoms);
  for (size_t i = 0; i < t->constants.n; i++)
    counts[t->constants.at[i]]++;
}
