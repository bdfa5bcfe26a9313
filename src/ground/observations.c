/* observations.c - see observations.h. */
#include "ground/observations.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* By atom: the literal that an event stands for, or NONE. */
static Lit *find_plain(const Ground *g, const bool *event) {
  Lit *plain = memory_zero(g->atoms.n, sizeof *plain);
  uint32_t *definitions = memory_zero(g->atoms.n, sizeof *definitions);
  for (Atom a = 0; a < g->atoms.n; a++)
    plain[a] = NONE;
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->heads != 1 || !event[rule_heads(g, r)[0]])
      continue;
    bool single = !r->choice && !r->weighted && r->size == 1 && r->instance == NONE;
    Atom a = rule_heads(g, r)[0];
    plain[a] = single && !definitions[a] ? rule_body(g, r)[0] : NONE;
    definitions[a]++;
  }
  free(definitions);
  return plain;
}

/* Atoms that the user never sees: made for an observation or a shown term. */
static bool *find_events(const Ground *g) {
  bool *event = memory_zero(g->atoms.n, sizeof *event);
  for (size_t i = 0; i < g->violations.n; i++)
    event[g->violations.at[i].atom] = g->atoms.at[g->violations.at[i].atom].name == NONE;
  for (size_t i = 0; i < g->terms.n; i++)
    event[g->terms.at[i].atom] = g->atoms.at[g->terms.at[i].atom].name == NONE;
  return event;
}

/* Events that have to stay: observed, and more than a literal. */
static void keep_complex(const Ground *g, const Lit *plain, bool *event) {
  for (size_t i = 0; i < g->violations.n; i++)
    if (plain[g->violations.at[i].atom] == NONE)
      event[g->violations.at[i].atom] = false;
}

static int compare_literals(const void *a, const void *b) {
  Lit x = *(const Lit *)a, y = *(const Lit *)b;
  return (x > y) - (x < y);
}

/* Sorts the literals from `first` on and removes repeats. */
static void tidy(Observations *o, size_t first) {
  size_t kept = first;
  if (o->literals.n > first)
    qsort(o->literals.at + first, o->literals.n - first, sizeof *o->literals.at, compare_literals);
  for (size_t i = first; i < o->literals.n; i++)
    if (kept == first || o->literals.at[kept - 1] != o->literals.at[i])
      o->literals.at[kept++] = o->literals.at[i];
  o->literals.n = kept;
}

/* The literals of one block; *next steps over its violations. */
static void add_block(const Ground *g, const Lit *plain, uint32_t block, size_t *next, Names *seen,
                      Observations *o) {
  size_t first = o->literals.n;
  for (; *next < g->violations.n && g->violations.at[*next].first == block; ++*next) {
    Atom a = g->violations.at[*next].atom;
    bool replaced = plain[a] != NONE && g->atoms.at[a].truth == ATOM_OPEN;
    if (g->atoms.at[a].truth != ATOM_IMPOSSIBLE)
      vec_push(&o->literals, replaced ? lit_not(plain[a]) : lit_of(a, true));
  }
  tidy(o, first);
  Text key = {0};
  for (size_t i = first; i < o->literals.n; i++)
    text_printf(&key, "%x ", o->literals.at[i]);
  uint32_t number = names_add(seen, key.n ? key.at : "", key.n);
  if (number == o->list.n)
    vec_push(&o->list, (Observation){block, (uint32_t)first, (uint32_t)(o->literals.n - first)});
  else
    o->literals.n = first;
  vec_push(&o->of_block, number);
  vec_free(&key);
}

void observations_make(const lpmln *p, Observations *o) {
  const Ground *g = &p->ground;
  *o = (Observations){0};
  bool *event = find_events(g);
  Lit *plain = find_plain(g, event);
  keep_complex(g, plain, event);
  ground_without(g, event, &o->ground);
  analysis_make(&o->ground, &o->analysis);
  Names seen = {0};
  size_t next = 0;
  for (uint32_t block = 0; block < p->program.blocks.n; block++)
    add_block(g, plain, block, &next, &seen, o);
  names_free(&seen);
  free(event);
  free(plain);
}

void observations_free(Observations *o) {
  analysis_free(&o->analysis);
  ground_free(&o->ground);
  vec_free(&o->list);
  vec_free(&o->literals);
  vec_free(&o->of_block);
}
