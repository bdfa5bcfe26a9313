/* digest.h - SHA-256 (FIPS 180-4): a digest that nobody can steer.
**
** For keys that must not be made to collide, whatever the input; hash.h is faster and does
** for the rest. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  uint8_t block[64];
} Digest;

Digest digest_begin(void);
void digest_add(Digest *, const void *bytes, size_t length);

/* The digest's eight words; it is over after that. */
void digest_end(Digest *, uint32_t words[8]);

#endif
