/* csv.c - see csv.h. */
#include "base/csv.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

char csv_separator(const char *text) {
  return memchr(text, '\t', strcspn(text, "\n")) ? '\t' : ',';
}

const char *csv_cell(const char *at, char separator, Text *cell, CsvCell *about) {
  assert(separator == ',' || separator == '\t');
  cell->n = 0;
  text_add(cell, "", 0);
  bool quoted = *at == '"';
  at += quoted;
  for (; *at; at++) {
    if (quoted && *at == '"' && *++at != '"')
      quoted = false;
    if (!quoted && (*at == separator || *at == '\n' || !*at))
      break;
    if (*at != '\r' || quoted)
      text_add(cell, at, 1);
  }
  *about = (CsvCell){.last = *at != separator, .endless = quoted};
  return at + (*at != 0);
}

char csv_truth(const char *cell) {
  static const struct {
    const char *text;
    char value;
  } known[] = {{"", '?'},     {"1", '1'},     {"0", '0'},   {"1.0", '1'}, {"0.0", '0'},
               {"true", '1'}, {"false", '0'}, {"nan", '?'}, {"na", '?'}};
  if ((*cell == '0' || *cell == '1') && !cell[1]) /* nearly all of them */
    return *cell;
  cell += strspn(cell, " ");
  size_t length = strlen(cell);
  while (length && cell[length - 1] == ' ')
    length--;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].text) == length && !strncasecmp(cell, known[i].text, length))
      return known[i].value;
  return 0;
}
