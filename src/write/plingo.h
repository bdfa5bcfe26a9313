/* plingo.h - the program for plingo, with variables. */
#ifndef WRITE_PLINGO_H
#define WRITE_PLINGO_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "ground/ground.h"
#include "ground/script.h"
#include "language/program.h"

/* plingo's weights are integers of 32 bits in units of 1e-5. */
#define PLINGO_MOST_WEIGHT 21474.0

/* Evidence of the program becomes &evidence or constraints, queries &query. */
void write_plingo(const Program *, const Ground *, Diagnostics *, Text *out);

#endif
