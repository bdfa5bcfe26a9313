/* delimit.c - where a statement ends, and what must not reach clingo inside of
** it: unbalanced or deep brackets, long operators, decimals, wide integers. */
#include "language/parser.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "language/foreign.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  MOST_NESTING = 500,    /* clingo dies of deep terms… */
  MOST_OPERATORS = 1000, /* …and of long sums and rows of minus signs */
};

static TokenKind closing(TokenKind open) {
  assert(parser_opens(open));
  return open == T_OPEN ? T_CLOSE : open == T_OPEN_BRACE ? T_CLOSE_BRACE : T_CLOSE_BRACKET;
}

/* A full stop, unless it is the point of a decimal. */
bool parser_ends(const Parser *p, uint32_t i) {
  assert(i < p->program->units.at[p->unit].tokens.n);
  const Token *t = &p->t[i];
  if (t->kind != T_DOT)
    return t->kind == T_END || t->kind == T_DASHES;
  return !(i && t[-1].kind == T_NUMBER && t[1].kind == T_NUMBER &&
           t[-1].offset + t[-1].length == t->offset && t->offset + 1 == t[1].offset);
}

static void report_mismatch(Parser *p, uint32_t open, uint32_t close) {
  char what = parser_source(p)->bytes[p->t[open].offset];
  parser_error(p, close, NULL, "this does not close the '%c' before it", what);
  diagnose_note(program_said(p->program), parser_place(p, open, open), NULL, "this is not closed");
}

/* Brackets must match and may not be too deep. */
bool parser_check_brackets(Parser *p, Range r) {
  VEC(uint32_t) open = {0};
  bool good = true;
  for (uint32_t i = r.from; good && i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool match = open.n && closing(p->t[open.at[open.n - 1]].kind) == kind;
    if (parser_opens(kind))
      vec_push(&open, i);
    open.n -= match;
    good = (match || !parser_closes(kind)) && open.n <= MOST_NESTING;
    if (open.n > MOST_NESTING)
      parser_error(p, i, NULL, "nested deeper than %d", MOST_NESTING);
    else if (!good && open.n)
      report_mismatch(p, open.at[open.n - 1], i);
    else if (!good)
      parser_error(p, i, "remove it, or open a bracket before it", "nothing to close here");
  }
  if (good && open.n) {
    parser_error(p, open.at[open.n - 1], "is a bracket missing, or a full stop too early?",
                 "this is not closed before the statement ends");
    good = false;
  }
  vec_free(&open);
  return good;
}

/* Operators of one term.  `|` is one only in a row: else it separates. */
bool parser_check_operators(Parser *p, Range r) {
  uint32_t count = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool row = kind == T_BAR && i > r.from && p->t[i - 1].kind == T_BAR;
    if (row || (kind >= T_PLUS && kind <= T_OPERATOR))
      count++;
    else if (kind == T_COMMA || kind == T_SEMICOLON || kind == T_COLON || kind == T_IF ||
             kind == T_COMPARISON || kind == T_BAR)
      count = 0;
    if (count > MOST_OPERATORS) {
      parser_error(p, i, NULL, "more than %d operators in one term", MOST_OPERATORS);
      return false;
    }
  }
  return true;
}

bool parser_check_decimals(Parser *p, Range r) {
  for (uint32_t i = r.from; i < r.to; i++)
    if (p->t[i].kind == T_DOT) {
      diagnose_error(program_said(p->program), parser_place(p, i - 1, i + 1),
                     "clingo has integers only: write a string such as \"0.5\"",
                     "a decimal number inside of a rule");
      return false;
    }
  return true;
}

/* No full stop: something of another language, or a comment, may be in its place. */
static void report_endless(Parser *p, Range r) {
  const Source *source = parser_source(p);
  uint32_t last = r.to ? r.to - 1 : 0;
  const Token *t = &p->t[last];
  Range where;
  const char *hint;
  if (foreign_find(source, p->t, r, &where, &hint))
    diagnose_error(program_said(p->program), parser_place(p, where.from, where.to - 1), hint,
                   "'%.*s' is not understood here",
                   (int)parser_place(p, where.from, where.to - 1).length,
                   source->bytes + p->t[where.from].offset);
  else
    parser_error(p, last,
                 source->bytes[t->offset + t->length] == '%'
                     ? "a comment starts at `%`; every statement ends in a full stop"
                     : "every statement ends in a full stop",
                 "the statement does not end");
}

/* The statement's full stop; what is before it must be in order. */
bool parser_find_stop(Parser *p, uint32_t from, uint32_t *stop) {
  uint32_t i = from;
  while (!parser_ends(p, i))
    i++;
  *stop = i;
  Range r = {from, i};
  if (!parser_check_decimals(p, r) || !parser_check_brackets(p, r) || !parser_check_operators(p, r))
    return false;
  if (p->t[i].kind != T_DOT)
    report_endless(p, r);
  return p->t[i].kind == T_DOT;
}

void parser_skip(Parser *p) {
  while (!parser_ends(p, p->now))
    p->now++;
  if (p->t[p->now].kind == T_DOT)
    p->now++;
  if (p->t[p->now].kind == T_OPEN_BRACKET) { /* of a weak constraint */
    while (p->t[p->now].kind != T_CLOSE_BRACKET && !parser_ends(p, p->now))
      p->now++;
    if (p->t[p->now].kind == T_CLOSE_BRACKET)
      p->now++;
  }
}

bool parser_starts_aggregate(const Parser *p, uint32_t i) {
  static const char *const words[] = {"#count", "#sum", "#min", "#max",     "#true",
                                      "#false", "#inf", "#sup", "#infimum", "#supremum"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (parser_is(p, i, words[k]))
      return true;
  return false;
}

/* Integers are 32 bits in clingo and wrap silently. */
static bool integer_fits(const char *text, uint32_t length) {
  bool based = length > 2 && text[0] == '0' && text[1] > '9';
  int base = !based ? 10 : text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
  uint32_t prefix = based ? 2 : 0;
  char *digits = memory_copy(text + prefix, length - prefix);
  bool fits = length <= 40 && strtoull(digits, NULL, base) <= INT_MAX;
  free(digits);
  return fits;
}

/* `&name` where a term can't stand in front of it. */
static bool theory_atom(const Parser *p, uint32_t first, uint32_t i) {
  const Token *t = &p->t[i];
  if (t->kind != T_OPERATOR || parser_source(p)->bytes[t->offset] != '&' ||
      t[1].kind != T_IDENTIFIER)
    return false;
  return i == first || (t[-1].kind >= T_NOT && t[-1].kind != T_CLOSE);
}

/* A variable where a literal stands, or with arguments: a name that begins with a capital. */
static bool capital_name(const Parser *p, Range r, uint32_t i) {
  const Token *t = &p->t[i];
  if (t->kind != T_VARIABLE)
    return false;
  if (i + 1 < r.to && t[1].kind == T_OPEN)
    return true;
  bool starts = i == r.from || t[-1].kind == T_NOT;
  int depth = 0;
  for (uint32_t k = r.from; !starts && k < i; k++) {
    depth += parser_opens(p->t[k].kind) - parser_closes(p->t[k].kind);
    starts = k + 1 == i && !depth && (p->t[k].kind == T_COMMA || p->t[k].kind == T_SEMICOLON);
  }
  bool signature = i + 3 == r.to && t[1].kind == T_SLASH && t[2].kind == T_NUMBER;
  return starts && (signature || i + 1 >= r.to || t[1].kind == T_COMMA || t[1].kind == T_SEMICOLON);
}

bool parser_check_inside(Parser *p, Range r) {
  for (uint32_t i = r.from; i < r.to; i++)
    if (capital_name(p, r, i)) {
      const Token *t = &p->t[i];
      parser_error(p, i,
                   p->program->capitals ? p->program->capitals
                                        : "names of atoms start with a small letter",
                   "%.*s is a variable, and no atom", t->length > 40 ? 40 : (int)t->length,
                   parser_source(p)->bytes + t->offset);
      return false;
    }
  return parser_check_terms(p, r);
}

bool parser_check_terms(Parser *p, Range r) {
  static const char *const stop = "is a full stop missing before it?";
  size_t before = p->program->said.errors;
  for (uint32_t i = r.from; i < r.to; i++) {
    const Token *t = &p->t[i];
    const char *text = parser_source(p)->bytes + t->offset;
    int length = t->length > 40 ? 40 : (int)t->length;
    if (t->kind == T_AT)
      parser_error(p, i, "a weight stands in front of the whole rule",
                   "external functions (@f) are not available inside of a rule");
    else if (t->kind == T_SCRIPT)
      parser_error(p, i, stop, "unexpected #script inside of a statement");
    else if (t->kind == T_WEAK || t->kind == T_IF ||
             (t->kind == T_DIRECTIVE && !parser_starts_aggregate(p, i)))
      parser_error(p, i, stop, "unexpected '%.*s' inside of a statement", length, text);
    else if (t->kind == T_IDENTIFIER && (unsigned char)*text >= 0x80)
      parser_error(p, i, "`α :` stands in front of a hard rule", "unexpected '%.*s' here", length,
                   text);
    else if (theory_atom(p, r.from, i))
      parser_error(p, i, "'and' is written as a comma",
                   "theory atoms are not part of the language");
    else if (t->kind == T_NUMBER && !integer_fits(text, t->length))
      parser_error(p, i, "write it as a string if it is no number to compute with",
                   "the integer does not fit into 32 bits");
  }
  return p->program->said.errors == before;
}
