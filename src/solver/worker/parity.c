/* parity.c - see parity.h. */
#include "solver/worker/parity.h"

#include "solver/worker/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void parity_reset(Parity *p, uint32_t columns) {
  uint32_t words = (columns + 63) / 64;
  if (words != p->words || !p->assigned) {
    parity_free(p);
    p->assigned = allocate(words, sizeof *p->assigned);
    p->value = allocate(words, sizeof *p->value);
  }
  memset(p->assigned, 0, words * sizeof *p->assigned);
  memset(p->value, 0, words * sizeof *p->value);
  p->columns = columns;
  p->words = words;
  p->rows = 0;
  p->contradictory = false;
}

void parity_free(Parity *p) {
  free(p->bits);
  free(p->odd);
  free(p->basic);
  free(p->assigned);
  free(p->value);
  *p = (Parity){0};
}

static void grow(Parity *p) {
  p->room = 2 * p->room + 16;
  p->bits = realloc(p->bits, (size_t)p->room * (p->words ? p->words : 1) * sizeof *p->bits);
  p->odd = realloc(p->odd, p->room * sizeof *p->odd);
  p->basic = realloc(p->basic, p->room * sizeof *p->basic);
  if (!p->bits || !p->odd || !p->basic)
    out_of_memory();
}

static uint64_t *row_of(Parity *p, uint32_t row) { return p->bits + (size_t)row * p->words; }

static void add_to(Parity *p, uint32_t from, uint32_t to) {
  assert(from != to && from < p->rows && to < p->rows);
  for (uint32_t w = 0; w < p->words; w++)
    row_of(p, to)[w] ^= row_of(p, from)[w];
  p->odd[to] ^= p->odd[from];
}

static void make_basic(Parity *p, uint32_t row, uint32_t column) {
  assert(row < p->rows && column < p->columns && parity_bit(row_of(p, row), column));
  p->basic[row] = column;
  for (uint32_t r = 0; r < p->rows; r++)
    if (r != row && parity_bit(row_of(p, r), column))
      add_to(p, row, r);
}

/* The first column of the row, only unassigned ones if `open`; or `columns`. */
static uint32_t find_column(const Parity *p, uint32_t row, bool open) {
  const uint64_t *bits = parity_row(p, row);
  for (uint32_t w = 0; w < p->words; w++) {
    uint64_t left = open ? bits[w] & ~p->assigned[w] : bits[w];
    if (left)
      return 64 * w + (uint32_t)__builtin_ctzll(left);
  }
  return p->columns;
}

void parity_add(Parity *p, const uint64_t *row, bool odd) {
  assert(p->assigned && p->rows <= p->room);
  if (p->rows == p->room)
    grow(p);
  uint32_t new = p->rows++;
  memcpy(row_of(p, new), row, p->words * sizeof *row);
  p->odd[new] = odd;
  for (uint32_t r = 0; r < new; r++)
    if (parity_bit(row_of(p, new), p->basic[r]))
      add_to(p, r, new);
  uint32_t column = find_column(p, new, false);
  if (column < p->columns) {
    make_basic(p, new, column);
  } else {
    p->contradictory |= p->odd[new];
    p->rows--;
  }
}

static bool holds(const Parity *p, uint32_t row) {
  bool sum = false;
  for (uint32_t w = 0; w < p->words; w++)
    sum ^= __builtin_parityll(parity_row(p, row)[w] & p->value[w]);
  return sum == p->odd[row];
}

bool parity_adjust(Parity *p, uint32_t *violated) {
  for (uint32_t r = 0; r < p->rows; r++) {
    if (!parity_bit(p->assigned, p->basic[r]))
      continue;
    uint32_t column = find_column(p, r, true);
    if (column < p->columns) {
      make_basic(p, r, column);
    } else if (!holds(p, r)) {
      *violated = r;
      return false;
    }
  }
  return true;
}

bool parity_implies(const Parity *p, uint32_t row, bool *value) {
  assert(row < p->rows);
  uint64_t open = 0;
  bool sum = p->odd[row];
  if (parity_bit(p->assigned, p->basic[row]))
    return false;
  for (uint32_t w = 0; w < p->words; w++) {
    uint64_t bits = parity_row(p, row)[w], left = bits & ~p->assigned[w];
    if ((left & (left - 1)) || (left && open))
      return false;
    open |= left;
    sum ^= __builtin_parityll(bits & p->value[w]);
  }
  *value = sum;
  return true;
}
