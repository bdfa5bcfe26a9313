/* noise.h - noise atoms (the paper, Section 4.2). */
#ifndef GROUND_NOISE_H
#define GROUND_NOISE_H

#include "language/program.h"

#include <stdint.h>

/* Rules that let every atom observed in the blocks before `tests` hold by an atom of the predicate
** `noise` and weight -weight.  Read into the program before it is ground.  NULL: there is nothing
** to add. */
char *noise_rules(const Program *, uint32_t tests, const char *noise, double weight);

/* The predicate of noise atoms, to be freed. */
char *noise_predicate(const Program *);

#endif
