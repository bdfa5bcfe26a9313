/* hash.h - the one hash of bytes: FNV-1a with a last stir, 64 bits, the same on every
** machine.  For tables, checksums and names of runs; nobody's secret depends on it. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325u

/* Goes on from h, which is HASH_START or what another call returned. */
static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < length; i++) {
    h = (h ^ at[i]) * 0x100000001b3u;
    h ^= h >> 29;
  }
  return h;
}

/* A word at a time, for numbers and for much of anything. */
static inline uint64_t hash_word(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

static inline uint64_t hash_words(uint64_t h, const void *bytes, size_t length) {
  const char *at = bytes;
  uint64_t word = length;
  for (h = hash_word(h, word); length >= sizeof word; at += sizeof word, length -= sizeof word) {
    memcpy(&word, at, sizeof word);
    h = hash_word(h, word);
  }
  word = 0;
  if (length)
    memcpy(&word, at, length);
  return hash_word(h, word);
}

#endif
