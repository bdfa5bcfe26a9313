/* nnf.h - a circuit in the NNF format of c2d and d4. */
#ifndef WRITE_NNF_H
#define WRITE_NNF_H

#include "base/memory.h"
#include "circuit/circuit.h"
#include "ground/ground.h"

/* A line `c NUMBER ATOM` for each variable, then the root: variable v of copy i of a part
** is numbered on its own, and free inputs are not mentioned. */
void write_nnf(const Ground *, const Circuit *, const CircuitRoot *, Text *out);

#endif
