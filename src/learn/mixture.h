/* mixture.h - a sum of log values of roots, each with a real factor:
**
**   L(w) = sum over k of times(k) * ln value(root k)
**
** Each pair of node and block occurs once, so the sum costs one pass over the
** circuit and not one for each root.  Integer factors become numbers of copies
** of two roots, one for what is added and one for what is taken away; others
** are split into digits. */
#ifndef LEARN_MIXTURE_H
#define LEARN_MIXTURE_H

#include "circuit/circuit.h"

typedef struct {
  CircuitRoot root; /* parts only: copies are numbers, not components */
  double scale;
} MixtureTerm;

typedef VEC(MixtureTerm) MixtureTerms;

typedef struct {
  uint32_t node, block;
  double times;
} MixturePart;

typedef struct {
  VEC(MixturePart) parts; /* while it is built */
  MixtureTerms terms;     /* once sealed */
  double sum;             /* of the factors: how often constants count */
} Mixture;                /* {0} is empty */

void mixture_add(Mixture *, const CircuitRoot *, double times);
void mixture_seal(Mixture *);
void mixture_free(Mixture *);

/* Under the values of an evaluation; the last two add to arrays by weight.  Large
** circuits are differentiated on several threads, with the same result. */
double mixture_value(const Mixture *, const Circuit *, const CircuitValues *);
Status mixture_gradient(const Mixture *, const Circuit *, const CircuitValues *, unsigned threads,
                        double *gradient);
void mixture_product(const Mixture *, const Circuit *, const CircuitValues *,
                     const double *direction, double *product);

#endif
