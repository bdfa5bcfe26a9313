/* hardness.h - what makes a program hard to compile, in words. */
#ifndef INFER_HARDNESS_H
#define INFER_HARDNESS_H

#include "base/memory.h"
#include "infer/task.h"

/* A sentence: which atoms hang together, at which width, by which rule; "" if no component is
** hard, or all are too large to look at. */
void hardness_write(const Task *, Text *);

/* Says it, as a note, with what a user can do. */
void hardness_say(const Task *);

#endif
