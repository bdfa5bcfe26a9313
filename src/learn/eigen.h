/* eigen.h - eigenvalues and eigenvectors of a symmetric matrix. */
#ifndef LEARN_EIGEN_H
#define LEARN_EIGEN_H

#include <stdint.h>

/* `matrix` (n by n, by row) is destroyed; values are not sorted, and vectors + k * n
** is the k-th eigenvector, of length 1.  Errors are of the order of rounding, relative
** to the largest eigenvalue. */
void eigen_find(double *matrix, uint32_t n, double *values, double *vectors);

#endif
