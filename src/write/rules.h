/* rules.h - rules as text: what targets with variables have in common. */
#ifndef WRITE_RULES_H
#define WRITE_RULES_H

#include "ground/ground.h"
#include "ground/script.h"
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* The shape of a rule, with the auxiliary rules of its formulas before it; their prefix,
** for the caller to free, or NULL. */
char *rules_shape(Writer *, const Program *, const Statement *, bool split, const char *fresh,
                  Shape *);

/* A hard rule, with its #domain atoms.  `fresh` prefixes new variables. */
void rules_hard(Writer *, const Program *, const Statement *, const char *fresh);
/* #show and the like: as it stands. */
void rules_pass(Writer *, const Program *, const Statement *);
/* `% file:line: the statement` */
void rules_comment(Writer *, const Program *, const Statement *);

/* `before`, then all parts of the head are false, as body literals. */
void rules_head_false(Writer *, const Program *, const Shape *, const char *before);

bool rules_has_body(const Shape *);
void rules_variables(Writer *, const Shape *); /* `,X,Y` */

/* The weight of the soft rule's instances; false if they differ. */
bool rules_weight(const Ground *, uint32_t number, double *value);

/* An observed literal as a constraint. */
void rules_observed(Writer *, const Program *, const Statement *, const char *fresh);

#endif
