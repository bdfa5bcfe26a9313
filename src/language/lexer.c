/* lexer.c - see lexer.h. */
#include "language/lexer.h"

#include "base/limits.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Diagnostics *said;
  uint32_t source;
  const unsigned char *at; /* bytes; at[length] is 0 */
  uint32_t length, now;
  Tokens *tokens;
} Lexer;

static Place place_of(const Lexer *x, uint32_t from, uint32_t to) {
  assert(from <= x->length && from <= to);
  return (Place){x->source, from, (to < x->length ? to : x->length) - from};
}

static void push(Lexer *x, TokenKind kind, uint32_t from) {
  assert(from <= x->now && x->now <= x->length);
  vec_push(x->tokens, (Token){kind, from, x->now - from});
}

/* The length of the UTF-8 sequence here; 0 if it is none. */
static uint32_t utf8_length(const unsigned char *s, uint32_t left) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t n = s[0] < 0x80             ? 1
               : (s[0] & 0xe0) == 0xc0 ? 2
               : (s[0] & 0xf0) == 0xe0 ? 3
               : (s[0] & 0xf8) == 0xf0 ? 4
                                       : 0;
  if (n < 2 || n > left)
    return n > left ? 0 : n;
  unsigned code = s[0] & (0x7fu >> n);
  for (uint32_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (s[i] & 0x3fu);
  }
  bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[n] || code > 0x10ffff || surrogate ? 0 : n;
}

/* NUL and bad UTF-8 anywhere, comments and strings included. */
static bool check_bytes(Lexer *x) {
  for (uint32_t i = 0; i < x->length;) {
    uint32_t n = x->at[i] ? utf8_length(x->at + i, x->length - i) : 0;
    if (!n) {
      diagnose_error(x->said, place_of(x, i, i + 1), NULL,
                     x->at[i] ? "byte 0x%02x is not valid UTF-8" : "NUL byte in the text (0x%02x)",
                     x->at[i]);
      return false;
    }
    i += n;
  }
  return true;
}

static bool word(unsigned char c) { return isalnum(c) || c == '_' || c == '\''; }

static void lex_word(Lexer *x) {
  uint32_t from = x->now;
  while (x->at[x->now] == '_' || x->at[x->now] == '\'')
    x->now++;
  unsigned char first = x->at[x->now];
  while (word(x->at[x->now]))
    x->now++;
  bool is_not = x->now - from == 3 && !memcmp(x->at + from, "not", 3);
  if (is_not)
    push(x, T_NOT, from);
  else if (islower(first))
    push(x, T_IDENTIFIER, from);
  else if (isupper(first))
    push(x, T_VARIABLE, from);
  else if (x->now - from == 1 && x->at[from] == '_')
    push(x, T_ANONYMOUS, from);
  else
    diagnose_error(x->said, place_of(x, from, x->now), NULL, "'%.*s' is no name",
                   (int)(x->now - from), x->at + from);
}

static unsigned base_of(const unsigned char *s) {
  return s[0] != '0' ? 10 : s[1] == 'x' ? 16 : s[1] == 'o' ? 8 : s[1] == 'b' ? 2 : 10;
}

static unsigned digit_of(unsigned char c) {
  return isdigit(c) ? (unsigned)c - '0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10 : 99;
}

static void lex_number(Lexer *x) {
  uint32_t from = x->now;
  unsigned base = base_of(x->at + from);
  if (base != 10 && digit_of(x->at[from + 2]) < base)
    x->now += 2;
  else
    base = 10;
  while (digit_of(x->at[x->now]) < base)
    x->now++;
  push(x, T_NUMBER, from);
}

/* A wrong string gives no token: clingo would read its inside as code. */
static void lex_string(Lexer *x) {
  uint32_t from = x->now++;
  bool good = true;
  for (; x->at[x->now] != '"'; x->now++) {
    unsigned char c = x->at[x->now], next = x->at[x->now + (c != 0)];
    if (!c || c == '\n') {
      diagnose_error(x->said, place_of(x, from, from + 1), NULL,
                     "this string does not end on its line");
      return;
    }
    if (c != '\\')
      continue;
    if (next == 'n' || next == '\\' || next == '"') {
      x->now++;
    } else {
      diagnose_error(x->said, place_of(x, x->now, x->now + 2), "a string knows \\n, \\\\ and \\\"",
                     "unknown escape");
      good = false;
    }
  }
  x->now++;
  if (good)
    push(x, T_STRING, from);
}

/* Behind `%*`; such comments nest, as in clingo. */
static void skip_block_comment(Lexer *x) {
  uint32_t from = x->now;
  unsigned depth = 0;
  do {
    const unsigned char *s = x->at + x->now;
    if (!*s) {
      diagnose_error(x->said, place_of(x, from, from + 2), NULL, "this comment does not end");
      return;
    }
    bool opens = s[0] == '%' && s[1] == '*', closes = s[0] == '*' && s[1] == '%';
    depth += opens, depth -= closes;
    x->now += opens || closes ? 2 : 1;
  } while (depth);
}

static void skip_line(Lexer *x) {
  while (x->at[x->now] && x->at[x->now] != '\n')
    x->now++;
}

static void lex_directive(Lexer *x) {
  uint32_t from = x->now++;
  while (word(x->at[x->now]))
    x->now++;
  if (x->now - from != 7 || memcmp(x->at + from, "#script", 7)) {
    push(x, T_DIRECTIVE, from);
    return;
  }
  const char *end = strstr((const char *)x->at + x->now, "#end");
  x->now = end ? (uint32_t)(end + 4 - (const char *)x->at) : x->length;
  push(x, T_SCRIPT, from);
}

typedef struct {
  const char *text;
  TokenKind kind;
} Symbol;

/* Longer ones first where one starts with another. */
static const Symbol symbols[] = {
    {"::", T_COLONS},     {":-", T_IF},          {":~", T_WEAK},         {":", T_COLON},
    {"..", T_DOTS},       {".", T_DOT},          {",", T_COMMA},         {";", T_SEMICOLON},
    {"|", T_BAR},         {"(", T_OPEN},         {")", T_CLOSE},         {"{", T_OPEN_BRACE},
    {"}", T_CLOSE_BRACE}, {"[", T_OPEN_BRACKET}, {"]", T_CLOSE_BRACKET}, {"@", T_AT},
    {"+", T_PLUS},        {"-", T_MINUS},        {"**", T_OPERATOR},     {"*", T_STAR},
    {"/", T_SLASH},       {"\\", T_OPERATOR},    {"&", T_OPERATOR},      {"?", T_OPERATOR},
    {"^", T_OPERATOR},    {"~", T_OPERATOR},     {"!=", T_COMPARISON},   {"<=", T_COMPARISON},
    {">=", T_COMPARISON}, {"<>", T_COMPARISON},  {"==", T_COMPARISON},   {"<", T_COMPARISON},
    {">", T_COMPARISON},  {"=", T_COMPARISON},
};

/* The paper's letter for hard rules, `α :`, is a word there and nowhere else. */
static bool lex_alpha(Lexer *x) {
  const char *letter = "\xce\xb1", *s = (const char *)x->at + x->now;
  if (strncmp(s, letter, 2))
    return false;
  s += 2 + strspn(s + 2, " \t\r\n");
  if (s[0] != ':' || s[1] == ':')
    return false;
  x->now += 2;
  push(x, T_IDENTIFIER, x->now - 2);
  return true;
}

static void lex_symbol(Lexer *x) {
  uint32_t from = x->now;
  if (lex_alpha(x))
    return;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    size_t n = strlen(symbols[i].text);
    if (!strncmp((const char *)x->at + from, symbols[i].text, n)) {
      x->now += (uint32_t)n;
      push(x, symbols[i].kind, from);
      return;
    }
  }
  uint32_t n = utf8_length(x->at + from, x->length - from);
  assert(n); /* check_bytes has seen it */
  x->now += n;
  diagnose_error(x->said, place_of(x, from, x->now),
                 x->at[from] == '!' ? "negation is written `not`" : NULL,
                 isprint(x->at[from]) || n > 1 ? "unexpected character '%.*s'"
                                               : "unexpected control character%.*s",
                 isprint(x->at[from]) || n > 1 ? (int)n : 0, x->at + from);
}

static bool at_dashes(const Lexer *x) {
  return !strncmp((const char *)x->at + x->now, "---", 3) &&
         (x->now == 0 || x->at[x->now - 1] == '\n');
}

/* Integers are 32 bits in clingo and wrap silently.  A decimal's parts may be
** longer: the weight parser reads those, so this is checked per statement. */
static void lex_one(Lexer *x, bool dashes) {
  unsigned char c = x->at[x->now];
  if (isspace(c)) {
    x->now++;
  } else if (dashes && at_dashes(x)) {
    uint32_t from = x->now;
    skip_line(x);
    push(x, T_DASHES, from);
  } else if (c == '%' && x->at[x->now + 1] == '*') {
    skip_block_comment(x);
  } else if (c == '%') {
    skip_line(x);
  } else if (isdigit(c)) {
    lex_number(x);
  } else if (c == '"') {
    lex_string(x);
  } else if (c == '#') {
    lex_directive(x);
  } else if (word(c)) {
    lex_word(x);
  } else {
    lex_symbol(x);
  }
}

void lex(Diagnostics *said, uint32_t source, bool dashes, Tokens *tokens) {
  assert(source < said->sources->list.n);
  const Source *s = &said->sources->list.at[source];
  assert(!s->bytes[s->length]);
  Lexer x = {said, source, (const unsigned char *)s->bytes, (uint32_t)s->length, 0, tokens};
  if (check_bytes(&x))
    while (x.now < x.length) {
      limits_poll();
      lex_one(&x, dashes);
    }
  x.now = x.length;
  push(&x, T_END, x.length);
}

bool token_is(const Source *s, const Token *t, const char *text) {
  assert((size_t)t->offset + t->length <= s->length);
  return strlen(text) == t->length && !memcmp(s->bytes + t->offset, text, t->length);
}
