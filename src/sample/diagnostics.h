/* diagnostics.h - what a mean over several Markov chains is worth.
**
** As Stan does it (Vehtari, Gelman, Simpson, Carpenter, Buerkner 2021).  Each chain is cut in
** halves, so that a drift shows as a difference between chains.  R-hat compares the variance
** between half chains with that within, once for the normal scores of the ranks and once for
** those of the distances from the median; the larger counts.  The effective sample size adds
** up autocorrelations as far as sums of neighbouring ones fall and stay positive (Geyer's initial
** monotone sequence): `ess` of the normal scores, `tail` of being in the lowest or the highest
** twentieth, whichever is less. */
#ifndef SAMPLE_DIAGNOSTICS_H
#define SAMPLE_DIAGNOSTICS_H

#include <stddef.h>

typedef struct {
  double mean;
  double error; /* Monte Carlo standard error; NAN: unknown */
  double ess;   /* effective sample size; NAN: the values are all equal, or too few */
  double tail;  /* of the tails; NAN: likewise */
  double rhat;  /* NAN: likewise */
} Estimate;

/* `values`: `length` of each chain, chain after chain.  Very long chains are looked
** at in batches. */
Estimate estimate_mean(const double *values, size_t chains, size_t length);

/* Of values 0 and 1.  What was seen rarely or never has an error, too: that of the
** mean with two more values of each kind (Agresti and Coull), `least` being the
** effective sample size to go by if all values are equal.  That of few effective samples is
** larger, so that 1.96 errors are Student's interval. */
Estimate estimate_probability(const double *values, size_t chains, size_t length, double least);

#endif
