/* read.h - from a program to its ground program: asks the worker to ground,
** puts together what comes back (see script.h), and says in the user's own
** terms what the grounder had to complain about. */
#ifndef GROUND_READ_H
#define GROUND_READ_H

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/status.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/script.h"
#include "language/program.h"
#include "solver/client.h"

/* What grounding makes, all of it sealed. */
typedef struct {
  Ground ground;
  Analysis analysis;
  Observations observed;
} Grounded; /* {0} is empty */

void grounded_free(Grounded *);

/* Fills it, or leaves it empty: INPUT, LIMIT, INTERRUPTED, see what was said.  `worker` is
** started if it does not run. */
Status ground_read(const Program *, Diagnostics *, ScriptOptions, Worker *, const Limits *,
                   Grounded *);

/* Asks for syntax errors only, of a program that has errors already. */
Status ground_complain(const Program *, Diagnostics *, Worker *, const Limits *);

/* Says what a worker's outcome means for the user. */
Status ground_outcome(Diagnostics *, WorkerOutcome, const Worker *, const char *during);

#endif
