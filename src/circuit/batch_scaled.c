/* batch_scaled.c - steps with numbers that do not underflow; see batch_kernels.h.
**
** The exponent of zero is so low that zero is never the larger of two summands;
** exponents are doubles because vectors of integers convert only on some
** machines.  A summand that is smaller by 2^-1000 or more counts as that much:
** too little to see, and zero stays the sum of zeros only. */
#include "circuit/batch_kernels.h"

#include <assert.h>

#define ZERO_EXPONENT (-1e18)         /* weights up to 1e9 on a million variables stay above */
#define LN2_LOW 0x1.abc9e3b39803fp-56 /* ln 2 - M_LN2: exponents may be large */
#define SHIFTER 0x1p52                /* x + SHIFTER has the whole number x in its last bits */

/* Moves the binary exponents of the mantissas, 0 or normal, out of them. */
BATCH_INLINE void normalise(BatchScaled *x) {
  BatchBits bits = (BatchBits)x->mantissa, nonzero = x->mantissa != 0;
  BatchBits shifted = (bits >> 52) | (BatchBits)((BatchHalf){0} + SHIFTER);
  BatchHalf exponent = (BatchHalf)shifted - (SHIFTER + 1023);
  x->exponent += (BatchHalf)((BatchBits)exponent & nonzero);
  bits = (bits & 0x000fffffffffffff) | (int64_t)1023 << 52;
  x->mantissa = (BatchHalf)(bits & nonzero);
}

/* 2^-d for whole d >= 0, at least 2^-1000. */
BATCH_INLINE void power_down(const BatchHalf *d, BatchHalf *power) {
  BatchBits small = *d < 1000;
  BatchHalf least = (BatchHalf){0} + 1000;
  BatchHalf at = (BatchHalf)(((BatchBits)*d & small) | ((BatchBits)least & ~small));
  *power = (BatchHalf)((BatchBits)(SHIFTER + 1023 - at) << 52);
}

BATCH_INLINE void multiply(const BatchScaled *x, const BatchScaled *y, BatchScaled *product) {
  product->mantissa = x->mantissa * y->mantissa;
  product->exponent = x->exponent + y->exponent;
  normalise(product);
}

BATCH_INLINE void add(BatchScaled *sum, const BatchScaled *x) {
  BatchHalf apart = sum->exponent - x->exponent, shift_sum, shift_x;
  BatchBits above = apart >= 0;
  BatchHalf down_x = (BatchHalf)((BatchBits)apart & above);
  BatchHalf down_sum = (BatchHalf)((BatchBits)-apart & ~above);
  power_down(&down_x, &shift_x);
  power_down(&down_sum, &shift_sum);
  sum->mantissa = sum->mantissa * shift_sum + x->mantissa * shift_x;
  BatchBits exponent = ((BatchBits)sum->exponent & above) | ((BatchBits)x->exponent & ~above);
  sum->exponent = (BatchHalf)exponent;
  normalise(sum);
}

BATCH_INLINE bool is_decision(const BatchStep *s) {
  return s->literal && !(s->literal & BATCH_ONE_WAY);
}

/* What a step that is no decision multiplies `first` with. */
BATCH_INLINE uint32_t other_factor(const BatchStep *s) {
  return s->literal ? s->literal & ~BATCH_ONE_WAY : s->second;
}

BATCH_INLINE void step_up(const BatchStep *s, BatchScaled *value) {
  const BatchScaled *first = &value[2 * batch_slot(s->first)];
  BatchScaled sum, other;
  if (is_decision(s)) {
    multiply(first, &value[2 * (size_t)s->literal], &sum);
    multiply(&value[2 * batch_slot(s->second)], &value[2 * (size_t)s->literal + 2], &other);
    add(&sum, &other);
  } else {
    multiply(first, &value[2 * batch_slot(other_factor(s))], &sum);
  }
  value[2 * (size_t)s->to] = sum;
}

BATCH_CLONES static void scaled_up(const BatchStep *steps, size_t n, BatchScaled *value) {
  for (const BatchStep *s = steps; s < steps + n; s++) {
    step_up(s, value);
    step_up(s, value + 1);
  }
}

BATCH_INLINE void give(BatchScaled *adjoint, uint32_t operand, const BatchScaled *flow,
                       const BatchScaled *value) {
  BatchScaled share, sum = adjoint[2 * batch_before(operand)];
  multiply(flow, value, &share);
  add(&sum, &share);
  adjoint[2 * batch_slot(operand)] = sum;
}

BATCH_INLINE void step_down(const BatchStep *s, const BatchScaled *value, BatchScaled *adjoint) {
  const BatchScaled *first = &value[2 * batch_slot(s->first)];
  BatchScaled flow = adjoint[2 * (size_t)s->to];
  if (is_decision(s)) {
    const BatchScaled *literal = &value[2 * (size_t)s->literal];
    give(adjoint, s->literal, &flow, first);
    give(adjoint, s->literal + 1, &flow, &value[2 * batch_slot(s->second)]);
    give(adjoint, s->first, &flow, literal);
    give(adjoint, s->second, &flow, literal + 2);
  } else {
    give(adjoint, s->first, &flow, &value[2 * batch_slot(other_factor(s))]);
    give(adjoint, other_factor(s), &flow, first);
  }
}

BATCH_CLONES static void scaled_down(const BatchStep *steps, size_t n, const BatchScaled *value,
                                     BatchScaled *adjoint) {
  for (const BatchStep *s = steps + n; s-- > steps;) {
    step_down(s, value, adjoint);
    step_down(s, value + 1, adjoint + 1);
  }
}

void batch_scaled_up(const BatchStep *steps, size_t n, BatchScaled *value) {
  scaled_up(steps, n, value);
}

void batch_scaled_down(const BatchStep *steps, size_t n, const BatchScaled *value,
                       BatchScaled *adjoint) {
  scaled_down(steps, n, value, adjoint);
}

/* 2^-1000 and less come out as that much, which is too little to see. */
BATCH_CLONES static void scaled_shares(const BatchScaled *value, const BatchScaled *adjoint,
                                       size_t n, const BatchScaled *root, BatchHalf *share) {
  for (size_t i = 0; i < 2 * n; i++) {
    const BatchScaled *whole = &root[i % 2];
    BatchScaled mass;
    BatchHalf power;
    multiply(&value[i], &adjoint[i], &mass);
    mass.exponent = whole->exponent - mass.exponent + 1; /* at least 0: no mass exceeds all */
    mass.exponent = (BatchHalf)((BatchBits)mass.exponent & (mass.exponent > 0));
    power_down(&mass.exponent, &power);
    share[i] = 2 * mass.mantissa / whole->mantissa * power;
  }
}

void batch_scaled_shares(const BatchScaled *value, const BatchScaled *adjoint, size_t n,
                         const BatchScaled *root, BatchLanes *share) {
  scaled_shares(value, adjoint, n, root, (BatchHalf *)share);
}

void batch_scaled_set(BatchScaled *slot, unsigned lane, bool one) {
  assert(lane < BATCH_TILE);
  slot[lane / BATCH_HALF].mantissa[lane % BATCH_HALF] = one;
  slot[lane / BATCH_HALF].exponent[lane % BATCH_HALF] = one ? 0 : ZERO_EXPONENT;
}

double batch_scaled_log(const BatchScaled *slot, unsigned lane) {
  assert(lane < BATCH_TILE);
  double m = slot[lane / BATCH_HALF].mantissa[lane % BATCH_HALF];
  double e = slot[lane / BATCH_HALF].exponent[lane % BATCH_HALF];
  return m > 0 ? fma(e, M_LN2, fma(e, LN2_LOW, log1p(m - 1))) : -INFINITY;
}
