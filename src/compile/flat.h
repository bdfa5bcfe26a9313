/* flat.h - parts of a question as atoms that are decided, and factors on few of them.
**
** The atoms are the inputs and what rules derive for other rules, unless it depends on
** itself; factors say what they tell and what is forbidden (factors.c).  They are decided
** along the tree of a decomposition, and what is left below an atom depends on nothing but
** the values of those that it shares with those above: no residual is made, and the memo's
** key is these values themselves.  How many there are is known before. */
#ifndef COMPILE_FLAT_H
#define COMPILE_FLAT_H

#include "base/limits.h"
#include "base/memory.h"
#include "circuit/circuit.h"
#include "compile/residual.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLAT_WIDEST = 64 }; /* variables that one depends on */

/* What is to be done with a body that holds, or with one that does not. */
typedef enum {
  FLAT_FORBIDDEN, /* it must not hold */
  FLAT_TOLD,      /* the head is told */
  FLAT_NEEDED,    /* it must hold; the head has been told */
  FLAT_DEFINED,   /* the head was decided and must be the same */
  FLAT_COVERED    /* it must hold if the head was decided to hold */
} FlatKind;

/* Rules of one head, or one constraint: a body that holds if one of theirs does. */
typedef struct {
  size_t begin, end; /* in words */
  uint32_t head;     /* THEORY_NONE: a constraint */
  FlatKind kind;
} FlatFactor;

/* An atom, or several of which one holds at most, in the order of decisions.  What it depends
** on are earlier ones. */
typedef struct {
  uint32_t member, members; /* in Flat.members: its values are that one of them holds… */
  bool exact;               /* …or that none does, unless one must */
  uint32_t first, count;    /* in above: what is below it depends on these */
  uint32_t factor, factors; /* in factors: those that it decides at last */
  uint32_t child, children; /* in below */
} FlatVariable;

static inline uint32_t flat_values(const FlatVariable *v) { return v->members + !v->exact; }

typedef struct {
  Words words; /* the rules of the factors */
  VEC(FlatVariable) variables;
  Words members;         /* atoms */
  Words above, below;    /* numbers of variables */
  VEC(uint64_t) strides; /* by place in above: what a value counts for in a key */
  Words roots;           /* variables that depend on none */
  VEC(FlatFactor) factors;
  double states; /* at most so many are looked at */
  uint32_t width;
  bool cut;  /* derived atoms are decided, too */
  bool more; /* more effort might make it flat */
} Flat;      /* {0} is empty */

/* False if the part is not flat, or too wide: then nothing but `more` is left.  `variable`: of each
 * atom, in the circuit. */
bool flat_make(Flat *, const Residual *, const ResidualPart *, const uint32_t *variable,
               uint64_t effort, const Limits *);

/* factors.c: the words and factors; false if a definition depends on itself, or what it
** derives has no variable. */
bool flat_factors(Flat *, const Residual *, const ResidualPart *, const uint32_t *variable);
void flat_free(Flat *);

#endif
