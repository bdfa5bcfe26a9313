/* bytes.h - messages of the worker: replies out, requests in (ground/protocol.h).
** Memory that runs out ends the process, with the exit code that says so. */
#ifndef SOLVER_WORKER_BYTES_H
#define SOLVER_WORKER_BYTES_H

#include "solver/protocol.h"

#include <stdbool.h>
#include <stddef.h>

_Noreturn void out_of_memory(void);
void *allocate(size_t n, size_t size); /* zeroed */

typedef struct {
  char *at;
  size_t n, room;
} Buffer;

void put(Buffer *, const void *bytes, size_t n);
void put_u8(Buffer *, uint8_t);
void put_u32(Buffer *, uint32_t);
void put_string(Buffer *, const char *, size_t);
void flush(Buffer *);

/* A message is open between begin and end; full buffers are sent between. */
size_t begin(Buffer *, uint32_t type);
void end(Buffer *, size_t at);
/* Takes an unfinished message back if it went wrong. */
bool end_if(Buffer *, size_t at, bool good);
/* REPLY_DONE, with clingo's last error if it is not good. */
void done(Buffer *, bool good);

bool read_all(void *to, size_t n); /* false: nobody talks any more */

/* A request being taken apart; the library wrote it, so it is well-formed. */
typedef struct {
  const char *at;
} Reader;

void take(Reader *, void *to, size_t n);
uint8_t take_u8(Reader *);
uint32_t take_u32(Reader *);
int32_t take_i32(Reader *);
char *take_string(Reader *); /* the caller frees */

#endif
