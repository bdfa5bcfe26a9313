/* batch.h - many evaluations of one part of a circuit, a tile of lanes at a time.
**
** A lane is one evaluation: a vector of weights, and evidence about variables of
** the part's block.  BATCH_TILE lanes go through the nodes together, so that a
** node is looked up once for all of them.  Every array of lanes is [row][lane].
**
**   BatchPlan plan;
**   batch_plan_make(&plan, &circuit, part->node, part->block);
**   BatchWork work;                       one per thread; threads share the plan
**   batch_work_make(&work, &plan);
**   batch_up(&plan, &work, weights, evidence, log_value);
**   batch_down(&plan, &work, held, expected);          at most once for each up
**
** A plan is a program over slots.  Slot 0 is false, slot 1 true, slot 2 + l is
** local literal l (2v: local variable v holds, 2v+1: it does not); the others
** are results of steps.  A step multiplies two slots, or it decides between two
** by the literals of a variable.  So literals cost nothing, a decision with one
** way is a product with a literal, and longer products are trees of steps.
**
** Steps come in segments.  Only what a later segment reads has a slot of its
** own; all segments share the other slots, and the way down computes a segment's
** values again before it uses them.  That is cheaper than to fetch them from
** memory: what a segment touches stays in the cache.
**
** The two factors of a variable are scaled, those of an input to sum 1, those of
** a determined variable so that the larger is 1; then values and adjoints are in
** [0, 1].  A lane that comes out below BATCH_LEAST is done again with numbers
** that cannot underflow.  What a lane gives depends on no other lane. */
#ifndef CIRCUIT_BATCH_H
#define CIRCUIT_BATCH_H

#include "circuit/circuit.h"

enum { BATCH_TILE = 8 };
#define BATCH_LEAST 1e-200

typedef double BatchLanes __attribute__((vector_size(8 * BATCH_TILE)));

/* A product of slots: to = first * second (literal is 0).
** With a literal's slot and BATCH_ONE_WAY: to = literal * first.
** With a positive literal's: to = literal * first + (literal + 1) * second.
** `first` and `second` are slots, with BATCH_FRESH if on the way down, when
** `first` comes before `second`, nothing was added to that adjoint yet. */
typedef struct {
  uint32_t to, literal, first, second;
} BatchStep;

#define BATCH_ONE_WAY 0x80000000u
#define BATCH_FRESH 0x80000000u

typedef struct {
  uint32_t literal; /* local */
  uint32_t weight;  /* position in the plan's weights */
} BatchTerm;

typedef struct {
  uint32_t variables;    /* of the block; local v is variable v + its first */
  bool *input;           /* by local variable, as the others */
  bool *mentioned;       /* below the node */
  bool *always;          /* mentioned on every path: never free */
  VEC(uint32_t) weights; /* those in terms of the block, increasing */
  VEC(BatchTerm) terms;
  VEC(BatchStep) steps;
  VEC(size_t) segments; /* where they start in steps; one more */
  uint32_t slots, root;
  size_t edges; /* of the circuit below the node */
} BatchPlan;

/* Only reads the circuit, and does not need it later. */
void batch_plan_make(BatchPlan *, const Circuit *, uint32_t node, uint32_t block);
void batch_plan_free(BatchPlan *);

typedef struct {
  void *room;              /* of all that follows, but for `scaled` */
  BatchLanes *value;       /* by slot */
  BatchLanes *adjoint;     /* by slot */
  BatchLanes *log_literal; /* by literal: ln of the factor as given */
  BatchLanes *share;       /* by literal: masses, then probabilities */
  BatchLanes *log_scale;   /* by variable: what scaling took away, in ln, */
  BatchLanes *sum;         /* and again, not in ln: the sum of an input's factors */
  int8_t *evidence;        /* by variable and lane */
  BatchLanes *scaled;      /* values, then adjoints; made when first needed */
  void *scaled_room;
  unsigned redo, impossible; /* sets of lanes */
  bool ready;                /* for the way down */
} BatchWork;

void batch_work_make(BatchWork *, const BatchPlan *);
void batch_work_free(BatchWork *);

/* weights[k][lane] is that of plan->weights.at[k]; evidence[v][lane] is -1 for
** unknown, 0 false, 1 true, and unknown for a determined variable that is not
** mentioned.  Writes ln of the sum of the weights of the node's models that
** agree, over the block's variables; -INFINITY: there are none. */
void batch_up(const BatchPlan *, BatchWork *, const double *weights, const int8_t *evidence,
              double *log_value);

/* held[v][lane] is P(v holds | evidence), NAN for a determined variable that is
** not mentioned; expected[k][lane] how often weight k is lost, expected given
** the evidence.  Either may be NULL.  NAN in lanes without models.  Right to
** about 1e-12; probabilities below 1e-100 may come out as 0. */
void batch_down(const BatchPlan *, BatchWork *, double *held, double *expected);

#endif
