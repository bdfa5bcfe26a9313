/* session.h - one question from the command line: the program with its inputs, what is
** said while it is answered and after it. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>

struct Session {
  const Settings *settings;
  lpmln_program *program;
  Progress progress;
  Text out; /* the answer, as it will be printed */
};

/* Also when it fails, session_close is next. */
lpmln_status session_open(Session *, const Settings *);

/* Messages come before the answer: ends the progress and prints them.  True if the
** question has an answer. */
bool session_answered(Session *, const lpmln_answer *about);

/* Prints `out`, frees everything; the exit code. */
int session_close(Session *, lpmln_status);

#endif
