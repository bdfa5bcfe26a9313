/* uniform.h - uniformly random stable models, from one solver kept alive.
**
** A draw is made from the stable models that agree with its assumptions (a
** `slice`).  Up to `pivot` models are enumerated and one is chosen: exactly
** uniform.  Of more, a random affine hash of the guessed atoms, which determine
** a stable model, cuts out a cell of some dozens; a cell whose size is between
** bounds is accepted and one of its models is chosen, another is hashed anew.
** The number of hash bits was found beforehand, with hashes of its own, and
** does not change between attempts.
**
** Guarantee of a near-uniform draw: with probability at least 1 - doubt (over
** the hashes of the count), each of the N models of the slice is drawn with a
** probability between 1/((1 + epsilon) N) and (1 + epsilon)/N; docs/sampling.md
** has the proof.
**
** Draws depend on the Random, the options and the slices asked for, in their
** order, but not on the order in which the solver finds models. */
#ifndef SAMPLE_UNIFORM_H
#define SAMPLE_UNIFORM_H

#include "base/random.h"
#include "sample/encode.h"

typedef struct {
  size_t pivot;     /* at most so many models are enumerated; what hashing can't
                    ** cut into cells is enumerated in any case */
  double epsilon;   /* > 0 */
  double doubt;     /* in (0, 1/2) */
  unsigned retries; /* hashes tried for a draw; then it fails */
  uint32_t hard_violated; /* at most so many violable hard instances; NONE: any */
} UniformOptions;

UniformOptions uniform_options_default(void);

/* A literal that holds in the slice: the truth of an atom, or of the violation
** of an instance. */
typedef struct {
  uint32_t id; /* an atom, or an instance */
  bool violation;
  bool holds;
} Assumption;

typedef enum { UNIFORM_EXACT, UNIFORM_NEAR } UniformGuarantee;

/* Sizes that follow from the options, see count.c. */
typedef struct {
  uint32_t mean;        /* models of a cell, expected: from this to twice it */
  uint32_t least, most; /* models of an accepted cell */
  uint32_t cap;         /* where enumerating a cell stops, for counting */
  unsigned cells;       /* of a group, whose mean is an estimate */
  unsigned groups;      /* whose median is an estimate; odd */
} UniformBounds;

/* What is known about a slice, for further draws from it. */
typedef struct {
  VEC(int32_t) assumed; /* solver literals */
  bool known;
  bool whole;    /* the cell holds all its models */
  uint32_t bits; /* of the hash, otherwise */
} UniformSlice;

typedef struct {
  UniformOptions options;
  UniformBounds bounds;
  const Limits *limits;
  Encoding encoding; /* its layout is that of the models */
  Worker worker;
  WorkerOutcome outcome; /* of the last request */
  VEC(int32_t) hashed;   /* guessed atoms, the solver's */
  UniformSlice slice;    /* of the last draw */
  uint32_t guess;        /* bits that were right for another slice; 0: none */
  Text request;
  VEC(uint64_t) rows; /* of the hash */
  VEC(uint8_t) cell; /* models, one after the other */
  size_t count;      /* of them */
  uint64_t cells;    /* enumerated so far */
} Uniform;

/* Starts a worker and loads the program.  Ground, analysis and limits must
** outlive it.  Whatever the status, uniform_free is right afterwards. */
Status uniform_begin(Uniform *, const Ground *, const Analysis *, const char *worker_path,
                     const Limits *, const UniformOptions *);

/* Fills `model` (layout.bytes) with a uniformly random stable model in which all
** assumptions hold.  NO_ANSWER: there is none.  LIMIT, INTERRUPTED, INTERNAL:
** see `outcome`; LIMIT with outcome WORKER_OK: no cell was accepted. */
Status uniform_draw(Uniform *, const Assumption *, size_t, Random *, uint8_t *model,
                    UniformGuarantee *);

void uniform_free(Uniform *);

/* ---- for count.c and tests -------------------------------------------------------- */

/* A row of the hash: a bit for each hashed atom, and one for the parity. */
static inline size_t uniform_row_words(const Uniform *u) { return (u->hashed.n + 1 + 63) / 64; }

/* Enumerates the models of the slice, at most so many, that satisfy the rows. */
Status uniform_rows(Uniform *, const uint64_t *rows, uint32_t bits, size_t most);

/* The same with a fresh hash and a random value of it. */
Status uniform_cell(Uniform *, uint32_t bits, size_t most, Random *);

/* The least sizes with which the options' guarantee holds. */
UniformBounds uniform_bounds(const UniformOptions *);

/* Sets the slice's bits; it must have more than 4 * mean models.  LIMIT with
** outcome WORKER_OK: no estimate was acceptable. */
Status uniform_count(Uniform *, Random *);

#endif
