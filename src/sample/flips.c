/* flips.c - see flips.h: counters, what follows from a flip, and sweeps. */
#include "sample/flips.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void flips_begin(Flips *f, const Target *t, const FlipPlan *plan, bool *atoms) {
  assert(t->ground.sealed && plan->sort && atoms);
  size_t n = t->ground.atoms.n, rules = t->ground.rules.n;
  *f = (Flips){.target = t, .plan = plan, .atoms = atoms};
  f->weights = memory_zero(t->ground.weights.n, sizeof *f->weights);
  f->chance = memory_zero(plan->entries, sizeof *f->chance);
  f->left = memory_zero(rules, sizeof *f->left);
  f->true_head = memory_zero(rules, sizeof *f->true_head);
  f->supports = memory_zero(n, sizeof *f->supports);
  f->source = memory_zero(n, sizeof *f->source);
  f->rank = memory_zero(n, sizeof *f->rank);
  f->heap = memory_zero(plan->groups, sizeof *f->heap);
  f->waiting = memory_zero(plan->groups, sizeof *f->waiting);
  f->waits = memory_zero(n, sizeof *f->waits);
}

void flips_free(Flips *f) {
  for (uint32_t i = 0; f->waiting && i < f->plan->groups; i++)
    vec_free(&f->waiting[i]);
  free(f->weights);
  free(f->chance);
  free(f->left);
  free(f->true_head);
  free(f->supports);
  free(f->source);
  free(f->rank);
  free(f->heap);
  free(f->waiting);
  free(f->waits);
  vec_free(&f->toggled);
  vec_free(&f->sources);
  *f = (Flips){0};
}

void flips_stale(Flips *f) { f->fresh = false; }

/* ---- atoms that wait ----------------------------------------------------------------- */

static void heap_push(Flips *f, uint32_t group) {
  assert(f->heaped < f->plan->groups);
  uint32_t at = f->heaped++;
  for (; at && f->heap[(at - 1) / 2] > group; at = (at - 1) / 2)
    f->heap[at] = f->heap[(at - 1) / 2];
  f->heap[at] = group;
}

static uint32_t heap_pop(Flips *f) {
  assert(f->heaped);
  uint32_t least = f->heap[0], last = f->heap[--f->heaped], at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= f->heaped)
      break;
    child += child + 1 < f->heaped && f->heap[child + 1] < f->heap[child];
    if (f->heap[child] >= last)
      break;
    f->heap[at] = f->heap[child];
    at = child;
  }
  f->heap[at] = last;
  return least;
}

/* The rules of this atom, which follows from others, have changed. */
static void wait_for(Flips *f, Atom a) {
  uint32_t group = f->plan->group[a];
  assert(group != NONE);
  if (f->undoing || f->waits[a])
    return;
  f->waits[a] = true;
  if (!f->waiting[group].n)
    heap_push(f, group);
  vec_push(&f->waiting[group], a);
}

/* ---- counters ------------------------------------------------------------------------ */

static const Rule *rule_at(const Flips *f, uint32_t r) { return &f->target->ground.rules.at[r]; }

static double weight_of(const Flips *f, uint32_t r) {
  uint32_t weight = f->plan->about[r];
  return weight == NONE ? 0 : f->weights[weight];
}

/* A rule without true heads is violated, or is so no longer. */
static void violate(Flips *f, uint32_t r, bool violated) {
  if (f->plan->kind[r] == FLIP_SOFT)
    f->gain += violated ? -weight_of(f, r) : weight_of(f, r);
  else if (f->plan->kind[r] == FLIP_HARD)
    f->broken += violated ? 1 : -1;
}

static bool lacks_support(const Flips *f, Atom a) {
  return f->plan->tracked[a] && f->atoms[a] && !f->supports[a];
}

/* A rule whose body holds begins to support its heads, or ends; of several heads it supports
** one that is alone in being true. */
static void support(Flips *f, uint32_t r, bool begins) {
  const Rule *rule = rule_at(f, r);
  const Atom *heads = rule_heads(&f->target->ground, rule);
  bool all = rule->choice || rule->heads == 1;
  for (uint32_t h = 0; h < rule->heads; h++) {
    Atom a = heads[h];
    if (!f->plan->tracked[a] || !(all || (f->atoms[a] && f->true_head[r] == 1)))
      continue;
    assert(begins || f->supports[a]);
    f->broken -= lacks_support(f, a);
    f->supports[a] += begins ? 1 : UINT32_MAX;
    f->broken += lacks_support(f, a);
  }
}

/* The body of a rule begins to hold, or ends. */
static void fire(Flips *f, uint32_t r, bool begins) {
  if (f->plan->kind[r] == FLIP_DERIVES) {
    Atom a = f->plan->about[r];
    assert(begins || f->supports[a]);
    f->supports[a] += begins ? 1 : UINT32_MAX;
    wait_for(f, a);
    return;
  }
  if (!f->true_head[r] && !f->undoing)
    violate(f, r, begins);
  if (f->plan->supporting[r])
    support(f, r, begins);
}

/* The heads of its rules: a guessed atom changes. */
static void change_heads(Flips *f, Atom a) {
  const FlipPlan *p = f->plan;
  for (uint32_t i = p->heads.start[a]; i < p->heads.start[a + 1]; i++)
    if (f->left[p->heads.at[i]] <= 0 && rule_at(f, p->heads.at[i])->heads > 1)
      support(f, p->heads.at[i], false);
  f->broken -= lacks_support(f, a);
  f->atoms[a] = !f->atoms[a];
  f->broken += lacks_support(f, a);
  for (uint32_t i = p->heads.start[a]; i < p->heads.start[a + 1]; i++) {
    uint32_t r = p->heads.at[i], before = f->true_head[r];
    assert(f->atoms[a] || before);
    f->true_head[r] = f->atoms[a] ? before + 1 : before - 1;
    if (f->left[r] <= 0 && !before != !f->true_head[r])
      violate(f, r, before > 0);
    if (f->left[r] <= 0 && rule_at(f, r)->heads > 1)
      support(f, r, true);
  }
}

static void toggle(Flips *f, Atom a) {
  const FlipPlan *p = f->plan;
  change_heads(f, a);
  if (p->observed[a] >= 0)
    f->broken += f->atoms[a] == p->observed[a] ? -1 : 1;
  const FlipLiteral *l = p->literals + p->first[a], *end = p->literals + p->first[a + 1];
  int64_t *left = f->left, sign = f->atoms[a] ? -1 : 1;
  for (; l < end; l++) {
    int64_t before = left[l->rule], after = before + sign * l->step;
    left[l->rule] = after;
    if ((before <= 0) != (after <= 0))
      fire(f, l->rule, before > 0);
  }
}

/* ---- what follows ------------------------------------------------------------------------ */

static void change(Flips *f, Atom a) {
  vec_push(&f->toggled, a);
  toggle(f, a);
}

static void set_source(Flips *f, Atom a, uint32_t r, uint64_t rank) {
  vec_push(&f->sources, (FlipSource){a, f->source[a], f->rank[a]});
  f->source[a] = r;
  f->rank[a] = rank;
}

/* Do the atoms of its own group come before this one? */
static bool is_founded(const Flips *f, uint32_t r, Atom a) {
  const Rule *rule = rule_at(f, r);
  const Lit *body = rule_body(&f->target->ground, rule);
  for (uint32_t k = 0; k < rule->size; k++)
    if (!lit_negated(body[k]) && f->plan->group[lit_atom(body[k])] == f->plan->group[a] &&
        f->rank[lit_atom(body[k])] >= f->rank[a])
      return false;
  return true;
}

/* Another rule for an atom that has lost its source; false: there is none. */
static bool find_source(Flips *f, Atom a) {
  const GraphLists *rules = &f->plan->rules;
  for (uint32_t i = rules->start[a]; i < rules->start[a + 1]; i++)
    if (f->left[rules->at[i]] <= 0 && is_founded(f, rules->at[i], a)) {
      set_source(f, a, rules->at[i], f->rank[a]);
      return true;
    }
  return false;
}

static void derive(Flips *f, Atom a) {
  const GraphLists *rules = &f->plan->rules;
  uint32_t i = rules->start[a];
  while (f->left[rules->at[i]] > 0)
    i++;
  assert(i < rules->start[a + 1]);
  set_source(f, a, rules->at[i], ++f->clock);
  change(f, a);
}

/* First what has lost its foundation, and all that is founded on it, becomes false; then what
** still has a rule becomes true again. */
static void settle_loop(Flips *f, uint32_t group) {
  FlipAtoms *w = &f->waiting[group];
  for (size_t i = 0; i < w->n; i++) {
    Atom a = w->at[i];
    f->waits[a] = false;
    if (f->atoms[a] && f->left[f->source[a]] > 0 && !find_source(f, a))
      change(f, a);
  }
  for (size_t i = 0; i < w->n; i++) {
    Atom a = w->at[i];
    f->waits[a] = false;
    if (!f->atoms[a] && f->supports[a])
      derive(f, a);
  }
}

static void follow(Flips *f) {
  while (f->heaped) {
    uint32_t group = heap_pop(f);
    Atom a = f->waiting[group].at[0];
    if (f->plan->looping[group]) {
      settle_loop(f, group);
    } else {
      f->waits[a] = false;
      if (f->atoms[a] != (f->supports[a] > 0))
        change(f, a);
    }
    f->waiting[group].n = 0;
  }
}

static void forget(Flips *f) {
  f->toggled.n = f->sources.n = 0;
  f->gain = 0;
  f->broken = 0;
}

static void undo(Flips *f) {
  f->undoing = true;
  for (size_t i = f->toggled.n; i-- > 0;)
    toggle(f, f->toggled.at[i]);
  for (size_t i = f->sources.n; i-- > 0;) {
    const FlipSource *s = &f->sources.at[i];
    f->source[s->atom] = s->rule;
    f->rank[s->atom] = s->rank;
  }
  f->undoing = false;
}

/* ---- from the beginning --------------------------------------------------------------------- */

static void count_bodies(Flips *f) {
  const Ground *g = &f->target->ground;
  const FlipPlan *p = f->plan;
  for (uint32_t r = 0; r < g->rules.n; r++) {
    const Rule *rule = &g->rules.at[r];
    f->left[r] = rule->weighted ? rule->bound : (int64_t)rule->size;
    f->true_head[r] = 0;
  }
  for (Atom a = 0; a < g->atoms.n; a++) {
    for (uint32_t i = p->first[a]; i < p->first[a + 1]; i++)
      if (f->atoms[a] == (p->literals[i].step > 0))
        f->left[p->literals[i].rule] -= abs(p->literals[i].step);
    for (uint32_t i = p->heads.start[a]; f->atoms[a] && i < p->heads.start[a + 1]; i++)
      f->true_head[p->heads.at[i]]++;
  }
}

/* Counters for the guesses alone, then all that follows. */
static void refresh(Flips *f) {
  const Ground *g = &f->target->ground;
  const FlipPlan *p = f->plan;
  assert(!f->heaped && !f->toggled.n);
  f->clock = 0;
  memset(f->supports, 0, g->atoms.n * sizeof *f->supports);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (p->group[a] != NONE)
      f->atoms[a] = false;
  count_bodies(f);
  for (uint32_t r = 0; r < g->rules.n; r++)
    if (f->left[r] <= 0)
      fire(f, r, true);
  follow(f);
  forget(f);
  f->fresh = true;
}

/* ---- sweeps ------------------------------------------------------------------------------- */

/* Gain and broken of a flip that is not done. */
static void look(Flips *f, Atom a) {
  const FlipPlan *p = f->plan;
  for (uint32_t i = p->first[a]; i < p->first[a + 1]; i++) {
    const FlipLiteral *l = &p->literals[i];
    int64_t before = f->left[l->rule];
    int64_t after = f->atoms[a] ? before + l->step : before - l->step;
    if ((before <= 0) != (after <= 0) && !f->true_head[l->rule])
      violate(f, l->rule, after <= 0);
  }
  for (uint32_t i = p->heads.start[a]; i < p->heads.start[a + 1]; i++) {
    uint32_t r = p->heads.at[i];
    if (f->left[r] <= 0 && f->true_head[r] == f->atoms[a])
      violate(f, r, f->atoms[a]);
  }
}

static bool accepts(Flips *f, Random *random) {
  f->blocked += f->broken != 0;
  return !f->broken && random_unit(random) < 1 / (1 + exp(-f->gain));
}

static void flip(Flips *f, uint32_t place, Random *random) {
  Atom a = f->plan->order[place];
  uint64_t blocked = f->blocked;
  bool counts = !f->plan->swaps || !f->plan->swapped[a]; /* alone it can hardly change */
  f->tried += counts;
  if (f->plan->sort[a] == FLIP_TABLE) {
    double chance = flip_chance(f, place);
    f->blocked += chance <= 0 || chance >= 1;
    if (f->atoms[a] != (random_unit(random) < chance))
      toggle(f, a);
  } else if (f->plan->sort[a] == FLIP_LOOK) {
    look(f, a);
    if (accepts(f, random))
      toggle(f, a);
  } else {
    change(f, a);
    follow(f);
    if (!accepts(f, random))
      undo(f);
  }
  f->blocked = counts ? f->blocked : blocked;
  forget(f);
}

/* The k-th head of a choice that holds, or does not. */
static Atom find_head(const Flips *f, uint32_t choice, bool holds, uint32_t k) {
  const GraphLists *c = &f->plan->choices;
  uint32_t i = c->start[choice];
  for (; f->atoms[c->at[i]] != holds || k; i++)
    k -= f->atoms[c->at[i]] == holds;
  assert(i < c->start[choice + 1]);
  return c->at[i];
}

/* A head that holds and one that does not change together.  Either way there are as many such
** pairs, so both ways are proposed equally often. */
static void swap(Flips *f, uint32_t choice, Random *random) {
  const GraphLists *c = &f->plan->choices;
  uint32_t n = c->start[choice + 1] - c->start[choice], holding = 0;
  for (uint32_t i = c->start[choice]; i < c->start[choice + 1]; i++)
    holding += f->atoms[c->at[i]];
  if (!holding || holding == n)
    return;
  Atom out = find_head(f, choice, true, (uint32_t)random_below(random, holding));
  Atom in = find_head(f, choice, false, (uint32_t)random_below(random, n - holding));
  f->tried++;
  change(f, out);
  change(f, in);
  follow(f);
  if (!accepts(f, random))
    undo(f);
  forget(f);
}

/* As often as the choice has heads. */
static void swap_all(Flips *f, uint32_t choice, Random *random) {
  const GraphLists *c = &f->plan->choices;
  for (uint32_t i = c->start[choice]; i < c->start[choice + 1]; i++)
    swap(f, choice, random);
}

/* Counters and table for these weights. */
static void adopt(Flips *f, const double *weights) {
  const Ground *g = &f->target->ground;
  if (!f->fresh)
    refresh(f);
  if (!f->swept || memcmp(f->weights, weights, g->weights.n * sizeof *weights)) {
    memcpy(f->weights, weights, g->weights.n * sizeof *weights);
    for (uint32_t i = 0; i < f->plan->entries; i++)
      f->chance[i] = NAN;
    f->swept = true;
  }
}

void flips_sweep(Flips *f, const double *weights, Random *random) {
  adopt(f, weights);
  for (uint32_t i = 0; i < f->plan->count; i++)
    flip(f, i, random);
  for (uint32_t i = 0; i < f->plan->swaps; i++)
    swap_all(f, i, random);
}

void flips_sweep_back(Flips *f, const double *weights, Random *random) {
  adopt(f, weights);
  for (uint32_t i = f->plan->swaps; i-- > 0;)
    swap_all(f, i, random);
  for (uint32_t i = f->plan->count; i-- > 0;)
    flip(f, i, random);
}

bool flips_settle(Flips *f) {
  const Ground *g = &f->target->ground;
  refresh(f);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (lacks_support(f, a))
      return false;
  for (uint32_t r = 0; r < g->rules.n; r++) {
    const Rule *rule = rule_at(f, r);
    bool broken = f->plan->kind[r] == FLIP_HARD && ground_holds(g, rule, f->atoms);
    for (uint32_t h = 0; broken && h < rule->heads; h++)
      broken = !f->atoms[rule_heads(g, rule)[h]];
    if (broken)
      return false;
  }
  return !g->inconsistent;
}
