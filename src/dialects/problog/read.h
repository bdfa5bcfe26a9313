/* read.h - what the table of dialects needs to know of this one. */
#ifndef DIALECTS_PROBLOG_READ_H
#define DIALECTS_PROBLOG_READ_H

#include "dialects/dialect.h"

void problog_read(Dialect *);

#endif
