/* mln.h - the program in Markov logic, for Alchemy or Tuffy (the paper, Theorem 4).
**
** A tight program has the same probabilities as its rules read as formulas,
** together with the hard formulas of its completion: an atom holds only if a rule
** for it, hard or soft, has a true body.  Rules keep their variables if each is
** made of plain literals and no predicate depends positively on itself; if not,
** the ground program is written. */
#ifndef TRANSLATE_MLN_H
#define TRANSLATE_MLN_H

#include "ground/analysis.h"
#include "language/instance.h"
#include "translate/mln_names.h"

typedef struct {
  Program *program;
  const Ground *named;  /* the grounder's program, for instances and their weights */
  const Ground *ground; /* the same without what serves observations; sealed and tight */
  const Lit *evidence;  /* literals of ground that hold */
  size_t evidences;
  bool tuffy;
  bool rules; /* the variables stayed */
  MlnNames names;
  Text out;
  Text refusal; /* why there is no translation; empty: there is */
} Mln;

/* The first line of each says what it is. */
void mln_write(Mln *);

/* The truth of atoms, as training data; refused if one has no name. */
void mln_write_data(Mln *, const Lit *literals, size_t n, Text *out);

/* ---- parts ---------------------------------------------------------------------- */

/* mln_ground.c */
void mln_write_ground(Mln *);

/* mln_rules.c: false if the program's rules can't be written with variables;
** then nothing was written. */
bool mln_write_rules(Mln *);

/* Facts, and that no other atom of the predicate holds than those listed.  The
** atoms are all of one predicate. */
void mln_write_possible(Mln *, uint32_t predicate, const Atom *atoms, size_t n);
void mln_write_literal(const Mln *, Lit, Text *);
void mln_write_weight(double, Text *);

#endif
