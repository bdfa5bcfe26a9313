/* intervene.h - interventions: atoms that are set (`--do 'a, not b'`), whatever the program says.
**
** Every ground instance whose head is such an atom is gone, with its weight, and the atom is a
** fact or nothing.  The grounder does it: rules of that predicate get a guard `not d(…)`,
** where d has the atoms that are set as facts, so that nothing is simplified by a rule that is
** not there.  A choice without bounds loses the atom when the ground program is put together.
** Another head of several atoms must have all its atoms set, or none. */
#ifndef GROUND_INTERVENE_H
#define GROUND_INTERVENE_H

#include "ground/assembly.h"
#include "ground/script.h"
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>

void intervene_find(const Program *, SetPredicates *);

/* What is set, for the grounder. */
void intervene_facts(Writer *, const Program *, const SetPredicates *, const char *prefix);

/* Does the rule's head have an atom of such a predicate?  Then its shape is to be split, if its
** head is a literal. */
bool intervene_concerns(const Program *, const SetPredicates *, const Statement *);

/* Behind the body of the rule, if it has one (`open` comes first if not): its guards. */
void intervene_guard(Writer *, const Program *, const SetPredicates *, const char *prefix,
                     const Shape *, const char *open);

/* Rules that tell which atoms the rule could have derived, and if its head is set in part. */
void intervene_tell(Writer *, const Program *, const SetPredicates *, const char *prefix,
                    const Shape *);

/* When the markers are there: errors and warnings; Assembly.set. */
void intervene_check(Assembly *);

#endif
