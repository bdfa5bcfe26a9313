/* flip_plan.c - which atoms can be flipped, and how; see flips.h. */
#include "sample/flips.h"

#include "compile/strata.h"
#include "ground/analysis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEAR = 6, MOST_ENTRIES = 1 << 20 };

typedef struct {
  FlipPlan *plan;
  const Target *target;
  const Ground *ground;
  GraphLists bodies; /* by atom: rules with it in the body */
  GraphLists all;    /* by atom: rules with it in the head or in the body */
} Planning;

static const Rule *rule_at(const Planning *x, uint32_t r) { return &x->ground->rules.at[r]; }

static bool is_guessed(const Planning *x, Atom a) {
  return x->target->strata.guessed[a] && x->ground->atoms.at[a].truth == ATOM_OPEN;
}

/* ---- rules ----------------------------------------------------------------------------- */

static FlipRule kind_of(const Planning *x, const Rule *r) {
  if (r->choice)
    return FLIP_CHOICE;
  if (r->instance != NONE)
    return FLIP_SOFT;
  return r->heads == 1 && !is_guessed(x, rule_heads(x->ground, r)[0]) ? FLIP_DERIVES : FLIP_HARD;
}

static void list_rules(Planning *x) {
  const Ground *g = x->ground;
  GraphEdges bodies = {0}, all = {0}, own = {0};
  x->plan->kind = memory_zero(g->rules.n, sizeof *x->plan->kind);
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    x->plan->kind[i] = (uint8_t)kind_of(x, r);
    for (uint32_t h = 0; h < r->heads; h++) {
      vec_push(&all, (GraphEdge){rule_heads(g, r)[h], i});
      if (x->plan->kind[i] == FLIP_DERIVES)
        vec_push(&own, (GraphEdge){rule_heads(g, r)[h], i});
    }
    for (uint32_t k = 0; k < r->size; k++) {
      vec_push(&all, (GraphEdge){lit_atom(rule_body(g, r)[k]), i});
      vec_push(&bodies, (GraphEdge){lit_atom(rule_body(g, r)[k]), i});
    }
  }
  x->bodies = graph_lists(&bodies, g->atoms.n);
  x->all = graph_lists(&all, g->atoms.n);
  x->plan->rules = graph_lists(&own, g->atoms.n);
  vec_free(&bodies);
  vec_free(&all);
  vec_free(&own);
}

static void place_groups(const Planning *x) {
  const Strata *s = &x->target->strata;
  FlipPlan *p = x->plan;
  p->groups = (uint32_t)s->group_count;
  p->group = memory_zero(x->ground->atoms.n, sizeof *p->group);
  p->looping = memory_zero(p->groups, sizeof *p->looping);
  for (Atom a = 0; a < x->ground->atoms.n; a++)
    p->group[a] = NONE;
  for (uint32_t i = 0; i < p->groups; i++)
    for (uint32_t k = s->groups[i]; k < s->groups[i + 1]; k++) {
      Atom a = rule_heads(x->ground, rule_at(x, s->rules[k]))[0];
      p->group[a] = i;
      p->looping[i] |= x->target->analysis.looping[x->target->analysis.scc[a]];
    }
}

static void place_evidence(const Planning *x) {
  FlipPlan *p = x->plan;
  p->observed = memory_zero(x->ground->atoms.n, sizeof *p->observed);
  memset(p->observed, -1, x->ground->atoms.n);
  for (size_t i = 0; i < x->target->evidence.n; i++) {
    Lit l = x->target->evidence.at[i];
    p->observed[lit_atom(l)] = !lit_negated(l);
  }
}

/* ---- loops that flips keep away from -------------------------------------------------- */

static bool is_fragile_rule(const Planning *x, const Rule *r, const bool *fragile) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (fragile[x->target->analysis.scc[rule_heads(x->ground, r)[h]]])
      return true;
  return false;
}

/* By scc: a loop with a guessed atom, or one through a weighted body. */
static bool *find_fragile(const Planning *x) {
  const Analysis *an = &x->target->analysis;
  bool *fragile = memory_zero(an->sccs, sizeof *fragile);
  for (Atom a = 0; a < x->ground->atoms.n; a++)
    if (is_guessed(x, a) && an->looping[an->scc[a]])
      fragile[an->scc[a]] = true;
  for (uint32_t i = 0; i < x->ground->rules.n; i++) {
    const Rule *r = rule_at(x, i);
    if (r->weighted && x->plan->kind[i] == FLIP_DERIVES &&
        an->looping[an->scc[rule_heads(x->ground, r)[0]]])
      fragile[an->scc[rule_heads(x->ground, r)[0]]] = true;
  }
  return fragile;
}

typedef struct {
  bool *seen;
  FlipAtoms queue;
} Marking;

static void mark(Marking *m, Atom a) {
  if (!m->seen[a])
    vec_push(&m->queue, a);
  m->seen[a] = true;
}

static void mark_body(const Planning *x, Marking *m, const Rule *r) {
  for (uint32_t k = 0; k < r->size; k++)
    mark(m, lit_atom(rule_body(x->ground, r)[k]));
}

static bool repeats_a_head(const Planning *x, const Rule *r) {
  const Atom *heads = rule_heads(x->ground, r);
  for (uint32_t h = 1; h < r->heads && !r->choice; h++)
    for (uint32_t i = 0; i < h; i++)
      if (heads[i] == heads[h])
        return true;
  return false;
}

/* Atoms whose change would reach a fragile loop, through what follows from them; and those of
** heads in which an atom stands twice. */
static bool *find_untouchable(const Planning *x) {
  bool *fragile = find_fragile(x);
  Marking m = {memory_zero(x->ground->atoms.n, sizeof *m.seen), {0}};
  for (uint32_t i = 0; i < x->ground->rules.n; i++) {
    const Rule *r = rule_at(x, i);
    if (!is_fragile_rule(x, r, fragile) && !repeats_a_head(x, r))
      continue;
    mark_body(x, &m, r);
    for (uint32_t h = 0; h < r->heads; h++)
      mark(&m, rule_heads(x->ground, r)[h]);
  }
  for (size_t i = 0; i < m.queue.n; i++) {
    Atom a = m.queue.at[i];
    for (uint32_t k = x->plan->rules.start[a]; k < x->plan->rules.start[a + 1]; k++)
      mark_body(x, &m, rule_at(x, x->plan->rules.at[k]));
  }
  vec_free(&m.queue);
  free(fragile);
  return m.seen;
}

/* ---- how each atom is flipped -------------------------------------------------------------- */

/* A guessed atom is tracked unless some rule supports it always. */
static void find_tracked(const Planning *x) {
  FlipPlan *p = x->plan;
  p->tracked = memory_zero(x->ground->atoms.n, sizeof *p->tracked);
  for (Atom a = 0; a < x->ground->atoms.n; a++)
    p->tracked[a] = is_guessed(x, a); /* others' flips may take its support, too */
  for (uint32_t i = 0; i < x->ground->rules.n; i++) {
    const Rule *r = rule_at(x, i);
    if (!r->weighted && !r->size && (r->choice || r->heads == 1))
      for (uint32_t h = 0; h < r->heads; h++)
        p->tracked[rule_heads(x->ground, r)[h]] = false;
  }
}

static bool has_tracked_head(const Planning *x, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (x->plan->tracked[rule_heads(x->ground, r)[h]])
      return true;
  return false;
}

/* Does nothing follow from the atom, neither truth nor support, so that its rules alone tell the
** odds?  (One of several heads takes away the support of the others.) */
static bool decides_alone(const Planning *x, Atom a) {
  if (x->plan->tracked[a])
    return false;
  for (uint32_t i = x->bodies.start[a]; i < x->bodies.start[a + 1]; i++)
    if (x->plan->kind[x->bodies.at[i]] == FLIP_DERIVES ||
        has_tracked_head(x, rule_at(x, x->bodies.at[i])))
      return false;
  for (uint32_t i = x->all.start[a]; i < x->all.start[a + 1]; i++)
    if (x->plan->kind[x->all.at[i]] != FLIP_CHOICE && has_tracked_head(x, rule_at(x, x->all.at[i])))
      return false;
  return true;
}

/* Is it more than once in some rule that can be violated? */
static bool is_repeated(const Planning *x, Atom a) {
  for (uint32_t i = x->all.start[a]; i + 1 < x->all.start[a + 1]; i++)
    if (x->all.at[i] == x->all.at[i + 1] && x->plan->kind[x->all.at[i]] != FLIP_CHOICE)
      return true;
  return false;
}

typedef struct {
  GraphEdges near, deciding;
} Neighbours;

static bool is_listed(const GraphEdges *list, size_t from, uint32_t value) {
  for (size_t i = from; i < list->n; i++)
    if (list->at[i].value == value)
      return true;
  return false;
}

static void add_near(Neighbours *to, size_t from, uint32_t place, Atom self, Atom a) {
  if (a != self && !is_listed(&to->near, from, a))
    vec_push(&to->near, (GraphEdge){place, a});
}

/* Lists the other atoms of the rules that decide; false, and nothing: there are too many. */
static bool find_near(const Planning *x, Atom a, uint32_t place, Neighbours *to) {
  size_t near = to->near.n, deciding = to->deciding.n;
  for (uint32_t i = x->all.start[a]; i < x->all.start[a + 1]; i++) {
    uint32_t number = x->all.at[i];
    const Rule *r = rule_at(x, number);
    if (x->plan->kind[number] == FLIP_CHOICE || is_listed(&to->deciding, deciding, number))
      continue;
    vec_push(&to->deciding, (GraphEdge){place, number});
    for (uint32_t h = 0; h < r->heads && to->near.n <= near + MOST_NEAR; h++)
      add_near(to, near, place, a, rule_heads(x->ground, r)[h]);
    for (uint32_t k = 0; k < r->size && to->near.n <= near + MOST_NEAR; k++)
      add_near(to, near, place, a, lit_atom(rule_body(x->ground, r)[k]));
    if (to->near.n > near + MOST_NEAR || to->deciding.n > deciding + (size_t)8 * MOST_NEAR) {
      to->near.n = near, to->deciding.n = deciding;
      return false;
    }
  }
  return true;
}

static FlipSort sort_of(const Planning *x, Atom a, Neighbours *to) {
  FlipPlan *p = x->plan;
  if (!decides_alone(x, a))
    return FLIP_TRY;
  size_t before = to->near.n;
  if (p->entries < MOST_ENTRIES && find_near(x, a, p->count, to)) {
    p->entries += 1u << (to->near.n - before);
    return FLIP_TABLE;
  }
  return is_repeated(x, a) ? FLIP_TRY : FLIP_LOOK;
}

static void choose_sorts(const Planning *x, const bool *untouchable) {
  FlipPlan *p = x->plan;
  Neighbours found = {0};
  size_t n = x->target->guess_start[x->target->analysis.components];
  p->sort = memory_zero(x->ground->atoms.n, sizeof *p->sort);
  p->order = memory_zero(n, sizeof *p->order);
  p->entry = memory_zero(n, sizeof *p->entry);
  for (size_t i = 0; i < n; i++) {
    Atom a = x->target->guessed[i];
    p->movable += !untouchable[a] || p->observed[a] >= 0;
    if (untouchable[a] || p->observed[a] >= 0)
      continue;
    p->entry[p->count] = p->entries;
    p->sort[a] = (uint8_t)sort_of(x, a, &found);
    p->order[p->count++] = a;
  }
  p->near = graph_lists(&found.near, n);
  p->deciding = graph_lists(&found.deciding, n);
  vec_free(&found.near);
  vec_free(&found.deciding);
}

/* ---- what is counted ------------------------------------------------------------------------ */

/* A rule all of whose atoms stay or have tables needs no counters. */
static bool is_counted(const Planning *x, uint32_t number) {
  const Rule *r = rule_at(x, number);
  if (x->plan->kind[number] == FLIP_DERIVES || has_tracked_head(x, r))
    return true;
  if (x->plan->kind[number] == FLIP_CHOICE)
    return false;
  for (uint32_t i = 0; i < r->heads + r->size; i++) {
    Atom a = i < r->heads ? rule_heads(x->ground, r)[i]
                          : lit_atom(rule_body(x->ground, r)[i - r->heads]);
    if (x->plan->sort[a] >= FLIP_LOOK || x->plan->group[a] != NONE)
      return true;
  }
  return false;
}

static FlipLiteral literal_of(const Planning *x, uint32_t rule, uint32_t k) {
  const Rule *r = rule_at(x, rule);
  int32_t weight = r->weighted ? (int32_t)rule_weights(x->ground, r)[k] : 1;
  assert(weight > 0);
  return (FlipLiteral){rule, lit_negated(rule_body(x->ground, r)[k]) ? -weight : weight};
}

static void place_rules(const Planning *x) {
  const Ground *g = x->ground;
  FlipPlan *p = x->plan;
  p->about = memory_zero(g->rules.n, sizeof *p->about);
  p->supporting = memory_zero(g->rules.n, sizeof *p->supporting);
  for (uint32_t i = 0; i < g->rules.n; i++) {
    const Rule *r = rule_at(x, i);
    p->supporting[i] = has_tracked_head(x, r);
    p->about[i] = p->kind[i] == FLIP_DERIVES ? rule_heads(g, r)[0]
                  : r->instance != NONE      ? g->instances.at[r->instance].weight
                                             : NONE;
  }
}

static void list_literals(const Planning *x) {
  const Ground *g = x->ground;
  FlipPlan *p = x->plan;
  GraphEdges heads = {0};
  VEC(FlipLiteral) list = {0};
  p->first = memory_zero(g->atoms.n + 1, sizeof *p->first);
  bool *counted = memory_zero(g->rules.n, sizeof *counted);
  for (uint32_t i = 0; i < g->rules.n; i++) {
    counted[i] = is_counted(x, i);
    for (uint32_t h = 0; counted[i] && p->kind[i] != FLIP_DERIVES && h < rule_at(x, i)->heads; h++)
      vec_push(&heads, (GraphEdge){rule_heads(g, rule_at(x, i))[h], i});
  }
  for (Atom a = 0; a < g->atoms.n; a++) {
    for (uint32_t i = x->bodies.start[a]; i < x->bodies.start[a + 1]; i++) {
      const Rule *r = rule_at(x, x->bodies.at[i]);
      bool again = i > x->bodies.start[a] && x->bodies.at[i - 1] == x->bodies.at[i];
      for (uint32_t k = 0; counted[x->bodies.at[i]] && !again && k < r->size; k++)
        if (lit_atom(rule_body(g, r)[k]) == a)
          vec_push(&list, literal_of(x, x->bodies.at[i], k));
    }
    p->first[a + 1] = (uint32_t)list.n;
  }
  p->literals = list.at;
  p->heads = graph_lists(&heads, g->atoms.n);
  vec_free(&heads);
  free(counted);
}

/* Heads of choices that hard rules bound, `1 { a; b; c } 1`: one alone can't change.  They have
** counters, for what bounds them follows from them. */
static void list_choices(const Planning *x) {
  FlipPlan *p = x->plan;
  GraphEdges found = {0};
  p->swapped = memory_zero(x->ground->atoms.n, sizeof *p->swapped);
  for (uint32_t i = 0; i < x->ground->rules.n; i++) {
    const Rule *r = rule_at(x, i);
    size_t before = found.n;
    for (uint32_t h = 0; r->choice && h < r->heads; h++) {
      Atom a = rule_heads(x->ground, r)[h];
      if (p->sort[a] == FLIP_TRY && !p->swapped[a])
        vec_push(&found, (GraphEdge){p->swaps, a});
    }
    found.n = found.n < before + 2 ? before : found.n;
    for (size_t k = before; k < found.n; k++)
      p->swapped[found.at[k].value] = true;
    p->swaps += found.n > before;
  }
  p->choices = graph_lists(&found, p->swaps);
  vec_free(&found);
}

static bool hard_rules_hinder(const Planning *x) {
  for (uint32_t k = 0; k < x->target->analysis.components; k++)
    if (x->plan->obstacle[k].reason == FLIP_RULE)
      return true;
  return false;
}

void flip_plan_make(FlipPlan *p, const Target *t) {
  assert(t->ground.sealed && t->strata.guessed);
  *p = (FlipPlan){0};
  Planning x = {.plan = p, .target = t, .ground = &t->ground};
  list_rules(&x);
  place_groups(&x);
  place_evidence(&x);
  bool *untouchable = find_untouchable(&x);
  find_tracked(&x);
  place_rules(&x);
  choose_sorts(&x, untouchable);
  list_literals(&x);
  flip_obstacles(p, t, untouchable);
  if (hard_rules_hinder(&x))
    list_choices(&x);
  free(untouchable);
  graph_lists_free(&x.bodies);
  graph_lists_free(&x.all);
}

void flip_plan_free(FlipPlan *p) {
  free(p->kind);
  free(p->about);
  free(p->supporting);
  free(p->sort);
  free(p->tracked);
  free(p->observed);
  free(p->group);
  free(p->looping);
  free(p->literals);
  free(p->first);
  graph_lists_free(&p->heads);
  graph_lists_free(&p->rules);
  free(p->order);
  graph_lists_free(&p->near);
  graph_lists_free(&p->deciding);
  free(p->entry);
  free(p->obstacle);
  graph_lists_free(&p->choices);
  free(p->swapped);
  *p = (FlipPlan){0};
}
