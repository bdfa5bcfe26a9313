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
  VEC(lpmln_program *) others; /* of compare: the second program and those that follow */
  Progress progress;
  double began;   /* seconds of a clock that never goes back */
  Text out;       /* the answer, as it will be printed */
  bool failed;    /* there is none: `out` says why, for programs */
  bool passed_on; /* there was more of it before… */
  int aside;      /* …which is here, if it is to go to a file */
};

/* Also when it fails, session_close is next. */
lpmln_status session_open(Session *, const Settings *);

/* Messages come before the answer: ends the progress and prints them.  True if the
** question has an answer. */
bool session_answered(Session *, const lpmln_answer *about);

/* A long answer, so far: it need not be in memory at once.  `out` is empty then; false: it can't be
** written. */
bool session_pass_on(Session *);

/* A further program that an interrupt stops; NULL: none any more. */
void session_interrupts(lpmln_program *);

/* What a report may take beside the answer: two seconds or twice the time until now, within the
** time limit. */
double session_seconds(const Session *);

/* The probabilities without the evidence, within what is left of the time, of the texts
** that were read; NULL: there is no
** evidence, or no such answer. */
const lpmln_inference *session_before(Session *, const lpmln_sources *);

/* Prints `out`, frees everything; the exit code. */
int session_close(Session *, lpmln_status);

/* The limit of the worker process is for this one, too. */
void session_limit_memory(size_t mebibytes);

#endif
