/* flips.h - moves that change one guessed atom, or two of a choice, and what follows from it.
**
** The others being given, a guessed atom is true or false with known odds: those of the
** instances that become violated or satisfied.  What follows from the guesses is kept up
** to date rule by rule, so a flip costs what it touches; one that would be no stable model,
** or contradict the evidence, has odds 0.  P(. | evidence) stays as it is.
**
** The plan says for which atoms that is right, and how.  Given the guesses the other atoms
** are a least model, so all is stable if hard rules hold and every guessed atom that is true
** has a rule with a true body of which it is the only true head, unless guessed atoms depend
** positively on each other: atoms with a part in such a loop are left to other moves.
** Made once with the target, then only read, by all chains. */
#ifndef SAMPLE_FLIPS_H
#define SAMPLE_FLIPS_H

#include "base/graph.h"
#include "base/memory.h"
#include "base/random.h"
#include "ground/ground.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an atom is flipped: not at all; by a table of odds; by a look at its rules; by doing
** it and perhaps undoing it. */
typedef enum { FLIP_NEVER, FLIP_TABLE, FLIP_LOOK, FLIP_TRY } FlipSort;

typedef enum { FLIP_CHOICE, FLIP_DERIVES, FLIP_SOFT, FLIP_HARD } FlipRule;

/* Of an atom in a body: what its truth takes from what the rule needs; a negated one gives. */
typedef struct {
  uint32_t rule;
  int32_t step;
} FlipLiteral;

/* Why flips alone may not reach every stable model. */
typedef enum {
  FLIP_FREE,     /* they do */
  FLIP_LOOP,     /* an atom in a loop of guessed atoms */
  FLIP_RULE,     /* a hard rule that mentions the atom */
  FLIP_EVIDENCE, /* about the atom */
  FLIP_SUPPORT   /* the atom's rules depend on it in a circle */
} FlipReason;

typedef struct {
  FlipReason reason;
  Atom atom; /* NONE: FLIP_FREE */
} FlipObstacle;

typedef struct {
  uint8_t *kind;         /* by rule: FlipRule */
  uint32_t *about;       /* by rule: the atom that it derives, or its weight; NONE: of no weight */
  bool *supporting;      /* by rule: it has a tracked head */
  uint8_t *sort;         /* by atom: FlipSort */
  bool *tracked;         /* by atom: guessed, and its last rule may stop to support it */
  int8_t *observed;      /* by atom: 1, 0, or -1 if there is no evidence */
  uint32_t *group;       /* by atom that follows: its stratum, lowest first; else NONE */
  bool *looping;         /* by group */
  FlipLiteral *literals; /* by atom: where it is in bodies of rules that are counted */
  uint32_t *first;       /* by atom, in literals; one more */
  GraphLists heads;      /* by atom: counted rules that have it as guessed head */
  GraphLists rules;      /* by atom that follows: its rules */
  Atom *order;           /* atoms that are flipped */
  uint32_t count;
  uint32_t movable;       /* these, and those that evidence is about */
  GraphLists near;        /* by place in order: other atoms that its odds depend on… */
  GraphLists deciding;    /* …and the rules that decide; both of FLIP_TABLE only */
  uint32_t *entry;        /* by place in order: its part of the table */
  uint32_t entries;       /* of the table */
  uint32_t groups;        /* of atoms that follow */
  GraphLists choices;     /* heads that may change in pairs, where single ones may not… */
  uint32_t swaps;         /* …so many lists */
  bool *swapped;          /* by atom: it is in one of them */
  FlipObstacle *obstacle; /* by component */
} FlipPlan;               /* {0} is none */

void flip_plan_make(FlipPlan *, const Target *);
void flip_plan_free(FlipPlan *);

typedef struct {
  Atom atom;
  uint32_t rule;
  uint64_t rank;
} FlipSource;

typedef VEC(Atom) FlipAtoms;

/* The state of a chain, as far as flips need it.  Of a rule that is counted, the body holds
** iff `left` is 0 or less.  An atom of a looping group that is true has a source, a rule
** whose body is true and whose atoms of the same group are of lower rank. */
typedef struct {
  const Target *target;
  const FlipPlan *plan;
  double *weights;     /* of the last sweep */
  double *chance;      /* the table: probability to be true; NAN: not yet known */
  bool *atoms;         /* the chain's */
  int64_t *left;       /* by rule */
  uint32_t *true_head; /* by rule: guessed heads that are true */
  uint32_t *supports;  /* by atom: rules that do */
  uint32_t *source;    /* by atom */
  uint64_t *rank, clock;
  uint32_t *heap, heaped;  /* groups that wait, the lowest first */
  FlipAtoms *waiting;      /* by group */
  bool *waits;             /* by atom */
  FlipAtoms toggled;       /* by the flip under way */
  VEC(FlipSource) sources; /* before it */
  double gain;             /* of the flip under way, in ln weight */
  int64_t broken;          /* hard rules, evidence and supports that fail */
  uint64_t tried, blocked; /* flips so far, and those with odds 0 */
  bool undoing;
  bool fresh; /* the counters are those of the atoms */
  bool swept; /* weights and table are there */
} Flips;      /* {0} is none */

void flips_begin(Flips *, const Target *, const FlipPlan *, bool *atoms);
void flips_free(Flips *);

/* Says that others have changed the atoms. */
void flips_stale(Flips *);

/* Every atom of the plan has its turn, and every choice whose heads change in pairs.  `atoms` are
** a stable model with the evidence, before and after. */
void flips_sweep(Flips *, const double *weights, Random *);
void flips_sweep_back(Flips *, const double *weights, Random *); /* the last atom first */

/* Fills in what follows from the guesses; false: it is no stable model.  Right only if the plan
** can flip every guessed atom. */
bool flips_settle(Flips *);

/* ---- for flip_plan.c and flips.c ---------------------------------------------------- */

/* flip_reach.c: fills the obstacles.  `untouchable`: by atom, in or near to a loop of guessed
** atoms. */
void flip_obstacles(FlipPlan *, const Target *, const bool *untouchable);

/* flip_table.c: the probability that the atom at this place in the order is true, given all
** others. */
double flip_chance(Flips *, uint32_t place);

#endif
