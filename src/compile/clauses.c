/* clauses.c - factors as clauses; see clauses.h. */
#include "compile/clauses.h"

#include "base/sort.h"
#include "circuit/circuit.h"
#include "compile/exclusive.h"
#include "compile/flat.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLAUSES = 64 }; /* that one factor may become */
enum { LARGEST = 10000 }; /* factors, if derived atoms are decided: parts of them stay too large */

typedef struct {
  Clauses *to;
  const Flat *flat;
  uint32_t *number; /* by atom: 1 + its variable; 0: none yet */
} Maker;

void clauses_free(Clauses *c) {
  vec_free(&c->atoms);
  vec_free(&c->start);
  vec_free(&c->literals);
  vec_free(&c->use);
  vec_free(&c->uses);
  *c = (Clauses){0};
}

/* Adds a literal of an atom to the clause that is being made. */
static void add(Maker *m, uint32_t literal) {
  uint32_t *number = &m->number[literal >> 1];
  if (!*number) {
    vec_push(&m->to->atoms, literal >> 1);
    *number = (uint32_t)m->to->atoms.n;
  }
  vec_push(&m->to->literals, 2 * (*number - 1) + (literal & 1));
}

/* Ends the clause; one that always holds is none. */
static void close_clause(Maker *m) {
  Words *literals = &m->to->literals;
  size_t first = m->to->start.at[m->to->start.n - 1];
  literals->n = first + sort_unique(literals->at + first, literals->n - first);
  for (size_t i = first; i + 1 < literals->n; i++)
    if ((literals->at[i] ^ literals->at[i + 1]) == 1) {
      literals->n = first;
      return;
    }
  vec_push(&m->to->start, (uint32_t)literals->n);
}

/* The body does not hold, or the head (THEORY_NONE: there is none) does. */
static void add_rule(Maker *m, const uint32_t *rule, uint32_t head) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    add(m, lit_not(rule[2 + k]));
  if (head != THEORY_NONE)
    add(m, lit_of(head, false));
  close_clause(m);
}

/* Of literals of which one may hold, no two do. */
static bool add_pairs(Maker *m, const uint32_t *rule) {
  uint32_t n = rule_size(rule);
  if (!exclusive_rule(rule) || n > MOST_CLAUSES)
    return false;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < i; k++) {
      add(m, lit_not(rule[2 + i]));
      add(m, lit_not(rule[2 + k]));
      close_clause(m);
    }
  return true;
}

/* One of the bodies holds, or the head does not: a clause for each way of taking a literal of
** each body.  False: too many. */
static bool add_bodies(Maker *m, const FlatFactor *factor, uint32_t head) {
  const uint32_t *words = m->flat->words.at;
  uint32_t clauses = 1;
  for (size_t i = factor->begin; i < factor->end && clauses; i += rule_words(words + i)) {
    if (rule_size(words + i) > MOST_CLAUSES / clauses)
      return false;
    clauses *= rule_size(words + i);
  }
  for (uint32_t number = 0; number < clauses; number++) {
    uint32_t rest = number;
    for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i)) {
      add(m, words[i + 2 + rest % rule_size(words + i)]);
      rest /= rule_size(words + i);
    }
    if (head != THEORY_NONE)
      add(m, lit_of(head, true));
    close_clause(m);
  }
  return true;
}

static bool add_factor(Maker *m, const FlatFactor *factor) {
  const uint32_t *words = m->flat->words.at;
  bool derives = factor->kind == FLAT_TOLD || factor->kind == FLAT_DEFINED;
  bool plain = true;
  if (factor->kind == FLAT_FORBIDDEN && rule_weighted(words + factor->begin))
    return add_pairs(m, words + factor->begin);
  for (size_t i = factor->begin; i < factor->end; i += rule_words(words + i))
    plain &= !rule_weighted(words + i);
  for (size_t i = factor->begin; i < factor->end && plain; i += rule_words(words + i))
    if (derives || factor->kind == FLAT_FORBIDDEN)
      add_rule(m, words + i, factor->head);
  if (factor->kind == FLAT_FORBIDDEN || !plain)
    return plain;
  return add_bodies(m, factor, factor->kind == FLAT_NEEDED ? THEORY_NONE : factor->head);
}

static void list_uses(Clauses *c) {
  size_t literals = 2 * c->atoms.n;
  vec_reserve(&c->use, literals + 2);
  memset(c->use.at, 0, (literals + 2) * sizeof *c->use.at);
  vec_reserve(&c->uses, c->literals.n + 1);
  for (size_t i = 0; i < c->literals.n; i++)
    c->use.at[c->literals.at[i] + 2]++;
  for (size_t i = 2; i < literals + 2; i++)
    c->use.at[i] += c->use.at[i - 1];
  for (uint32_t k = 0; k < clauses_count(c); k++)
    for (uint32_t i = c->start.at[k]; i < c->start.at[k + 1]; i++)
      c->uses.at[c->use.at[c->literals.at[i] + 1]++] = k;
  c->use.n = literals + 1, c->uses.n = c->literals.n;
}

bool clauses_make(Clauses *c, const Residual *r, const ResidualPart *part,
                  const uint32_t *variable) {
  assert(part->next == part->limit && part->end <= r->words.n);
  Flat flat = {0};
  *c = (Clauses){0};
  Maker m = {c, &flat, memory_zero(r->theory->atoms, sizeof *m.number)};
  bool good = flat_factors(&flat, r, part, variable);
  vec_push(&c->start, 0);
  good = good && !(flat.cut && flat.factors.n > LARGEST);
  for (size_t i = 0; i < flat.factors.n && good; i++) {
    const FlatFactor *factor = &flat.factors.at[i];
    if (factor->kind != FLAT_TOLD || variable[factor->head] != CIRCUIT_NONE)
      good = add_factor(&m, factor);
  }
  c->cut = flat.cut;
  if (good)
    list_uses(c);
  else
    clauses_free(c);
  free(m.number);
  flat_free(&flat);
  return good;
}
