/* cover.h - bodies that exclude each other, and of which one always holds.
**
** All values of what bodies mention are gone through, literal by literal, as in a decision tree,
** until one body is left that may hold, or none: then no two of them hold together.  If one
** holds at each end, one always does.  Of a group of atoms that exclude each other one atom is
** taken at a time, so a table, which has a row for all values of what it depends on, takes as
** much as it is long.  Groups that were found are the values of what other tables depend on. */
#ifndef COMPILE_COVER_H
#define COMPILE_COVER_H

#include "compile/theory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t atoms;  /* of the theory */
  uint32_t *group; /* by atom: 1 + its group; 0: it is in none */
  Words members;   /* that exclude each other, group after group */
  Words start;     /* by group, and one more */
  VEC(bool) exact; /* by group: one of them holds */
  uint8_t *value;  /* by atom: while bodies are looked at */
  uint32_t *count; /* by atom, or by group behind them: bodies that mention it; likewise */
  uint64_t work;   /* words looked at… */
  uint64_t most;   /* …until nothing is found any more */
} Cover;

typedef VEC(size_t) Bodies; /* where plain rules are */

typedef struct {
  bool exclusive; /* no two of them hold together */
  bool complete;  /* and one of them always holds */
} Covered;

void cover_begin(Cover *, uint32_t atoms);
void cover_free(Cover *);

/* False is not wrong, only unknown. */
Covered cover_bodies(Cover *, const Words *, const Bodies *);

/* Adds a group, of atoms that are in none. */
void cover_add(Cover *, const Words *atoms, bool exact);

#endif
