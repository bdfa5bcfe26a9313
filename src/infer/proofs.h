/* proofs.h - minimal sets of guesses that leave no other outcome, the most probable first.
**
** Two circuits of the same variables are given: the stable models (with the evidence) in which
** the query holds, and those in which it does not.  A set of literals of guesses is a proof if it
** occurs in the first, not in the second, and no subset is one. */
#ifndef INFER_PROOFS_H
#define INFER_PROOFS_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>

/* A root of one part, with a circuit of its own. */
typedef struct {
  Circuit circuit;
  CircuitRoot root;
} Side;

void side_free(Side *);

/* A side with literals set; what was there is not freed.  False: no model is left. */
bool side_set(const Side *, const Lit *, size_t n, Side *to);

/* P(literal | the side's models) of all atoms that it mentions, by atom. */
void side_marginals(const Side *, const double *weights, Probability *);

/* The most probable model of a side: the atoms that it mentions, by atom. */
void side_best(const Side *, const double *weights, bool *model);

/* ln of the share of `part`, which is `whole` with literals set. */
double side_log_share(const Side *part, const Side *whole, const double *weights);

typedef struct {
  const Side *with, *against; /* against may have no model */
  bool always;                /* it has none */
  const double *weights;
  const Lit *guesses; /* literals, one for each guess */
  const bool *free;   /* by guess: see guesses.h */
  size_t guess_count, atoms;
  size_t most;  /* 0: all */
  double least; /* share of a proof, at least */
  const Limits *limits;
  bool *undecided; /* not NULL: two models that agree on all guesses and not on the query end the
                   ** search, and this becomes true */
} ProofSearch;

typedef struct {
  VEC(Lit) literals; /* sorted */
  double log_share;  /* ln P(literals | the models of `with`) */
} Proof;

typedef VEC(Proof) Proofs;

/* LIMIT, INTERRUPTED: those that were found so far. */
Status proofs_find(const ProofSearch *, Proofs *);
void proofs_free(Proofs *);

#endif
