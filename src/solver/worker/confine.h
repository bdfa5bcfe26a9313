/* confine.h - what the worker may do: talk on the descriptors it was started with and use
** memory, up to its limit.  libclingo reads texts of strangers; should one of them take the
** process over, it finds no file, no network and no program to run.
**
** Builds with sanitizers or coverage, which write files of their own, go without the part
** that forbids system calls. */
#ifndef SOLVER_WORKER_CONFINE_H
#define SOLVER_WORKER_CONFINE_H

#include <stddef.h>

/* Called once, before anything is read. */
void confine(size_t mebibytes);

_Noreturn void leave(int code); /* from any thread */

#endif
