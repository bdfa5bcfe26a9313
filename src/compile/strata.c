/* strata.c - see strata.h. */
#include "compile/strata.h"

#include "base/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static void guess_heads(const Ground *g, Strata *s) {
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->choice || r->instance != NONE || r->heads > 1)
      for (uint32_t h = 0; h < r->heads; h++)
        s->guessed[rule_heads(g, r)[h]] = true;
  }
}

/* Whether a rule for `head` reads atom b as something that is computed rather
** than as an input: a guessed atom is computed only inside its positive loop. */
static bool computes(const Analysis *an, const Strata *s, Atom head, Lit l) {
  Atom b = lit_atom(l);
  return !s->guessed[b] || (!lit_negated(l) && an->scc[b] == an->scc[head]);
}

static uint32_t *dependency_components(const Ground *g, const Analysis *an, const Strata *s) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      for (uint32_t k = 0; k < r->size; k++)
        if (computes(an, s, rule_heads(g, r)[h], rule_body(g, r)[k]))
          vec_push(&edges, (GraphEdge){rule_heads(g, r)[h], lit_atom(rule_body(g, r)[k])});
  }
  return graph_component_of(&edges, g->atoms.n);
}

/* Guesses the atoms negated inside their own component.  Their negations are
** inputs from then on, so one round is enough. */
static void guess_negated(const Ground *g, const Analysis *an, Strata *s) {
  uint32_t *component = dependency_components(g, an, s);
  bool *more = memory_zero(g->atoms.n, 1);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++)
      for (uint32_t k = 0; k < r->size; k++) {
        Lit l = rule_body(g, r)[k];
        Atom b = lit_atom(l);
        more[b] |=
            lit_negated(l) && !s->guessed[b] && component[b] == component[rule_heads(g, r)[h]];
      }
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    s->guessed[a] |= more[a];
  free(more);
  free(component);
}

typedef struct {
  uint32_t stratum, rule;
} Placed;

static int compare_placed(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  return (x->rule > y->rule) - (x->rule < y->rule);
}

static void order_rules(const Ground *g, const Analysis *an, Strata *s) {
  uint32_t *component = dependency_components(g, an, s);
  VEC(Placed) placed = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->heads == 1 && !s->guessed[rule_heads(g, r)[0]])
      vec_push(&placed, (Placed){component[rule_heads(g, r)[0]], (uint32_t)i});
  }
  if (placed.n)
    qsort(placed.at, placed.n, sizeof *placed.at, compare_placed);
  s->rules = memory_zero(placed.n, sizeof *s->rules);
  s->groups = memory_zero(placed.n + 1, sizeof *s->groups);
  for (size_t i = 0; i < placed.n; i++) {
    if (!i || placed.at[i].stratum != placed.at[i - 1].stratum)
      s->groups[s->group_count++] = (uint32_t)i;
    s->rules[i] = placed.at[i].rule;
  }
  s->groups[s->group_count] = (uint32_t)placed.n;
  s->rule_count = placed.n;
  vec_free(&placed);
  free(component);
}

void strata_make(const Ground *g, const Analysis *an, Strata *s) {
  assert(g->sealed);
  *s = (Strata){.guessed = memory_zero(g->atoms.n, 1)};
  guess_heads(g, s);
  guess_negated(g, an, s);
  order_rules(g, an, s);
  assert(strata_valid(g, s));
}

bool strata_valid(const Ground *g, const Strata *s) {
  for (size_t i = 0; i < s->group_count; i++)
    if (s->groups[i] >= s->groups[i + 1])
      return false;
  for (size_t i = 0; i < s->rule_count; i++) {
    const Rule *r = &g->rules.at[s->rules[i]];
    if (r->heads != 1 || r->choice || r->instance != NONE || s->guessed[rule_heads(g, r)[0]])
      return false;
  }
  return s->groups[s->group_count] == s->rule_count;
}

void strata_free(Strata *s) {
  free(s->guessed);
  free(s->rules);
  free(s->groups);
  *s = (Strata){0};
}

void strata_extend(const Ground *g, const Strata *s, bool *atoms) {
  assert(atoms || !g->atoms.n);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (!s->guessed[a])
      atoms[a] = g->atoms.at[a].truth == ATOM_CERTAIN;
  for (size_t i = 0; i < s->group_count; i++) {
    bool changed;
    do { /* a stratum without a loop ends after one round that changes nothing */
      changed = false;
      for (uint32_t k = s->groups[i]; k < s->groups[i + 1]; k++) {
        const Rule *r = &g->rules.at[s->rules[k]];
        Atom a = rule_heads(g, r)[0];
        if (!atoms[a] && ground_holds(g, r, atoms))
          atoms[a] = changed = true;
      }
    } while (changed);
  }
}
