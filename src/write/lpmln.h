/* lpmln.h - a program in its own language, one statement a line: what is left of
** several files, or of a program of another language, once it was read. */
#ifndef WRITE_LPMLN_H
#define WRITE_LPMLN_H

#include "base/memory.h"
#include "language/program.h"

/* Evidence becomes constraints, queries comments. */
void write_lpmln(const Program *, Text *out);

#endif
