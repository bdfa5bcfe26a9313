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
void writer_tokens(Writer *, const Program *, const Shape *, Range);

/* The body, then `; `-separated domain atoms and bindings.  Writes `open`
** first if there is anything. */
void writer_body(Writer *, const Program *, const Shape *, const char *open);

#endif
