/* instance.h - what tells the ground instances of a rule apart.
**
** Each substitution of a rule's global variables is one ground instance.
** Global is a variable that occurs outside of braces and conditions, in the
** weight, or in a #domain atom that joins the rule; an interval or pool out
** there becomes a fresh variable.  The rule can then be written with the
** replacements in place and the domain atoms and bindings behind its body. */
#ifndef LANGUAGE_INSTANCE_H
#define LANGUAGE_INSTANCE_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/formula.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  char *name; /* owned */
  Place place;
  bool fresh; /* stands for an interval or pool */
} Variable;

/* Tokens [from, to) are written as `text` instead. */
typedef struct {
  Range range;
  char *text; /* owned */
} Replacement;

typedef struct {
  const Statement *statement;
  VEC(Variable) variables;
  Names names;           /* of those that are not fresh */
  VEC(uint32_t) domains; /* statements: #domain atoms that join the body */
  VEC(Replacement) replacements;
  VEC(Replacement) bindings; /* `V` = tokens: joins the body */
  Formula formula;           /* of shape_formulas */
} Shape;

/* `split`: make intervals and pools explicit.  `fresh` prefixes new variables. */
/* NULL diagnostics: what is wrong was said before. */
void shape_make(const Program *, Diagnostics *, const Statement *, bool split, const char *fresh,
                Shape *);
void shape_free(Shape *);

/* Text with a record of where each piece came from. */
typedef struct {
  Text text;
  Pieces map;
} Writer;

void writer_free(Writer *);
void writer_puts(Writer *, const char *);
void writer_place(Writer *, Place, const char *); /* text that stands for a place */
uint32_t writer_token(Writer *, const Program *, const Shape *, uint32_t); /* the next one */
void writer_tokens(Writer *, const Program *, const Shape *, Range);

/* The head of a rule, as it has to stand before writer_body. */
void writer_head(Writer *, const Program *, const Shape *);

/* The body, then `; `-separated domain atoms and bindings.  Writes `open`
** first if there is anything. */
void writer_body(Writer *, const Program *, const Shape *, const char *open);

/* ---- define.c: formulas ------------------------------------------------------------ */

/* Of a statement with formulas: from now on groups in parentheses are written as auxiliary
** atoms, which want writer_definitions with the same prefix.  Their shapes are split. */
void shape_formulas(const Program *, const char *prefix, Shape *);
void writer_definitions(Writer *, const Program *, const Shape *, const char *prefix);

/* The elements of an alternative of a group. */
void writer_alternative(Writer *, const Program *, const Shape *, uint32_t group,
                        uint32_t alternative);

/* The whole body as an auxiliary atom, and its rules. */
void writer_whole(Writer *, const Program *, const Shape *, const char *prefix);
void writer_define_whole(Writer *, const Program *, const Shape *, const char *prefix);

#endif
