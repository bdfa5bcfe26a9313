/* intervals.h - bounds for a whole program: ln Z, ln P(evidence), the probability of atoms, or
** the weight of the best stable model.
**
** Components share no atom, so each has questions of its own (bound.h): without evidence, one
** for all that are equal; with the evidence; and with derived atoms that are asked for, in
** groups.  All that is read is certain at any moment, and closes as work is done. */
#ifndef COMPILE_INTERVALS_H
#define COMPILE_INTERVALS_H

#include "base/bytes.h"
#include "base/graph.h"
#include "base/memory.h"
#include "base/status.h"
#include "compile/bound.h"
#include "compile/compile.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  double lower, upper;
} Interval;

/* A question to a component, and what it says so far. */
typedef struct {
  uint32_t component;
  uint32_t number;       /* in its kind's Bound */
  uint32_t first, count; /* in atoms */
  bool given;            /* with the evidence */
  bool closed;           /* no more can be known */
  BoundState state;
  double width; /* of its widest interval */
} IntervalQuestion;

/* An atom that is asked for; atoms of a question stand together. */
typedef struct {
  Atom atom;
  uint32_t asked; /* its place in the caller's list */
  Interval probability;
} IntervalAtom;

typedef struct {
  Compiled *c;
  const double *weights;
  const Lit *evidence;
  size_t evidences;
  Bound *bounds; /* by kind; unit NULL: it has no theory */
  VEC(IntervalQuestion) questions;
  GraphLists of_kind; /* by kind: its questions */
  VEC(IntervalAtom) atoms;
  uint32_t *prior, *given; /* by kind, by component: 1 + its question without atoms; 0: none */
  bool impossible;         /* evidence against what is certain */
  bool best;               /* about the best stable model's weight */
  uint64_t slice;          /* work of the next turn of each question */
} Intervals;

/* About any atoms; weights by weight of the ground program.  All is borrowed. */
void intervals_begin(Intervals *, Compiled *, const Lit *evidence, size_t evidences,
                     const Atom *atoms, size_t n, const double *weights);
/* About the ln weight of the best stable model with the evidence (intervals_log_best alone). */
void intervals_begin_best(Intervals *, Compiled *, const Lit *evidence, size_t evidences,
                          const double *weights);
void intervals_free(Intervals *);

/* One turn: each question whose intervals are wider than `precision` gets a slice of work, the
** next turn twice as much; questions without atoms count if there are no others, or `all`.
** `limits->work` is what a turn may do at most (0: no limit). */
Status intervals_turn(Intervals *, double precision, bool all, const BoundLimits *limits);

/* The same for the components of one kind, which share nothing with the others, with that much
** work for each question; what they know then, as bytes, and from such bytes. */
Status intervals_turn_kind(Intervals *, uint32_t kind, uint64_t slice, double precision, bool all,
                           const BoundLimits *limits);
void intervals_put(const Intervals *, uint32_t kind, Text *);
void intervals_take(Intervals *, uint32_t kind, Bytes *);
bool intervals_asks(const Intervals *, uint32_t kind, double precision, bool all);

/* Whether another turn can say more. */
bool intervals_closed(const Intervals *, double precision, bool all);

/* What is certain so far.  ln P(evidence) and probabilities are about evidence that is possible:
** intervals_possible is 1 if it is known to be, 0 if it is known not to be, else -1. */
Interval intervals_log_partition(const Intervals *);
Interval intervals_log_evidence(const Intervals *);
Interval intervals_log_best(const Intervals *);
int intervals_possible(const Intervals *);
void intervals_probabilities(const Intervals *, Interval *by_asked);

/* The widest interval of an atom, and the share of the upper bounds that was explored. */
double intervals_width(const Intervals *);
double intervals_explored(const Intervals *);

#endif
