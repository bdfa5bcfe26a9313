/* markov.h - the program in Markov logic, for Alchemy or Tuffy (the paper, Theorem 4).
**
** A tight program has the same probabilities as its rules read as formulas,
** together with the hard formulas of its completion: an atom holds only if a rule
** for it, hard or soft, has a true body.  Rules keep their variables if each is
** made of plain literals and no predicate depends positively on itself; if not,
** the ground program is written. */
#ifndef WRITE_MARKOV_H
#define WRITE_MARKOV_H

#include "base/memory.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "language/instance.h"
#include "language/program.h"
#include "write/markov_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const Program *program;
  const Ground *named;  /* the grounder's program, for instances and their weights */
  const Ground *ground; /* the same without what serves observations; sealed and tight */
  const Lit *evidence;  /* literals of ground that hold */
  size_t evidences;
  bool tuffy;
  bool rules; /* the variables stayed */
  ToMarkovNames names;
  Text out;
  Text refusal; /* why there is no translation; empty: there is */
} ToMarkov;

/* The first line of each says what it is. */
void to_markov_write(ToMarkov *);

/* The truth of atoms, as training data; refused if one has no name. */
void to_markov_write_data(ToMarkov *, const Lit *literals, size_t n, Text *out);

/* ---- parts ---------------------------------------------------------------------- */

/* to_markov_ground.c */
void to_markov_write_ground(ToMarkov *);

/* to_markov_rules.c: false if the program's rules can't be written with variables;
** then nothing was written. */
bool to_markov_write_rules(ToMarkov *);

/* Facts, and that no other atom of the predicate holds than those listed.  The
** atoms are all of one predicate. */
void to_markov_write_possible(ToMarkov *, uint32_t predicate, const Atom *atoms, size_t n);
void to_markov_write_literal(const ToMarkov *, Lit, Text *);
void to_markov_write_weight(double, Text *);

#endif
