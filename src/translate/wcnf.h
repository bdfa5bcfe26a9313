/* wcnf.h - the ground program as clauses whose models are its stable models,
** one to one, with weights on literals: for weighted model counters. */
#ifndef TRANSLATE_WCNF_H
#define TRANSLATE_WCNF_H

#include "ground/analysis.h"
#include "translate/cnf.h"

/* `required` literals (of evidence) hold as well.  OK; LIMIT: too large;
** NO_ANSWER: `*obstacle` is then an atom of a component with head cycles that
** has too many atoms. */
Status translate_wcnf(const Ground *, const Analysis *, const Lit *required, size_t count,
                      Text *out, Atom *obstacle);

#endif
