/* random.c - see random.h; the algorithms are by Blackman and Vigna. */
#include "base/random.h"

#include <assert.h>

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = *x += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

Random random_make(uint64_t seed, uint64_t stream) {
  uint64_t x = seed, y = stream ^ 0x5851f42d4c957f2du;
  Random r;
  for (int i = 0; i < 4; i++)
    r.state[i] = splitmix(&x) ^ splitmix(&y);
  if (!(r.state[0] | r.state[1] | r.state[2] | r.state[3]))
    r.state[0] = 1; /* the only state that never moves */
  return r;
}

uint64_t random_bits(Random *r) {
  uint64_t *s = r->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double random_unit(Random *r) { return (double)(random_bits(r) >> 11) * 0x1p-53; }

uint64_t random_below(Random *r, uint64_t bound) {
  assert(bound);
  /* cppcheck-suppress oppositeExpression ; the first is 2^64 - bound */
  uint64_t least = -bound % bound, x; /* 2^64 mod bound values are too many */
  do
    x = random_bits(r);
  while (x < least);
  return x % bound;
}
