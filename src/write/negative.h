/* negative.h - Π^neg of the paper (Algorithm 2): the same distribution, by Theorem 2, with
** weights that are not positive. */
#ifndef WRITE_NEGATIVE_H
#define WRITE_NEGATIVE_H

#include "base/memory.h"
#include "ground/ground.h"
#include "language/program.h"

#include <stdbool.h>

/* A soft rule w : H :- B of positive weight becomes
**
**   0 : H :- B.    neg(i,x) :- B, not H.    -w :- instance(i,x), not neg(i,x).
**
** A parameter counts with the value that it has.  `separate`: without what was observed. */
void write_negative(const Program *, const Ground *, bool separate, Text *out);

#endif
