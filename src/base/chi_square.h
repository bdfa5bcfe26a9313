/* chi_square.h - how unusual a sum of squares is. */
#ifndef BASE_CHI_SQUARE_H
#define BASE_CHI_SQUARE_H

/* Upper tail of the chi-square distribution: Q(degrees/2, x/2). */
double chi_square_tail(double x, double degrees);

#endif
