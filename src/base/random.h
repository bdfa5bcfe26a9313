/* random.h - xoshiro256**, seeded by splitmix64.
**
** Small, fast, passes the usual batteries, and the same on every machine: the
** same seed gives the same samples everywhere.  Streams made from one seed
** with different numbers are independent for all practical purposes. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct {
  uint64_t state[4];
} Random;

Random random_make(uint64_t seed, uint64_t stream);
uint64_t random_bits(Random *);
double random_unit(Random *);                    /* in [0, 1), 53 bits */
uint64_t random_below(Random *, uint64_t bound); /* unbiased; bound > 0 */

#endif
