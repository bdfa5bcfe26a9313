/* chi_square.h - are counts those of equally likely outcomes?
**
** Pearson's statistic, its distribution by the incomplete gamma function, and
** Holm's correction for many tests at once. */
#ifndef TESTS_CHI_SQUARE_H
#define TESTS_CHI_SQUARE_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* The upper incomplete gamma function, regularised: by a series for small x, by
** a continued fraction (Lentz) for large. */
static double test_gamma_above(double a, double x) {
  double scale = exp(a * log(x) - x - lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > 1e-16 * sum; n++)
      sum += term *= x / n;
    return 1 - sum * scale;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, product = d;
  for (int i = 1; i < 100000; i++) {
    double step = -i * (i - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    product *= c * d;
    if (fabs(c * d - 1) < 1e-15)
      break;
  }
  return product * scale;
}

/* The probability of counts as uneven as these, or more. */
static double test_evenness(const unsigned *count, size_t outcomes) {
  double total = 0, square = 0;
  for (size_t i = 0; i < outcomes; i++)
    total += count[i];
  double expected = total / (double)outcomes;
  for (size_t i = 0; i < outcomes; i++)
    square += (count[i] - expected) * (count[i] - expected) / expected;
  if (outcomes < 2 || square <= 0)
    return 1;
  return test_gamma_above(((double)outcomes - 1) / 2, square / 2);
}

static int test_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* How many of the tests reject at the level `alpha` together.  Sorts them. */
static size_t test_rejected(double *p, size_t n, double alpha) {
  size_t rejected = 0;
  qsort(p, n, sizeof *p, test_compare);
  while (rejected < n && p[rejected] < alpha / (double)(n - rejected))
    rejected++;
  return rejected;
}

#endif
