/* messages.c - clingo's messages, in terms of the user's own files.
**
** A message looks like `<block>:3:5-9: error: unsafe variables in:\n  text\n`
** with more lines of the same form as notes; places refer to our script and
** are mapped back through its record of pieces. */
#include "ground/messages.h"

#include "base/memory.h"
#include "base/source.h"
#include "language/foreign.h"
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

/* The statement that is written there; NULL: none. */
static const Statement *statement_at(const Program *program, Place place) {
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    Place whole = program_place(program, s, s->whole);
    if (whole.source == place.source && place.offset >= whole.offset &&
        place.offset <= whole.offset + whole.length)
      return s;
  }
  return NULL;
}

/* Is something of another language in the statement?  Then that is what is wrong with it. */
static bool say_foreign(const Program *program, Diagnostics *said, Place place) {
  const Statement *s = statement_at(program, place);
  Range where, inside = s ? s->whole : (Range){0, 0};
  const char *hint;
  if (s && !range_empty(s->weight))
    inside.from = s->weight.to;
  if (!s ||
      !foreign_find(program_source(program, s), program_tokens(program, s), inside, &where, &hint))
    return false;
  Text word = {0};
  program_write(program, s, where, &word);
  diagnose_error(said, program_place(program, s, where), hint, "'%s' is not understood here",
                 word.at);
  vec_free(&word);
  return true;
}

/* A full stop that nobody wrote is the end of a query. */
static bool is_end(const Program *program, Place place, const char *what) {
  return !strcmp(what, ".") && place.source != NONE_SOURCE &&
         program->sources.list.at[place.source].bytes[place.offset] != '.';
}

/* Does the text at the place start with this? */
static bool stands(const Program *program, Place place, const char *what) {
  return place.source != NONE_SOURCE &&
         starts(program->sources.list.at[place.source].bytes + place.offset, what);
}

/* Our own arrow is not expected where no head is before it. */
static bool is_no_head(const Program *program, Place place, const char *what) {
  return !strcmp(what, ":-") && place.source != NONE_SOURCE && !stands(program, place, ":-") &&
         !stands(program, place, "<-");
}

static const char missing[] = "is a comma, an operator or a full stop missing before it?";
static const char nothing[] = "is something missing before it?";
static const char no_quotes[] = "an atom stands without quotes";

/* What clingo says of words of its own grammar says little to others. */
static const char *hint_of(const Program *program, Place place, const char *text) {
  static const struct {
    const char *what, *hint;
  } known[] = {{"a name", missing},
               {"a variable", missing},
               {"a number", missing},
               {"a string", missing},
               {"not", missing},
               {"#", missing},
               {"{", missing},
               {"\",\"", nothing},
               {";", nothing},
               {".", nothing},
               {")", nothing},
               {"}", nothing},
               {"|", "'or' is `;`, and 'given' stands outside of parentheses: 'a | b'"}};
  const Statement *s = statement_at(program, place);
  if (strstr(text, "expecting } or ;"))
    return "inside of braces elements are separated by `;`";
  if (strstr(text, "expecting ="))
    return "write `#const name = value.`";
  if (s && stands(program, program_place(program, s, s->whole), "#show"))
    return "write `#show p/1.` for each predicate, or `#show term : body.`";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (starts(text, known[i].what))
      return known[i].hint;
  return NULL;
}

static void say_syntax(const Program *program, Diagnostics *said, Place place, const char *line) {
  static const char unexpected[] = "syntax error, unexpected ";
  if (say_foreign(program, said, place))
    return;
  char *text = readable(line);
  bool known = starts(text, unexpected);
  const char *what = text + sizeof unexpected - 1;
  bool quoted = stands(program, place, "\"");
  if (known && is_end(program, place, what))
    diagnose_error(said, place, quoted ? no_quotes : "is something missing behind it?",
                   "syntax error, the text ends here");
  else if (known && is_no_head(program, place, what))
    diagnose_error(said, place, quoted ? no_quotes : "a head is `a`, `a ; b` or `{ a ; b }`",
                   "syntax error, this is no head of a rule");
  else
    diagnose_error(said, place, known ? hint_of(program, place, what) : NULL, "%s", text);
  free(text);
}

static const char *const undefined_hint =
    "clingo drops this instance; terms such as a+1 have no value";

void messages_say(const Program *program, Diagnostics *said, const Script *script,
                  const char *message, Places *underived) {
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
    say_syntax(program, said, place, line);
  else if (starts(line, "operation undefined") && program->defined)
    diagnose_error(said, place, "clingo computes with integers only", "this has no value: %s",
                   line);
  else if (starts(line, "operation undefined"))
    diagnose_warning(said, place, undefined_hint, "%s", line);
  else if (starts(line, "atom does not occur in any rule head"))
    vec_push(underived, place);
  else
    diagnose_warning(said, place, NULL, "%s", line);
  free(line);
}

/* ---- grounding that has no end ------------------------------------------------------- */

/* Does the rule nest terms in its head, whose predicate is this one? */
static bool nests(const Program *program, const Statement *s, const char *predicate) {
  if (s->kind != S_RULE || range_empty(s->head) || range_empty(s->body))
    return false;
  const Unit *unit = &program->units.at[s->unit];
  const Source *source = &program->sources.list.at[unit->source];
  unsigned named = 0, opened = 0;
  for (uint32_t i = s->head.from; i < s->head.to; i++) {
    named += token_is(source, &unit->tokens.at[i], predicate);
    opened += unit->tokens.at[i].kind == T_OPEN;
  }
  return named && opened > 1;
}

bool messages_endless(const Program *program, Diagnostics *said, Bytes *what) {
  uint32_t length;
  const char *at = bytes_string(what, &length);
  uint32_t atoms = bytes_u32(what), depth = bytes_u32(what);
  if (what->bad)
    return false;
  char *predicate = memory_copy(at, length);
  Place place = NOWHERE;
  for (size_t i = 0; i < program->statements.n && place.source == NONE_SOURCE; i++)
    if (nests(program, &program->statements.at[i], predicate))
      place = program_place(program, &program->statements.at[i], program->statements.at[i].whole);
  diagnose_error(said, place, "a bound such as `X < 100`, or a fact for each level, ends it",
                 "grounding has no end: '%s' has %u atoms already, and terms are nested %u deep",
                 predicate, atoms, depth);
  free(predicate);
  return true;
}

bool messages_counting(const Program *program, Diagnostics *said, const Growths *growths) {
  const Growth *which = NULL;
  const Statement *s = unbounded_rule(program, growths, &which);
  if (s)
    diagnose_error(said, program_place(program, s, s->whole),
                   "a bound such as `X < 100`, or a fact for each number, ends it",
                   "grounding has no end: this has made %u atoms, and counts on", which->atoms);
  return s;
}

/* ---- grounding that explodes --------------------------------------------------------- */

static bool heads(const Program *program, const Statement *s, const char *predicate) {
  const Token *t = program_tokens(program, s);
  for (uint32_t i = s->head.from; i < s->head.to; i++)
    if (token_is(program_source(program, s), &t[i], predicate))
      return true;
  return false;
}

const Statement *messages_rule(const Program *program, const char *predicate) {
  const Statement *found = NULL;
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    if (s->kind == S_RULE && heads(program, s, predicate) &&
        (!found || (range_empty(found->body) && !range_empty(s->body))))
      found = s;
  }
  return found;
}

void messages_explodes(const Program *program, Diagnostics *said, const Script *script,
                       const char *predicate, uint32_t atoms, uint32_t rules, uint32_t number) {
  assert(predicate && rules);
  size_t prefix = strlen(script->prefix);
  bool marker = !strncmp(predicate, script->prefix, prefix);
  bool rule = marker && strchr("sch", predicate[prefix]) && number < script->rules.n;
  const Statement *s = rule     ? &program->statements.at[script->rules.at[number].statement]
                       : marker ? NULL
                                : messages_rule(program, predicate);
  if (s)
    diagnose_warning(said, program_place(program, s, s->whole),
                     "a condition that binds more variables, or a smaller domain, makes fewer",
                     "this made %u %s so far, of %u ground rules in all", atoms,
                     rule ? "instances" : "atoms", rules);
}
