/* nearest.h - the atoms of a ground program that an atom which is none of them may have meant. */
#ifndef GROUND_NEAREST_H
#define GROUND_NEAREST_H

#include "ground/ground.h"
#include "language/program.h"

#include <stddef.h>

typedef struct {
  const Program *program;
  const Ground *ground; /* sealed */
  size_t looked;        /* at atoms so far: there is an end of it */
} Nearest;

/* `did you mean p(1) or p(2)?`, for the user's text of a ground atom; NULL: nothing is near.
** The caller frees it. */
char *nearest_atoms(Nearest *, const char *atom);

/* The same for a signature: `did you mean p/2?` */
char *nearest_signature(Nearest *, const char *name, size_t length, unsigned arity);

/* What there is, if nothing is near: `the program has p/2 and q/1`; NULL: nothing, or much. */
char *nearest_known(Nearest *);

/* The same for the name of a parameter: what was meant, or what there is. */
char *nearest_parameter(const Ground *, const char *name);

#endif
