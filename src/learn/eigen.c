/* eigen.c - see eigen.h.  Rotations that would change nothing are skipped, so a
** matrix that falls into blocks costs no more than its blocks. */
#include "learn/eigen.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { MOST_SWEEPS = 60 };

/* Makes a[p][q] zero.  Row p and q of the vectors turn along. */
static void rotate(double *a, double *vectors, uint32_t n, uint32_t p, uint32_t q) {
  double *row_p = a + (size_t)p * n, *row_q = a + (size_t)q * n;
  double theta = (row_q[q] - row_p[p]) / (2 * row_p[q]);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  double *vp = vectors + (size_t)p * n, *vq = vectors + (size_t)q * n;
  for (uint32_t k = 0; k < n; k++) {
    double x = row_p[k], y = row_q[k];
    row_p[k] = c * x - s * y, row_q[k] = s * x + c * y;
    x = vp[k], y = vq[k];
    vp[k] = c * x - s * y, vq[k] = s * x + c * y;
  }
  for (uint32_t k = 0; k < n; k++) {
    double *to_p = &a[(size_t)k * n + p], *to_q = &a[(size_t)k * n + q];
    double x = *to_p, y = *to_q;
    *to_p = c * x - s * y, *to_q = s * x + c * y;
  }
}

void eigen_find(double *a, uint32_t n, double *values, double *vectors) {
  double scale = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      vectors[(size_t)i * n + k] = i == k;
      scale = fmax(scale, fabs(a[(size_t)i * n + k]));
    }
  int turned = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
    turned = 0;
    for (uint32_t p = 0; p + 1 < n; p++)
      for (uint32_t q = p + 1; q < n; q++) {
        if (fabs(a[(size_t)p * n + q]) <= 0.1 * DBL_EPSILON * scale)
          continue;
        rotate(a, vectors, n, p, q);
        turned = 1;
      }
  }
  for (uint32_t i = 0; i < n; i++)
    values[i] = a[(size_t)i * n + i];
}
