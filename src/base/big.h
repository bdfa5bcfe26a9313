/* big.h - GMP's numbers, whose memory may run out like any other.
**
** By default GMP ends the process then.  Called before numbers are made, this lets such a
** failure jump to the memory guard instead; a thread without a guard (the host's own use of
** GMP) sees no difference.  GMP has one set of functions for the whole process. */
#ifndef BASE_BIG_H
#define BASE_BIG_H

void big_begin(void);

#endif
