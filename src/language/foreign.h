/* foreign.h - words and signs of other languages, in a statement that can't be read.
**
** Asked only after something was refused: what is right in clingo is never looked at. */
#ifndef LANGUAGE_FOREIGN_H
#define LANGUAGE_FOREIGN_H

#include "language/program.h"

#include <stdbool.h>

/* The first of them in the range, and how it is said here; false: there is none. */
bool foreign_find(const Source *, const Token *, Range, Range *where, const char **hint);

#endif
