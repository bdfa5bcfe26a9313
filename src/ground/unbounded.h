/* unbounded.h - rules that count without end, such as `p(X+1) :- p(X).` */
#ifndef GROUND_UNBOUNDED_H
#define GROUND_UNBOUNDED_H

#include "base/memory.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* A predicate while its atoms are ground. */
typedef struct {
  char *name;       /* owned */
  uint32_t atoms;   /* so far */
  uint32_t counted; /* how far a number of the last of them is from that of the first */
} Growth;

typedef VEC(Growth) Growths;

void growths_free(Growths *);

/* The rule by which one of these has larger and larger numbers, and what has it: a variable that is
** counted up is in no atom but those of the loop and in no comparison, and the count is beyond all
** that could be told apart otherwise.  NULL: there is none, as far as can be seen. */
const Statement *unbounded_rule(const Program *, const Growths *, const Growth **which);

#endif
