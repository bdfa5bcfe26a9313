/* absent.h - atoms that can't be: evidence, data and queries about what no rule derives. */
#ifndef GROUND_ABSENT_H
#define GROUND_ABSENT_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "ground/ground.h"
#include "language/program.h"

#include <stdbool.h>

typedef VEC(Place) Places;

/* Says of each such atom that nothing derives it, and which atoms are near: as a warning, or as
** an error if `strict`.  `underived`: what the grounder found anywhere, which is a warning in
** rules. */
void absent_say(const Program *, const Ground *, const Places *underived, bool strict,
                Diagnostics *);

/* The same for an atom as the user wrote it, at its place. */
void absent_say_atom(const Program *, const Ground *, Place, const char *atom, bool strict,
                     Diagnostics *);

#endif
