/* messages.c - clingo's messages, in terms of the user's own files.
**
** A message looks like `<block>:3:5-9: error: unsafe variables in:\n  text\n`
** with more lines of the same form as notes; places refer to our script and
** are mapped back through its record of pieces. */
#include "ground/messages.h"

#include "base/memory.h"
#include "base/source.h"
#include "language/instance.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The byte of the script at a line and column, both from 1. */
static size_t script_offset(const Script *script, unsigned line, unsigned column) {
  assert(script->writer.text.at);
  const char *text = script->writer.text.at;
  size_t at = 0, n = script->writer.text.n;
  for (; line > 1 && at < n; at++)
    line -= text[at] == '\n';
  return at + column - 1 < n ? at + column - 1 : n;
}

/* Finds a line that starts with `<block>:LINE:COLUMN-…: ` and steps behind it. */
static bool parse_place(const Script *script, const char **message, Place *place) {
  unsigned line, column;
  const char *at = *message;
  while (at && sscanf(at, "<block>:%u:%u", &line, &column) != 2)
    if ((at = strchr(at, '\n')))
      at++;
  if (!at)
    return false;
  *place = pieces_origin(&script->writer.map, script_offset(script, line, column));
  const char *end = strstr(at, ": ");
  *message = end ? end + 2 : at + strlen(at);
  return true;
}

static bool starts(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

/* `<block>:1:3-4: note: 'X' is unsafe`, one for each variable. */
static void say_unsafe(Diagnostics *said, const Script *script, const char *message) {
  Place place;
  while (parse_place(script, &message, &place)) {
    char name[64];
    if (sscanf(message, "note: '%63[^' ]", name) != 1)
      continue;
    diagnose_error(said, place,
                   "every variable needs a positive literal in the body that binds it; "
                   "`#domain p(X).` binds X in all rules",
                   "unsafe variable %s", *name == '#' ? "_" : name);
  }
}

/* The first line, without clingo's own notes, and the text it is about. */
static char *headline(const char *message) {
  size_t n = strcspn(message, "\n");
  Text text = {0};
  text_add(&text, message, n);
  while (text.n && (text.at[text.n - 1] == ':' || text.at[text.n - 1] == ' '))
    text.at[--text.n] = 0;
  return text_take(&text);
}

/* Names of clingo's grammar that nobody knows. */
static char *readable(const char *line) {
  static const char *const words[][2] = {{"<IDENTIFIER>", "a name"}, {"<VARIABLE>", "a variable"},
                                         {"<NUMBER>", "a number"},   {"<STRING>", "a string"},
                                         {"EOF", "the end"},         {"#showsig", "#show"}};
  Text text = {0};
  while (*line) {
    size_t k = 0, count = sizeof words / sizeof *words;
    while (k < count && !starts(line, words[k][0]))
      k++;
    if (k < count)
      text_puts(&text, words[k][1]), line += strlen(words[k][0]);
    else
      text_add(&text, line++, 1);
  }
  return text_take(&text);
}

static void say_syntax(Diagnostics *said, Place place, const char *line) {
  static const char *const starters[] = {"a name", "a variable", "a number", "a string",
                                         "not",    "#",          "{"};
  static const char unexpected[] = "syntax error, unexpected ";
  char *text = readable(line);
  const char *hint = NULL, *what = text + sizeof unexpected - 1;
  for (size_t i = 0; starts(text, unexpected) && i < sizeof starters / sizeof *starters; i++)
    if (starts(what, starters[i]))
      hint = "is a comma, an operator or a full stop missing before it?";
  diagnose_error(said, place, hint, "%s", text);
  free(text);
}

static const char *const undefined_hint =
    "clingo drops this instance; terms such as a+1 have no value";

void messages_say(const Program *program, Diagnostics *said, const Script *script,
                  const char *message) {
  assert(message);
  Place place = NOWHERE;
  const char *rest = message;
  parse_place(script, &rest, &place);
  bool is_error = starts(rest, "error: ");
  if (is_error || starts(rest, "info: ") || starts(rest, "warning: "))
    rest = strchr(rest, ' ') + 1;
  if (starts(rest, "unsafe variables in")) {
    say_unsafe(said, script, rest);
    return;
  }
  char *line = headline(rest);
  if (is_error)
    say_syntax(said, place, line);
  else if (starts(line, "operation undefined") && program->defined)
    diagnose_error(said, place, "clingo computes with integers only", "this has no value: %s",
                   line);
  else if (starts(line, "operation undefined"))
    diagnose_warning(said, place, undefined_hint, "%s", line);
  else if (starts(line, "atom does not occur in any rule head"))
    diagnose_warning(said, place, NULL, "no rule derives this atom");
  else
    diagnose_warning(said, place, NULL, "%s", line);
  free(line);
}
