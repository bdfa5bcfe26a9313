/* gelfond_lifschitz.c - stability of one positive loop as a formula.
**
** A model M is stable with respect to the atoms of a loop S iff there is no
** X with X a proper subset of M on S that satisfies the reduct:
**   not exists X: X <= M, X /= M, and for each rule B^{X,M} -> head^{X,M},
** where X stands for the positive occurrences of atoms of S and M for all
** else.  A choice head a needs X_a only if M_a; a soft rule is in the reduct
** iff M satisfies it.  Works for head cycles and weight bodies alike.
**
** In the diagrams M of the k-th atom of the order is variable 2k and X is
** 2k+1, right below it.  The result becomes rules: one atom per node. */
#include "base/memory.h"
#include "base/status.h"
#include "compile/bdd.h"
#include "compile/order.h"
#include "compile/theory.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Theory *t;
  const TheorySource *s;
  uint32_t scc;
  Bdd bdd;
  VEC(Atom) atoms; /* of the rules with a head in the loop, in order */
  uint32_t *place; /* by member: its place in atoms; NONE: not there */
  VEC(uint32_t) clauses;
} Formula;

static bool in_loop(const Formula *f, Atom a) { return f->s->analysis->scc[a] == f->scc; }

static const Rule *rule_at(const Formula *f, size_t i) {
  return &f->s->ground->rules.at[f->s->rules[i]];
}

static bool concerns(const Formula *f, const Rule *r) {
  for (uint32_t h = 0; h < r->heads; h++)
    if (in_loop(f, rule_heads(f->s->ground, r)[h]))
      return true;
  return false;
}

static void note_atom(Formula *f, Atom a, Words *pool) {
  uint32_t *place = &f->place[f->s->position[a]];
  if (*place == NONE) {
    *place = (uint32_t)f->atoms.n;
    vec_push(&f->atoms, a);
  }
  vec_push(pool, *place);
}

/* Collects the atoms and puts them in a good order. */
static void order_atoms(Formula *f) {
  const Ground *g = f->s->ground;
  Words start = {0}, pool = {0};
  vec_push(&start, 0);
  for (size_t i = 0; i < f->s->rule_count; i++) {
    const Rule *r = rule_at(f, i);
    if (!concerns(f, r))
      continue;
    for (uint32_t h = 0; h < r->heads; h++)
      note_atom(f, rule_heads(g, r)[h], &pool);
    for (uint32_t k = 0; k < r->size; k++)
      note_atom(f, lit_atom(rule_body(g, r)[k]), &pool);
    vec_push(&start, (uint32_t)pool.n);
  }
  uint32_t *rank = memory_zero(f->atoms.n, sizeof *rank);
  order_force((uint32_t)f->atoms.n, start.at, pool.at, start.n - 1, 1, rank);
  Atom *sorted = memory_zero(f->atoms.n, sizeof *sorted);
  for (size_t i = 0; i < f->atoms.n; i++) {
    sorted[rank[i]] = f->atoms.at[i];
    f->place[f->s->position[f->atoms.at[i]]] = rank[i];
  }
  memcpy(f->atoms.at, sorted, f->atoms.n * sizeof *sorted);
  free(sorted);
  free(rank);
  vec_free(&start);
  vec_free(&pool);
}

static uint32_t model(Formula *f, Atom a, bool negated) {
  assert(f->place[f->s->position[a]] < f->atoms.n);
  return bdd_literal(&f->bdd, 2 * f->place[f->s->position[a]], negated);
}

/* X for atoms of the loop, M for others. */
static uint32_t smaller(Formula *f, Atom a, bool negated) {
  uint32_t variable = 2 * f->place[f->s->position[a]];
  assert(variable < 2 * f->atoms.n);
  return bdd_literal(&f->bdd, variable + in_loop(f, a), negated);
}

/* The variable of a body literal in the reduct's bodies. */
static uint32_t body_variable(const Formula *f, Lit l) {
  uint32_t place = f->place[f->s->position[lit_atom(l)]];
  assert(place < f->atoms.n);
  return 2 * place + (!lit_negated(l) && in_loop(f, lit_atom(l)));
}

typedef struct {
  uint32_t variable, weight;
  bool negated;
} Item;

static int compare_items(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  return x->negated - y->negated;
}

/* Diagrams by what is still missing: the sum of items from i on is less than
** `need`.  One layer at a time, from the last item up, over the needs that can
** occur: there are at most as many as distinct partial sums. */
typedef struct {
  int64_t need;
  uint32_t node;
} Layer;

typedef VEC(Layer) Layers;

static uint32_t layer_find(const Layers *layer, int64_t need, int64_t rest) {
  if (need <= 0)
    return BDD_FALSE;
  if (need > rest)
    return BDD_TRUE;
  size_t low = 0, high = layer->n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (layer->at[middle].need < need)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low < layer->n && layer->at[low].need == need);
  return layer->at[low].node;
}

static int compare_layers(const void *a, const void *b) {
  const Layer *x = a, *y = b;
  return (x->need > y->need) - (x->need < y->need);
}

/* The needs before each item, smallest first, without repeats. */
static void layer_next(const Layers *from, uint32_t weight, Layers *to) {
  for (size_t i = 0; i < from->n; i++) {
    vec_push(to, (Layer){from->at[i].need, 0});
    vec_push(to, (Layer){from->at[i].need - weight, 0});
  }
  qsort(to->at, to->n, sizeof *to->at, compare_layers);
  size_t kept = 0;
  for (size_t i = 0; i < to->n; i++)
    if (to->at[i].need > 0 && (!kept || to->at[kept - 1].need != to->at[i].need))
      to->at[kept++] = to->at[i];
  to->n = kept;
}

/* "The weighted body does not hold."  Items of one variable stand together and
** are joined by if-then-else on it through and/or, so repeats are harmless. */
static uint32_t sum_below(Formula *f, const Item *items, uint32_t n, int64_t bound) {
  assert(bound > 0);
  Layers *layers = memory_zero(n + (size_t)1, sizeof *layers);
  vec_push(&layers[0], (Layer){bound, 0});
  for (uint32_t i = 0; i < n; i++)
    layer_next(&layers[i], items[i].weight, &layers[i + 1]);
  int64_t rest = 0;
  for (uint32_t i = n; i-- > 0;) {
    for (size_t k = 0; k < layers[i].n; k++) {
      int64_t need = layers[i].at[k].need;
      uint32_t with = layer_find(&layers[i + 1], need - items[i].weight, rest);
      uint32_t without = layer_find(&layers[i + 1], need, rest);
      uint32_t yes = bdd_literal(&f->bdd, items[i].variable, items[i].negated);
      uint32_t no = bdd_literal(&f->bdd, items[i].variable, !items[i].negated);
      layers[i].at[k].node =
          bdd_or(&f->bdd, bdd_and(&f->bdd, yes, with), bdd_and(&f->bdd, no, without));
    }
    rest += items[i].weight;
  }
  uint32_t result = layer_find(&layers[0], bound, rest);
  for (uint32_t i = 0; i <= n; i++)
    vec_free(&layers[i]);
  free(layers);
  return result;
}

/* "The body of r does not hold", positive atoms of the loop read in X. */
static uint32_t body_fails(Formula *f, const Rule *r) {
  const Lit *body = rule_body(f->s->ground, r);
  if (!r->weighted) {
    uint32_t fails = BDD_FALSE;
    for (uint32_t k = 0; k < r->size; k++)
      fails = bdd_or(&f->bdd, fails,
                     bdd_literal(&f->bdd, body_variable(f, body[k]), !lit_negated(body[k])));
    return fails;
  }
  Item *items = memory_zero(r->size, sizeof *items);
  for (uint32_t k = 0; k < r->size; k++)
    items[k] =
        (Item){body_variable(f, body[k]), rule_weights(f->s->ground, r)[k], lit_negated(body[k])};
  qsort(items, r->size, sizeof *items, compare_items);
  uint32_t fails = sum_below(f, items, r->size, r->bound);
  free(items);
  return fails;
}

static void add_clause(Formula *f, uint32_t clause) { vec_push(&f->clauses, clause); }

static void add_choice(Formula *f, const Rule *r, uint32_t fails) {
  for (uint32_t h = 0; h < r->heads; h++) {
    Atom a = rule_heads(f->s->ground, r)[h];
    if (!in_loop(f, a))
      continue;
    uint32_t clause = bdd_or(&f->bdd, fails, model(f, a, true));
    add_clause(f, bdd_or(&f->bdd, clause, smaller(f, a, false)));
  }
}

/* A soft rule that M violates is not there; if M satisfies it by a head that
** is outside of the loop, so does X. */
static void add_heads(Formula *f, const Rule *r, uint32_t fails) {
  uint32_t absent = BDD_TRUE, clause = fails;
  for (uint32_t h = 0; h < r->heads; h++) {
    Atom a = rule_heads(f->s->ground, r)[h];
    clause = bdd_or(&f->bdd, clause, smaller(f, a, false));
    if (in_loop(f, a))
      absent = bdd_and(&f->bdd, absent, model(f, a, true));
  }
  if (r->instance != NONE)
    clause = bdd_or(&f->bdd, clause, absent);
  add_clause(f, clause);
}

/* X is a proper subset of M. */
static void add_subset(Formula *f) {
  uint32_t differs = BDD_FALSE;
  for (size_t i = f->atoms.n; i-- > 0;) {
    Atom a = f->atoms.at[i];
    if (!in_loop(f, a))
      continue;
    uint32_t in = model(f, a, false), out = smaller(f, a, true);
    add_clause(f, bdd_or(&f->bdd, in, out));
    differs = bdd_or(&f->bdd, bdd_and(&f->bdd, in, out), differs);
  }
  add_clause(f, differs);
}

typedef struct {
  uint32_t top, clause;
} Topped;

static int compare_topped(const void *a, const void *b) {
  const Topped *x = a, *y = b;
  if (x->top != y->top)
    return x->top > y->top ? -1 : 1;
  return (x->clause > y->clause) - (x->clause < y->clause);
}

/* Lowest clauses first, so that each step works near the top of the result. */
static uint32_t conjoin(Formula *f) {
  Topped *order = memory_zero(f->clauses.n, sizeof *order);
  uint32_t all = BDD_TRUE;
  for (size_t i = 0; i < f->clauses.n; i++) {
    uint32_t clause = f->clauses.at[i];
    if (clause == BDD_OVER)
      all = BDD_OVER;
    else
      order[i] = (Topped){f->bdd.nodes.at[clause].variable, clause};
  }
  if (all != BDD_OVER)
    qsort(order, f->clauses.n, sizeof *order, compare_topped);
  for (size_t i = 0; i < f->clauses.n && all != BDD_OVER; i++)
    all = bdd_and(&f->bdd, all, order[i].clause);
  free(order);
  return all;
}

/* n <- b, high.  n <- not b, low. */
static void write_half(Formula *f, uint32_t head, uint32_t literal, uint32_t child,
                       const uint32_t *atom) {
  if (child == BDD_FALSE)
    return;
  theory_rule(f->t, head);
  theory_literal(f->t, literal);
  if (child != BDD_TRUE)
    theory_literal(f->t, lit_of(atom[child], false));
}

/* Rules for the nodes below root, and the constraint that root fails. */
static void write_rules(Formula *f, uint32_t root) {
  assert(root < f->bdd.nodes.n);
  const BddNode *nodes = f->bdd.nodes.at;
  uint32_t *atom = memory_zero(root + (size_t)1, sizeof *atom);
  bool *below = memory_zero(root + (size_t)2, 1);
  below[root] = true;
  for (uint32_t i = root + 1; i-- > 2;)
    if (below[i])
      below[nodes[i].high] = below[nodes[i].low] = true;
  for (uint32_t i = 2; i <= root; i++) {
    if (!below[i])
      continue;
    assert(!(nodes[i].variable & 1)); /* no X is left */
    atom[i] = theory_atom(f->t, false, 0);
    uint32_t member = f->s->position[f->atoms.at[nodes[i].variable / 2]];
    write_half(f, atom[i], lit_of(member, false), nodes[i].high, atom);
    write_half(f, atom[i], lit_of(member, true), nodes[i].low, atom);
  }
  if (root != BDD_FALSE) {
    theory_rule(f->t, THEORY_NONE);
    if (root != BDD_TRUE)
      theory_literal(f->t, lit_of(atom[root], false));
  }
  free(atom);
  free(below);
}

Status theory_add_minimality(Theory *t, const TheorySource *s, uint32_t scc) {
  assert(scc < s->analysis->sccs && s->node_limit);
  Formula f = {.t = t, .s = s, .scc = scc};
  f.place = memory_zero(s->member_count, sizeof *f.place);
  memset(f.place, 0xff, s->member_count * sizeof *f.place);
  bdd_begin(&f.bdd, s->node_limit);
  order_atoms(&f);
  for (size_t i = 0; i < s->rule_count; i++) {
    const Rule *r = rule_at(&f, i);
    if (!concerns(&f, r))
      continue;
    uint32_t fails = body_fails(&f, r);
    if (r->choice)
      add_choice(&f, r, fails);
    else
      add_heads(&f, r, fails);
  }
  add_subset(&f);
  uint32_t root = bdd_exists_odd(&f.bdd, conjoin(&f));
  if (root != BDD_OVER)
    write_rules(&f, root);
  bdd_free(&f.bdd);
  vec_free(&f.atoms);
  vec_free(&f.clauses);
  free(f.place);
  return root == BDD_OVER ? LIMIT : OK;
}
