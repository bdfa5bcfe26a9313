/* target.h - the program that chains walk on.
**
** A part of a ground program, some of its independent components, with its evidence.
** The state of a chain is the truth of all its atoms.  Made once, then only read, by all
** chains at the same time. */
#ifndef SAMPLE_TARGET_H
#define SAMPLE_TARGET_H

#include "base/memory.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instance that may be violated or not. */
typedef struct {
  uint32_t rule, instance, weight; /* of the ground program */
} TargetSoft;

typedef struct {
  Ground ground; /* the part; numbers are those of the program */
  Analysis analysis;
  Strata strata;
  TargetSoft *soft;     /* component after component */
  uint32_t *soft_start; /* by component; one more */
  Atom *guessed;        /* in the same way */
  uint32_t *guess_start;
  VEC(Lit) evidence;
  VEC(uint32_t) constants; /* weights of instances that are always violated */
} Target;

/* `dropped`: by atom, whole components.  Evidence about them is left out. */
void target_make(const Ground *, const bool *dropped, const Lit *evidence, size_t evidences,
                 Target *);
void target_free(Target *);

bool target_violated(const Target *, const TargetSoft *, const bool *atoms);

/* Adds the number of violated instances of each weight, constants included. */
void target_count(const Target *, const bool *atoms, double *counts);

#endif
