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

/* *columns: those of the tables before it. */
static const ObservedTable *table_of(const Program *p, uint32_t block, size_t *columns) {
  const ObservedTable *found = program_table(p, block);
  *columns = 0;
  for (const ObservedTable *t = p->tables.at; found && t < found; t++)
    *columns += t->columns.n;
  return found;
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
  assert(block < p->block_count);
  observations_row(o, p, block, to);
  for (size_t i = 0; i < o->violations.n; i++)
    if (o->violations.at[i].block == block)
      vec_push(to, o->violations.at[i]);
}

Atom observations_unlisted(const Observations *o, uint32_t block, size_t *next) {
  assert(*next <= o->violations.n && (o->rows || block < o->of_block.n));
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

/* ---- one by one -------------------------------------------------------------------------- */

uint32_t observations_of(const Observations *o, uint32_t block) {
  assert(o->rows ? block < o->rows->rows : block < o->of_block.n);
  return o->rows ? block : o->of_block.at[block];
}

uint32_t observations_block(const Observations *o, size_t observation) {
  assert(observation < observations_count(o));
  return o->rows ? (uint32_t)observation : o->list.at[observation].block;
}

size_t observations_most(const Observations *o) { return o->rows ? o->order.n : 0; }

const Lit *observations_literals(const Observations *o, size_t observation, Lits *room,
                                 uint32_t *size) {
  assert(observation < observations_count(o));
  if (!o->rows) {
    *size = o->list.at[observation].size;
    return o->literals.at + o->list.at[observation].first;
  }
  vec_reserve(room, o->order.n);
  Lit *first = room->at + room->n, *to = first;
  for (size_t i = 0; i < o->order.n; i++) {
    uint32_t column = o->order.at[i];
    int value = table_cell(o->rows, observation, column);
    if (value >= 0)
      *to++ = value ? o->columns.at[column] : lit_not(o->columns.at[column]);
  }
  *size = (uint32_t)(to - first);
  room->n += *size;
  return first;
}

static int compare_columns(const void *a, const void *b, void *columns) {
  Lit x = ((const Lit *)columns)[*(const uint32_t *)a],
      y = ((const Lit *)columns)[*(const uint32_t *)b];
  return (x > y) - (x < y);
}

bool observations_pack(Observations *o, const Ground *g, const Program *p) {
  bool good = p->tables.n == 1 && p->tables.at[0].rows == p->block_count && !o->violations.n;
  assert(!o->rows && !o->order.n);
  for (uint32_t i = 0; good && i < o->columns.n; i++) {
    good = ground_truth(g, o->columns.at[i]) < 0;
    vec_push(&o->order, i);
  }
  if (o->order.n)
    qsort_r(o->order.at, o->order.n, sizeof *o->order.at, compare_columns, o->columns.at);
  for (size_t i = 1; good && i < o->order.n; i++)
    good = lit_atom(o->columns.at[o->order.at[i - 1]]) < lit_atom(o->columns.at[o->order.at[i]]);
  if (good)
    o->rows = &p->tables.at[0];
  else
    vec_free(&o->order);
  return good;
}

void observations_seal(Observations *o, const Ground *g, const Program *p) {
  assert(g->sealed && !o->of_block.n);
  if (observations_pack(o, g, p)) {
    assert(observations_valid(o, g));
    return;
  }
  if (o->violations.n)
    qsort_r(o->violations.at, o->violations.n, sizeof *o->violations.at, compare_violations,
            (void *)(uintptr_t)g);
  SeenSlots seen = {0};
  size_t next = 0;
  for (uint32_t block = 0; block < p->block_count; block++)
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
  vec_free(&o->order);
}

/* What a closed world forbids has a name. */
static bool violation_valid(const Observations *o, const Ground *g, const Violation *v) {
  assert(!o->rows);
  return lit_atom(v->lit) < g->atoms.n && v->block < o->of_block.n &&
         (v->statement != NONE || g->atoms.at[lit_atom(v->lit)].name != NONE);
}

bool observations_valid(const Observations *o, const Ground *g) {
  size_t literals = 2 * g->atoms.n;
  if (o->rows && (o->list.n || o->violations.n || o->order.n != o->rows->columns.n ||
                  o->columns.n != o->order.n))
    return false;
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
  Lits all = {0};
  uint32_t size;
  vec_reserve(&all, o->literals.n + 1);
  for (size_t i = 0; o->rows && i < observations_count(o); i++)
    (void)observations_literals(o, i, &all, &size);
  if (o->literals.n)
    memcpy(all.at, o->literals.at, o->literals.n * sizeof *all.at);
  *count = all.n + o->literals.n;
  return all.at;
}
