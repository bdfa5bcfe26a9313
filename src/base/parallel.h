/* parallel.h - the same work for many numbers, on several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdatomic.h>
#include <stddef.h>

/* Calls work(data, i) for each i < n, in any order and at the same time.  What the calls
** write must not overlap.  One thread: in order, without a thread of its own.  Memory that
** is out in one of them is so for the caller, when all have ended. */
void parallel_for(unsigned threads, size_t n, void (*work)(void *data, size_t i), void *data);

/* The same with `threads` threads beside this one, which calls here(data, crew) meanwhile: that
** may take numbers from them.  parallel_next returns n when none is left, and once memory is out.
*/
typedef struct Crew Crew;
size_t parallel_next(Crew *);
void parallel_beside(unsigned threads, size_t n, void (*work)(void *data, size_t i),
                     void (*here)(void *data, Crew *), void *data);

/* Takes up to `most` of the threads that are to spare; NULL: none is.  They are given back by
** adding. */
unsigned parallel_take(atomic_uint *spare, unsigned most);

#endif
