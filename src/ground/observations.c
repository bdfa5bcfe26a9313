/* observations.c - see observations.h. */
#include "ground/observations.h"

#include "base/names.h"
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

/* The literals of one block; *next steps over its violations. */
static void add_block(Observations *o, const Ground *g, uint32_t block, size_t *next, Names *seen) {
  size_t first = o->literals.n;
  assert(*next == o->violations.n || o->violations.at[*next].block >= block);
  for (; *next < o->violations.n && o->violations.at[*next].block == block; ++*next)
    if (ground_truth(g, o->violations.at[*next].lit) != 0) /* else it says nothing */
      vec_push(&o->literals, lit_not(o->violations.at[*next].lit));
  if (o->literals.n > first)
    o->literals.n = first + sort_unique(o->literals.at + first, o->literals.n - first);
  Text key = {0};
  for (size_t i = first; i < o->literals.n; i++)
    text_printf(&key, "%x ", o->literals.at[i]);
  uint32_t number = names_add(seen, key.n ? key.at : "", key.n);
  vec_free(&key);
  if (number == o->list.n)
    vec_push(&o->list, (Observation){block, (uint32_t)first, (uint32_t)(o->literals.n - first)});
  else
    o->literals.n = first;
  vec_push(&o->of_block, number);
  assert(number < o->list.n && o->of_block.n == block + 1);
}

void observations_seal(Observations *o, const Ground *g, uint32_t blocks) {
  assert(g->sealed && !o->of_block.n);
  if (o->violations.n)
    qsort_r(o->violations.at, o->violations.n, sizeof *o->violations.at, compare_violations,
            (void *)(uintptr_t)g);
  Names seen = {0};
  size_t next = 0;
  for (uint32_t block = 0; block < blocks; block++)
    add_block(o, g, block, &next, &seen);
  names_free(&seen);
  assert(next == o->violations.n && observations_valid(o, g));
}

void observations_free(Observations *o) {
  vec_free(&o->violations);
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
