/* foreign.h - texts of other languages that have clingo's tokens, cut into
** statements, and what a front end needs to write them anew.
**
** A statement ends at its full stop, or behind the brackets that follow it.
** Tokens that are copied keep their places; the first one stands for the whole
** statement, as language/import.h wants. */
#ifndef LANGUAGE_FOREIGN_H
#define LANGUAGE_FOREIGN_H

#include "language/import.h"

typedef struct {
  lpmln_role role;
  uint32_t source;
  Tokens tokens;
} ForeignText;

typedef struct {
  Import *import;
  VEC(ForeignText) texts;
  const ForeignText *text; /* the current one */
  Range whole;             /* the current statement: with its full stop and brackets */
  Range head, body;        /* `if` between them not included */
  Range brackets;          /* inside of those behind the full stop */
  uint32_t stop;           /* the full stop */
} Foreign;

/* Lexes all inputs; false if something is wrong with them. */
bool foreign_begin(Foreign *, Import *);
void foreign_free(Foreign *);

/* Steps through the statements of a text: start with text set and whole.to 0. */
bool foreign_next(Foreign *);

static inline const Token *foreign_tokens(const Foreign *f) { return f->text->tokens.at; }
bool foreign_is(const Foreign *, uint32_t token, const char *text);
Place foreign_place(const Foreign *, Range);

void foreign_error(Foreign *, Range, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Where the bracket that opens at a token closes. */
uint32_t foreign_matching(const Foreign *, uint32_t open);
/* The first `kind` in the range outside of its brackets; r.to if there is none. */
uint32_t foreign_find(const Foreign *, Range, TokenKind);

/* Writing.  foreign_start writes a text that stands for the whole statement. */
void foreign_start(const Foreign *, Writer *, const char *text);
void foreign_write(const Foreign *, Writer *, Range);
void foreign_printf(Writer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `,X,Y` or, without a comma before it, `X,Y`: variables outside of braces. */
void foreign_variables(const Foreign *, const Range *ranges, size_t count, const char *before,
                       Text *);

/* A prefix with an underscore that no name in any text starts with.  To be freed. */
char *foreign_fresh(const Foreign *, const char *stem);

/* The value of an arithmetic expression in a string or a number; reports. */
bool foreign_number(Foreign *, Range, double *value);
/* Its text, quotes removed. */
void foreign_expression(const Foreign *, Range, Text *);

#endif
