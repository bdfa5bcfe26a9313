/* formula.h - formulas in bodies, queries and observations: `not (a, b)`, `(not a ; not b)`.
**
** A formula is made of *elements*: literals, or parentheses with a *group* of elements
** inside, each behind any number of `not`.  In a group `,` is and, `;` is or: elements
** between two `;` are an *alternative*.  Group 0 is the whole; what it is depends on where
** it stands: in a rule's body, as in clingo, `;` is and there, too.
**
** Filled by formula_read, read by instance.c, which gives each group an auxiliary
** predicate.  A group has a higher number than the one it is in. */
#ifndef LANGUAGE_FORMULA_H
#define LANGUAGE_FORMULA_H

#include "base/memory.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_GROUP UINT32_MAX

typedef struct {
  Range range;          /* with its `not` and parentheses */
  uint32_t group;       /* that it is in… */
  uint32_t alternative; /* …and where there */
  uint32_t inside;      /* the group in its parentheses; NO_GROUP: a literal */
  uint32_t nots;
  bool conditional; /* a : b */
} Element;

typedef struct {
  Range range;      /* between the parentheses */
  uint32_t element; /* that it is the inside of; of group 0: none */
  uint32_t alternatives;
} Group;

typedef struct {
  VEC(Element) elements;
  VEC(Group) groups;
} Formula; /* {0} is empty */

void formula_free(Formula *);

/* Reads the tokens of the statement's body.  Nothing is checked. */
void formula_read(const Program *, const Statement *, Formula *);

/* Has the body, or has the query or the observation as a whole, parentheses, alternatives
** or rows of `not` that clingo does not have?  See Statement.formula. */
bool formula_found(const Program *, const Statement *);

/* Says what is wrong with the formulas of a statement: empty parts, and atoms of a rule's
** body that are not below a `not`.  False: something is. */
bool formula_check(Program *, const Statement *);

/* The statement's literals, those inside of formulas included, as parts. */
void formula_literals(const Program *, const Statement *, Parts *);

#endif
