/* exclusive.h - which atoms are never true together, as far as rules show it.
**
** Two literals exclude each other if one negates the other, or if a constraint says so; a body
** excludes an atom if it excludes a literal of each of its rules.  Two atoms exclude each other if
** each body of the one has a literal that excludes one of each body of the other: the values
** of an annotated disjunction, row by row.  Heads that share inputs are tried as a whole first
** (cover.h), for tables have too many pairs of rows.  What is not found is not wrong, only
** unknown. */
#ifndef COMPILE_EXCLUSIVE_H
#define COMPILE_EXCLUSIVE_H

#include "compile/cover.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is assumed: a body, and to refute an atom beside it one of the bodies of its rules. */
typedef struct {
  const uint32_t *rule; /* that is assumed */
  uint32_t clock;
  uint32_t *mark;  /* by literal: when it was denied last */
  uint32_t *tried; /* by atom: when refuting it was tried last */
  bool *refuted;   /* by atom: and then came off */
} ExclusiveView;

typedef struct {
  const Words *rules; /* borrowed; definitions before their uses */
  uint32_t atoms;
  Words *with;   /* by atom: those that exclude it */
  uint32_t *met; /* by atom: the head that it was compared with last */
  size_t *first; /* by atom: 1 + where its rules start; 0: it has none */
  ExclusiveView view[2];
  Cover cover;   /* groups of which no two atoms hold, as their tables tell */
  uint64_t work; /* words looked at */
} Exclusive;

void exclusive_begin(Exclusive *, const Words *rules, uint32_t atoms);
void exclusive_free(Exclusive *);

bool exclusive_atoms(const Exclusive *, uint32_t a, uint32_t b);

/* Whether no two of the bodies of the plain rules words[begin .. end - 1] hold together. */
bool exclusive_bodies(Exclusive *, const Words *, size_t begin, size_t end);

/* Whether the rule is a constraint of which no two literals, all positive, may hold. */
bool exclusive_rule(const uint32_t *rule);

#endif
