/* endless.h - grounding that has no end: terms that are nested deeper and deeper, as those of
** `p(f(X)) :- p(X).`
**
** Now and then, when the number of rules has doubled, the grounder's atoms are looked at.
** What is nested deeper than any term that people write counts as endless: clingo itself
** could hardly print it. */
#ifndef WORKER_ENDLESS_H
#define WORKER_ENDLESS_H

#include "solver/worker/bytes.h"
#include "solver/worker/clingo_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const clingo_control_t *control; /* that grounds */
  const char *prefix;              /* of names that are not the user's */
  size_t rules;
  const char *name; /* the predicate whose terms have no end; NULL: none was seen */
  size_t atoms;     /* of it, so far */
  size_t depth;     /* of one of them */
} Endless;

/* Counts a rule.  False: it has no end.  If there are many already, tells which predicates
** grow, and which has the most atoms, for whoever runs out of patience. */
bool endless_look(Endless *, Buffer *);

/* Instead of `done`. */
void endless_done(const Endless *, Buffer *);

#endif
