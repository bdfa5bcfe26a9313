/* doubt.h - warnings about what is right by the letter and probably meant otherwise. */
#ifndef LANGUAGE_DOUBT_H
#define LANGUAGE_DOUBT_H

#include "base/diagnostic.h"
#include "language/program.h"

#include <stdbool.h>

/* Of the texts of a program that has been read.  `closed`: what an observation does not list
** is false, so that an empty one says something. */
void program_doubts(const Program *, bool closed, Diagnostics *);

/* Of what other languages would take for something else: habit.c; program_doubts calls it. */
void program_habits(const Program *, Diagnostics *);

#endif
