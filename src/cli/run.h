/* run.h - a whole command line: read, asked, printed. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "lpmln/lpmln.h"

/* The exit code.  `ranks`: the processes that answer together; NULL: this one alone. */
int run(int argc, char **argv, const lpmln_ranks *ranks);

/* The same where memory may be out: that is said. */
int run_guarded(int argc, char **argv, const lpmln_ranks *ranks);

#endif
