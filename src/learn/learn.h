/* learn.h - observations to weights: the question as a whole. */
#ifndef LEARN_LEARN_H
#define LEARN_LEARN_H

#include "infer/task.h"
#include "lpmln/lpmln.h"

/* Fills the answer, all but its program's text.  Options that do not go together: USAGE.
** `noise`: the predicate of noise atoms that the program was given (ground/noise.h), NULL:
** none. */
Status learn(Task *, const lpmln_learning_options *, const char *noise, lpmln_learning *);

#endif
