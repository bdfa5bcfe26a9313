/* lanes.h - rules under many guesses at the same time, a bit for each.
**
** Lane i of an atom is its truth in the i-th of LANES interpretations; a plain rule costs a few
** instructions for all of them. */
#ifndef SAMPLE_LANES_H
#define SAMPLE_LANES_H

#include "base/random.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 256, LANE_WORDS = LANES / 64 };

typedef struct {
  uint64_t word[LANE_WORDS];
} Lanes;

static inline Lanes lanes_all(bool value) {
  Lanes x;
  for (int w = 0; w < LANE_WORDS; w++)
    x.word[w] = value ? UINT64_MAX : 0;
  return x;
}

static inline bool lanes_any(const Lanes *x) {
  uint64_t any = 0;
  for (int w = 0; w < LANE_WORDS; w++)
    any |= x->word[w];
  return any;
}

static inline bool lanes_bit(const Lanes *x, unsigned lane) {
  return x->word[lane >> 6] >> (lane & 63) & 1;
}

static inline unsigned lanes_count(const Lanes *x) {
  unsigned n = 0;
  for (int w = 0; w < LANE_WORDS; w++)
    n += (unsigned)__builtin_popcountll(x->word[w]);
  return n;
}

static inline void lanes_or(Lanes *to, const Lanes *x) {
  for (int w = 0; w < LANE_WORDS; w++)
    to->word[w] |= x->word[w];
}

static inline void lanes_and(Lanes *to, const Lanes *x, bool negated) {
  uint64_t flip = negated ? UINT64_MAX : 0;
  for (int w = 0; w < LANE_WORDS; w++)
    to->word[w] &= x->word[w] ^ flip;
}

/* A generator of random.h for each word, side by side. */
typedef struct {
  Lanes state[4];
} LanesRandom;

void lanes_random_make(LanesRandom *, Random *);

static inline void lanes_random(LanesRandom *random, Lanes *to) {
  Lanes *s = random->state;
  for (int w = 0; w < LANE_WORDS; w++) {
    uint64_t x = s[1].word[w] * 5, t = s[1].word[w] << 17;
    to->word[w] = (x << 7 | x >> 57) * 9;
    s[2].word[w] ^= s[0].word[w];
    s[3].word[w] ^= s[1].word[w];
    s[1].word[w] ^= s[2].word[w];
    s[0].word[w] ^= s[3].word[w];
    s[2].word[w] ^= t;
    s[3].word[w] = s[3].word[w] << 45 | s[3].word[w] >> 19;
  }
}

/* Where the rule's body holds, given the atoms' truth (by atom). */
void lanes_body(const Ground *, const Rule *, const Lanes *atoms, Lanes *holds);

/* Where the body holds and no head does; `but`: a head that does not count, or NONE. */
void lanes_violated(const Ground *, const Rule *, const Lanes *atoms, Atom but, Lanes *violated);

/* The atoms of one stratum, which follow from the guesses and the strata below; how many literals
** were looked at. */
uint64_t lanes_stratum(const Ground *, const Strata *, const Analysis *, size_t group,
                       Lanes *atoms);

#endif
