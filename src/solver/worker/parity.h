/* parity.h - a system of parity constraints under a partial assignment.
**
** Rows say that an odd or even number of their columns is true.  The system is
** kept reduced (Gauss-Jordan): every row has a basic column that is in no other
** row and, while it can be, unassigned.  Then a sum of several rows has several
** unassigned columns, so what follows from the system follows from single rows:
** one with one unassigned column implies it, one with none may be violated.
** Adding rows changes no solution, so nothing is undone on backtracking. */
#ifndef SOLVER_WORKER_PARITY_H
#define SOLVER_WORKER_PARITY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t columns, words; /* of 64 columns */
  uint32_t rows, room;
  uint64_t *bits;             /* rows × words */
  bool *odd;                  /* by row */
  uint32_t *basic;            /* by row: a column */
  uint64_t *assigned, *value; /* by column; the caller sets them */
  bool contradictory;         /* no assignment at all satisfies it */
} Parity;                     /* {0} is empty */

/* No rows; nothing is assigned. */
void parity_reset(Parity *, uint32_t columns);
void parity_free(Parity *);

static inline bool parity_bit(const uint64_t *words, uint32_t column) {
  return words[column >> 6] >> (column & 63) & 1;
}
static inline void parity_flip(uint64_t *words, uint32_t column) {
  words[column >> 6] ^= (uint64_t)1 << (column & 63);
}
static inline const uint64_t *parity_row(const Parity *p, uint32_t row) {
  return p->bits + (uint64_t)row * p->words;
}

void parity_add(Parity *, const uint64_t *row, bool odd);

/* Makes the basic columns unassigned where that is possible.  False: `row`
** is violated, all its columns being assigned. */
bool parity_adjust(Parity *, uint32_t *row);

/* Whether an adjusted row has one unassigned column, its basic one; then the
** value that it must have. */
bool parity_implies(const Parity *, uint32_t row, bool *value);

#endif
