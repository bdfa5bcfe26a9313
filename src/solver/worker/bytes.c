/* bytes.c - see bytes.h. */
#include "solver/worker/bytes.h"

#include "solver/protocol.h"
#include "solver/worker/clingo_api.h"
#include "solver/worker/confine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void out_of_memory(void) {
  (void)!write(WORKER_NOTE, &(char){NOTE_MEMORY}, 1);
  leave(1);
}

void reply_bytes(Buffer *b, const void *bytes, size_t n) {
  if (b->n + n > b->room) {
    b->room = 2 * (b->n + n) + 4096;
    b->at = realloc(b->at, b->room);
    if (!b->at)
      out_of_memory();
  }
  if (n)
    memcpy(b->at + b->n, bytes, n);
  b->n += n;
}

void reply_u8(Buffer *b, uint8_t x) { reply_bytes(b, &x, sizeof x); }
void reply_u32(Buffer *b, uint32_t x) { reply_bytes(b, &x, sizeof x); }
void reply_string(Buffer *b, const char *s, size_t n) {
  reply_u32(b, (uint32_t)n);
  reply_bytes(b, s, n);
}

static void write_all(const char *at, size_t n) {
  while (n) {
    ssize_t sent = write(WORKER_OUT, at, n);
    if (sent <= 0)
      leave(0); /* nobody listens any more */
    at += sent, n -= (size_t)sent;
  }
}

void flush(Buffer *b) {
  write_all(b->at, b->n);
  b->n = 0;
}

size_t begin(Buffer *b, uint32_t type) {
  size_t at = b->n;
  reply_bytes(b, &(Header){.type = type}, sizeof(Header));
  return at;
}

void end(Buffer *b, size_t at) {
  assert(at + sizeof(Header) <= b->n);
  Header header;
  memcpy(&header, b->at + at, sizeof header);
  if (b->n - at - sizeof header > UINT32_MAX)
    out_of_memory();
  header.length = (uint32_t)(b->n - at - sizeof header);
  header.sum = message_sum(&header, b->messages++, b->at + at + sizeof header);
  memcpy(b->at + at, &header, sizeof header);
  if (b->n > 1 << 16)
    flush(b);
}

bool end_if(Buffer *b, size_t at, bool good) {
  assert(at + sizeof(Header) <= b->n);
  if (good)
    end(b, at);
  else
    b->n = at;
  return good;
}

static bool read_all(void *to, size_t n) {
  for (char *at = to; n;) {
    ssize_t got = read(WORKER_IN, at, n);
    if (got <= 0)
      return false;
    at += got, n -= (size_t)got;
  }
  return true;
}

char *read_request(Header *header, uint64_t number) {
  if (!read_all(header, sizeof *header))
    return NULL;
  char *request = allocate(header->length, 1);
  if (read_all(request, header->length) && message_sum(header, number, request) == header->sum)
    return request;
  free(request);
  return NULL;
}

void *allocate(size_t n, size_t size) {
  void *block = calloc(n ? n : 1, size);
  if (!block)
    out_of_memory();
  return block;
}

char *take_string(Bytes *r) {
  uint32_t n;
  const char *from = bytes_string(r, &n);
  char *s = allocate((size_t)n + 1, 1);
  memcpy(s, from, n);
  return s;
}

void done(Buffer *out, bool good) {
  const char *message = good ? "" : clingo_error_message();
  uint32_t outcome = good                                            ? OUTCOME_OK
                     : clingo_error_code() == clingo_error_bad_alloc ? OUTCOME_MEMORY
                                                                     : OUTCOME_ERROR;
  size_t at = begin(out, REPLY_DONE);
  reply_u32(out, outcome);
  reply_string(out, message ? message : "", message ? strlen(message) : 0);
  end(out, at);
  flush(out);
}
