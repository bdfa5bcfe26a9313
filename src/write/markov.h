/* markov.h - the program in Markov logic, for Alchemy or Tuffy (the paper, Theorem 4).
**
** A tight program has the same probabilities as its rules read as formulas,
** together with the hard formulas of its completion: an atom holds only if a rule
** for it, hard or soft, has a true body.  Rules keep their variables if each is
** made of plain literals and no predicate depends positively on itself; if not,
** the ground program is written, in which soft rules keep them if they can
** (markov_ties.h). */
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

/* Where a formula whose weight is to be learned stands. */
typedef struct {
  size_t offset;              /* in out */
  const Statement *statement; /* a rule with its variables; NULL: not known… */
  uint32_t weight;            /* …then the number of its weight in `named` */
} ToMarkovMark;

typedef struct {
  const Program *program;
  const Ground *named;  /* the grounder's program, for instances and their weights */
  const Ground *ground; /* the same without what serves observations; sealed and tight */
  const Lit *evidence;  /* literals of ground that hold */
  size_t evidences;
  bool tuffy;
  bool learned;       /* parameters have no number: they are to be learned */
  bool no_completion; /* rules as formulas alone */
  bool lift;          /* soft rules keep their variables where the program is ground */
  bool rules;         /* all variables stayed */
  ToMarkovNames names;
  Text out;
  VEC(ToMarkovMark) marks; /* in their order */
  Text refusal;            /* why there is no translation; empty: there is */
} ToMarkov;

/* The first line of each says what it is. */
void to_markov_write(ToMarkov *);

/* Frees what it has, but not `out`. */
void to_markov_free(ToMarkov *);

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

/* Is the weight, by its number in `named`, to be learned?  Then it is left out. */
bool to_markov_left_out(const ToMarkov *, uint32_t weight);

#endif
