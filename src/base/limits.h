/* limits.h - when to stop: a deadline and a flag that anyone may raise. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include "base/diagnostic.h"
#include "base/status.h"

#include <stdatomic.h>
#include <stddef.h>

struct Workers; /* solver/client.h */

typedef struct {
  double deadline;         /* of clock_now; 0: none */
  size_t memory;           /* MiB, for the worker process */
  const atomic_bool *stop; /* raised: end with INTERRUPTED; NULL: never */
  struct Workers *workers; /* those that run, so that none outlives its question; or NULL */
} Limits;

double clock_now(void); /* seconds, monotonic */

/* A question that ended with LIMIT and said nothing of it: now it does. */
void limits_say(const Limits *, Status, Diagnostics *said);

/* While texts are read and ground, in this thread: limits_poll, called where a loop over input
** begins anew and all is whole, looks at them from time to time and, if they are over, jumps
** to the memory guard. */
void limits_watch(const Limits *);
void limits_poll(void);
void limits_await(int file); /* until it can be read; likewise jumps if that is not in time */
Status limits_unwatch(void); /* no more; what a poll jumped for, or OK */

/* OK, LIMIT (the time is over) or INTERRUPTED. */
Status limits_check(const Limits *);

#endif
