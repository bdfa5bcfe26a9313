/* lex.c - tokens of Markov logic; see markov.h. */
#include "dialects/markov/markov.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char *const signs[] = {"<=>", "...", "=>", "!=", "<=", ">=", "!", "^", "(", ")",
                                    "=",   ",",   "{",  "}",  ".",  "*",  "+", "?", "<", ">",
                                    "#",   "-",   "/",  "%",  ":",  ";",  "[", "]"};

typedef struct {
  Diagnostics *said;
  uint32_t source;
  const char *bytes;
  uint32_t length, at;
  unsigned open; /* parentheses and braces */
  MarkovTokens *out;
} Lexer;

static void push(Lexer *l, MarkovKind kind, uint32_t from) {
  assert(from <= l->at && l->at <= l->length);
  vec_push(l->out, (MarkovToken){kind, from, l->at - from});
}

static bool word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

/* `//`, and C's comments; true if there was one. */
static bool skip_comment(Lexer *l) {
  const char *c = l->bytes + l->at;
  if (!strncmp(c, "//", 2)) {
    while (l->at < l->length && l->bytes[l->at] != '\n')
      l->at++;
    return true;
  }
  if (strncmp(c, "/*", 2) != 0)
    return false;
  const char *end = strstr(c + 2, "*/");
  if (!end)
    diagnose_error(l->said, (Place){l->source, l->at, 2}, NULL, "this comment has no end");
  l->at = end ? (uint32_t)(end + 2 - l->bytes) : l->length;
  return true;
}

/* Digits, a point, an exponent; `.` and `...` behind a number are no part of it
** unless a digit follows. */
static void lex_number(Lexer *l) {
  uint32_t from = l->at;
  const char *b = l->bytes;
  l->at += b[l->at] == '-' || b[l->at] == '+';
  while (isdigit((unsigned char)b[l->at]))
    l->at++;
  if (b[l->at] == '.' && isdigit((unsigned char)b[l->at + 1]))
    for (l->at++; isdigit((unsigned char)b[l->at]);)
      l->at++;
  if (b[l->at] == 'e' || b[l->at] == 'E') {
    uint32_t next = l->at + 1 + (b[l->at + 1] == '-' || b[l->at + 1] == '+');
    if (isdigit((unsigned char)b[next]))
      for (l->at = next; isdigit((unsigned char)b[l->at]);)
        l->at++;
  }
  push(l, M_NUMBER, from);
}

static void lex_string(Lexer *l) {
  uint32_t from = l->at++;
  while (l->at < l->length && l->bytes[l->at] != '"' && l->bytes[l->at] != '\n')
    l->at++;
  bool closed = l->at < l->length && l->bytes[l->at] == '"';
  if (!closed)
    diagnose_error(l->said, (Place){l->source, from, 1}, NULL, "this string has no end");
  if (memchr(l->bytes + from, 0, l->at - from))
    diagnose_error(l->said, (Place){l->source, from, 1}, NULL, "a NUL byte inside of a string");
  l->at += closed;
  push(l, M_STRING, from);
}

static void lex_sign(Lexer *l) {
  uint32_t from = l->at;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t n = strlen(signs[i]);
    if (strncmp(l->bytes + l->at, signs[i], n) != 0)
      continue;
    l->at += (uint32_t)n;
    l->open += n == 1 && (*signs[i] == '(' || *signs[i] == '{');
    l->open -= n == 1 && l->open && (*signs[i] == ')' || *signs[i] == '}');
    push(l, M_SIGN, from);
    return;
  }
  unsigned char c = (unsigned char)l->bytes[l->at++];
  while (c >= 0x80 &&
         ((unsigned char)l->bytes[l->at] & 0xc0) == 0x80) /* one character, one message */
    l->at++;
  diagnose_error(l->said, (Place){l->source, from, l->at - from}, NULL,
                 "this character has no meaning here");
}

/* Does a number start here?  A sign is part of it at the start of a line. */
static bool number_here(const Lexer *l) {
  const char *b = l->bytes + l->at;
  bool sign = *b == '-' || *b == '+';
  size_t n = l->out->n;
  MarkovKind before = n ? l->out->at[n - 1].kind : M_NEWLINE;
  const char *last = n ? l->bytes + l->out->at[n - 1].offset : "";
  bool operand = before == M_NEWLINE || (before == M_SIGN && strchr("(,{=<>", *last));
  bool digit =
      isdigit((unsigned char)b[sign]) || (b[sign] == '.' && isdigit((unsigned char)b[sign + 1]));
  return digit && (!sign || operand) && (b[sign] != '.' || sign || operand);
}

static void lex_token(Lexer *l) {
  uint32_t from = l->at;
  char c = l->bytes[l->at];
  if (number_here(l)) {
    lex_number(l);
  } else if (isalpha((unsigned char)c) || c == '_') {
    while (word(l->bytes[l->at]))
      l->at++;
    push(l, isupper((unsigned char)c) ? M_CAPITAL : M_NAME, from);
  } else if (c == '"') {
    lex_string(l);
  } else {
    lex_sign(l);
  }
}

/* A connective joins its line with the one before and the one behind it. */
static bool connects(const char *bytes, const MarkovToken *t) {
  static const char *const joining[] = {"v", "^", "=>", "<=>", ","};
  for (size_t i = 0; i < sizeof joining / sizeof *joining; i++)
    if (strlen(joining[i]) == t->length && !strncmp(bytes + t->offset, joining[i], t->length))
      return true;
  return false;
}

static void drop_newlines(const char *bytes, MarkovTokens *tokens) {
  size_t kept = 0;
  for (size_t i = 0; i < tokens->n; i++) {
    const MarkovToken *t = &tokens->at[i];
    size_t next = i + 1;
    while (t->kind == M_NEWLINE && next < tokens->n && tokens->at[next].kind == M_NEWLINE)
      next++;
    bool joined =
        t->kind == M_NEWLINE && ((kept && connects(bytes, &tokens->at[kept - 1])) ||
                                 (next < tokens->n && connects(bytes, &tokens->at[next])) ||
                                 !kept || tokens->at[kept - 1].kind == M_NEWLINE);
    if (!joined)
      tokens->at[kept++] = *t;
  }
  tokens->n = kept;
}

void markov_lex(Diagnostics *said, uint32_t source, MarkovTokens *out) {
  assert(source < said->sources->list.n);
  const Source *s = &said->sources->list.at[source];
  Lexer l = {said, source, s->bytes, (uint32_t)s->length, 0, 0, out};
  while (l.at < l.length) {
    char c = l.bytes[l.at];
    if (c == '\n') {
      l.at++;
      if (!l.open)
        push(&l, M_NEWLINE, l.at - 1);
    } else if (isspace((unsigned char)c)) {
      l.at++;
    } else if (!skip_comment(&l)) {
      lex_token(&l);
    }
  }
  push(&l, M_NEWLINE, l.at);
  for (int i = 0; i < 4; i++) /* the parser looks ahead */
    push(&l, M_END, l.at);
  drop_newlines(l.bytes, out);
}
