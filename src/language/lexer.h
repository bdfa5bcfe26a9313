/* lexer.h - text to tokens, with exact positions.
**
** clingo's tokens, except that decimals stay apart (`2.5` is three tokens, as
** in clingo): only the weight parser reads them as one number.  What must
** never reach clingo is reported here: NUL, bad UTF-8, integers over 32 bits,
** unterminated strings and comments. */
#ifndef LANGUAGE_LEXER_H
#define LANGUAGE_LEXER_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  T_IDENTIFIER,
  T_VARIABLE,
  T_ANONYMOUS, /* _ */
  T_NUMBER,
  T_STRING,
  T_NOT,
  T_DIRECTIVE, /* #word */
  T_SCRIPT,    /* #script … #end, as one token */
  T_IF,        /* :- */
  T_WEAK,      /* :~ */
  T_COLON,
  T_COLONS, /* :: */
  T_DOT,
  T_DOTS, /* .. */
  T_COMMA,
  T_SEMICOLON,
  T_BAR,
  T_OPEN, /* ( */
  T_CLOSE,
  T_OPEN_BRACE,
  T_CLOSE_BRACE,
  T_OPEN_BRACKET,
  T_CLOSE_BRACKET,
  T_AT,
  T_PLUS,
  T_MINUS,
  T_STAR,
  T_SLASH,
  T_OPERATOR, /* the others: ** \ & ? ^ ~ */
  T_COMPARISON,
  T_DASHES, /* --- at the start of a line, and a count, in observations */
  T_END
} TokenKind;

typedef struct {
  TokenKind kind;
  uint32_t offset, length;
} Token;

typedef VEC(Token) Tokens;

/* Appends the source's tokens, T_END last.  `dashes`: lines that start with
** --- are separators.  Reports errors and goes on behind them. */
void lex(Diagnostics *, uint32_t source, bool dashes, Tokens *);

bool token_is(const Source *, const Token *, const char *text);

#endif
