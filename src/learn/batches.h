/* batches.h - means of many counts over chains, in memory that does not grow with the samples.
**
** A chain's samples are cut into pieces one after the other; how the sums of these vary tells the
** error of the mean, whatever the correlation inside of them. */
#ifndef LEARN_BATCHES_H
#define LEARN_BATCHES_H

#include <stddef.h>
#include <stdint.h>

enum { BATCHES = 8 }; /* of each chain */

typedef struct {
  uint32_t n;
  size_t chains, samples;  /* of each chain, as planned */
  double *sums;            /* by chain, batch and number */
  double *squares;         /* by chain and number: of all samples */
  double *along;           /* by chain: sum and square of samples along… */
  const double *direction; /* …this one, by number; borrowed; NULL: none */
} Batches;                 /* {0} is none */

void batches_begin(Batches *, uint32_t n, size_t chains, size_t samples);
void batches_free(Batches *);

/* The counts at `place`.  Different chains may be added to at the same time. */
void batches_add(Batches *, size_t chain, size_t sample, const double *counts,
                 const uint32_t *place);

/* Adds the means over `done` samples of each chain, the variances of a sample, and those of the
** means.  The effective sample size, of all numbers together; INFINITY: nothing varies. */
double batches_read(const Batches *, size_t done, double *mean, double *variance, double *noise);

/* The variance of a sample along the direction. */
double batches_along(const Batches *, size_t done);

#endif
