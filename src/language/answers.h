/* answers.h - answer sets as solvers print them, read as complete observations.
**
** Of clingo (text and --outf=2) and of lpmln's own sample and models (text and JSON).  They
** become the text of observations, with a map of places; atoms that the program shows and
** an answer set does not list are false. */
#ifndef LANGUAGE_ANSWERS_H
#define LANGUAGE_ANSWERS_H

#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* Is the text a list of answer sets?  No text of observations is one: a statement ends in a
** full stop, and none starts with a brace. */
bool answers_recognise(const Program *, uint32_t source);

/* Reads the answer sets, each as a block; `blocks`: there may be several. */
void answers_read(Program *, uint32_t source, bool blocks);

#endif
