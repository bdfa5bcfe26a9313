/* limits.c - see limits.h. */
#include "base/limits.h"

#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

void limits_say(const Limits *limits, Status status, Diagnostics *said) {
  if (status != LIMIT)
    return;
  for (size_t i = 0; i < said->list.n; i++)
    if (said->list.at[i].severity != LPMLN_NOTE)
      return;
  if (limits_check(limits) == LIMIT)
    diagnose_warning(said, NOWHERE, "raise it with option time_limit",
                     "the time limit was reached");
  else
    diagnose_error(said, NOWHERE, NULL, "memory is out");
}

double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static _Thread_local const Limits *watched;
static _Thread_local unsigned polls;
static _Thread_local Status found;

void limits_watch(const Limits *limits) { watched = limits, polls = 0, found = OK; }

Status limits_unwatch(void) {
  watched = NULL;
  return found;
}

void limits_poll(void) {
  enum { OFTEN = 1024 };
  if (watched && ++polls % OFTEN == 0 && (found = limits_check(watched)) != OK)
    memory_fail();
}

void limits_await(int file) {
  enum { LOOK = 100 }; /* milliseconds: a signal may come to another thread */
  struct pollfd ready = {.fd = file, .events = POLLIN};
  for (int n; (n = poll(&ready, 1, watched ? LOOK : -1)) <= 0 && (!n || errno == EINTR);)
    if (watched && (found = limits_check(watched)) != OK)
      memory_fail();
}

Status limits_check(const Limits *limits) {
  if (limits->stop && atomic_load(limits->stop))
    return INTERRUPTED;
  return limits->deadline > 0 && clock_now() > limits->deadline ? LIMIT : OK;
}
