/* place.h - where the worker's program is. */
#ifndef SOLVER_PLACE_H
#define SOLVER_PLACE_H

/* The path that is wanted, or, if that is NULL, where it is found: near the running program,
** near this library, or where it was to be installed.  To be freed. */
char *worker_place(const char *wanted);

#endif
