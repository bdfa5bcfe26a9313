/* scaled.h - numbers that neither over- nor underflow, and logarithms that keep their digits.
**
** A Scaled is a sum or a product of weights: mantissa * 2^exponent, the mantissa in [1, 2),
** or 0.  A Log is the ln of one: whole + rest, the rest about within [-1/2, 1/2].  Whole parts
** add exactly, so that beside a weight of 1e17 a weight of 5 still counts; the ln of 0 has a
** rest of -INFINITY.  Both hold as long as no sum of |ln| exceeds SCALED_MOST: whoever takes
** weights from outside checks that. */
#ifndef BASE_SCALED_H
#define BASE_SCALED_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SCALED_MOST 0x1p61

typedef struct {
  double mantissa;
  int64_t exponent;
} Scaled; /* {0} is 0 */

typedef struct {
  int64_t whole;
  double rest;
} Log; /* {0} is the ln of 1 */

/* A probability.  `log` is -INFINITY or 0 only if it is 0 or 1 exactly; the value may be one
** that a double can't tell from these. */
typedef struct {
  double value, log;
} Probability;

/* ---- logarithms ------------------------------------------------------------------------ */

/* rint, without a call where a number is not large. */
static inline double log_rint(double x) {
  const double rounder = 0x1.8p52;
  return fabs(x) < 0x1p51 ? (x + rounder) - rounder : rint(x);
}

static inline Log log_carry(Log x) {
  double more = log_rint(x.rest);
  if (isinf(more))
    return x;
  return (Log){x.whole + (int64_t)more, x.rest - more};
}

static inline Log log_of(double x) {
  assert(fabs(x) <= SCALED_MOST || x == -INFINITY);
  return log_carry((Log){0, x});
}

static inline Log log_plus(Log x, Log y) {
  return log_carry((Log){x.whole + y.whole, x.rest + y.rest});
}

static inline Log log_minus(Log x, Log y) {
  return log_carry((Log){x.whole - y.whole, x.rest - y.rest});
}

static inline Log log_times(Log x, uint32_t n) { return log_carry((Log){x.whole * n, x.rest * n}); }

static inline double log_double(Log x) { return (double)x.whole + x.rest; }

/* x - y, to the last digit if they are near each other. */
static inline double log_apart(Log x, Log y) {
  return (double)(x.whole - y.whole) + (x.rest - y.rest);
}

/* ---- scaled numbers -------------------------------------------------------------------- */

/* 2^-d for d >= 0, 0 where it is too small to matter. */
static inline double scaled_power_down(int64_t d) {
  assert(d >= 0);
  if (d > 1000)
    return 0;
  uint64_t bits = (uint64_t)(1023 - d) << 52;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* Moves the binary exponent of a normal positive number out of it. */
static inline double scaled_normalise(double x, int64_t *exponent) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  *exponent += (int64_t)(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffffu) | (uint64_t)1023 << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline Scaled scaled_times(Scaled x, Scaled y) {
  Scaled z = {x.mantissa * y.mantissa, x.exponent + y.exponent};
  if (z.mantissa == 0)
    return (Scaled){0};
  z.mantissa = scaled_normalise(z.mantissa, &z.exponent);
  return z;
}

static inline Scaled scaled_over(Scaled x, Scaled y) {
  assert(y.mantissa > 0);
  if (x.mantissa == 0)
    return x;
  Scaled z = {x.mantissa / y.mantissa, x.exponent - y.exponent};
  z.mantissa = scaled_normalise(z.mantissa, &z.exponent);
  return z;
}

static inline Scaled scaled_plus(Scaled x, Scaled y) {
  if (x.mantissa == 0 || y.mantissa == 0)
    return x.mantissa == 0 ? y : x;
  if (x.exponent < y.exponent) {
    Scaled smaller = x;
    x = y, y = smaller;
  }
  x.mantissa += y.mantissa * scaled_power_down(x.exponent - y.exponent);
  x.mantissa = scaled_normalise(x.mantissa, &x.exponent);
  return x;
}

/* As a double: 0 or INFINITY where it does not fit. */
double scaled_double(Scaled);

Scaled scaled_exp(Log); /* of a ln that is not of 0 */
Log scaled_log(Scaled);

/* of two masses, of the models in which something holds and does not. */
Probability probability_of(Scaled yes, Scaled no);

/* From its ln, which rounding may have made a trace larger than 0; of something that is
** neither certain nor impossible. */
Probability probability_open(double log);

/* Neither certain nor impossible. */
static inline bool probability_is_open(Probability p) { return p.log < 0 && p.log > -INFINITY; }

static inline Probability probability_known(int truth) {
  return truth ? (Probability){1, 0} : (Probability){0, -INFINITY};
}

#endif
