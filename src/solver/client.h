/* client.h - the process that runs libclingo, seen from the library.
**
** Started with posix_spawn when first needed, kept for further requests, ended
** by worker_stop.  A worker that dies is an outcome, not a crash of ours. */
#ifndef SOLVER_CLIENT_H
#define SOLVER_CLIENT_H

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "solver/protocol.h"

#include <stddef.h>
#include <stdint.h>

typedef enum {
  WORKER_OK,
  WORKER_TIME,        /* the deadline is over */
  WORKER_MEMORY,      /* it reached its memory limit */
  WORKER_INTERRUPTED, /* the stop flag is raised */
  WORKER_DIED,        /* killed by its input */
  WORKER_MISSING      /* it can't be started: see `path` */
} WorkerOutcome;

typedef struct {
  const char *wanted; /* borrowed: its path; NULL: look for it */
  int socket;         /* if pid */
  int pid;            /* 0: not running */
  char *path;         /* owned: where it was looked for */
  VEC(char) in;
  size_t taken; /* of in */
} Worker;       /* {0} is not running */

/* Looks for it beside this program and in the installed place, unless it is told where. */
WorkerOutcome worker_start(Worker *, const Limits *);
void worker_stop(Worker *);
void worker_free(Worker *);

WorkerOutcome worker_send(Worker *, uint32_t type, const Text *payload, const Limits *);

/* The next message; its bytes live until the next call.  Any outcome but
** WORKER_OK has stopped the worker. */
WorkerOutcome worker_receive(Worker *, Header *, const char **bytes, const Limits *);

#endif
