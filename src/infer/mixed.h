/* mixed.h - a program of which some components are compiled and the rest is sampled.
**
** Components share no atom, so each is a problem of its own: probabilities of atoms of
** compiled ones are exact whatever happens in the others. */
#ifndef INFER_MIXED_H
#define INFER_MIXED_H

#include "infer/problem.h"
#include "sample/chains.h"

typedef struct {
  lpmln *p;
  Lit *evidence;
  size_t evidences;
  double *weights;
  bool *sampled;      /* by atom: in a component that is sampled */
  Ground ground;      /* the part that is compiled */
  Analysis analysis;
  Compiled compiled;
  bool compiling;     /* these three are there */
  CircuitRoot root;   /* with the evidence */
  CircuitValues values;
  bool valued;        /* root and values are there */
  Target target;      /* the part that is sampled */
  Chains chains;
} Mixed;

/* `parts`: compile what compiles within seconds; else sample everything.  Chains are at
** their first state.  NO_ANSWER is reported; whatever the status, mixed_free is right
** afterwards. */
Status mixed_begin(Mixed *, lpmln *, bool parts);
void mixed_free(Mixed *);

/* Burn-in, then samples of each chain; `done` as in chains_run. */
Status mixed_run(Mixed *, size_t samples, ChainsRecord, void *data, size_t *done);

/* What there is to say if the chains ended with this status. */
Status mixed_explain(Mixed *, Status);

#endif
