/* progress.h - what is going on, on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "lpmln/lpmln.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  lpmln *problem;
  bool terminal; /* one line that changes, after a second; else a line a stage */
  atomic_bool done;
  pthread_t thread;
  bool running;
} Progress;

/* Draws on standard error until progress_end, if that is a terminal; `verbose`
** prints a line for every stage anywhere. */
void progress_begin(Progress *, lpmln *, bool quiet, bool verbose);
void progress_end(Progress *);

#endif
