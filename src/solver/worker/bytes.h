/* bytes.h - messages of the worker: replies out, requests in (solver/protocol.h).
** Memory that runs out ends the process, with the exit code that says so. */
#ifndef SOLVER_WORKER_BYTES_H
#define SOLVER_WORKER_BYTES_H

#include "base/bytes.h"
#include "solver/protocol.h"

#include <stdbool.h>
#include <stddef.h>

_Noreturn void out_of_memory(void);
void *allocate(size_t n, size_t size); /* zeroed */

typedef struct {
  char *at;
  size_t n, room;
  uint64_t messages; /* that were ended */
} Buffer;

void reply_bytes(Buffer *, const void *bytes, size_t n);
void reply_u8(Buffer *, uint8_t);
void reply_u32(Buffer *, uint32_t);
void reply_string(Buffer *, const char *, size_t);
void flush(Buffer *);

/* A message is open between begin and end; full buffers are sent between. */
size_t begin(Buffer *, uint32_t type);
void end(Buffer *, size_t at);
/* Takes an unfinished message back if it went wrong. */
bool end_if(Buffer *, size_t at, bool good);
/* REPLY_DONE, with clingo's last error if it is not good. */
void done(Buffer *, bool good);

/* The next request, which the caller frees; NULL: nobody talks any more, or nonsense. */
char *read_request(Header *, uint64_t number);

/* Of a request that is taken apart; the caller frees it. */
char *take_string(Bytes *);

#endif
