/* ground.c - building and simplifying the ground program; see ground.h.
**
** Sealing computes the well-founded bounds: a lower bound of atoms that hold
** in every stable model and an upper bound outside of which no atom holds in
** any, each from the other until nothing changes.  Both are linear counting
** fixpoints over rules indexed by body literal. */
#include "ground/ground.h"

#include "base/sort.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ground_free(Ground *g) {
  vec_free(&g->names);
  vec_free(&g->atoms);
  vec_free(&g->rules);
  vec_free(&g->pool);
  vec_free(&g->instances);
  vec_free(&g->soft);
  vec_free(&g->weights);
  vec_free(&g->queries);
  vec_free(&g->terms);
  vec_free(&g->decisions);
  vec_free(&g->utilities);
  *g = (Ground){0};
}

uint32_t ground_name(Ground *g, const char *bytes, size_t length) {
  assert(bytes || !length);
  uint32_t at = (uint32_t)g->names.n;
  vec_reserve(&g->names, length + 1);
  if (length)
    memcpy(g->names.at + at, bytes, length);
  g->names.at[at + length] = 0;
  g->names.n += length + 1;
  return at;
}

Atom ground_atom(Ground *g, const char *name) {
  assert(!g->sealed);
  uint32_t at = name ? ground_name(g, name, strlen(name)) : NONE;
  vec_push(&g->atoms, (AtomInfo){.name = at, .shown = name != NULL});
  return (Atom)(g->atoms.n - 1);
}

uint32_t *ground_rule(Ground *g, Rule rule) {
  assert(rule.instance == NONE || rule.instance < g->instances.n);
  assert(!g->sealed);
  size_t words = (size_t)rule.heads + (size_t)rule.size * (rule.weighted ? 2 : 1);
  vec_reserve(&g->pool, words);
  rule.first = (uint32_t)g->pool.n;
  g->pool.n += words;
  vec_push(&g->rules, rule);
  return g->pool.at + rule.first;
}

/* Rules by body literal: occurrences of l are at[start[l]] .. at[start[l+1]-1],
** each naming a rule and, for weighted bodies, a weight. */
typedef struct {
  uint32_t *start, *rule, *weight;
} Occurrences;

static Occurrences occurrences_of(const Ground *g) {
  size_t lits = 2 * g->atoms.n, total = 0;
  Occurrences o = {.start = memory_zero(lits + 1, sizeof *o.start)};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t k = 0; k < r->size; k++, total++)
      o.start[rule_body(g, r)[k] + 1]++;
  }
  for (size_t l = 0; l < lits; l++)
    o.start[l + 1] += o.start[l];
  o.rule = memory_zero(total, sizeof *o.rule);
  o.weight = memory_zero(total, sizeof *o.weight);
  uint32_t *fill = memory_zero(lits, sizeof *fill);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    for (uint32_t k = 0; k < r->size; k++) {
      Lit l = rule_body(g, r)[k];
      uint32_t at = o.start[l] + fill[l]++;
      assert(at < o.start[l + 1]);
      o.rule[at] = (uint32_t)i;
      o.weight[at] = r->weighted ? rule_weights(g, r)[k] : 1;
    }
  }
  free(fill);
  return o;
}

static void occurrences_free(Occurrences *o) {
  free(o->start);
  free(o->rule);
  free(o->weight);
}

/* A derivation under way: `missing` is what each rule's body still lacks, and
** atoms are queued when they enter the result. */
typedef struct {
  const Ground *g;
  bool upper, *result;
  int64_t *missing;
  Atom *queue;
  size_t queued;
} Derivation;

static void fire(Derivation *d, const Rule *r) {
  if (!d->upper && (r->heads != 1 || r->choice || r->instance != NONE))
    return;
  for (uint32_t h = 0; h < r->heads; h++) {
    Atom a = rule_heads(d->g, r)[h];
    assert(a < d->g->atoms.n && d->queued <= d->g->atoms.n);
    if (!d->result[a])
      d->result[a] = true, d->queue[d->queued++] = a;
  }
}

static void supply(Derivation *d, const Occurrences *o, Lit l) {
  for (uint32_t k = o->start[l]; k < o->start[l + 1]; k++) {
    int64_t *missing = &d->missing[o->rule[k]];
    bool lacked = *missing > 0;
    *missing -= o->weight[k];
    if (lacked && *missing <= 0)
      fire(d, &d->g->rules.at[o->rule[k]]);
  }
}

/* The set derived by the rules when negative literals are read in `negation`
** (not a holds iff a is not in it).  Lower bound: only hard rules with exactly
** one head derive.  Upper bound: every rule derives all of its heads. */
static void derive(const Ground *g, const Occurrences *o, const bool *negation, bool upper,
                   bool *result) {
  Derivation d = {.g = g, .upper = upper, .result = result};
  d.missing = memory_zero(g->rules.n, sizeof *d.missing);
  d.queue = memory_zero(g->atoms.n, sizeof *d.queue);
  memset(result, 0, g->atoms.n);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    d.missing[i] = r->weighted ? r->bound : (int64_t)r->size;
    if (d.missing[i] <= 0)
      fire(&d, r);
  }
  for (Atom a = 0; a < g->atoms.n; a++)
    if (!negation[a])
      supply(&d, o, lit_of(a, true));
  for (size_t done = 0; done < d.queued; done++)
    supply(&d, o, lit_of(d.queue[done], false));
  free(d.missing);
  free(d.queue);
}

static void find_truth(Ground *g) {
  size_t n = g->atoms.n;
  Occurrences o = occurrences_of(g);
  bool *lower = memory_zero(n, 1), *upper = memory_zero(n, 1);
  bool *before = memory_zero(n, 1);
  memset(upper, true, n);
  do { /* each round shrinks upper or ends */
    memcpy(before, upper, n);
    derive(g, &o, upper, false, lower);
    derive(g, &o, lower, true, upper);
  } while (memcmp(before, upper, n) != 0);
  for (Atom a = 0; a < n; a++)
    g->atoms.at[a].truth = lower[a] ? ATOM_CERTAIN : upper[a] ? ATOM_OPEN : ATOM_IMPOSSIBLE;
  free(lower);
  free(upper);
  free(before);
  occurrences_free(&o);
}

int ground_truth(const Ground *g, Lit l) {
  assert(lit_atom(l) < g->atoms.n);
  Truth truth = g->atoms.at[lit_atom(l)].truth;
  return truth == ATOM_OPEN ? -1 : (truth == ATOM_CERTAIN) != lit_negated(l);
}

/* Sorts and removes repeats; false if a and not a are both there. */
static bool normalise_body(Lit *body, uint32_t *n) {
  *n = (uint32_t)sort_unique(body, *n);
  for (uint32_t k = 1; k < *n; k++)
    if (lit_negated(body[k]) && body[k - 1] == lit_not(body[k]))
      return false;
  return true;
}

/* Leaves the open literals; false if the body never holds. */
static bool reduce_plain_body(const Ground *g, Lit *body, uint32_t *size) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < *size; k++) {
    int truth = ground_truth(g, body[k]);
    if (truth == 0)
      return false;
    if (truth < 0)
      body[kept++] = body[k];
  }
  *size = kept;
  return normalise_body(body, size);
}

/* The same for a weighted body, which becomes a plain one where all (or none)
** of its literals are needed. */
static bool reduce_weighted_body(const Ground *g, Rule *r, Lit *body, uint32_t *weights) {
  int64_t bound = r->bound, total = 0, least = INT64_MAX;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < r->size; k++) {
    int truth = ground_truth(g, body[k]);
    if (truth > 0)
      bound -= weights[k];
    if (truth >= 0)
      continue;
    body[kept] = body[k], weights[kept] = weights[k];
    total += weights[k];
    least = weights[k] < least ? weights[k] : least;
    kept++;
  }
  r->size = bound <= 0 ? 0 : kept;
  assert(bound <= r->bound); /* weights are positive */
  r->bound = (int32_t)(bound <= 0 ? 0 : bound);
  if (bound > total)
    return false;
  if (bound <= 0 || total - least < bound) {
    r->weighted = false;
    return normalise_body(body, &r->size);
  }
  return true;
}

/* Rewrites the rule in place, from buffers of its parts; false: drop it. */
static bool simplify(Ground *g, Rule *r) {
  uint32_t *heads = g->pool.at + r->first, *body = heads + r->heads;
  uint32_t *weights = body + r->size, kept = 0;
  if (!(r->weighted ? reduce_weighted_body(g, r, body, weights)
                    : reduce_plain_body(g, body, &r->size)))
    return false;
  for (uint32_t h = 0; h < r->heads; h++) {
    bool certain = g->atoms.at[heads[h]].truth == ATOM_CERTAIN;
    if (certain && !r->choice)
      return false; /* satisfied by an atom that needs no support from here */
    if (!certain)
      heads[kept++] = heads[h];
  }
  if (r->choice && !kept)
    return false;
  kept = (uint32_t)sort_unique(heads, kept);
  if (r->size) /* else the pool may not be there */
    memmove(heads + kept, body, r->size * sizeof *body);
  if (r->weighted)
    memmove(heads + kept + r->size, weights, r->size * sizeof *weights);
  r->heads = kept;
  if (!r->heads && !r->size && r->instance == NONE)
    g->inconsistent = true;
  return true;
}

void ground_seal(Ground *g) {
  assert(!g->sealed);
  find_truth(g);
  size_t kept = 0, own = 0, observed = 0;
  for (size_t i = 0; i < g->rules.n; i++) {
    Rule r = g->rules.at[i];
    if (!simplify(g, &r))
      continue;
    own += i < g->own.rules;
    observed += i < g->observed.rules;
    g->rules.at[kept++] = r;
  }
  assert(kept <= g->rules.n && own <= observed && observed <= kept);
  g->rules.n = kept;
  g->own.rules = own, g->observed.rules = observed;
  g->sealed = true;
  assert(ground_valid(g));
}

static Extent part_of(Extent e, Extent whole) {
  return (Extent){e.atoms < whole.atoms ? e.atoms : whole.atoms,
                  e.rules < whole.rules ? e.rules : whole.rules};
}

Ground ground_view(const Ground *g, Extent to) {
  assert(g->sealed && to.atoms <= g->atoms.n && to.rules <= g->rules.n);
  Ground view = *g;
  view.atoms.n = to.atoms, view.rules.n = to.rules;
  view.own = part_of(g->own, to), view.observed = part_of(g->observed, to);
  view.queries.n = view.terms.n = view.decisions.n = view.utilities.n = 0;
  assert(ground_valid(&view));
  return view;
}

bool ground_holds(const Ground *g, const Rule *r, const bool *atoms) {
  assert(g->sealed && atoms);
  const Lit *body = rule_body(g, r);
  int64_t sum = 0;
  for (uint32_t k = 0; k < r->size; k++) {
    bool holds = atoms[lit_atom(body[k])] != lit_negated(body[k]);
    if (!r->weighted && !holds)
      return false;
    sum += r->weighted && holds ? rule_weights(g, r)[k] : 0;
  }
  return !r->weighted || sum >= r->bound;
}

bool ground_violated(const Ground *g, const Rule *r, const bool *atoms) {
  assert(g->sealed && r->instance != NONE && !r->weighted);
  for (uint32_t k = 0; k < r->size; k++)
    if (atoms[lit_atom(rule_body(g, r)[k])] == lit_negated(rule_body(g, r)[k]))
      return false;
  for (uint32_t h = 0; h < r->heads; h++)
    if (atoms[rule_heads(g, r)[h]])
      return false;
  return true;
}

unsigned ground_arity(const char *atom) {
  size_t n = strcspn(atom, "(");
  unsigned arity = atom[n] == '(' && atom[n + 1] != ')';
  int depth = 0;
  bool quoted = false;
  for (const char *s = atom + n; *s; s++) {
    if (*s == '\\' && quoted && s[1]) {
      s++;
      continue;
    }
    quoted ^= *s == '"';
    depth += !quoted && *s == '(';
    depth -= !quoted && *s == ')';
    arity += !quoted && depth == 1 && *s == ',';
  }
  return arity;
}

double ground_weight_range(const Ground *g, const double *weights) {
  assert(g->sealed && (weights || !g->weights.n));
  double sum = 0;
  for (size_t i = 0; i < g->instances.n; i++)
    if (g->instances.at[i].weight != NONE)
      sum += fabs(weights[g->instances.at[i].weight]);
  return sum;
}
