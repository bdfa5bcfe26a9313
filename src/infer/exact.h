/* exact.h - the circuits that exact answers come from. */
#ifndef INFER_EXACT_H
#define INFER_EXACT_H

#include "base/scaled.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "compile/strata.h"
#include "infer/engine.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "sample/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  Compiled *c;                   /* the task's */
  CircuitRoot program, observed; /* alone, and with the evidence */
} ExactRoots;

/* Says why if it can't be done.  Whatever the status, exact_roots_free is right. */
Status exact_roots(const Task *, ExactRoots *);
void exact_roots_free(ExactRoots *);

/* What the circuit says about atoms within the limits: all of it, or of LIMIT and INTERRUPTED
** some. */
typedef struct {
  ExactRoots roots;
  bool rooted; /* what follows is there */
  CircuitValues values;
  Log program, observed; /* their ln */
} ExactFound;

/* Probabilities that are not known are NAN.  Whatever the status, exact_found_free is right. */
Status exact_find(const Task *, const Atom *, size_t n, ExactFound *, Probability *);
void exact_found_free(ExactFound *);

/* The answer, if all of them are known. */
void exact_answer(const Task *, const ExactFound *, const AskedList *, bool always,
                  const Probability *, lpmln_inference *);

/* Independent samples of the circuit (which is rooted) tell any atom: estimates of those that are
** NAN so far.  Returns how many were drawn. */
size_t exact_estimate(const Task *, const ExactFound *, const Atom *, size_t n, const Probability *,
                      Estimate *);

/* A circuit to list and draw stable models from; all borrowed. */
typedef struct {
  const Circuit *circuit;
  const CircuitRoot *root; /* possible */
  const Strata *strata;
  const double *weights;
} ExactSource;

Status exact_list(const Task *, const ExactSource *, Wanted, lpmln_models *);
Status exact_draw(const Task *, const ExactSource *, size_t count, lpmln_samples *);

#endif
