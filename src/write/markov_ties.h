/* markov_ties.h - what keeps the weights of a parameter together where the program is ground.
**
** A ground formula of Markov logic has a weight of its own, so the instances of a parameter
** must be instances of one formula.  A soft rule of plain literals keeps its variables.  Of
** the others each instance gets an atom that says whether it holds, a case of the parameter's
** predicate, and the one weighted formula is `formula1(x)`. */
#ifndef WRITE_MARKOV_TIES_H
#define WRITE_MARKOV_TIES_H

#include "ground/ground.h"
#include "write/markov.h"
#include "write/markov_rules.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  ToMarkovRules rules; /* those with variables */
  bool *lifted;        /* by statement: it is among them */
  bool *tied;          /* by weight: its instances are cases */
} ToMarkovTies;

/* Reads rules and names cases; names must not be closed yet. */
void to_markov_ties_make(ToMarkov *, ToMarkovTies *);
void to_markov_ties_free(ToMarkovTies *);

/* Does a parameter that is to be learned weigh several statements? */
bool to_markov_several(const ToMarkov *);

/* The rules with variables, and for each tied parameter its one formula. */
void to_markov_write_ties(ToMarkov *, const ToMarkovTies *);

/* A ground soft rule that is one of their instances; false: it is not, nothing was written. */
bool to_markov_write_case(ToMarkov *, const ToMarkovTies *, const Rule *);

#endif
