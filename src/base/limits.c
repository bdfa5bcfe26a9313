/* limits.c - see limits.h. */
#include "base/limits.h"

#include <time.h>

double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Status limits_check(const Limits *limits) {
  if (limits->stop && atomic_load(limits->stop))
    return INTERRUPTED;
  return limits->deadline > 0 && clock_now() > limits->deadline ? LIMIT : OK;
}
