/* text.h - texts of other languages that have clingo's tokens, cut into
** statements, and what a front end needs to write them anew.
**
** A statement ends at its full stop, or behind the brackets that follow it.
** Tokens that are copied keep their places; the first one stands for the whole
** statement, as dialects/dialect.h wants. */
#ifndef DIALECTS_PLINGO_TEXT_H
#define DIALECTS_PLINGO_TEXT_H

#include "base/memory.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  lpmln_role role;
  uint32_t source;
  Tokens tokens;
} PlingoSource;

typedef struct {
  Dialect *dialect;
  VEC(PlingoSource) texts;
  const PlingoSource *text; /* the current one */
  Range whole;              /* the current statement: with its full stop and brackets */
  Range head, body;         /* `if` between them not included */
  Range brackets;           /* inside of those behind the full stop */
  uint32_t stop;            /* the full stop */
} PlingoText;

/* Lexes all inputs; false if something is wrong with them. */
bool plingo_begin(PlingoText *, Dialect *);
void plingo_free(PlingoText *);

/* Steps through the statements of a text: start with text set and whole.to 0. */
bool plingo_next(PlingoText *);

static inline const Token *plingo_tokens(const PlingoText *f) { return f->text->tokens.at; }
bool plingo_is(const PlingoText *, uint32_t token, const char *text);
Place plingo_place(const PlingoText *, Range);

void plingo_error(PlingoText *, Range, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Where the bracket that opens at a token closes. */
uint32_t plingo_matching(const PlingoText *, uint32_t open);
/* The first `kind` in the range outside of its brackets; r.to if there is none. */
uint32_t plingo_find(const PlingoText *, Range, TokenKind);

/* Writing.  plingo_start writes a text that stands for the whole statement. */
void plingo_start(const PlingoText *, Writer *, const char *text);
void plingo_write(const PlingoText *, Writer *, Range);
void plingo_printf(Writer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `,X,Y` or, without a comma before it, `X,Y`: variables outside of braces. */
void plingo_variables(const PlingoText *, const Range *ranges, size_t count, const char *before,
                      Text *);

/* A prefix with an underscore that no name in any text starts with.  To be freed. */
char *plingo_fresh(const PlingoText *, const char *stem);

/* The value of an arithmetic expression in a string or a number; reports. */
bool plingo_number(PlingoText *, Range, double *value);
/* Its text, quotes removed. */
void plingo_expression(const PlingoText *, Range, Text *);

#endif
