/* negation.h - dialects whose negation must be well-founded. */
#ifndef GROUND_NEGATION_H
#define GROUND_NEGATION_H

#include "base/diagnostic.h"
#include "base/source.h"
#include "ground/ground.h"
#include "language/program.h"

/* An atom that depends on its own negation, or NONE. */
Atom negation_loop(const Ground *);

/* A rule with the atom's predicate in its head, or nowhere. */
Place negation_defined_at(const Program *, const char *atom);

/* Says which arithmetic went wrong and which atom depends on its own negation, if the
** program's dialect forbids these. */
void negation_check(const Program *, const Ground *, Diagnostics *);

#endif
