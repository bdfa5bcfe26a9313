/* progress.h - what is going on, on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "lpmln/lpmln.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
  lpmln_program *program;
  bool terminal; /* one line that changes, after a second; else a line a stage */
  atomic_bool done;
  pthread_t thread;
  bool running;
} Progress; /* {0} is not running */

/* Draws on standard error until progress_end, if that is a terminal; `verbose`
** prints a line for every stage anywhere. */
void progress_begin(Progress *, lpmln_program *, bool quiet, bool verbose);
void progress_end(Progress *); /* nothing if it is not running */

#endif
