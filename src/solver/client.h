/* client.h - the process that runs libclingo, seen from the library.
**
** Started with posix_spawn when first needed, kept for further requests, ended
** by worker_stop.  A worker that dies is an outcome, not a crash of ours. */
#ifndef SOLVER_CLIENT_H
#define SOLVER_CLIENT_H

#include "base/limits.h"
#include "base/memory.h"
#include "solver/protocol.h"

typedef enum {
  WORKER_OK,
  WORKER_TIME,        /* the deadline is over */
  WORKER_MEMORY,      /* it reached its memory limit */
  WORKER_INTERRUPTED, /* the stop flag is raised */
  WORKER_DIED,        /* killed by its input */
  WORKER_MISSING      /* it can't be started: see `path` */
} WorkerOutcome;

typedef struct {
  int socket; /* if pid */
  int pid;    /* 0: not running */
  char *path; /* owned: where it was looked for */
  VEC(char) in;
  size_t taken; /* of in */
} Worker;       /* {0} is not running */

/* `path`: NULL to look beside this program and in the installed place. */
WorkerOutcome worker_start(Worker *, const char *path, const Limits *);
void worker_stop(Worker *);
void worker_free(Worker *);

WorkerOutcome worker_send(Worker *, uint32_t type, const Text *payload, const Limits *);

/* The next message; its bytes live until the next call.  Any outcome but
** WORKER_OK has stopped the worker. */
WorkerOutcome worker_receive(Worker *, Header *, const char **bytes, const Limits *);

/* Taking messages apart. */
typedef struct {
  const char *at, *end;
} Reader;

uint8_t reader_u8(Reader *);
uint32_t reader_u32(Reader *);
int32_t reader_i32(Reader *);
const char *reader_string(Reader *, uint32_t *length); /* not NUL-terminated */

void payload_u8(Text *, uint8_t);
void payload_u32(Text *, uint32_t);
void payload_string(Text *, const char *, size_t);

#endif
