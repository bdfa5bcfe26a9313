/* parallel.h - the same work for many numbers, on several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include "base/status.h"

#include <stddef.h>

/* Calls work(data, i) for each i < n, in any order and at the same time; LIMIT if
** memory ran out.  What the calls write must not overlap.  One thread: in order,
** without a thread of its own. */
Status parallel_for(unsigned threads, size_t n, void (*work)(void *data, size_t i), void *data);

#endif
