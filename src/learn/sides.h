/* sides.h - the gradient and the curvature of the log-likelihood, by sampling.
**
**   gradient = C E[n] - sum of c_k E[n | O_k]        C: all observations that say something
**   -Hessian = C Cov(n) - sum of c_k Cov(n | O_k)
**
** One side is the program, one each different observation O_k, seen c_k times, that leaves
** something open.  What compiles of a side is exact; Markov chains, which live on from one
** question to the next, sample the rest. */
#ifndef LEARN_SIDES_H
#define LEARN_SIDES_H

#include "infer/mixed.h"
#include "learn/batches.h"
#include "learn/learning.h"

typedef struct {
  Mixed mixed;
  bool begun;
  Lits evidence;  /* of a row; others are kept by the observations */
  double factor;  /* C, or -c_k; 0: no observation says anything */
  double *values; /* counts by parameter, chain and sample; not if wide */
  size_t room;    /* samples of each chain */
} Side;

typedef struct {
  Learning *l;
  double *weights; /* of the ground program; sides read them */
  double *settled; /* by weight: counts of observations that leave nothing open */
  Side *side;      /* the program first */
  size_t count;
  size_t clamped;         /* observations that have chains */
  bool sampled;           /* some side has chains */
  bool near, heuristic;   /* some draw was so */
  double rhat;            /* the worst of the last question */
  double ess[2];          /* the least of the last question: of the program, of observations;
                          ** INFINITY: exact */
  Batches batches;        /* if wide: of the side that is asked; its direction is the asker's */
  double along;           /* if wide: the program's part of the curvature in that direction */
  uint64_t *state;        /* of chains, from the journal; they are not there yet if `behind` */
  bool behind, unsettled; /* a burn-in comes before the next samples */
} Sides;

/* By parameter, and n by n matrices, by row; of these, if wide, the diagonals alone. */
typedef struct {
  uint32_t n;
  bool wide;
  double *gradient;
  double *observed;  /* sum of c_k E[n | O_k] */
  double *expected;  /* C E[n] */
  double *program;   /* C Cov(n) */
  double *curvature; /* the negated Hessian */
  double *noise;     /* covariance of the gradient's Monte Carlo error */
} Moments;

enum { MOST_DENSE = 1000 }; /* parameters; of more, only diagonals are looked at */

Moments moments_make(uint32_t n);
void moments_free(Moments *);

static inline size_t moments_diagonal(const Moments *m, uint32_t i) {
  return m->wide ? i : (size_t)i * m->n + i;
}

/* Entries of each of the matrices. */
static inline size_t moments_entries(const Moments *m) {
  return m->wide ? m->n : (size_t)m->n * m->n;
}

/* Starts chains.  `possible` (by observation) tells which are. */
Status sides_begin(Sides *, Learning *, bool *possible);
void sides_free(Sides *);

/* Asks for the moments at w from `samples` fresh samples of each chain, or reads them back from
** the journal. */
Status sides_ask(Sides *, const double *w, size_t samples, Moments *);

/* The next question is about weights far away: a burn-in comes before its samples. */
void sides_settle(Sides *);

/* ---- sides_journal.c --------------------------------------------------------------------- */

/* What was asked is in the journal, or it goes there, with the states of all chains after it. */
bool sides_read(Sides *, const double *question, Moments *);
void sides_write(Sides *, const double *question, const Moments *);

#endif
