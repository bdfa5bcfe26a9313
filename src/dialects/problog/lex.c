/* lex.c - Prolog text to tokens. */
#include "dialects/problog/problog.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  Problog *p;
  uint32_t source;
  const unsigned char *at;
  uint32_t length, now;
  PTokens *tokens;
} Lexer;

static Place place_of(const Lexer *x, uint32_t from, uint32_t to) {
  assert(from <= to);
  return (Place){x->source, from, to - from};
}

static void push(Lexer *x, PTokenKind kind, uint32_t from) {
  assert(from <= x->now && x->now <= x->length);
  vec_push(x->tokens, (PToken){kind, from, x->now - from, x->at[x->now] == '('});
}

static bool word(unsigned char c) { return isalnum(c) || c == '_'; }

static void skip_line(Lexer *x) {
  while (x->now < x->length && x->at[x->now] != '\n')
    x->now++;
}

static void skip_block(Lexer *x) {
  uint32_t from = x->now;
  const char *end = strstr((const char *)x->at + from + 2, "*/");
  x->now = end ? (uint32_t)(end + 2 - (const char *)x->at) : x->length;
  if (!end)
    problog_error(x->p, place_of(x, from, from + 2), NULL, "this comment is not closed");
}

/* '…' or "…"; a doubled quote stands for itself, a backslash hides the next one. */
static void lex_quoted(Lexer *x) {
  uint32_t from = x->now++;
  unsigned char quote = x->at[from];
  for (; x->now < x->length; x->now++) {
    if (x->at[x->now] == '\\' && x->now + 1 < x->length)
      x->now++;
    else if (x->at[x->now] == quote && x->at[x->now + 1] == quote)
      x->now++;
    else if (x->at[x->now] == quote)
      break;
  }
  if (x->now >= x->length) {
    problog_error(x->p, place_of(x, from, from + 1), NULL, "this quote is not closed");
    x->now = x->length;
    return;
  }
  x->now++;
  push(x, quote == '"' ? PT_STRING : PT_QUOTED, from);
}

static void lex_number(Lexer *x) {
  uint32_t from = x->now;
  const unsigned char *s = x->at;
  bool real = false;
  if (s[from] == '0' && (s[from + 1] == 'x' || s[from + 1] == 'o' || s[from + 1] == 'b') &&
      isxdigit(s[from + 2])) {
    for (x->now += 2; isxdigit(s[x->now]);)
      x->now++;
    push(x, PT_INTEGER, from);
    return;
  }
  while (isdigit(s[x->now]))
    x->now++;
  if (s[x->now] == '.' && isdigit(s[x->now + 1])) {
    real = true;
    for (x->now++; isdigit(s[x->now]);)
      x->now++;
  }
  if (s[x->now] == 'e' || s[x->now] == 'E') {
    uint32_t sign = x->now + 1 + (s[x->now + 1] == '+' || s[x->now + 1] == '-');
    if (isdigit(s[sign])) {
      real = true;
      for (x->now = sign; isdigit(s[x->now]);)
        x->now++;
    }
  }
  push(x, real ? PT_FLOAT : PT_INTEGER, from);
}

/* The longest first.  Not every run of such characters is one name, as it would
** be in Prolog: people write `0.5::\+a`. */
static const char *const symbols[] = {
    "=..", "=:=", "=\\=", "\\==", "@=<", "@>=", "-->", ":-", "<-", "::",  "->",  "\\+", "==", "\\=",
    "=<",  ">=",  "=>",   "@<",   "@>",  "<<",  ">>",  "//", "**", "/\\", "\\/", "?-",  "<",  ">",
    "=",   "+",   "-",    "*",    "/",   "^",   "\\",  ":",  "~",  "@",   "?",   "#",   "&",  "$",
};

static void lex_symbol(Lexer *x) {
  uint32_t from = x->now;
  const char *here = (const char *)x->at + from;
  if (strchr("()[]{},;|!", *here)) {
    x->now++;
    push(x, *here == '!' || *here == ';' ? PT_ATOM : PT_PUNCTUATION, from);
    return;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (!strncmp(here, symbols[i], strlen(symbols[i]))) {
      x->now += (uint32_t)strlen(symbols[i]);
      push(x, PT_ATOM, from);
      return;
    }
  while ((x->at[++x->now] & 0xc0) == 0x80) /* the rest of a character */
    ;
  if (isprint(x->at[from]))
    problog_error(x->p, place_of(x, from, x->now), NULL, "unexpected character '%c'", x->at[from]);
  else
    problog_error(x->p, place_of(x, from, x->now), NULL, "unexpected character");
}

static void lex_one(Lexer *x, bool dashes) {
  unsigned char c = x->at[x->now];
  uint32_t from = x->now;
  bool line_start = !from || x->at[from - 1] == '\n';
  if (isspace(c)) {
    x->now++;
  } else if (dashes && line_start && !strncmp((const char *)x->at + from, "---", 3)) {
    skip_line(x);
    push(x, PT_DASHES, from);
  } else if (c == '%') {
    skip_line(x);
  } else if (c == '/' && x->at[from + 1] == '*') {
    skip_block(x);
  } else if (isdigit(c)) {
    lex_number(x);
  } else if (c == '\'' || c == '"') {
    lex_quoted(x);
  } else if (word(c)) {
    while (word(x->at[x->now]))
      x->now++;
    push(x, c == '_' || isupper(c) ? PT_VARIABLE : PT_ATOM, from);
  } else if (c == '.') {
    x->now++;
    push(x, PT_STOP, from);
  } else {
    lex_symbol(x);
  }
}

void problog_lex(Problog *p, uint32_t source, bool dashes, PTokens *tokens) {
  assert(source < p->sources->list.n);
  const Source *s = &p->sources->list.at[source];
  Lexer x = {p, source, (const unsigned char *)s->bytes, (uint32_t)s->length, 0, tokens};
  const char *nul = memchr(s->bytes, 0, s->length);
  if (nul) {
    uint32_t at = (uint32_t)(nul - s->bytes);
    problog_error(p, place_of(&x, at, at + 1), NULL, "a NUL byte");
    x.length = 0;
  }
  while (x.now < x.length) {
    limits_poll();
    lex_one(&x, dashes);
  }
  x.now = x.length;
  push(&x, PT_END, x.length);
}
