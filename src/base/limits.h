/* limits.h - when to stop: a deadline and a flag that anyone may raise. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include "base/status.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct {
  double deadline;         /* of clock_now; 0: none */
  size_t memory;           /* MiB, for the worker process */
  const atomic_bool *stop; /* raised: end with INTERRUPTED; NULL: never */
} Limits;

double clock_now(void); /* seconds, monotonic */

/* OK, LIMIT (the time is over) or INTERRUPTED. */
Status limits_check(const Limits *);

#endif
