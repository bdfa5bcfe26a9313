/* scaled.c - see scaled.h. */
#include "base/scaled.h"

#include <float.h>

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 Bits;

/* ln 2 * 2^POINT.  A remainder e ln 2 - w is small, so its low bits are all of it: products
** may wrap around. */
enum { POINT = 112 };
static const Bits LN2 = (Bits)0xb17217f7d1cf << 64 | 0x79abc9e3b39803f3;

/* whole - exponent * ln 2, which is below 2^14. */
static double remainder_of(int64_t whole, int64_t exponent) {
  Bits left = ((Bits)(Wide)whole << POINT) - (Bits)(Wide)exponent * LN2;
  return ldexp((double)(Wide)left, -POINT);
}

double scaled_double(Scaled x) {
  int64_t e = x.exponent;
  return ldexp(x.mantissa, e < -3000 ? -3000 : e > 3000 ? 3000 : (int)e);
}

Scaled scaled_exp(Log x) {
  assert(isfinite(x.rest));
  int64_t exponent = (int64_t)floor(log_double(x) / M_LN2);
  double rest = remainder_of(x.whole, exponent) + x.rest;
  int64_t more = (int64_t)floor(rest / M_LN2);
  if (more) /* the quotient of large numbers was off */
    exponent += more, rest = remainder_of(x.whole, exponent) + x.rest;
  Scaled result = {exp(rest), exponent};
  result.mantissa = scaled_normalise(result.mantissa, &result.exponent);
  return result;
}

Log scaled_log(Scaled x) {
  if (x.mantissa == 0)
    return (Log){0, -INFINITY};
  int64_t whole = (int64_t)rint((double)x.exponent * M_LN2);
  return log_carry((Log){whole, log1p(x.mantissa - 1) - remainder_of(whole, x.exponent)});
}

Probability probability_open(double log) {
  log = log < 0 ? log : -DBL_TRUE_MIN;
  return (Probability){exp(log), log};
}

Probability probability_of(Scaled yes, Scaled no) {
  if (yes.mantissa == 0 || no.mantissa == 0)
    return probability_known(yes.mantissa > 0);
  Scaled sum = scaled_plus(yes, no);
  Probability p = probability_open(log1p(-scaled_double(scaled_over(no, sum))));
  p.value = scaled_double(scaled_over(yes, sum));
  if (p.value < 0.5)
    p.log = log_double(scaled_log(scaled_over(yes, sum)));
  return p;
}
