/* mixture.h - a sum of log values of roots, each with a real factor:
**
**   L(w) = sum over k of times(k) * ln value(root k)
**
** Each node and each block occurs once, with its factors added up, so the sum costs one pass
** over the circuit and not one for each root; what cancels is gone. */
#ifndef LEARN_MIXTURE_H
#define LEARN_MIXTURE_H

#include "base/memory.h"
#include "circuit/circuit.h"

#include <stdint.h>

typedef struct {
  VEC(double) nodes;  /* while it is built: by node, its factor… */
  VEC(double) blocks; /* …and by block */
  CircuitSum is;      /* once sealed */
  double sum;         /* of the factors: how often constants count */
} Mixture;            /* {0} is empty */

void mixture_add(Mixture *, const CircuitRoot *, double times);

/* A root in pieces: its nodes, and the blocks (and constants) of all its parts. */
void mixture_add_node(Mixture *, uint32_t node, double times);
void mixture_add_blocks(Mixture *, const CircuitRoot *, double times);

void mixture_seal(Mixture *);
void mixture_free(Mixture *);

/* Under the values of an evaluation; the last two add to arrays by weight. */
double mixture_value(const Mixture *, const CircuitValues *);
void mixture_gradient(const Mixture *, const Circuit *, const CircuitValues *, double *gradient);
void mixture_product(const Mixture *, const Circuit *, const CircuitValues *,
                     const double *direction, double *product);

#endif
