/* asp.h - the program as an answer set program for clingo. */
#ifndef WRITE_ASP_H
#define WRITE_ASP_H

#include "base/memory.h"
#include "ground/ground.h"
#include "ground/script.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>

typedef struct {
  lpmln_form form;
  double scale;  /* what weights are multiplied by */
  bool violable; /* hard rules, too */
} AspForm;

/* The paper's lpmln2asp: penalty or reward.  The ground program gives what
** clingo can't compute: weights of single instances, and which there are. */
void write_asp(const Program *, const Ground *, AspForm, Text *out);

#endif
