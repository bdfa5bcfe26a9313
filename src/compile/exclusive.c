/* exclusive.c - see exclusive.h. */
#include "compile/exclusive.h"

#include "base/graph.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, OFTEN = 64 }; /* constraints, and lists of rules, that are looked at */
enum { EFFORT = 2000000 };         /* words, and as many for each word of the rules: */
enum { EACH = 64, OF_TABLES = 256 };
enum { SHARED = 256, LARGEST = 1024 }; /* heads that share an input; that are one table */
enum { FEW = 8 };                      /* bodies that are compared in pairs */

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

/* The only rule of an atom; NULL: it has none, several, or a sum. */
static const uint32_t *only_rule(const Exclusive *x, uint32_t atom) {
  const Words *rules = x->rules;
  size_t at = x->first[atom] - 1;
  if (!x->first[atom] || rule_weighted(rules->at + at))
    return NULL;
  size_t next = at + rule_words(rules->at + at);
  return next < rules->n && rules->at[next] == atom ? NULL : rules->at + at;
}

/* Copies a rule, with the body of its only rule in place of an atom: some values of a table
** without rows may be unfolded, and others not.  Nothing if it can't hold then. */
static void copy_body(const Exclusive *x, const uint32_t *rule, Words *words, Bodies *bodies) {
  size_t start = words->n;
  bool possible = true;
  vec_push(words, THEORY_NONE);
  vec_push(words, 0);
  for (uint32_t k = 0; k < rule_size(rule) && possible; k++) {
    const uint32_t *only = rule[2 + k] & 1 ? NULL : only_rule(x, rule[2 + k] >> 1);
    if (!only)
      possible = rule_add_literal(words, start, rule[2 + k]);
    for (uint32_t i = 0; only && i < rule_size(only) && possible; i++)
      possible = rule_add_literal(words, start, only[2 + i]);
  }
  if (possible)
    vec_push(bodies, start);
  else
    words->n = start;
}

/* As a table, if there are too many pairs. */
static bool exclusive_table(Exclusive *x, const Words *from, size_t begin, size_t end) {
  Bodies bodies = {0};
  Words words = {0};
  for (size_t i = begin; i < end; i += rule_words(from->at + i))
    copy_body(x, from->at + i, &words, &bodies);
  bool exclusive = bodies.n > FEW && cover_bodies(&x->cover, &words, &bodies).exclusive;
  vec_free(&bodies);
  vec_free(&words);
  return exclusive;
}

bool exclusive_bodies(Exclusive *x, const Words *words, size_t begin, size_t end) {
  if (exclusive_table(x, words, begin, end))
    return true;
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
        uint32_t table = x->cover.group[other];
        if (x->met[other] == g + 1 || (table && table == x->cover.group[head]))
          continue;
        x->met[other] = g + 1;
        if (exclude_each_other(x, &groups->at[uses->at[u]], group))
          add_pair(x, head, other);
      }
    }
}

/* ---- tables --------------------------------------------------------------------------- */

/* Constraints that say of their atoms that one holds at most. */
static void add_constraints(Exclusive *x) {
  const Words *rules = x->rules;
  for (size_t i = 0; i < rules->n; i += rule_words(rules->at + i)) {
    const uint32_t *rule = rules->at + i;
    Words atoms = {0};
    bool open = exclusive_rule(rule) && rule_size(rule) > 2;
    for (uint32_t k = 0; open && k < rule_size(rule); k++)
      open = !x->cover.group[rule[2 + k] >> 1];
    for (uint32_t k = 0; open && k < rule_size(rule); k++)
      vec_push(&atoms, rule[2 + k] >> 1);
    if (atoms.n && sort_unique(atoms.at, atoms.n) == atoms.n)
      cover_add(&x->cover, &atoms, false);
    vec_free(&atoms);
  }
}

static uint32_t find(uint32_t *parent, uint32_t g) {
  while (parent[g] != g)
    g = parent[g] = parent[parent[g]];
  return g;
}

/* Whether each of the groups is there once; they come in order. */
static bool are_different(const uint32_t *at, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (at[i] == at[i - 1])
      return false;
  return true;
}

/* By group: the heads that its rules read, each once. */
static GraphLists list_reads(const Exclusive *x, const Groups *groups) {
  const uint32_t *words = x->rules->at;
  uint32_t *met = memory_zero(x->atoms, sizeof *met);
  GraphEdges edges = {0};
  for (uint32_t g = 0; g < groups->n; g++)
    for (size_t i = groups->at[g].begin; i < groups->at[g].end; i += rule_words(words + i))
      for (uint32_t k = 0; k < rule_size(words + i); k++) {
        uint32_t atom = words[i + 2 + k] >> 1;
        if (!x->first[atom] || met[atom] == g + 1)
          continue;
        met[atom] = g + 1;
        vec_push(&edges, (GraphEdge){g, atom});
      }
  GraphLists reads = graph_lists(&edges, groups->n);
  vec_free(&edges);
  free(met);
  return reads;
}

/* Looking for tables: groups of rules whose heads may be values of one. */
typedef struct {
  const Exclusive *x;
  const Groups *groups;
  GraphLists reads;
  uint32_t *parent; /* by group, of union and find: the last of a table stands for all */
  uint32_t *met;    /* by head: 1 + the input that its rules mention */
} Finding;

/* Whether these, which mention an input, may be one table: none waits for another, which would
** read the table that the input is a value of. */
static bool are_values(const Finding *f, uint32_t input, const uint32_t *at, uint32_t n) {
  const uint32_t *words = f->x->rules->at;
  for (uint32_t u = 0; u < n; u++)
    f->met[words[f->groups->at[at[u]].begin]] = input + 1;
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t i = f->reads.start[at[u]]; i < f->reads.start[at[u] + 1]; i++)
      if (f->met[f->reads.at[i]] == input + 1)
        return false;
  return true;
}

/* Joins those that read an input and those that read its negation.  It belongs to one row, so
** none of them reads it twice. */
static void join_values(Finding *f, const GraphLists *uses, uint32_t input) {
  uint32_t first = uses->start[2 * input], middle = uses->start[2 * input + 1];
  uint32_t last = uses->start[2 * input + 2];
  if (f->x->first[input] || first == middle || middle == last || last - first > SHARED ||
      !are_different(uses->at + first, middle - first) ||
      !are_different(uses->at + middle, last - middle) ||
      !are_values(f, input, uses->at + first, last - first))
    return;
  for (uint32_t u = first + 1; u < last; u++) {
    uint32_t one = find(f->parent, uses->at[first]), other = find(f->parent, uses->at[u]);
    f->parent[one < other ? one : other] = one < other ? other : one;
  }
}

static GraphLists list_tables(const Exclusive *x, const Groups *groups, const GraphLists *uses) {
  Finding f = {.x = x,
               .groups = groups,
               .reads = list_reads(x, groups),
               .parent = memory_zero(groups->n, sizeof *f.parent),
               .met = memory_zero(x->atoms, sizeof *f.met)};
  GraphEdges edges = {0};
  for (uint32_t g = 0; g < groups->n; g++)
    f.parent[g] = g;
  for (uint32_t a = 0; a < x->atoms; a++)
    join_values(&f, uses, a);
  for (uint32_t g = 0; g < groups->n; g++)
    vec_push(&edges, (GraphEdge){find(f.parent, g), g});
  GraphLists tables = graph_lists(&edges, groups->n);
  vec_free(&edges);
  graph_lists_free(&f.reads);
  free(f.parent);
  free(f.met);
  return tables;
}

/* A table on its way: its heads and bodies. */
typedef struct {
  Words heads, words;
  Bodies bodies;
} Table;

/* False if it has heads that are in a group, or bodies that are no conjunctions. */
static bool copy_table(const Exclusive *x, const Groups *groups, const uint32_t *at, uint32_t n,
                       Table *to) {
  const uint32_t *words = x->rules->at;
  bool good = n > 1 && n <= LARGEST;
  for (uint32_t k = 0; k < n && good; k++) {
    const Group *g = &groups->at[at[k]];
    good = g->plain && !x->cover.group[words[g->begin]];
    vec_push(&to->heads, words[g->begin]);
    for (size_t i = g->begin; i < g->end && good; i += rule_words(words + i))
      copy_body(x, words + i, &to->words, &to->bodies);
  }
  return good;
}

/* An input that all bodies deny is one more value: alias.c left nothing else of its head. */
static bool add_alias(const Exclusive *x, Table *t) {
  if (!t->bodies.n)
    return false;
  const uint32_t *first = t->words.at + t->bodies.at[0];
  uint32_t found = THEORY_NONE;
  for (uint32_t k = 0; k < rule_size(first) && found == THEORY_NONE; k++) {
    bool all =
        first[2 + k] & 1 && !x->first[first[2 + k] >> 1] && !x->cover.group[first[2 + k] >> 1];
    for (size_t i = 1; i < t->bodies.n && all; i++)
      all = rule_mentions(t->words.at + t->bodies.at[i], first[2 + k]);
    found = all ? first[2 + k] >> 1 : THEORY_NONE;
  }
  if (found == THEORY_NONE)
    return false;
  vec_push(&t->heads, found);
  vec_push(&t->bodies, t->words.n);
  vec_push(&t->words, found);
  vec_push(&t->words, 2);
  vec_push(&t->words, 2 * found);
  return true;
}

static void add_table(Exclusive *x, const Words *heads, bool exact) {
  cover_add(&x->cover, heads, exact);
  for (size_t i = 0; i < heads->n; i++)
    for (size_t k = 0; k < i; k++)
      if (!exclusive_atoms(x, heads->at[i], heads->at[k]))
        add_pair(x, heads->at[i], heads->at[k]);
}

/* Whether the groups are a table of which something is known now that was not. */
static bool find_table(Exclusive *x, const Groups *groups, const uint32_t *at, uint32_t n) {
  Table t = {0};
  Covered found = {false, false};
  if (copy_table(x, groups, at, n, &t)) {
    found = cover_bodies(&x->cover, &t.words, &t.bodies);
    if (found.exclusive && !found.complete && add_alias(x, &t))
      found = cover_bodies(&x->cover, &t.words, &t.bodies);
  }
  if (found.exclusive)
    add_table(x, &t.heads, found.complete);
  vec_free(&t.heads);
  vec_free(&t.words);
  vec_free(&t.bodies);
  return found.exclusive;
}

/* A table may wait for another: what its rows mention comes before most of its heads, not
** before all. */
static void find_tables(Exclusive *x, const Groups *groups, const GraphLists *uses) {
  GraphLists tables = list_tables(x, groups, uses);
  for (bool more = true; more && x->cover.work <= x->cover.most;) {
    more = false;
    for (uint32_t t = 0; t < groups->n; t++)
      more |=
          find_table(x, groups, tables.at + tables.start[t], tables.start[t + 1] - tables.start[t]);
  }
  graph_lists_free(&tables);
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
  cover_begin(&x->cover, atoms);
  x->cover.most = EFFORT + OF_TABLES * (uint64_t)rules->n;
  add_constraints(x);
  find_tables(x, &groups, &uses);
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
  cover_free(&x->cover);
  for (int i = 0; i < 2; i++) {
    free(x->view[i].mark);
    free(x->view[i].tried);
    free(x->view[i].refuted);
  }
  *x = (Exclusive){0};
}
