/* clauses.h - parts of a question as clauses.
**
** What flat.h sees as factors, as a propositional formula: constraints, and both directions of
** definitions, with what rules derive as variables of their own.  Each of these is determined
** by the others and told by the clauses that mention it. */
#ifndef COMPILE_CLAUSES_H
#define COMPILE_CLAUSES_H

#include "compile/residual.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  Words atoms;           /* by variable, which are numbered as they are met */
  Words start, literals; /* by clause, and one more; 2v: variable v holds, 2v + 1: it does not */
  Words use, uses;       /* by literal, and one more: where its clauses start in uses */
  bool cut;              /* derived atoms are variables, too, that nobody asks for */
} Clauses;               /* {0} is empty */

/* False if the part is no flat one, or takes too many clauses: then nothing is left.
** `variable`: of each atom, in the circuit. */
bool clauses_make(Clauses *, const Residual *, const ResidualPart *, const uint32_t *variable);
void clauses_free(Clauses *);

static inline uint32_t clauses_count(const Clauses *c) { return (uint32_t)c->start.n - 1; }

#endif
