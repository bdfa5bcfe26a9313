/* flat.c - see flat.h. */
#include "compile/flat.h"

#include "base/sort.h"
#include "compile/decompose.h"
#include "compile/exclusive.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part on its way.  Scopes of factors are edges: of atoms first, then of variables. */
typedef struct {
  Flat *f;
  const Residual *r;
  uint32_t *vertex;  /* by atom: its number; THEORY_NONE: none */
  Words atoms;       /* by vertex */
  Words start, pool; /* scopes, by factor */
  uint32_t *group;   /* by vertex: of atoms of which one holds at most; 0: none */
  uint32_t groups;
  uint32_t *exact; /* by group: how many atoms it has, if one of them must hold; else 0 */
  uint32_t *sizes; /* by group */
  uint32_t *unit;  /* by vertex: its variable, as they are numbered at first */
  Words leader;    /* by unit: one of its vertices */
  uint32_t *rank;  /* by unit */
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
  return m->pool.n > first;
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

/* The group of which one atom must hold, if that is what the factor says; else 0. */
static uint32_t exact_group(const Maker *m, size_t number) {
  const uint32_t *words = m->f->words.at;
  const FlatFactor *factor = &m->f->factors.at[number];
  uint32_t first = m->start.at[number], group = m->group[m->pool.at[first]];
  bool all = group && m->start.at[number + 1] - first == m->sizes[group];
  for (size_t i = factor->begin; i < factor->end && all; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i) && all; k++) {
      uint32_t literal = words[i + 2 + k];
      all = !(literal & 1) && m->group[m->vertex[literal >> 1]] == group && is_enough(words + i, k);
    }
  return all ? group : 0;
}

static void find_exacts(Maker *m) {
  m->sizes = memory_zero(m->groups + 1, sizeof *m->sizes);
  m->exact = memory_zero(m->groups + 1, sizeof *m->exact);
  for (size_t v = 0; v < m->atoms.n; v++)
    m->sizes[m->group[v]]++;
  for (size_t i = 0; i < m->f->factors.n; i++)
    if (m->f->factors.at[i].kind == FLAT_NEEDED) {
      uint32_t group = exact_group(m, i);
      m->exact[group] = group ? m->sizes[group] : 0;
    }
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

/* ---- variables ------------------------------------------------------------------------ */

/* Atoms of which one holds are one variable.  Two that exclude each other are none: such pairs
** overlap, and which of them belong together nobody knows. */
static bool is_variable(const Maker *m, uint32_t group) {
  return group && (m->exact[group] || m->sizes[group] > 2);
}

static void make_units(Maker *m) {
  uint32_t *of = memory_zero(m->groups + 1, sizeof *of); /* by group: 1 + its unit */
  for (uint32_t v = 0; v < m->atoms.n; v++) {
    uint32_t group = m->group[v];
    bool joins = is_variable(m, group);
    m->unit[v] = joins && of[group] ? of[group] - 1 : (uint32_t)m->leader.n;
    if (joins && of[group])
      continue;
    vec_push(&m->leader, v);
    if (joins)
      of[group] = (uint32_t)m->leader.n;
  }
  free(of);
}

static uint32_t unit_values(const Maker *m, uint32_t unit) {
  uint32_t group = m->group[m->leader.at[unit]];
  return is_variable(m, group) ? m->sizes[group] + !m->exact[group] : 2;
}

/* Whether the factor says nothing but what the values of one variable say. */
static bool is_spare(const Maker *m, size_t factor) {
  const FlatFactor *x = &m->f->factors.at[factor];
  const uint32_t *rule = m->f->words.at + x->begin;
  uint32_t group = m->group[m->pool.at[m->start.at[factor]]];
  bool all =
      is_variable(m, group) && m->start.at[factor + 1] - m->start.at[factor] == m->sizes[group];
  for (uint32_t i = m->start.at[factor]; i < m->start.at[factor + 1] && all; i++)
    all = m->group[m->pool.at[i]] == group;
  if (!all || x->kind == FLAT_NEEDED)
    return all && exact_group(m, factor);
  /* a literal that is there twice may be too much alone */
  all = x->kind == FLAT_FORBIDDEN && exclusive_rule(rule) && rule_size(rule) == m->sizes[group];
  for (uint32_t k = 0; all && k < rule_size(rule); k++)
    all = !is_enough(rule, k);
  return all;
}

/* From scopes of atoms to scopes of variables; false if one is too wide. */
static bool map_scopes(Maker *m) {
  Flat *f = m->f;
  Words start = {0}, pool = {0};
  size_t kept = 0;
  bool good = true;
  vec_push(&start, 0);
  for (size_t i = 0; i < f->factors.n && good; i++) {
    size_t first = pool.n;
    if (is_spare(m, i))
      continue;
    for (uint32_t k = m->start.at[i]; k < m->start.at[i + 1]; k++)
      vec_push(&pool, m->unit[m->pool.at[k]]);
    pool.n = first + sort_unique(pool.at + first, pool.n - first);
    vec_push(&start, (uint32_t)pool.n);
    f->factors.at[kept++] = f->factors.at[i];
    good = pool.n - first <= FLAT_WIDEST;
  }
  f->factors.n = kept;
  vec_free(&m->start);
  vec_free(&m->pool);
  m->start.at = start.at, m->start.n = start.n, m->start.room = start.room;
  m->pool.at = pool.at, m->pool.n = pool.n, m->pool.room = pool.room;
  return good;
}

static bool decompose_scopes(Maker *m, uint64_t effort, const Limits *limits) {
  uint32_t n = (uint32_t)m->leader.n;
  uint32_t *order = memory_zero(n, sizeof *order);
  double *bits = memory_zero(n, sizeof *bits);
  for (uint32_t u = 0; u < n; u++) {
    order[u] = m->r->theory->rank.at[m->atoms.at[m->leader.at[u]]];
    bits[u] = log2(unit_values(m, u));
  }
  DecomposeGraph graph = {n, m->start.at, m->pool.at, m->start.n - 1, order, bits};
  Decomposition found = decompose(&graph, effort, limits, m->rank);
  free(order);
  free(bits);
  m->f->width = found.width;
  m->f->more = !found.complete;
  return found.width && found.width <= FLAT_WIDEST;
}

/* How many values a variable's own and those that it depends on have together, if pairs that
** exclude each other are seen. */
static double count_values(const Maker *m, const uint32_t *of, uint32_t variable, uint32_t *count) {
  const FlatVariable *v = &m->f->variables.at[variable];
  const uint32_t *above = m->f->above.at + v->first;
  double values = unit_values(m, of[variable]);
  for (uint32_t i = 0; i < v->count; i++)
    count[m->group[m->leader.at[of[above[i]]]]]++;
  for (uint32_t i = 0; i < v->count; i++) {
    uint32_t group = m->group[m->leader.at[of[above[i]]]];
    if (!group || is_variable(m, group))
      values *= unit_values(m, of[above[i]]);
    else if (count[group])
      values *= (double)count[group] + 1;
    count[group] = group ? 0 : count[group];
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

/* Keys are numbers with a digit for each variable; false if they are too large. */
static bool place_strides(Flat *f) {
  for (size_t v = 0; v < f->variables.n; v++) {
    const FlatVariable *x = &f->variables.at[v];
    uint64_t stride = 1;
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
      uint32_t values = flat_values(&f->variables.at[f->above.at[i]]);
      vec_push(&f->strides, stride);
      if (stride > UINT64_MAX / values)
        return false;
      stride *= values;
    }
  }
  return true;
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

/* The variables in the order of their ranks, with their atoms. */
static void list_variables(Maker *m, const uint32_t *of) {
  Flat *f = m->f;
  for (uint32_t i = 0; i < m->leader.n; i++) {
    uint32_t group = m->group[m->leader.at[of[i]]];
    bool several = is_variable(m, group);
    vec_push(&f->variables,
             (FlatVariable){
                 .exact = several && m->exact[group],
                 .member = i ? f->variables.at[i - 1].member + f->variables.at[i - 1].members : 0,
                 .members = several ? m->sizes[group] : 1});
  }
  vec_reserve(&f->members, m->atoms.n);
  uint32_t *filled = memory_zero(m->leader.n, sizeof *filled);
  for (uint32_t v = 0; v < m->atoms.n; v++) {
    uint32_t i = m->rank[m->unit[v]];
    f->members.at[f->variables.at[i].member + filled[i]++] = m->atoms.at[v];
  }
  f->members.n = m->atoms.n;
  free(filled);
}

/* The tree: variables in the order of their ranks, what they depend on, and so on. */
static bool make_tree(Maker *m) {
  Flat *f = m->f;
  uint32_t n = (uint32_t)m->leader.n;
  uint32_t *of = memory_zero(n, sizeof *of); /* unit, by place: ranks are 0 .. n - 1 */
  uint32_t *count = memory_zero(m->groups + 1, sizeof *count);
  Words *lists = memory_zero(n, sizeof *lists);
  for (uint32_t u = 0; u < n; u++)
    of[m->rank[u]] = u;
  list_variables(m, of);
  bool good = find_above(m, m->rank, lists);
  if (good) {
    place_lists(f, lists);
    place_factors(m, m->rank);
    good = place_strides(f);
  }
  for (uint32_t i = 0; good && i < n; i++)
    f->states += count_values(m, of, i, count) / 2;
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
  vec_free(&f->members);
  vec_free(&f->strides);
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
  m.unit = memory_zero(m.atoms.n, sizeof *m.unit);
  m.rank = memory_zero(m.atoms.n, sizeof *m.rank);
  if (good) {
    find_groups(&m);
    make_units(&m);
  }
  good = good && map_scopes(&m) && decompose_scopes(&m, effort, limits) && make_tree(&m);
  free(m.vertex);
  free(m.group);
  free(m.exact);
  free(m.sizes);
  free(m.unit);
  free(m.rank);
  vec_free(&m.atoms);
  vec_free(&m.leader);
  vec_free(&m.start);
  vec_free(&m.pool);
  if (!good) {
    bool more = f->more;
    flat_free(f);
    f->more = more;
  }
  return good;
}
