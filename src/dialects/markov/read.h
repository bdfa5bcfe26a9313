/* read.h - what the table of dialects needs to know of this one. */
#ifndef DIALECTS_MARKOV_READ_H
#define DIALECTS_MARKOV_READ_H

#include "dialects/dialect.h"

void markov_read(Dialect *);

#endif
