/* bytes.h - the one way to take bytes apart, and to put them together: messages of the
** worker, compiled files.
**
** Numbers are in the machine's own layout.  Reading trusts nothing: what is not there
** reads as 0 and makes the reader `bad`, which sticks, so that a caller checks once. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const char *at, *end;
  bool bad;
} Bytes;

static inline Bytes bytes_of(const void *at, size_t length) {
  return (Bytes){at, (const char *)at + length, false};
}

static inline size_t bytes_left(const Bytes *b) { return (size_t)(b->end - b->at); }

static inline void bytes_take(Bytes *b, void *to, size_t n) {
  b->bad |= bytes_left(b) < n;
  if (b->bad) {
    memset(to, 0, n);
    return;
  }
  memcpy(to, b->at, n);
  b->at += n;
}

static inline uint8_t bytes_u8(Bytes *b) {
  uint8_t x;
  bytes_take(b, &x, sizeof x);
  return x;
}

static inline uint32_t bytes_u32(Bytes *b) {
  uint32_t x;
  bytes_take(b, &x, sizeof x);
  return x;
}

static inline int32_t bytes_i32(Bytes *b) { return (int32_t)bytes_u32(b); }

static inline uint64_t bytes_u64(Bytes *b) {
  uint64_t x;
  bytes_take(b, &x, sizeof x);
  return x;
}

/* A number of things of at least `size` bytes that follow; 0 if they can't all be there. */
static inline uint32_t bytes_count(Bytes *b, size_t size) {
  uint32_t n = bytes_u32(b);
  b->bad |= n > bytes_left(b) / size;
  return b->bad ? 0 : n;
}

/* Its length, then the bytes, which are not copied and do not end in NUL. */
static inline const char *bytes_string(Bytes *b, uint32_t *length) {
  *length = bytes_count(b, 1);
  const char *at = b->at;
  b->at += *length;
  return at;
}

/* The elements of an empty vector, as put_vec wrote them. */
#define bytes_vec(b, v)                                 \
  do {                                                  \
    uint32_t count_ = bytes_count(b, sizeof *(v)->at);  \
    vec_reserve(v, count_);                             \
    if (count_)                                         \
      bytes_take(b, (v)->at, count_ * sizeof *(v)->at); \
    (v)->n = count_;                                    \
  } while (0)

static inline void put_bytes(Text *t, const void *at, size_t n) { text_add(t, at, n); }
static inline void put_u8(Text *t, uint8_t x) { text_add(t, (const char *)&x, sizeof x); }
static inline void put_u32(Text *t, uint32_t x) { text_add(t, (const char *)&x, sizeof x); }
static inline void put_u64(Text *t, uint64_t x) { text_add(t, (const char *)&x, sizeof x); }

static inline void put_string(Text *t, const char *s, size_t n) {
  put_u32(t, (uint32_t)n);
  text_add(t, s, n);
}

#define put_vec(t, v) \
  (put_u32(t, (uint32_t)(v)->n), put_bytes(t, (v)->at, (v)->n * sizeof *(v)->at))

#endif
