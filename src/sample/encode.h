/* encode.h - a ground program as the worker's solver gets it.
**
** The penalty translation at the ground level: a soft rule a :- B becomes the
** choice {a} :- B and its violation the literal or atom that B, not a defines.
** clasp never sees a disjunction (its answers to some are wrong): heads in
** different strongly connected components are shifted into normal rules, the
** others become a choice with 'some head holds', and the worker checks every
** candidate for minimality with a second, disjunction-free program. */
#ifndef SAMPLE_ENCODE_H
#define SAMPLE_ENCODE_H

#include "base/memory.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/minimality.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the values of a model are: bit i of its bytes. */
typedef struct {
  uint32_t bits, bytes;
  uint32_t *of_atom;     /* by atom: its bit; NONE: certain or impossible */
  uint32_t *of_instance; /* by instance: its violation; ALWAYS, NEVER */
} Layout;

#define NEVER (UINT32_MAX - 1)
#define ALWAYS UINT32_MAX

static inline bool layout_bit(const uint8_t *model, uint32_t bit) {
  return model[bit >> 3] >> (bit & 7) & 1;
}

void layout_free(Layout *);

typedef struct {
  const Ground *g;
  const Analysis *an;
  SolverProgram p;
  uint32_t *atom;     /* by atom: the solver's, 0 if not open */
  int32_t *violation; /* by instance: the solver's literal, 0: none */
  Layout layout;
  VEC(int32_t) reported; /* by bit of the layout: its literal */
} Encoding;

/* All rules.  Constraints may follow, then encode_write. */
void encode_begin(Encoding *, const Ground *, const Analysis *);
void encode_require(Encoding *, const Lit *, size_t count); /* these hold */
/* At most so many of the violable hard instances are violated. */
void encode_hard_bound(Encoding *, uint32_t most);
/* The program, what is reported of a model, and the minimality checker. */
void encode_write(const Encoding *, Text *payload);
void encode_free(Encoding *);

#endif
