/* transition.h - the transition matrix of MC-ASP (Algorithm 1 of the paper), exactly.
**
** States are the stable models that agree with the evidence.  From X a step keeps each
** instance that is in its more probable state (violated if w < 0; after Theorem 2, satisfied
** if w > 0) with probability 1 - e^-|w|, and draws uniformly from the states in which all
** kept ones are as they were.  So with a set P_i of states for each instance i,
**
**   Q(X, Y) = sum over M of P(M | X) [Y in S_M] / |S_M|,   S_M the intersection of M's P_i.
**
** Instances with the same P_i are one, and sets S_M are merged as they are found. */
#ifndef INFER_TRANSITION_H
#define INFER_TRANSITION_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One set of states that a step may keep to, and by how much: |w|, added up. */
typedef struct {
  const uint64_t *states; /* bits */
  double weight;
} Preference;

typedef struct {
  size_t n, words;    /* states; words of a set of them */
  double *log_weight; /* by state */
  VEC(uint64_t) sets; /* preference after preference */
  VEC(double) weights;
} Transition; /* of the states alone; filled by the caller */

/* Adds a set of states, or its weight to that of an equal one. */
void transition_prefer(Transition *, const uint64_t *states, double weight);
void transition_free(Transition *);

/* `matrix`: n by n, by row.  LIMIT: there are too many sets. */
Status transition_fill(const Transition *, const Limits *, double *matrix);

/* How far a matrix is from what Theorem 1 says of it. */
typedef struct {
  double least;      /* entry: if it is positive, any state is reached from any other at once */
  double rows;       /* largest distance of a row's sum from 1 */
  double balance;    /* largest |P(X) Q(X,Y) - P(Y) Q(Y,X)| */
  double stationary; /* largest |(P Q)(Y) - P(Y)| */
} TransitionCheck;

TransitionCheck transition_check(const double *matrix, const double *probability, size_t n);

/* Were these numbers of transitions (n by n) drawn from the rows of the matrix?  Cells of
** less than five expected ones are put together. */
typedef struct {
  double chi_square, p_value;
  size_t degrees;
} TransitionTest;

TransitionTest transition_test(const double *matrix, const double *seen, size_t n);

#endif
