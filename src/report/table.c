/* table.c - see table.h. */
#include "report/table.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void table_quote(Text *to, const char *cell) {
  text_puts(to, "\"");
  for (; *cell; cell++) {
    if (*cell == '"')
      text_puts(to, "\"");
    text_add(to, cell, 1);
  }
  text_puts(to, "\"");
}

/* Quoted only where it must be, as RFC 4180 has it. */
static void write_cell(Text *to, const char *cell) {
  if (strpbrk(cell, ",\"\r\n"))
    table_quote(to, cell);
  else
    text_puts(to, cell);
}

static void write_row(Text *to, const double *row, size_t count) {
  for (size_t i = 0; i < count; i++) {
    text_puts(to, i ? "," : "");
    if (!isnan(row[i]))
      number_write(to, row[i]);
    else if (count == 1)
      text_puts(to, "\"\""); /* readers skip a line that is empty */
  }
  text_puts(to, "\n");
}

void table_write_names(Text *to, const lpmln_table *a) {
  assert(a->queries || !a->query_count);
  for (size_t i = 0; i < a->query_count; i++) {
    text_puts(to, i ? "," : "");
    write_cell(to, a->queries[i]);
  }
  text_puts(to, "\n");
}

void table_write_rows(Text *to, const lpmln_table *a) {
  assert(a->probabilities || !a->row_count || !a->query_count);
  for (size_t i = 0; i < a->row_count; i++)
    write_row(to, a->query_count ? a->probabilities + i * a->query_count : NULL, a->query_count);
}
