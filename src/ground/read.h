/* read.h - from a program to its ground program: asks the worker to ground,
** puts together what comes back (see script.h), and says in the user's own
** terms what the grounder had to complain about. */
#ifndef GROUND_READ_H
#define GROUND_READ_H

#include "ground/ground.h"
#include "ground/script.h"
#include "solver/client.h"

/* Fills and seals `ground`.  INPUT: errors are reported in the program's
** sources.  `worker` is started if it does not run. */
Status ground_read(Program *, ScriptOptions, Worker *, const char *worker_path, const Limits *,
                   Ground *);

/* Asks for syntax errors only, of a program that has errors already. */
Status ground_complain(Program *, Worker *, const char *worker_path, const Limits *);

/* Reports what a worker's outcome means for the user. */
Status ground_outcome(Program *, WorkerOutcome, const Worker *, const char *during);

#endif
