/* theory.c - the pool of rules; see theory.h. */
#include "compile/theory.h"

#include "base/graph.h"
#include "compile/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void theory_free(Theory *t) {
  vec_free(&t->input);
  vec_free(&t->loop);
  vec_free(&t->event);
  vec_free(&t->rank);
  vec_free(&t->mirror);
  vec_free(&t->rules);
  vec_free(&t->terms);
  *t = (Theory){0};
}

uint32_t theory_atom(Theory *t, bool input, uint32_t loop) {
  vec_push(&t->input, input);
  vec_push(&t->loop, loop);
  vec_push(&t->event, false);
  vec_push(&t->rank, 0);
  return t->atoms++;
}

void theory_rule(Theory *t, uint32_t head) {
  assert(head == THEORY_NONE || (head < t->atoms && !t->input.at[head]));
  t->last = t->rules.n;
  vec_push(&t->rules, head);
  vec_push(&t->rules, 0);
}

void theory_literal(Theory *t, uint32_t literal) {
  assert(literal < 2 * t->atoms);
  assert(!rule_weighted(t->rules.at + t->last));
  t->rules.at[t->last + 1] += 2;
  vec_push(&t->rules, literal);
}

void theory_weighted(Theory *t, uint32_t head, const uint32_t *literals, const uint32_t *weights,
                     uint32_t n, uint32_t bound) {
  assert(n && bound);
  theory_rule(t, head);
  t->rules.at[t->rules.n - 1] = 2 * n + 1;
  for (uint32_t k = 0; k < n; k++)
    vec_push(&t->rules, literals[k]);
  for (uint32_t k = 0; k < n; k++)
    vec_push(&t->rules, weights[k]);
  vec_push(&t->rules, bound);
}

bool rule_add_literal(Words *words, size_t rule, uint32_t literal) {
  uint32_t *at = words->at + rule;
  assert(!rule_weighted(at) && rule + rule_words(at) == words->n);
  for (uint32_t k = 0; k < rule_size(at); k++) {
    if (at[2 + k] == (literal ^ 1))
      return false;
    if (at[2 + k] == literal)
      return true;
  }
  if (at[0] != THEORY_NONE && literal == 2 * at[0]) /* h <- h supports nothing */
    return false;
  vec_push(words, literal);
  words->at[rule + 1] += 2;
  return true;
}

uint32_t *rules_components(const uint32_t *rules, size_t n, uint32_t atoms) {
  GraphEdges edges = {0};
  for (size_t i = 0; i < n; i += rule_words(rules + i)) {
    const uint32_t *rule = rules + i;
    for (uint32_t k = 0; rule[0] != THEORY_NONE && k < rule_size(rule); k++)
      vec_push(&edges, (GraphEdge){rule[0], rule[2 + k] >> 1});
  }
  return graph_component_of(&edges, atoms);
}

typedef struct {
  uint32_t stratum, head;
  size_t at;
} Placed;

static int compare_placed(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  if (x->head != y->head)
    return x->head < y->head ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

Words rules_sorted(const uint32_t *rules, size_t n, const uint32_t *component) {
  VEC(Placed) placed = {0};
  for (size_t i = 0; i < n; i += rule_words(rules + i)) {
    uint32_t head = rules[i];
    uint32_t stratum = head == THEORY_NONE ? THEORY_NONE : component[head];
    vec_push(&placed, (Placed){stratum, head, i});
  }
  if (placed.n)
    qsort(placed.at, placed.n, sizeof *placed.at, compare_placed);
  Words sorted = {0};
  vec_reserve(&sorted, n);
  for (size_t i = 0; i < placed.n; i++) {
    const uint32_t *rule = rules + placed.at[i].at;
    memcpy(sorted.at + sorted.n, rule, rule_words(rule) * sizeof *rule);
    sorted.n += rule_words(rule);
  }
  vec_free(&placed);
  return sorted;
}

void theory_seal(Theory *t) {
  uint32_t *component = rules_components(t->rules.at, t->rules.n, t->atoms);
  Words sorted = rules_sorted(t->rules.at, t->rules.n, component);
  vec_free(&t->rules);
  t->rules.at = sorted.at, t->rules.n = sorted.n, t->rules.room = sorted.room;
  free(component);
  assert(theory_valid(t));
}

static bool rule_valid(const Theory *t, const uint32_t *rule) {
  if (rule[0] != THEORY_NONE && (rule[0] >= t->atoms || t->input.at[rule[0]]))
    return false;
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (rule[2 + k] >= 2 * t->atoms)
      return false;
  return true;
}

bool theory_valid(const Theory *t) {
  size_t i = 0;
  while (i < t->rules.n && rule_valid(t, t->rules.at + i))
    i += rule_words(t->rules.at + i);
  bool good = i == t->rules.n && t->members <= t->atoms && t->input.n == t->atoms &&
              t->loop.n == t->atoms && t->event.n == t->atoms && t->rank.n == t->atoms;
  for (size_t k = 0; good && k < t->terms.n; k++)
    good = t->terms.at[k].literal < 2 * t->atoms;
  return good;
}

/* Deciding should follow derivations: where they begin, in rules with nothing
** but inputs, should be early in the order. */
static void orient(Theory *t) {
  double sum = 0, n = 0;
  for (size_t i = 0; i < t->rules.n; i += rule_words(t->rules.at + i)) {
    const uint32_t *rule = t->rules.at + i;
    bool ready = rule[0] != THEORY_NONE;
    for (uint32_t k = 0; k < rule_size(rule); k++)
      ready &= t->input.at[rule[2 + k] >> 1];
    if (ready)
      sum += t->rank.at[rule[0]], n++;
  }
  if (2 * sum <= n * (t->atoms - 1.0))
    return;
  for (uint32_t a = 0; a < t->atoms; a++)
    t->rank.at[a] = t->atoms - 1 - t->rank.at[a];
}

void theory_order(Theory *t, uint64_t seed) {
  assert(theory_valid(t));
  Words start = {0}, pool = {0};
  vec_push(&start, 0);
  for (size_t i = 0; i < t->rules.n; i += rule_words(t->rules.at + i)) {
    const uint32_t *rule = t->rules.at + i;
    if (rule[0] != THEORY_NONE)
      vec_push(&pool, rule[0]);
    for (uint32_t k = 0; k < rule_size(rule); k++)
      vec_push(&pool, rule[2 + k] >> 1);
    if (pool.n > start.at[start.n - 1])
      vec_push(&start, (uint32_t)pool.n);
  }
  order_force(t->atoms, start.at, pool.at, start.n - 1, seed, t->rank.at);
  orient(t);
  vec_free(&start);
  vec_free(&pool);
}

void theory_add_mirrors(Theory *t) {
  assert(!t->mirror.n);
  uint32_t atoms = t->atoms;
  bool *defined = memory_zero(atoms, 1); /* by atoms that are */
  for (size_t i = 0; i < t->rules.n; i += rule_words(t->rules.at + i)) {
    const uint32_t *rule = t->rules.at + i;
    for (uint32_t k = 0; rule[0] != THEORY_NONE && k < rule_size(rule); k++)
      defined[rule[0]] |= !t->input.at[rule[2 + k] >> 1];
  }
  for (uint32_t a = 0; a < atoms; a++) {
    bool wanted = (a < t->members && !t->input.at[a]) || (t->event.at[a] && defined[a]);
    uint32_t mirror = wanted ? theory_atom(t, true, 0) : THEORY_NONE;
    if (wanted)
      t->rank.at[mirror] = t->rank.at[a];
    vec_push(&t->mirror, mirror);
  }
  free(defined);
}
