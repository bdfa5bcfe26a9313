/* chi_square.c - see chi_square.h: by the series, or by the continued fraction (Lentz). */
#include "base/chi_square.h"

#include <assert.h>
#include <math.h>

double chi_square_tail(double x, double degrees) {
  assert(degrees > 0);
  if (!(x > 0))
    return 1;
  double a = degrees / 2, z = x / 2, scale = exp(a * log(z) - z - lgamma(a));
  if (z < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 10000 && term > sum * 1e-16; n++)
      sum += term *= z / (a + n);
    return fmax(0, 1 - sum * scale);
  }
  double b = z + 1 - a, c = HUGE_VAL, d = 1 / b, h = d, step = 0;
  for (int n = 1; n <= 10000 && fabs(step - 1) >= 1e-15; n++) {
    double an = -n * (n - a);
    b += 2;
    c = b + an / c, d = 1 / (b + an * d);
    step = c * d;
    h *= step;
  }
  return h * scale;
}
