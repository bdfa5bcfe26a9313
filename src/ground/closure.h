/* closure.h - transitive closures, recognised at the level of rules.
**
** A rule p(X,Y,…) :- p(X,Z,…), p(Z,Y,…), whose other arguments are shared by all
** three atoms, makes p the transitive closure of what the other rules for p
** derive.  If these are hard rules with the one head p, then with a base
** predicate b in their heads the linear form
**     p(X,Y,…) :- b(X,Y,…).     p(X,Y,…) :- p(X,Z,…), b(Z,Y,…).
** has the same least model in every reduct, grounds to far fewer rules, and lets
** the rows nobody asks about be sliced away.  A choice or soft rule for p would
** spoil that: its atoms need support of their own. */
#ifndef GROUND_CLOSURE_H
#define GROUND_CLOSURE_H

#include "base/memory.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t statement;      /* the recursive rule */
  uint32_t near, far;      /* its body atoms p(X,Z), p(Z,Y): tokens of the names */
  uint32_t source, target; /* where X and Y stand among the arguments */
  bool right;              /* use b(X,Z), p(Z,Y) instead: targets are asked for */
} Closure;

typedef VEC(Closure) Closures;

void closures_find(const Program *, Closures *);

/* The closure whose predicate this rule's head has, or NULL. */
const Closure *closure_of(const Program *, const Closures *, const Statement *);

#endif
