/* exact.h - the circuits that exact answers come from. */
#ifndef INFER_EXACT_H
#define INFER_EXACT_H

#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "compile/strata.h"
#include "infer/engine.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

#include <stddef.h>

typedef struct {
  Compiled *c;                   /* the task's */
  CircuitRoot program, observed; /* alone, and with the evidence */
} ExactRoots;

/* Says why if it can't be done.  Whatever the status, exact_roots_free is right. */
Status exact_roots(const Task *, ExactRoots *);
void exact_roots_free(ExactRoots *);

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
