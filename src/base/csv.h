/* csv.h - cells of CSV tables (RFC 4180), separated by commas or tabs. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/memory.h"

#include <stdbool.h>

/* A tab if the header has one, else a comma. */
char csv_separator(const char *text);

typedef struct {
  bool last;    /* of its row */
  bool endless; /* quoted, and it does not end */
} CsvCell;

/* Reads the cell at `at`, without its quotes, and the separator or line end behind it; returns
** what follows. */
const char *csv_cell(const char *at, char separator, Text *cell, CsvCell *about);

/* What a cell says: '1', '0', '?' for unknown, or 0 for nonsense.  As pandas and R write
** them; blanks around it are nothing. */
char csv_truth(const char *cell);

#endif
