/* wcnf.h - the ground program as clauses whose models are its stable models,
** one to one, with weights on literals: for weighted model counters. */
#ifndef WRITE_WCNF_H
#define WRITE_WCNF_H

#include "base/memory.h"
#include "base/status.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "write/cnf.h"

#include <stddef.h>

/* `required` literals (of evidence) hold as well.  OK; LIMIT: too large;
** NO_ANSWER: `*obstacle` is then an atom of a component with head cycles that
** has too many atoms. */
Status write_wcnf(const Ground *, const Analysis *, const Lit *required, size_t count, Text *out,
                  Atom *obstacle);

#endif
