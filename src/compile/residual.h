/* residual.h - what is left of a theory after some inputs are decided.
**
** A residual is a list of rules in the format of theory.h, over atoms that are
** still open; atoms that must become true (but are not derived yet) stand
** first, as constraints `not a`.  Simplifying propagates a decision to its
** end: unit constraints, derived facts, unfounded atoms, and what a needed atom
** needs in turn; it drops definitions that nobody asks for and rules that
** others subsume, and splits the rest into parts that share no atom.
**
** Each part has a key: a sum of hashes of its rules, 128 bits, so that parts
** reached on different ways are recognised.  (Two different parts of n with
** equal keys: probability about n^2 / 2^129.)
**
** Residuals stand on one stack of words; the caller pops them. */
#ifndef COMPILE_RESIDUAL_H
#define COMPILE_RESIDUAL_H

#include "compile/theory.h"

enum { RESIDUAL_OPEN, RESIDUAL_TRUE, RESIDUAL_FALSE };

typedef struct {
  uint64_t word[2];
} ResidualKey;

typedef struct {
  size_t begin, end; /* in words */
  ResidualKey key;
} ResidualPart;

/* A rule that survived, while parts are made. */
typedef struct {
  size_t at; /* in words */
  ResidualKey hash;
  uint32_t part;
} ResidualRule;

typedef struct {
  const Theory *theory;
  bool *output;           /* by atom: its truth must be told; the caller's */
  Words words;            /* stack of residuals */
  VEC(ResidualPart) parts; /* stack of results */
  Words told;             /* literals of inputs and outputs found by the last
                          ** call, the decision itself excepted */
  /* The rest is private to residual.c. */
  uint8_t *value;         /* by atom: open, true or false */
  bool *needed;           /* by atom: open, and must become true */
  ResidualKey *code;      /* by literal: random */
  uint32_t *stamp;        /* by atom */
  uint32_t *literal_stamp; /* by literal */
  uint32_t *parent;       /* by atom: union-find */
  uint32_t *part;         /* by atom that is a root: number of its part */
  uint32_t clock, literal_clock; /* the newest stamps */
  void *tally;            /* of unfold.c, by atom */
  uint32_t tally_clock;
  Words touched;          /* atoms with a value or need */
  Words pending;          /* outputs that are open */
  Words weights;          /* scratch of one weighted rule */
  VEC(size_t) offsets;    /* the rules, while they are looked at */
  VEC(size_t) todo;
  Words queue;
  VEC(ResidualRule) kept;
  VEC(ResidualPart) made;
  bool changed, conflict;
} Residual;

void residual_begin(Residual *, const Theory *);
void residual_free(Residual *);

/* Simplifies the residual words[begin .. end - 1] with the literal `decision`
** (THEORY_NONE: none); `fresh`: it is no earlier result, so its needs have not
** been told.  Pushes the parts, nothing if it fails: no model. */
bool residual_simplify(Residual *, size_t begin, size_t end, uint32_t decision,
                       bool fresh);

/* Makes a literal hold, between sweeps.  A defined atom that must hold is only
** needed: it has to be derived all the same. */
void residual_force(Residual *, uint32_t literal);

/* unfold.c: eliminates definitions from the rules words[start .. used - 1],
** the top of the stack; returns their new end and sets changed if there were
** any. */
size_t residual_unfold(Residual *, size_t start, size_t used);
size_t residual_tally_size(void);

/* The input to branch on: the first of the order, or the first of those in
** rules that need nothing but inputs, where deciding derives something. */
uint32_t residual_choose(const Residual *, const ResidualPart *, bool ready_first);

/* A key for anything made of numbers, independent of their order. */
void residual_key_add(ResidualKey *, uint64_t salt, uint64_t number);

#endif
