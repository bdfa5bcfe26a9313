/* html_atom.c - atoms and rules as text, cut into pieces; see html_parts.h. */
#include "report/html_parts.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

/* The end of a string that begins at text[i]. */
static size_t string_end(const char *text, size_t i, size_t length) {
  assert(i < length && text[i] == '"');
  for (i++; i < length && text[i] != '"'; i++)
    i += text[i] == '\\';
  return i < length ? i + 1 : length;
}

static void add_argument(HtmlAtom *a, const char *text, size_t from, size_t to) {
  assert(a->arity < HTML_ARGUMENTS && from <= to);
  while (from < to && text[from] == ' ')
    from++;
  while (to > from && text[to - 1] == ' ')
    to--;
  a->argument[a->arity] = text + from;
  a->size[a->arity++] = to - from;
}

bool html_atom(const char *text, size_t length, HtmlAtom *a) {
  size_t i = length && text[0] == '-', depth = 1, from;
  *a = (HtmlAtom){.name = text};
  while (i < length && is_word(text[i]))
    i++;
  a->length = i;
  if (!i || (i == 1 && text[0] == '-'))
    return false;
  if (i == length)
    return true;
  if (text[i++] != '(')
    return false;
  for (from = i; i < length && depth; i++) {
    char c = text[i];
    if (c == '"') {
      i = string_end(text, i, length) - 1;
    } else if (c == '(') {
      depth++;
    } else if (c == ')' || c == ',') {
      depth -= c == ')';
      if (depth != (c == ','))
        continue; /* inside of an argument */
      if (a->arity == HTML_ARGUMENTS)
        return false;
      add_argument(a, text, from, i);
      from = i + 1;
    }
  }
  return !depth && i == length;
}

/* The text after a weight: `@w(1, 0.5) `, `-2.5 `, `@log(0.1/0.9) : `. */
static size_t weight_end(const char *text, size_t n) {
  size_t i = 0, depth = 0;
  if (!n ||
      !(text[0] == '@' || text[0] == '-' || text[0] == '(' || isdigit((unsigned char)text[0])))
    return 0;
  if (text[0] == '-' && n > 1 && !isdigit((unsigned char)text[1]) && text[1] != '(')
    return 0; /* strong negation */
  for (; i < n && (depth || !isspace((unsigned char)text[i])); i++) {
    if (text[i] == '"')
      i = string_end(text, i, n) - 1;
    depth += text[i] == '(';
    depth -= text[i] == ')' && depth;
  }
  while (i < n &&
         (isspace((unsigned char)text[i]) || (text[i] == ':' && i + 1 < n && text[i + 1] != '-')))
    i++;
  return i;
}

void html_bare_rule(const char *text, const char **start, size_t *length) {
  size_t n = strlen(text), skip = weight_end(text, n);
  while (n > skip && (text[n - 1] == '.' || text[n - 1] == ' '))
    n--;
  assert(skip <= n);
  *start = text + skip;
  *length = n - skip;
}
