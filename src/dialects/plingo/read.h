/* read.h - what the table of dialects needs to know of this one. */
#ifndef DIALECTS_PLINGO_READ_H
#define DIALECTS_PLINGO_READ_H

#include "dialects/dialect.h"

void plingo_read(Dialect *);

#endif
