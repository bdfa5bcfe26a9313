/* observations.c - see observations.h. */
#include "ground/observations.h"

#include "base/seen.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const Ground *g, Lit l) {
  uint32_t name = g->atoms.at[lit_atom(l)].name;
  return name == NONE ? "" : ground_text(g, name);
}

/* In the order of the user's texts, not of the grounder's mind. */
static int compare_violations(const void *a, const void *b, void *ground) {
  const Violation *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  if (x->statement != y->statement)
    return x->statement < y->statement ? -1 : 1;
  int order = strverscmp(text_of(ground, x->lit), text_of(ground, y->lit));
  return order ? order : (x->lit > y->lit) - (x->lit < y->lit);
}

static const ObservedTable *table_of(const Program *p, uint32_t block, size_t *columns) {
  *columns = 0;
  for (size_t i = 0; i < p->tables.n; i++) {
    const ObservedTable *t = &p->tables.at[i];
    if (block >= t->first && block - t->first < t->rows)
      return t;
    *columns += t->columns.n;
  }
  return NULL;
}

/* The literal that says that a cell is wrong; NONE: it says nothing. */
static Lit wrong_cell(const ObservedTable *t, const Lit *columns, size_t row, size_t column) {
  int value = table_cell(t, row, column);
  return value < 0 ? NONE : value ? lit_not(columns[column]) : columns[column];
}

void observations_row(const Observations *o, const Program *p, uint32_t block, Violations *to) {
  size_t first;
  const ObservedTable *t = table_of(p, block, &first);
  for (size_t i = 0; t && i < t->columns.n; i++) {
    Lit wrong = wrong_cell(t, o->columns.at + first, block - t->first, i);
    if (wrong != NONE)
      vec_push(to, (Violation){block, t->columns.at[i], wrong});
  }
}

void observations_forbidden(const Observations *o, const Program *p, uint32_t block,
                            Violations *to) {
  assert(block < p->blocks.n);
  observations_row(o, p, block, to);
  for (size_t i = 0; i < o->violations.n; i++)
    if (o->violations.at[i].block == block)
      vec_push(to, o->violations.at[i]);
}

Atom observations_unlisted(const Observations *o, uint32_t block, size_t *next) {
  assert(*next <= o->violations.n && block < o->of_block.n);
  while (*next < o->violations.n && o->violations.at[*next].block <= block) {
    const Violation *v = &o->violations.at[(*next)++];
    if (v->block == block && v->statement == NONE)
      return lit_atom(v->lit);
  }
  return NONE;
}

/* What the literal's opposite says, if it says anything. */
static void add_literal(Observations *o, const Ground *g, Lit wrong) {
  if (ground_truth(g, wrong) != 0)
    vec_push(&o->literals, lit_not(wrong));
}

static const void *literals_of(const void *owner, uint32_t number, size_t *length) {
  const Observations *o = owner;
  assert(number < o->list.n);
  *length = o->list.at[number].size * sizeof *o->literals.at;
  return *length ? o->literals.at + o->list.at[number].first : NULL;
}

/* The literals of one block; *next steps over its violations. */
static void add_block(Observations *o, const Ground *g, const Program *p, uint32_t block,
                      size_t *next, SeenSlots *seen) {
  size_t first = o->literals.n, columns;
  const ObservedTable *t = table_of(p, block, &columns);
  assert(*next == o->violations.n || o->violations.at[*next].block >= block);
  for (size_t i = 0; t && i < t->columns.n; i++) {
    Lit wrong = wrong_cell(t, o->columns.at + columns, block - t->first, i);
    if (wrong != NONE)
      add_literal(o, g, wrong);
  }
  for (; *next < o->violations.n && o->violations.at[*next].block == block; ++*next)
    add_literal(o, g, o->violations.at[*next].lit);
  if (o->literals.n > first)
    o->literals.n = first + sort_unique(o->literals.at + first, o->literals.n - first);
  uint32_t size = (uint32_t)(o->literals.n - first);
  uint32_t number = seen_number(seen, literals_of, o, size ? o->literals.at + first : NULL,
                                size * sizeof *o->literals.at);
  if (number == o->list.n)
    vec_push(&o->list, (Observation){block, (uint32_t)first, size});
  else
    o->literals.n = first;
  vec_push(&o->of_block, number);
  assert(number < o->list.n && o->of_block.n == block + 1);
}

void observations_seal(Observations *o, const Ground *g, const Program *p) {
  assert(g->sealed && !o->of_block.n);
  if (o->violations.n)
    qsort_r(o->violations.at, o->violations.n, sizeof *o->violations.at, compare_violations,
            (void *)(uintptr_t)g);
  SeenSlots seen = {0};
  size_t next = 0;
  for (uint32_t block = 0; block < p->blocks.n; block++)
    add_block(o, g, p, block, &next, &seen);
  seen_slots_free(&seen);
  assert(next == o->violations.n && observations_valid(o, g));
}

void observations_free(Observations *o) {
  vec_free(&o->violations);
  vec_free(&o->columns);
  vec_free(&o->list);
  vec_free(&o->literals);
  vec_free(&o->of_block);
}

/* What a closed world forbids has a name. */
static bool violation_valid(const Observations *o, const Ground *g, const Violation *v) {
  return lit_atom(v->lit) < g->atoms.n && v->block < o->of_block.n &&
         (v->statement != NONE || g->atoms.at[lit_atom(v->lit)].name != NONE);
}

bool observations_valid(const Observations *o, const Ground *g) {
  size_t literals = 2 * g->atoms.n;
  for (size_t i = 0; i < o->violations.n; i++)
    if (!violation_valid(o, g, &o->violations.at[i]))
      return false;
  for (size_t i = 0; i < o->columns.n; i++)
    if (o->columns.at[i] >= literals)
      return false;
  for (size_t i = 0; i < o->literals.n; i++)
    if (o->literals.at[i] >= literals)
      return false;
  for (size_t i = 0; i < o->list.n; i++)
    if ((size_t)o->list.at[i].first + o->list.at[i].size > o->literals.n ||
        o->list.at[i].block >= o->of_block.n)
      return false;
  for (size_t i = 0; i < o->of_block.n; i++)
    if (o->of_block.at[i] >= o->list.n)
      return false;
  return true;
}

Lit *observations_evidence(const Observations *o, size_t *count) {
  Lit *lits = memory_zero(o->literals.n, sizeof *lits);
  *count = o->literals.n;
  if (o->literals.n)
    memcpy(lits, o->literals.at, o->literals.n * sizeof *lits);
  return lits;
}
