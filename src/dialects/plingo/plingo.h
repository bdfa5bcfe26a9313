/* plingo.h - plingo's language: clingo's with theory atoms for weights,
** queries, evidence, and for P-log.
**
**   plingo.c        statements, queries, evidence, weak constraints
**   rule.c   rules with a weight
**   plog.c   &random, &pr, &obs, &do */
#ifndef DIALECTS_PLINGO_PLINGO_H
#define DIALECTS_PLINGO_PLINGO_H

#include "base/memory.h"
#include "base/source.h"
#include "dialects/plingo/text.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* `&name(arguments) { elements } = guard`; ranges are empty where a part is
** missing. */
typedef struct {
  Range whole, arguments, elements, guard;
  uint32_t name;
} TheoryAtom;

/* A probability of &pr, as a fraction where it is one. */
typedef struct {
  double value;
  int64_t numerator, denominator; /* 0: it is none, or too long */
  char *text;                     /* owned: as in a weight */
  Place place;                    /* of the first statement with it */
} Chances;

/* Weak constraints with one weight and one number of terms. */
typedef struct {
  double weight;
  uint32_t terms;
  Place place; /* of the first */
} WeakTuple;

typedef struct {
  PlingoText f;
  char *prefix;   /* of our own predicates */
  unsigned rules; /* soft rules that needed names */
  VEC(WeakTuple) weak;
  VEC(Chances) chances;
  bool random, done, observed;        /* P-log statements were seen… */
  Place first_random, first_observed; /* …and here first */
} Plingo;

/* The first theory atom of the range; false if there is none. */
bool plingo_theory_atom(const PlingoText *, Range, TheoryAtom *);
/* Arguments, or elements, of which there must be one. */
bool plingo_single(const PlingoText *, Range);

/* Of a rule with this weight in its body. */
void plingo_weighted(Plingo *, const TheoryAtom *);

/* Of a P-log statement, whose head is the theory atom. */
void plog_statement(Plingo *, const TheoryAtom *);
/* What random attributes mean, once all statements were read. */
void plog_finish(Plingo *);
void plog_free(Plingo *);

#endif
