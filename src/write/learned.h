/* learned.h - the program's own text with numbers in place of parameters. */
#ifndef WRITE_LEARNED_H
#define WRITE_LEARNED_H

#include "base/memory.h"
#include "language/program.h"
#include "learn/parameters.h"

/* `w`: by parameter. */
void write_learned(const Program *, const Parameters *, const double *w, Text *out);

#endif
