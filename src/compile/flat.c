/* flat.c - see flat.h. */
#include "compile/flat.h"

#include "base/sort.h"
#include "compile/decompose.h"
#include "compile/exclusive.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part on its way: scopes of factors are edges between atoms. */
typedef struct {
  Flat *f;
  const Residual *r;
  uint32_t *vertex;  /* by atom: its number; THEORY_NONE: none */
  Words atoms;       /* by vertex */
  Words start, pool; /* scopes, by factor */
  uint32_t *group;   /* by vertex: of atoms of which one holds at most; 0: none */
  uint32_t groups;
  uint32_t *exact; /* by group: how many atoms it has, if one of them must hold; else 0 */
  uint32_t *rank;  /* by vertex */
} Maker;

static void add_atom(Maker *m, uint32_t atom) {
  if (m->vertex[atom] == THEORY_NONE) {
    m->vertex[atom] = (uint32_t)m->atoms.n;
    vec_push(&m->atoms, atom);
  }
  vec_push(&m->pool, m->vertex[atom]);
}

static bool add_scope(Maker *m, const FlatFactor *factor) {
  const uint32_t *words = m->f->words.at;
  size_t first = m->pool.n;
  for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i); k++)
      add_atom(m, words[i + 2 + k] >> 1);
  if (factor->kind == FLAT_DEFINED || factor->kind == FLAT_COVERED)
    add_atom(m, factor->head);
  m->pool.n = first + sort_unique(m->pool.at + first, m->pool.n - first);
  vec_push(&m->start, (uint32_t)m->pool.n);
  return m->pool.n > first && m->pool.n - first <= FLAT_WIDEST;
}

static bool list_scopes(Maker *m) {
  vec_push(&m->start, 0);
  for (size_t i = 0; i < m->f->factors.n; i++)
    if (!add_scope(m, &m->f->factors.at[i]))
      return false;
  return true;
}

/* Whether a literal of the rule is enough. */
static bool is_enough(const uint32_t *rule, uint32_t k) {
  uint32_t size = rule_size(rule);
  return rule_weighted(rule) ? rule[2 + size + k] >= rule[2 + 2 * (size_t)size] : size == 1;
}

/* Notes that one of a group must hold, if that is what the factor says. */
static void find_exact(Maker *m, const FlatFactor *factor, const uint32_t *sizes) {
  const uint32_t *words = m->f->words.at;
  uint32_t group = 0, count = 0;
  for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i); k++, count++) {
      uint32_t literal = words[i + 2 + k], of = m->group[m->vertex[literal >> 1]];
      if (literal & 1 || !of || (count && of != group) || !is_enough(words + i, k))
        return;
      group = of;
    }
  if (count && count == sizes[group])
    m->exact[group] = count;
}

static void find_exacts(Maker *m) {
  uint32_t *sizes = memory_zero(m->groups + 1, sizeof *sizes);
  m->exact = memory_zero(m->groups + 1, sizeof *m->exact);
  for (size_t v = 0; v < m->atoms.n; v++)
    sizes[m->group[v]]++;
  for (size_t i = 0; i < m->f->factors.n; i++)
    if (m->f->factors.at[i].kind == FLAT_NEEDED)
      find_exact(m, &m->f->factors.at[i], sizes);
  free(sizes);
}

/* Sums of which two literals are too many: each atom is in one such group at most. */
static void find_groups(Maker *m) {
  for (size_t i = 0; i < m->f->factors.n; i++) {
    const FlatFactor *factor = &m->f->factors.at[i];
    const uint32_t *rule = m->f->words.at + factor->begin;
    bool open = factor->kind == FLAT_FORBIDDEN && exclusive_rule(rule);
    for (uint32_t k = 0; open && k < rule_size(rule); k++)
      open = !m->group[m->vertex[rule[2 + k] >> 1]];
    m->groups += open;
    for (uint32_t k = 0; open && k < rule_size(rule); k++)
      m->group[m->vertex[rule[2 + k] >> 1]] = m->groups;
  }
  find_exacts(m);
}

static bool decompose_scopes(Maker *m, uint64_t effort, const Limits *limits) {
  uint32_t n = (uint32_t)m->atoms.n;
  uint32_t *order = memory_zero(n, sizeof *order);
  for (uint32_t v = 0; v < n; v++)
    order[v] = m->r->theory->rank.at[m->atoms.at[v]];
  DecomposeGraph graph = {n, m->start.at, m->pool.at, m->start.n - 1, order};
  Decomposition found = decompose(&graph, effort, limits, m->rank);
  free(order);
  m->f->width = found.width;
  m->f->more = !found.complete;
  return found.width && found.width <= FLAT_WIDEST;
}

/* How many values atoms can have together, if groups are seen. */
static double count_values(const Maker *m, const uint32_t *of, const FlatVariable *v,
                           uint32_t *count) {
  double values = 1;
  const uint32_t *above = m->f->above.at + v->first;
  for (uint32_t i = 0; i < v->count; i++)
    count[m->group[of[above[i]]]]++;
  for (uint32_t i = 0; i < v->count; i++) {
    uint32_t group = m->group[of[above[i]]];
    if (!group)
      values *= 2;
    else if (count[group])
      values *= (double)count[group] + (count[group] != m->exact[group]);
    if (group)
      count[group] = 0;
  }
  count[0] = 0;
  return values;
}

/* What each variable depends on, from the last to the first: the scopes that it
** decides, and what is below it.  Its parent is the last of them. */
static bool find_above(Maker *m, const uint32_t *place, Words *lists) {
  Flat *f = m->f;
  for (size_t i = 0; i < f->factors.n; i++) {
    uint32_t last = 0;
    for (uint32_t k = m->start.at[i]; k < m->start.at[i + 1]; k++)
      last = place[m->pool.at[k]] > last ? place[m->pool.at[k]] : last;
    f->variables.at[last].factors++;
    for (uint32_t k = m->start.at[i]; k < m->start.at[i + 1]; k++)
      if (place[m->pool.at[k]] != last)
        vec_push(&lists[last], place[m->pool.at[k]]);
  }
  for (size_t v = f->variables.n; v-- > 0;) {
    Words *list = &lists[v];
    list->n = sort_unique(list->at, list->n);
    if (list->n > FLAT_WIDEST)
      return false;
    uint32_t parent = list->n ? list->at[list->n - 1] : THEORY_NONE;
    for (size_t i = 0; i + 1 < list->n; i++)
      vec_push(&lists[parent], list->at[i]);
    if (parent != THEORY_NONE)
      f->variables.at[parent].children++;
    else
      vec_push(&f->roots, (uint32_t)v);
  }
  return true;
}

static void place_lists(Flat *f, const Words *lists) {
  uint32_t children = 0, factors = 0;
  for (size_t v = 0; v < f->variables.n; v++) {
    FlatVariable *x = &f->variables.at[v];
    x->first = (uint32_t)f->above.n, x->count = (uint32_t)lists[v].n;
    for (size_t i = 0; i < lists[v].n; i++)
      vec_push(&f->above, lists[v].at[i]);
    x->child = children, x->factor = factors;
    children += x->children, factors += x->factors;
    x->children = x->factors = 0; /* counted again as they are put in */
  }
  vec_reserve(&f->below, children);
  for (uint32_t v = 0; v < f->variables.n; v++)
    if (lists[v].n) {
      FlatVariable *parent = &f->variables.at[lists[v].at[lists[v].n - 1]];
      f->below.at[parent->child + parent->children++] = v;
    }
  f->below.n = children;
}

/* Of a group, those that are decided before: they are in a scope with it. */
static void place_rivals(Maker *m, const uint32_t *of) {
  Flat *f = m->f;
  for (uint32_t v = 0; v < f->variables.n; v++) {
    FlatVariable *x = &f->variables.at[v];
    uint32_t group = m->group[of[v]];
    x->rival = (uint32_t)f->rivals.n;
    for (uint32_t i = 0; group && i < x->count; i++)
      if (m->group[of[f->above.at[x->first + i]]] == group)
        vec_push(&f->rivals, f->above.at[x->first + i]);
    x->rivals = (uint32_t)f->rivals.n - x->rival;
  }
}

/* Factors by the variable that decides them. */
static void place_factors(Maker *m, const uint32_t *place) {
  Flat *f = m->f;
  FlatFactor *sorted = memory_zero(f->factors.n, sizeof *sorted);
  for (size_t i = 0; i < f->factors.n; i++) {
    uint32_t last = 0;
    for (uint32_t k = m->start.at[i]; k < m->start.at[i + 1]; k++)
      last = place[m->pool.at[k]] > last ? place[m->pool.at[k]] : last;
    FlatVariable *v = &f->variables.at[last];
    sorted[v->factor + v->factors++] = f->factors.at[i];
  }
  if (f->factors.n) /* constraints between twins may be all there was */
    memcpy(f->factors.at, sorted, f->factors.n * sizeof *sorted);
  free(sorted);
}

/* The tree: variables in the order of their ranks, what they depend on, and so on. */
static bool make_tree(Maker *m) {
  Flat *f = m->f;
  uint32_t n = (uint32_t)m->atoms.n;
  uint32_t *of = memory_zero(n, sizeof *of); /* vertex, by place: ranks are 0 .. n - 1 */
  uint32_t *count = memory_zero(m->groups + 1, sizeof *count);
  Words *lists = memory_zero(n, sizeof *lists);
  for (uint32_t v = 0; v < n; v++)
    of[m->rank[v]] = v;
  for (uint32_t i = 0; i < n; i++)
    vec_push(&f->variables, (FlatVariable){.atom = m->atoms.at[of[i]]});
  bool good = find_above(m, m->rank, lists);
  if (good) {
    place_lists(f, lists);
    place_factors(m, m->rank);
    place_rivals(m, of);
  }
  for (uint32_t i = 0; good && i < n; i++)
    f->states += count_values(m, of, &f->variables.at[i], count);
  for (uint32_t i = 0; i < n; i++)
    vec_free(&lists[i]);
  free(lists);
  free(count);
  free(of);
  return good;
}

void flat_free(Flat *f) {
  vec_free(&f->words);
  vec_free(&f->variables);
  vec_free(&f->above);
  vec_free(&f->below);
  vec_free(&f->roots);
  vec_free(&f->rivals);
  vec_free(&f->factors);
  *f = (Flat){0};
}

bool flat_make(Flat *f, const Residual *r, const ResidualPart *part, const uint32_t *variable,
               uint64_t effort, const Limits *limits) {
  assert(part->next == part->limit && part->end <= r->words.n);
  *f = (Flat){0};
  Maker m = {.f = f, .r = r, .vertex = memory_zero(r->theory->atoms, sizeof *m.vertex)};
  memset(m.vertex, 0xff, r->theory->atoms * sizeof *m.vertex);
  bool good = flat_factors(f, r, part, variable) && list_scopes(&m);
  m.group = memory_zero(m.atoms.n, sizeof *m.group);
  m.rank = memory_zero(m.atoms.n, sizeof *m.rank);
  if (good)
    find_groups(&m);
  good = good && decompose_scopes(&m, effort, limits) && make_tree(&m);
  free(m.vertex);
  free(m.group);
  free(m.exact);
  free(m.rank);
  vec_free(&m.atoms);
  vec_free(&m.start);
  vec_free(&m.pool);
  if (!good) {
    bool more = f->more;
    flat_free(f);
    f->more = more;
  }
  return good;
}
