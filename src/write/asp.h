/* asp.h - the program as an answer set program for clingo. */
#ifndef WRITE_ASP_H
#define WRITE_ASP_H

#include "ground/ground.h"
#include "ground/script.h"

/* The paper's lpmln2asp: penalty or reward.  The ground program gives what
** clingo can't compute: weights of single instances, and which there are. */
void write_asp(Program *, const Ground *, lpmln_form, Text *out);

#endif
