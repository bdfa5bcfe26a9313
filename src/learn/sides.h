/* sides.h - the gradient and the curvature of the log-likelihood, by sampling.
**
**   gradient = C E[n] - sum of c_k E[n | O_k]        C: all observations
**   -Hessian = C Cov(n) - sum of c_k Cov(n | O_k)
**
** One side is the program, one each different observation O_k, seen c_k times.  What
** compiles of a side is exact; Markov chains, which live on from one question to the
** next, sample the rest. */
#ifndef LEARN_SIDES_H
#define LEARN_SIDES_H

#include "infer/mixed.h"
#include "learn/learning.h"

typedef struct {
  Mixed mixed;
  bool begun;
  double factor;  /* C, or -c_k */
  double *values; /* counts by parameter, chain and sample */
  size_t room;    /* samples of each chain */
} Side;

typedef struct {
  Learning *l;
  double *weights; /* of the ground program; sides read them */
  Side *side;      /* the program first */
  size_t count;
  bool sampled;         /* some side has chains */
  bool near, heuristic; /* some draw was so */
  double rhat, ess;     /* the worst of the last question */
} Sides;

/* n by n matrices, by row. */
typedef struct {
  uint32_t n;
  double *gradient;
  double *program;   /* C Cov(n) */
  double *curvature; /* the negated Hessian */
  double *noise;     /* covariance of the gradient's Monte Carlo error */
  double *observed;  /* by parameter: sum of c_k E[n | O_k] */
} Moments;

Moments moments_make(uint32_t n);
void moments_free(Moments *);

/* Starts chains.  `possible` (by observation) tells which are. */
Status sides_begin(Sides *, Learning *, bool *possible);
void sides_free(Sides *);

/* Asks for the moments at w from `samples` samples of each chain.  `again`: with the
** random numbers of the last time, so that what differs is due to the weights. */
Status sides_ask(Sides *, const double *w, size_t samples, bool again, Moments *);

#endif
