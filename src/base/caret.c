/* caret.c - see caret.h. */
#include "base/caret.h"

#include "base/plain.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* What starts and ends a part; all empty without colours. */
typedef struct {
  const char *severity[3], *place, *caret, *hint, *end;
} Colours;

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; } /* in UTF-8 */

/* A line of the user's: nothing in it may command the terminal, and columns stay columns. */
static void write_clean(Text *to, const char *text, size_t length) {
  bool control;
  for (size_t i = 0, n; i < length && text[i]; i += n) {
    n = plain_character(text + i, length - i, &control);
    text_add(to, control ? "?" : text + i, control ? 1 : n);
  }
}

static void write_plain(Text *to, const char *text) { plain_write(to, text, strlen(text), ""); }

/* The caret's line: tabs stay tabs, a UTF-8 character is one column. */
static void write_caret(Text *to, const char *line, unsigned column, unsigned length,
                        const Colours *c) {
  assert(column >= 1);
  for (unsigned i = 0; i + 1 < column && line[i]; i++)
    if (!continues(line[i]))
      text_puts(to, line[i] == '\t' ? "\t" : " ");
  text_printf(to, "%s^", c->caret);
  for (unsigned i = column; i + 1 < column + length && line[i - 1]; i++)
    if (!continues(line[i]))
      text_puts(to, "~");
  text_printf(to, "%s\n", c->end);
}

/* Long lines are cut around the place, between characters. */
static void write_line(Text *to, const char *line, unsigned column, unsigned length,
                       const Colours *c) {
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
  write_caret(to, line, column, length, c);
}

static void write_all(Text *to, const lpmln_diagnostic *d, const Colours *c) {
  static const char *const severity[] = {"note", "warning", "error"};
  assert(d && d->message);
  assert(d->severity <= LPMLN_ERROR);
  assert((!d->source && !d->line) || d->file); /* a line is one of a text */
  text_puts(to, c->place);
  write_plain(to, d->line ? d->file : "lpmln");
  if (d->line)
    text_printf(to, ":%u:%u", d->line, d->column);
  text_printf(to, ":%s %s%s:%s ", c->end, c->severity[d->severity], severity[d->severity], c->end);
  write_plain(to, d->message);
  text_puts(to, "\n");
  if (d->source && *d->source)
    write_line(to, d->source, d->column, d->length, c);
  if (!d->hint)
    return;
  text_printf(to, "    %shint:%s ", c->hint, c->end);
  write_plain(to, d->hint);
  text_puts(to, "\n");
}

void caret_write(Text *to, const lpmln_diagnostic *d) {
  static const Colours none = {{"", "", ""}, "", "", "", ""};
  write_all(to, d, &none);
}

void caret_write_coloured(Text *to, const lpmln_diagnostic *d) {
  static const Colours some = {
      {"\033[1;36m", "\033[1;35m", "\033[1;31m"}, "\033[1m", "\033[1;32m", "\033[36m", "\033[0m"};
  write_all(to, d, &some);
}
