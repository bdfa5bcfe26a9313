/* dyadic.c - see dyadic.h. */
#include "circuit/dyadic.h"

#include <assert.h>
#include <gmp.h>

void dyadic_add(const Dyadic *x, const Dyadic *y, Dyadic *sum) {
  assert(sum != x && sum != y);
  mpz_t other;
  mpz_init(other);
  sum->depth = x->depth > y->depth ? x->depth : y->depth;
  mpz_mul_2exp(sum->number, x->number, sum->depth - x->depth);
  mpz_mul_2exp(other, y->number, sum->depth - y->depth);
  mpz_add(sum->number, sum->number, other);
  mpz_clear(other);
}

void dyadic_reduce(Dyadic *x) {
  mp_bitcnt_t zeros = mpz_sgn(x->number) ? mpz_scan1(x->number, 0) : x->depth;
  zeros = zeros < x->depth ? zeros : x->depth;
  mpz_tdiv_q_2exp(x->number, x->number, zeros);
  x->depth -= zeros;
  assert(mpz_sgn(x->number) || !x->depth);
}
