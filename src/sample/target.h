/* target.h - the program that chains walk on.
**
** A part of a ground program (some of its independent components), with its evidence
** and with a literal for the violation of each soft instance: an atom of its own
** where the program has none.  So the state of a chain is the truth of atoms alone,
** and whatever a step keeps is a list of literals.
**
** Made once, then only read, by all chains at the same time. */
#ifndef SAMPLE_TARGET_H
#define SAMPLE_TARGET_H

#include "compile/strata.h"

typedef struct {
  Lit violated;    /* holds iff the instance is violated */
  uint32_t weight; /* in the weights of the program */
} TargetSoft;

typedef struct {
  Ground ground; /* atoms have the numbers of the program; further ones follow */
  Analysis analysis;
  Strata strata;
  TargetSoft *soft;      /* component after component */
  uint32_t *soft_start;  /* by component; one more */
  Atom *guessed;         /* in the same way */
  uint32_t *guess_start;
  VEC(Lit) evidence;
  VEC(uint32_t) constants; /* weights of instances that are always violated */
} Target;

/* `dropped`: by atom, whole components.  Evidence about them is left out. */
void target_make(const Ground *, const bool *dropped, const Lit *evidence, size_t evidences, Target *);
void target_free(Target *);

static inline bool target_holds(const bool *atoms, Lit l) {
  return atoms[lit_atom(l)] != lit_negated(l);
}

/* Adds the number of violated instances of each weight, constants included. */
void target_count(const Target *, const bool *atoms, double *counts);

#endif
