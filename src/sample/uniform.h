/* uniform.h - uniformly random stable models, from one solver kept alive.
**
** A draw is made from the stable models that agree with its assumptions.  Parts of the program
** that share no atom are independent: each has a `slice` of its own, from which a model is drawn
** while the solver holds the others still.
**
** Up to `pivot` models of a slice are enumerated and one is chosen: exactly uniform.  If there are
** more, and guesses are models often enough, guesses are tried until one is (reject.h): exactly
** uniform, too.  Else a random affine hash of the guessed atoms, which determine a stable model,
** cuts out a cell of some dozens; a cell whose size is between bounds is accepted and one of its
** models is chosen, another is hashed anew. The number of hash bits was found beforehand, with
** hashes of its own, and does not change between attempts.
**
** Guarantee of a near-uniform draw: with probability at least 1 - doubt (over the hashes of the
** count), each of the N models of the slice is drawn with a probability between 1/((1 + epsilon)
** N) and (1 + epsilon)/N; docs/sampling.md has the proof.  It holds for each hashed part: of
** `near` such parts the factors 1 + epsilon multiply and the doubts add.
**
** Draws depend on the Random, the options and the slices asked for, in their order, but not on the
** order in which the solver finds models. */
#ifndef SAMPLE_UNIFORM_H
#define SAMPLE_UNIFORM_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/encode.h"
#include "sample/reject.h"
#include "solver/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t pivot;           /* at most so many models are enumerated; what hashing can't
                          ** cut into cells is enumerated in any case */
  double epsilon;         /* > 0 */
  double doubt;           /* in (0, 1/2) */
  unsigned retries;       /* hashes tried for a draw; then it fails */
  bool trials;            /* guesses are tried before anything is hashed */
  bool together;          /* independent parts are drawn as one: for tests */
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
  uint32_t counted;     /* models of a cell for counting: so many or some more */
  unsigned cells;       /* for counting; odd */
} UniformBounds;

typedef VEC(int32_t) SolverLiterals;

/* The models of some atoms under some assumptions. */
typedef struct {
  uint32_t part;          /* in parts; NONE: all */
  VEC(uint32_t) bits;     /* of the layout: what is known of each model */
  size_t bytes;           /* of a model: a bit for each of these */
  SolverLiterals assumed; /* of this part only */
  size_t pivot;
  bool known;
  bool whole;         /* `models` are all */
  bool tried;         /* `models` were found by trial and are not drawn yet */
  uint32_t hash_bits; /* otherwise */
  VEC(uint8_t) models;
  size_t count;
} UniformSlice;

/* Independent components with guessed atoms. */
typedef struct {
  uint32_t first, end; /* in hashed */
  SolverLiterals now;  /* what is assumed of it */
  UniformSlice slice;
} UniformPart;

typedef struct {
  UniformOptions options;
  UniformBounds bounds;
  const Limits *limits;
  Encoding encoding; /* its layout is that of the models */
  Worker worker;
  bool parked;                               /* the worker does not run, or has no program */
  WorkerOutcome outcome;                     /* of the last request */
  SolverLiterals hashed;                     /* guessed atoms, part after part */
  VEC(uint32_t) hashed_bit;                  /* these, in the layout */
  uint32_t *part_of_atom, *part_of_instance; /* NONE: of no part */
  VEC(UniformPart) parts;
  Reject reject;
  UniformSlice *trying;   /* the slice that `reject` is at; NULL: none */
  UniformSlice all;       /* as one, where only one part is not wholly assumed */
  SolverLiterals assumed; /* by the last draw */
  VEC(uint8_t) base;      /* a model in which `based` hold */
  SolverLiterals based;
  bool has_base;
  bool *fixed;            /* by solver atom: it is assumed */
  uint32_t guess;         /* hash bits that were right for another slice; 0: none */
  SolverLiterals context; /* what a request assumes */
  Text request;
  VEC(uint64_t) rows; /* of the hash */
  VEC(uint8_t) cell;  /* models, one after the other */
  size_t count;       /* of them */
  uint64_t cells;     /* enumerated so far */
  uint32_t near;      /* parts that the last draw hashed */
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

/* Ends the worker process until the next draw, which starts another. */
void uniform_park(Uniform *);

/* Drops the models that it has kept of slices; hash bits that were right once (guess) stay. */
void uniform_forget(Uniform *);

/* The same with some model, whichever the solver finds first. */
Status uniform_any(Uniform *, const Assumption *, size_t, uint8_t *model);

void uniform_free(Uniform *);

/* ---- for slice.c, count.c and tests ------------------------------------------------- */

/* A row of the hash: a bit for each hashed atom, and one for the parity. */
static inline size_t uniform_row_words(const Uniform *u) { return (u->hashed.n + 1 + 63) / 64; }

/* Enumerates the models of the slice, at most so many, that satisfy the rows; the
** literals of `context` hold. */
Status uniform_rows(Uniform *, const UniformSlice *, const uint64_t *rows, uint32_t bits,
                    size_t most);

/* The same with a fresh hash and a random value of it. */
Status uniform_cell(Uniform *, const UniformSlice *, uint32_t bits, size_t most, Random *);

/* slice.c: a model of the slice, in its own bytes; `context` holds, `assumed` of it alone. */
Status uniform_slice_draw(Uniform *, UniformSlice *, Random *, const uint8_t **model);

/* The least sizes with which the options' guarantee holds. */
UniformBounds uniform_bounds(const UniformOptions *);

/* Sets the slice's hash bits; or, if the cell has all its models after all, that
** it is whole.  LIMIT with outcome WORKER_OK: no estimate was acceptable. */
Status uniform_count(Uniform *, UniformSlice *, Random *);

#endif
