/* flip_reach.c - do flips alone reach every stable model of a component?
**
** They do if every guessed atom that is not observed can be flipped, and made false one
** after the other without ever breaking anything: then all stable models lead to the one
** where none of them holds, and back, with positive probability.  That is so if no evidence
** is about atoms that follow from others, hard constraints forbid only what holds together
** (positive literals of guessed atoms), no hard rule forces a guessed atom, and what a guessed
** atom is supported by does not depend on it in turn: the highest becomes false first. */
#include "sample/flips.h"

#include "base/graph.h"
#include "ground/analysis.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  FlipPlan *plan;
  const Target *target;
  const bool *untouchable;
} Reach;

static void object(const Reach *x, Atom a, FlipReason reason, Atom about) {
  uint32_t k = x->target->analysis.component[a];
  if (k != NONE && x->plan->obstacle[k].reason == FLIP_FREE)
    x->plan->obstacle[k] = (FlipObstacle){reason, about};
}

static bool is_guessed(const Reach *x, Atom a) {
  return x->target->strata.guessed[a] && x->target->ground.atoms.at[a].truth == ATOM_OPEN;
}

static void look_at_atom(const Reach *x, Atom a) {
  const FlipPlan *p = x->plan;
  bool guessed = is_guessed(x, a);
  if (p->observed[a] >= 0 && (!guessed || (p->observed[a] && p->tracked[a])))
    object(x, a, FLIP_EVIDENCE, a);
  if (guessed && x->untouchable[a])
    object(x, a, FLIP_LOOP, a);
}

/* A constraint that stays satisfied when guessed atoms become false. */
static bool only_forbids(const Reach *x, const Rule *r) {
  const Lit *body = rule_body(&x->target->ground, r);
  for (uint32_t k = 0; k < r->size; k++)
    if (lit_negated(body[k]) || !is_guessed(x, lit_atom(body[k])))
      return false;
  return !r->heads;
}

static void look_at_rules(const Reach *x) {
  const Ground *g = &x->target->ground;
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (x->plan->kind[i] != FLIP_HARD || only_forbids(x, r) || !(r->heads + r->size))
      continue;
    Atom a = r->heads ? rule_heads(g, r)[0] : lit_atom(rule_body(g, r)[0]);
    object(x, a, FLIP_RULE, a);
  }
}

/* Supports that depend on themselves. */
static void look_at_supports(const Reach *x) {
  const Ground *g = &x->target->ground;
  GraphEdges edges = {0};
  uint32_t *size = memory_zero(g->atoms.n, sizeof *size);
  bool *self = memory_zero(g->atoms.n, sizeof *self);
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t h = 0; h < r->heads; h++) {
      Atom a = rule_heads(g, r)[h];
      for (uint32_t k = 0; k < r->size && (x->plan->tracked[a] || x->plan->group[a] != NONE); k++) {
        vec_push(&edges, (GraphEdge){a, lit_atom(rule_body(g, r)[k])});
        self[a] |= lit_atom(rule_body(g, r)[k]) == a;
      }
      for (uint32_t other = 0; x->plan->tracked[a] && other < r->heads && !r->choice; other++)
        if (other != h)
          vec_push(&edges, (GraphEdge){a, rule_heads(g, r)[other]});
    }
  }
  uint32_t *component = graph_component_of(&edges, g->atoms.n);
  for (Atom a = 0; a < g->atoms.n; a++)
    size[component[a]]++;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (x->plan->tracked[a] && (size[component[a]] > 1 || self[a]))
      object(x, a, FLIP_SUPPORT, a);
  free(component);
  free(size);
  free(self);
}

void flip_obstacles(FlipPlan *p, const Target *t, const bool *untouchable) {
  assert(p->tracked && p->kind && p->observed);
  Reach x = {p, t, untouchable};
  p->obstacle = memory_zero(t->analysis.components, sizeof *p->obstacle);
  for (uint32_t k = 0; k < t->analysis.components; k++)
    p->obstacle[k].atom = NONE;
  for (Atom a = 0; a < t->ground.atoms.n; a++)
    look_at_atom(&x, a);
  look_at_rules(&x);
  look_at_supports(&x);
}
