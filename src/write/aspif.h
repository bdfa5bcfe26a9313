/* aspif.h - the ground program in aspif, the format between gringo and clasp. */
#ifndef WRITE_ASPIF_H
#define WRITE_ASPIF_H

#include "base/memory.h"
#include "ground/ground.h"

#include <stddef.h>

/* The penalty translation, ground: the violation of an instance is the atom
** unsat(rule,"weight",values…), minimised, multiplied by the scale and rounded (scale.h).  `unsat`
** is a name that the program does not use.  `required` literals hold as well. */
void write_aspif(const Ground *, const char *unsat, const Lit *required, size_t count, double scale,
                 Text *out);

#endif
