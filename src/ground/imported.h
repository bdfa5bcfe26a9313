/* imported.h - what the ground program of an imported ProbLog program needs more. */
#ifndef GROUND_IMPORTED_H
#define GROUND_IMPORTED_H

#include "ground/ground.h"
#include "language/program.h"

/* Gives atoms and queries the text that their users know. */
void imported_display(const Program *, Ground *);

/* A rule with the atom's predicate in its head, or nowhere. */
Place imported_defined_at(const Program *, const char *atom);

/* An atom that depends on its own negation, or NONE. */
Atom imported_negative_loop(const Ground *);

/* Reports arithmetic that went wrong, and atoms that depend on their own negation: ProbLog has one
*well-founded
** model for each choice, and refuses such programs, too. */
void imported_check(Program *, const Ground *);

#endif
