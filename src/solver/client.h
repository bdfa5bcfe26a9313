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

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  WORKER_OK,
  WORKER_TIME,        /* the deadline is over */
  WORKER_MEMORY,      /* it reached its memory limit */
  WORKER_INTERRUPTED, /* the stop flag is raised */
  WORKER_DIED,        /* killed by its input */
  WORKER_DAMAGED,     /* what it says makes no sense, or was changed on the way */
  WORKER_MISSING,     /* it can't be started: see `path` */
  WORKER_ENDLESS      /* it saw that grounding has no end */
} WorkerOutcome;

/* The workers that a program has running, whoever started them: a question that runs out of
** memory forgets its own, and they are ended here.  Shared by threads. */
enum { MOST_NOTED = 256 }; /* more are not noted */

typedef struct {
  int pid, owner, process, socket, note;
} Running;

typedef struct Workers {
  pthread_mutex_t lock;
  size_t n;
  Running at[MOST_NOTED];
} Workers; /* {.lock = PTHREAD_MUTEX_INITIALIZER} is empty */

typedef struct {
  const char *wanted; /* borrowed: its path; NULL: look for it */
  /* pid 0: not running.  owner: the process that started it; after a fork it is the parent's
  ** alone.  process: a descriptor of it, which stands for no other; -1: the kernel has none.
  ** All descriptors are above standard error: a host may have closed that. */
  Running is;
  Workers *home;           /* where it is noted; NULL: nowhere */
  uint64_t sent, received; /* messages */
  char *path;              /* owned: where it was looked for */
  VEC(char) in;
  size_t taken; /* of in */
} Worker;       /* {0} is not running */

void workers_end(Workers *, const Worker *but); /* all of them but one */

/* Looks for it beside this program and in the installed place, unless it is told where. */
WorkerOutcome worker_start(Worker *, const Limits *);
void worker_stop(Worker *);
void worker_free(Worker *);

WorkerOutcome worker_send(Worker *, uint32_t type, const Text *payload, const Limits *);

/* The next message; its bytes live until the next call.  Any outcome but
** WORKER_OK has stopped the worker. */
WorkerOutcome worker_receive(Worker *, Header *, const char **bytes, const Limits *);

#endif
