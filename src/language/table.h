/* table.h - rows of evidence: a CSV table with a header of atoms. */
#ifndef LANGUAGE_TABLE_H
#define LANGUAGE_TABLE_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/program.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *text; /* owned: an atom, or #count */
  Place place;
} TableColumn;

typedef struct {
  VEC(TableColumn) columns;
  VEC(char) cells; /* row after row: '1', '0', '?', and '#' for a count */
  size_t rows;     /* that are here */
  uint32_t source;
  size_t begin, next; /* offsets in the text: of the first row, and of the next one */
} TableRows;          /* {0} is empty */

/* The columns; says what is wrong. */
void table_open(Diagnostics *, uint32_t source, TableRows *);

/* The next rows, at most so many, in place of those that are here; false: no more, or what is wrong
** was said. */
bool table_read(Diagnostics *, TableRows *, size_t most);

/* Where such a row stands; it is looked for from the top. */
Place table_row_place(const Diagnostics *, uint32_t source, size_t row);

void table_free(TableRows *);

/* ---- observations ---------------------------------------------------------------------- */

/* Where a row stands, the first time. */
Place table_place(const Program *, const ObservedTable *, uint32_t row);

void table_clear(ObservedTable *);

#endif
