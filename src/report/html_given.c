/* html_given.c - which predicates a program states or guesses; see html_graph.h.
**
** The texts may be of any language, so this looks at their surface only: a statement ends
** in a point, a body begins with `:-`, and a weight, a probability or a brace makes a head a
** guess.  An error here costs a less telling picture and nothing else. */
#include "report/html_graph.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The end of a comment or a string that begins at i; i itself if none does. */
static size_t skip(const char *s, size_t i, size_t n) {
  if (s[i] == '%')
    while (i < n && s[i] != '\n')
      i++;
  else if (s[i] == '"')
    for (i++; i < n && s[i - 1] != '\n' && s[i] != '"'; i++)
      i += s[i] == '\\' && i + 1 < n;
  return i;
}

/* Is the point at i the end of a statement, and not inside of a number or `1..3`? */
static bool is_end(const char *s, size_t i, size_t n) {
  return s[i] == '.' && (i + 1 == n || isspace((unsigned char)s[i + 1]) || s[i + 1] == '%');
}

typedef struct {
  size_t from, head, end; /* of a statement: its head ends where the body begins */
} Statement;

static Statement next_statement(const char *s, size_t i, size_t n) {
  while (i < n && (isspace((unsigned char)s[i]) || s[i] == '%'))
    i = s[i] == '%' ? skip(s, i, n) : i + 1;
  Statement t = {.from = i, .head = n};
  for (; i < n && !is_end(s, i, n); i++) {
    i = skip(s, i, n);
    if (i + 1 < n && s[i] == ':' && s[i + 1] == '-' && t.head == n)
      t.head = i;
  }
  t.end = i < n ? i + 1 : n;
  t.head = t.head < t.end ? t.head : i;
  return t;
}

static bool is_given(const char *s, const Statement *t) {
  char first = s[t->from];
  bool weight = first == '@' || isdigit((unsigned char)first) ||
                (first == '-' && t->from + 1 < t->end && isdigit((unsigned char)s[t->from + 1]));
  bool body = t->head + 1 < t->end, guess = weight;
  for (size_t i = t->from; i + 1 < t->head && !guess; i++)
    guess = s[i] == '{' || (s[i] == ':' && s[i + 1] == ':');
  return guess || !body;
}

/* Words outside of brackets, or in those of a choice. */
static void add_heads(const char *s, const Statement *t, Names *to) {
  size_t depth = 0;
  for (size_t i = t->from; i < t->head; i++) {
    i = skip(s, i, t->head);
    if (i >= t->head)
      break;
    depth += s[i] == '(';
    depth -= s[i] == ')' && depth;
    if (depth || !is_word(s[i]) || (i > t->from && (is_word(s[i - 1]) || s[i - 1] == '@')))
      continue;
    size_t end = i;
    while (end < t->head && is_word(s[end]))
      end++;
    names_add(to, s + i, end - i);
  }
}

void html_given(const HtmlRun *run, Names *to) {
  for (size_t k = 0; k < run->sources->text_count; k++) {
    const lpmln_text *text = &run->sources->texts[k];
    if (text->role != LPMLN_PROGRAM)
      continue;
    for (size_t i = 0; i < text->length;) {
      Statement t = next_statement(text->bytes, i, text->length);
      assert(t.end > i && t.head <= t.end);
      if (t.from < text->length && is_given(text->bytes, &t))
        add_heads(text->bytes, &t, to);
      i = t.end;
    }
  }
}
