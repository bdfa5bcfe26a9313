/* factors.h - observations as products of circuit nodes.
**
** Filled with the circuits of observations, some after the others, which it takes apart: a
** product at the top of an observation's circuit is a sum of logarithms, so that only its
** factors need values, and what many observations have in common is one node.  An atom that
** was seen in 10^6 of them costs a byte or two each, not an edge.  Read by mixtures. */
#ifndef LEARN_FACTORS_H
#define LEARN_FACTORS_H

#include "base/memory.h"
#include "circuit/circuit.h"
#include "learn/mixture.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  CircuitRoot nodes;  /* a part for each different factor */
  VEC(uint8_t) list;  /* observation after observation: numbers of parts, packed */
  VEC(size_t) starts; /* by observation: where it begins in list */
} Factors;            /* {0} is empty */

/* Takes n more roots apart and frees them. */
void factors_add(Factors *, const Circuit *, CircuitRoot *roots, size_t n);
void factors_free(Factors *);

/* Adds an observation that is possible, `times` times.  `program`: the root of the program
** itself, whose components the observation's are. */
void factors_mix(const Factors *, size_t observation, const CircuitRoot *program, double times,
                 Mixture *);

#endif
