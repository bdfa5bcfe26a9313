/* exclusive.c - see exclusive.h. */
#include "compile/exclusive.h"

#include "base/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, OFTEN = 64 }; /* constraints, and lists of rules, that are looked at */
enum { EFFORT = 2000000 };         /* words, and as many for each word of the rules: */
enum { EACH = 64 };

bool exclusive_rule(const uint32_t *rule) {
  uint32_t size = rule_size(rule);
  for (uint32_t k = 0; k < size; k++)
    if (rule[2 + k] & 1 ||
        (rule_weighted(rule) && 2 * (uint64_t)rule[2 + size + k] < rule[2 + 2 * (size_t)size]))
      return false;
  return rule[0] == THEORY_NONE && (rule_weighted(rule) || size == 2);
}

bool exclusive_atoms(const Exclusive *x, uint32_t a, uint32_t b) {
  assert(a < x->atoms && b < x->atoms);
  for (size_t i = 0; i < x->with[a].n; i++)
    if (x->with[a].at[i] == b)
      return true;
  return false;
}

static void add_pair(Exclusive *x, uint32_t a, uint32_t b) {
  vec_push(&x->with[a], b);
  vec_push(&x->with[b], a);
}

static void read_constraint(Exclusive *x, const uint32_t *rule) {
  if (rule_size(rule) > LONGEST || !exclusive_rule(rule))
    return;
  for (uint32_t i = 0; i < rule_size(rule); i++)
    for (uint32_t k = 0; k < i; k++)
      if (rule[2 + i] != rule[2 + k] && !exclusive_atoms(x, rule[2 + i] >> 1, rule[2 + k] >> 1))
        add_pair(x, rule[2 + i] >> 1, rule[2 + k] >> 1);
}

/* Marks the literals that can't hold beside the body. */
static void assume(Exclusive *x, ExclusiveView *view, const uint32_t *rule) {
  view->rule = rule;
  view->clock++;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    const Words *with = &x->with[rule[2 + k] >> 1];
    view->mark[rule[2 + k] ^ 1] = view->clock;
    for (size_t i = 0; !(rule[2 + k] & 1) && i < with->n; i++)
      view->mark[2 * (size_t)with->at[i]] = view->clock;
    x->work += with->n + 1;
  }
}

static bool has_marked(Exclusive *x, const ExclusiveView *view, const uint32_t *rule) {
  x->work += rule_size(rule);
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (view->mark[rule[2 + k]] == view->clock)
      return true;
  return false;
}

/* Whether the atom has rules, and none of them can fire as far as their own literals tell. */
static bool blocked(Exclusive *x, ExclusiveView *view, uint32_t atom) {
  const Words *rules = x->rules;
  bool all = x->first[atom];
  if (view->tried[atom] == view->clock)
    return view->refuted[atom];
  for (size_t i = x->first[atom] - all; all && i < rules->n && rules->at[i] == atom;
       i += rule_words(rules->at + i))
    all = !rule_weighted(rules->at + i) && has_marked(x, view, rules->at + i);
  view->tried[atom] = view->clock;
  return view->refuted[atom] = all;
}

static bool has_blocked(Exclusive *x, ExclusiveView *view, const uint32_t *rule) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (!(rule[2 + k] & 1) && blocked(x, view, rule[2 + k] >> 1))
      return true;
  return false;
}

/* Whether two bodies, of which the view assumes one, can't hold together. */
static bool excluded(Exclusive *x, ExclusiveView *view, const uint32_t *other) {
  if (has_marked(x, view, other) || has_blocked(x, view, other))
    return true;
  ExclusiveView *second = &x->view[1];
  assume(x, second, other);
  return has_blocked(x, second, view->rule);
}

/* The same for an atom: each of its bodies is excluded. */
static bool refuted(Exclusive *x, uint32_t atom) {
  const Words *rules = x->rules;
  ExclusiveView *view = &x->view[0];
  bool all = x->first[atom];
  for (size_t i = x->first[atom] - all; all && i < rules->n && rules->at[i] == atom;
       i += rule_words(rules->at + i))
    all = !rule_weighted(rules->at + i) && excluded(x, view, rules->at + i);
  return all;
}

static bool has_refuted(Exclusive *x, const uint32_t *rule) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (!(rule[2 + k] & 1) && refuted(x, rule[2 + k] >> 1))
      return true;
  return false;
}

/* Whether two bodies can't hold together; the first is assumed, before and after. */
static bool denied(Exclusive *x, const uint32_t *first, const uint32_t *second) {
  ExclusiveView *view = &x->view[0];
  if (excluded(x, view, second) || has_refuted(x, second))
    return true;
  assume(x, view, second);
  bool found = has_refuted(x, first);
  assume(x, view, first);
  return found;
}

bool exclusive_bodies(Exclusive *x, const Words *words, size_t begin, size_t end) {
  uint64_t most = EFFORT + EACH * (uint64_t)x->rules->n;
  for (size_t i = begin; i < end; i += rule_words(words->at + i)) {
    assert(!rule_weighted(words->at + i));
    assume(x, &x->view[0], words->at + i);
    for (size_t k = i + rule_words(words->at + i); k < end; k += rule_words(words->at + k))
      if (x->work > most || !denied(x, words->at + i, words->at + k))
        return false;
  }
  return true;
}

/* Rules of one head. */
typedef struct {
  size_t begin, end;
  bool plain;
} Group;

typedef VEC(Group) Groups;

static bool exclude_each_other(Exclusive *x, const Group *a, const Group *b) {
  const uint32_t *words = x->rules->at;
  for (size_t i = a->begin; i < a->end; i += rule_words(words + i)) {
    assume(x, &x->view[0], words + i);
    for (size_t k = b->begin; k < b->end; k += rule_words(words + k))
      if (!denied(x, words + i, words + k))
        return false;
  }
  return a->plain && b->plain;
}

static Groups list_groups(const Words *words) {
  Groups groups = {0};
  for (size_t i = 0, end; i < words->n; i = end) {
    bool plain = true;
    for (end = i; end < words->n && words->at[end] == words->at[i];
         end += rule_words(words->at + end))
      plain &= !rule_weighted(words->at + end);
    if (words->at[i] != THEORY_NONE)
      vec_push(&groups, (Group){i, end, plain});
  }
  return groups;
}

/* By literal: the groups that have it in a body. */
static GraphLists list_uses(const Words *words, const Groups *groups, uint32_t atoms) {
  GraphEdges edges = {0};
  for (uint32_t g = 0; g < groups->n; g++)
    for (size_t i = groups->at[g].begin; i < groups->at[g].end; i += rule_words(words->at + i))
      for (uint32_t k = 0; k < rule_size(words->at + i); k++)
        vec_push(&edges, (GraphEdge){words->at[i + 2 + k], g});
  GraphLists lists = graph_lists(&edges, 2 * (size_t)atoms);
  vec_free(&edges);
  return lists;
}

/* Compares a head with those before it that read the negation of something it reads. */
static void compare_group(Exclusive *x, const Groups *groups, const GraphLists *uses, uint32_t g) {
  const uint32_t *words = x->rules->at;
  const Group *group = &groups->at[g];
  uint32_t head = words[group->begin];
  for (size_t i = group->begin; i < group->end; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i); k++) {
      uint32_t literal = words[i + 2 + k] ^ 1;
      uint32_t first = uses->start[literal], last = uses->start[literal + 1];
      for (uint32_t u = first; last - first <= OFTEN && u < last && uses->at[u] < g; u++) {
        uint32_t other = words[groups->at[uses->at[u]].begin];
        if (x->met[other] == g + 1)
          continue;
        x->met[other] = g + 1;
        if (exclude_each_other(x, &groups->at[uses->at[u]], group))
          add_pair(x, head, other);
      }
    }
}

void exclusive_begin(Exclusive *x, const Words *rules, uint32_t atoms) {
  *x = (Exclusive){.rules = rules,
                   .atoms = atoms,
                   .with = memory_zero(atoms, sizeof *x->with),
                   .met = memory_zero(atoms, sizeof *x->met),
                   .first = memory_zero(atoms, sizeof *x->first)};
  for (int i = 0; i < 2; i++)
    x->view[i] = (ExclusiveView){.mark = memory_zero(2 * (size_t)atoms, sizeof *x->view->mark),
                                 .tried = memory_zero(atoms, sizeof *x->view->tried),
                                 .refuted = memory_zero(atoms, sizeof *x->view->refuted)};
  for (size_t i = 0; i < rules->n; i += rule_words(rules->at + i))
    read_constraint(x, rules->at + i);
  Groups groups = list_groups(rules);
  for (size_t g = 0; g < groups.n; g++)
    x->first[rules->at[groups.at[g].begin]] = 1 + groups.at[g].begin;
  GraphLists uses = list_uses(rules, &groups, atoms);
  uint64_t most = EFFORT + EACH * (uint64_t)rules->n;
  for (uint32_t g = 0; g < groups.n && x->work <= most; g++)
    compare_group(x, &groups, &uses, g);
  graph_lists_free(&uses);
  vec_free(&groups);
}

void exclusive_free(Exclusive *x) {
  for (uint32_t a = 0; a < x->atoms; a++)
    vec_free(&x->with[a]);
  free(x->with);
  free(x->met);
  free(x->first);
  for (int i = 0; i < 2; i++) {
    free(x->view[i].mark);
    free(x->view[i].tried);
    free(x->view[i].refuted);
  }
  *x = (Exclusive){0};
}
