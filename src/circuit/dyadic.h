/* dyadic.h - numbers n / 2^depth, exactly: shares of all assignments to inputs. */
#ifndef CIRCUIT_DYADIC_H
#define CIRCUIT_DYADIC_H

#include <gmp.h>

typedef struct {
  mpz_t number; /* the user initialises and clears it */
  mp_bitcnt_t depth;
} Dyadic;

/* `sum` is neither of the two; not in lowest terms. */
void dyadic_add(const Dyadic *, const Dyadic *, Dyadic *sum);

/* To lowest terms: numbers stay small, and equal ones look alike. */
void dyadic_reduce(Dyadic *);

#endif
