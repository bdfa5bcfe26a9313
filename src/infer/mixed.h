/* mixed.h - a program of which some components are compiled and the rest is sampled.
**
** Components share no atom, so each is a problem of its own: probabilities of atoms of
** compiled ones are exact whatever happens in the others. */
#ifndef INFER_MIXED_H
#define INFER_MIXED_H

#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "sample/chains.h"
#include "sample/ladder.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked about; all borrowed. */
typedef struct {
  const Task *task;
  const Ground *ground;
  const Analysis *analysis;
  const Lit *evidence;
  size_t evidences;
  const double *weights; /* by weight; they may change later */
  bool parts;            /* compile what compiles within seconds; else sample everything */
  size_t chains;
  uint64_t stream; /* of random numbers */
} MixedQuestion;

typedef struct {
  MixedQuestion q;
  bool *sampled; /* by atom: in a component that is sampled */
  Ground ground; /* the part that is compiled */
  Analysis analysis;
  Compiled compiled;
  bool compiling;   /* these three are there */
  CircuitRoot root; /* with the evidence */
  CircuitValues values;
  bool valued;   /* root and values are there */
  Target target; /* the part that is sampled */
  Chains chains;
} Mixed;

/* Chains are at their first state.  NO_ANSWER: no stable model agrees with the evidence.
** Whatever the status, mixed_free is right afterwards. */
Status mixed_begin(Mixed *, const MixedQuestion *);
void mixed_free(Mixed *);

/* Burn-in, then samples of each chain; `done` as in chains_run. */
Status mixed_run(Mixed *, size_t burn_in, size_t samples, ChainsRecord, void *data, size_t *done);

/* Evidence about atoms that are compiled; the caller frees it. */
Lit *mixed_own_evidence(const Mixed *, size_t *count);

/* ln of the sum of weights of the stable models with the evidence, and (if not NULL) of all.
** `samples` of each chain on each rung.  A limit leaves NAN. */
Status mixed_log_sums(Mixed *, size_t samples, LogEstimate *with, LogEstimate *all);

/* Says why it is not proven that the chains reach every stable model, if it is not. */
void mixed_explain_guarantee(const Mixed *);

#endif
