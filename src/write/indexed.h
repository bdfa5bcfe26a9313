/* indexed.h - Π^m of the paper (Section 4.1): every predicate has an argument more, the number
** of the observation, so that several observations are one (Theorem 3). */
#ifndef WRITE_INDEXED_H
#define WRITE_INDEXED_H

#include "base/memory.h"
#include "infer/task.h"

#include <stdbool.h>

/* The program, and the blocks that are not for testing as one observation.  False: something in it
** has no place for the argument, or there are too many observations; that is said. */
bool write_indexed(const Task *, Text *out, Text *data);

#endif
