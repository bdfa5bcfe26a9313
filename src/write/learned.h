/* learned.h - the program's own text with numbers in place of parameters. */
#ifndef WRITE_LEARNED_H
#define WRITE_LEARNED_H

#include "base/memory.h"
#include "language/program.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `w`: by parameter. */
void write_learned(const Program *, const Parameters *, const double *w, Text *out);

/* Of ProbLog texts: the same in ProbLog, probabilities in place of t(…).  False: a t(…) stands
** for several parameters. */
bool write_learned_problog(const Program *, const Parameters *, const lpmln_learned *weights,
                           const uint32_t *sources, size_t count, Text *out);

/* Of texts in Markov logic: the same in Markov logic.  False: a formula has several weights that
** its variables do not tell apart. */
bool write_learned_markov(const Program *, const Parameters *, const double *w,
                          const uint32_t *sources, size_t count, Text *out);

#endif
