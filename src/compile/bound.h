/* bound.h - what is certain about a theory before it is compiled: lower and upper bounds.
**
** The same branching as search.h, but the heaviest part first instead of one branch after
** the other.  What was branched on is a graph: a node stands for a part of a residual; it
** is open (nothing is known but its rules) or has two branches, each with a factor, the
** literals that it told and the parts that are left.  Equal parts are one node.
**
** The two factors of an input are normalised to sum 1, those of a determined variable so
** that the larger is 1.  So the value of an open node lies in [0, 1], or in [least, 1] if
** nothing constrains it, and the graph with its open nodes at the one end or the other has
** a lower and an upper bound for the weight of everything, at any moment.  That holds for
** events too: a lower bound for what tells q, and the upper bound of all without what tells
** not q.
**
** The weight of the best model has bounds in the same way (`best`): a node's value is the
** larger of its branches' then, and of every variable, inputs too, the larger factor is 1.
**
** Numbers are long doubles; each evaluation knows a bound of its own rounding errors and
** moves what it says outwards by it.  What is found depends on the work allowed alone, not
** on the clock. */
#ifndef COMPILE_BOUND_H
#define COMPILE_BOUND_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "compile/residual.h"
#include "compile/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One side of a decision, or all of a question. */
typedef struct {
  long double factor;    /* of the decision and of all that it told; 0: no model */
  uint32_t factors;      /* how many were multiplied */
  uint32_t first, parts; /* in links: the nodes that are left */
  uint32_t told, tolds;  /* in told: literals of variables that somebody asks about */
} BoundBranch;

typedef struct {
  ResidualKey key;
  uint32_t *words;   /* its rules, owned; NULL: it has branches */
  uint32_t size;     /* in words */
  uint32_t question; /* whose outputs it tells */
  uint32_t branch;   /* the first of its two branches */
  long double least; /* its value is at least that */
} BoundNode;

/* A question about the theory: with evidence, some atoms told. */
typedef struct {
  BoundBranch whole;
  uint32_t first, count; /* in wanted */
  bool closed;           /* no open node is left: it is known up to rounding */
} BoundQuestion;

/* Bounds of a weight, relative to the theory's scale. */
typedef struct {
  long double lower, upper;
} BoundRange;

/* A node in one evaluation, with open nodes at their least and at their most. */
typedef struct {
  long double least, most;
  long double above_least, above_most; /* derivatives of the question's value by them */
  double error;                        /* relative: of least and most, by rounding */
} BoundValue;

typedef struct {
  const CompileUnit *unit;
  Residual residual;
  long double *factor; /* by literal of the unit's variables */
  double factor_error; /* relative, of each of them */
  bool *asked;         /* by variable: what tells it is kept */
  bool best;           /* values are of the best model, not of all */
  double log_scale;    /* ln of what normalising has taken out */
  double scale_error;  /* of log_scale */
  VEC(BoundNode) nodes;
  VEC(BoundBranch) branches;
  VEC(uint32_t) links;
  VEC(uint32_t) told;
  VEC(BoundQuestion) questions;
  VEC(uint32_t) wanted; /* atoms, question after question */
  uint32_t *memo;       /* node + 1, open addressing */
  size_t memo_room;
  size_t kept;      /* words of open nodes */
  uint32_t current; /* question whose outputs the residual tells */
  /* One evaluation: by node, those of `order`. */
  VEC(uint32_t) order; /* children before parents */
  VEC(uint32_t) stack, stamp;
  uint32_t clock;
  VEC(BoundValue) value;
  VEC(long double) scratch;
} Bound;

/* `weights` by weight of the ground program; `asked` by atom of the theory: those that any
** question will be about; `best`: about the weight of the best model, and no atom. */
void bound_begin(Bound *, const CompileUnit *, const double *weights, const bool *asked, bool best);
void bound_free(Bound *);

/* A question: literals that hold, atoms whose probability is wanted (derived ones at least).
** Returns its number. */
uint32_t bound_ask(Bound *, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                   size_t wants);

typedef struct {
  uint64_t work; /* words looked at, roughly */
  size_t memory; /* bytes; 0: no limit */
  Limits until;
} BoundLimits;

/* Goes on with a question until that much more work is done or it is closed.  LIMIT: memory
** or time; INTERRUPTED.  Whatever the status, what is known is certain. */
Status bound_run(Bound *, uint32_t question, const BoundLimits *);

/* What is certain of a question.  `holds` and `fails`, by atom of `atoms` (asked ones of
** this question or inputs): weights of the models where it holds and where it does not. */
typedef struct {
  BoundRange all;
  double open; /* share of the upper bound that is not explored */
} BoundState;

BoundState bound_read(Bound *, uint32_t question, const uint32_t *atoms, size_t n,
                      BoundRange *holds, BoundRange *fails);

/* ---- bound_graph.c: the graph ----------------------------------------------------- */

/* Gives an open node its branches. */
void bound_expand(Bound *, uint32_t number);

static inline bool bound_open(const Bound *b, uint32_t node) { return b->nodes.at[node].words; }

/* ---- bound_value.c: evaluations ---------------------------------------------------- */

/* Fills order and value for a question; its own value is returned. */
BoundValue bound_evaluate(Bound *, uint32_t question);

#endif
