/* caret.c - see caret.h. */
#include "base/caret.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; } /* in UTF-8 */

/* Text of the user's: nothing in it may command the terminal. */
static void write_clean(Text *to, const char *text, size_t length) {
  for (size_t i = 0; i < length && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    text_add(to, c == 127 || (c < 32 && c != '\t') ? "?" : text + i, 1);
  }
}

/* The caret's line: tabs stay tabs, a UTF-8 character is one column. */
static void write_caret(Text *to, const char *line, unsigned column, unsigned length) {
  assert(column >= 1);
  for (unsigned i = 0; i + 1 < column && line[i]; i++)
    if (!continues(line[i]))
      text_puts(to, line[i] == '\t' ? "\t" : " ");
  text_puts(to, "^");
  for (unsigned i = column; i + 1 < column + length && line[i - 1]; i++)
    if (!continues(line[i]))
      text_puts(to, "~");
  text_puts(to, "\n");
}

/* Long lines are cut around the place, between characters. */
static void write_line(Text *to, const char *line, unsigned column, unsigned length) {
  enum { WIDTH = 160, BEFORE = 60 };
  size_t n = strlen(line);
  assert(column >= 1);
  if (column > n + 1)
    column = (unsigned)n + 1; /* behind a NUL of the user's */
  if (column > WIDTH - BEFORE) {
    unsigned skip = column - BEFORE;
    while (skip && continues(line[skip]))
      skip--;
    line += skip, column -= skip, n -= skip;
  }
  size_t shown = n > WIDTH ? WIDTH : n;
  if (column + length > WIDTH)
    length = column < WIDTH ? WIDTH - column : 1;
  while (shown > 0 && continues(line[shown]))
    shown--;
  text_puts(to, "    ");
  write_clean(to, line, shown);
  text_puts(to, "\n    ");
  write_caret(to, line, column, length);
}

void caret_write(Text *to, const lpmln_diagnostic *d) {
  static const char *const severity[] = {"note", "warning", "error"};
  assert(d && d->message);
  assert(d->severity <= LPMLN_ERROR);
  assert(!d->source || d->file); /* a line is one of a text */
  if (d->file)
    text_printf(to, "%s:%u:%u: ", d->file, d->line, d->column);
  else
    text_puts(to, "lpmln: ");
  text_printf(to, "%s: ", severity[d->severity]);
  write_clean(to, d->message, strlen(d->message));
  text_puts(to, "\n");
  if (d->source && *d->source)
    write_line(to, d->source, d->column, d->length);
  if (d->hint)
    text_printf(to, "    hint: %s\n", d->hint);
}
