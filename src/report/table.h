/* table.h - answers as CSV, the way spreadsheets, pandas and R read it. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

/* A header of the queries, then the probabilities row by row, all their digits; the cells
** of an impossible row are empty. */
void table_write_names(Text *, const lpmln_table *); /* the first line */
void table_write_rows(Text *, const lpmln_table *);

void table_quote(Text *, const char *cell); /* in quotes, whatever it is */

#endif
