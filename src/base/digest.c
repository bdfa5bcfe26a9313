/* digest.c - see digest.h. */
#include "base/digest.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t round_constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t turn(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

/* The block as 16 words, and 48 more that follow from them. */
static void schedule(const uint8_t *block, uint32_t w[ROUNDS]) {
  for (int i = 0; i < 16; i++, block += 4)
    w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (int i = 16; i < ROUNDS; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
           (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
}

static void take_block(Digest *d, const uint8_t *block) {
  uint32_t w[ROUNDS], s[8];
  schedule(block, w);
  memcpy(s, d->state, sizeof s);
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t e = s[4], a = s[0];
    uint32_t one = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                   round_constant[i] + w[i];
    uint32_t two =
        (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++)
    d->state[i] += s[i];
}

Digest digest_begin(void) {
  return (Digest){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};
}

void digest_add(Digest *d, const void *bytes, size_t length) {
  assert(bytes || !length);
  const uint8_t *at = bytes;
  size_t there = d->length % BLOCK;
  d->length += length;
  while (length) {
    size_t now = BLOCK - there < length ? BLOCK - there : length;
    memcpy(d->block + there, at, now);
    at += now, length -= now, there += now;
    if (there == BLOCK)
      take_block(d, d->block), there = 0;
  }
}

void digest_end(Digest *d, uint32_t words[8]) {
  static const uint8_t padding[BLOCK] = {0x80};
  uint64_t bits = 8 * d->length;
  uint8_t size[8];
  for (int i = 0; i < 8; i++)
    size[i] = (uint8_t)(bits >> (56 - 8 * i));
  digest_add(d, padding, 1 + (BLOCK + 55 - d->length % BLOCK) % BLOCK);
  digest_add(d, size, sizeof size);
  assert(d->length % BLOCK == 0);
  memcpy(words, d->state, sizeof d->state);
}
