/* task.h - one question under way: what it is about, under which limits, and where
** what is said and answered goes.
**
** What it is about is sealed and borrowed; what it makes on the way is freed with it.
** The same task serves a program's question and a state's. */
#ifndef INFER_TASK_H
#define INFER_TASK_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/share.h"
#include "base/status.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "ground/read.h"
#include "language/program.h"
#include "lpmln/lpmln.h"
#include "solver/client.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What others may look at while it goes on. */
typedef struct {
  atomic_int stage;            /* lpmln_stage */
  atomic_uint_fast64_t models; /* seen or drawn so far */
  _Atomic double until;        /* the stage's own end, of clock_now; 0: none */
  _Atomic double explored;     /* share of the search; NAN: not known */
  _Atomic double width;        /* of LPMLN_BOUNDING: the widest interval so far */
} Progress;

typedef struct {
  const lpmln_options *options;
  Team *share; /* with other processes; NULL: alone */
  const Program *program;
  const Ground *ground;
  const Analysis *analysis;
  const Observations *observed;
  const Lit *evidence; /* of the question: all that was observed */
  size_t evidences;
  uint32_t tests;        /* observation blocks from this one on are for testing */
  uint32_t hard_bound;   /* violable hard instances that must be violated; NONE */
  const double *weights; /* by weight of the ground program */
  Limits limits;
  bool own_limit; /* its deadline is earlier than the user's: that it is over is not said */
  Worker *worker;
  Compiled *compiled;     /* of ground, begun when it is first needed; kept for later questions */
  bool *compiling;        /* it has begun */
  double compile_seconds; /* limit of all compilation; 0: none */
  Diagnostics *said;
  Progress *progress;
  Arena *answer;
} Task;

static inline void task_stage(const Task *t, lpmln_stage stage) {
  if (stage == LPMLN_COMPILING)
    atomic_store(&t->progress->explored, NAN);
  atomic_store(&t->progress->until, t->limits.deadline);
  atomic_store(&t->progress->stage, (int)stage);
}

/* Whether weights are small enough for their sums to keep all digits; else says so: INPUT. */
Status task_weights_fit(const Task *, const Ground *, const double *weights);

/* The same question, with that many seconds at most. */
Task task_within(const Task *, double seconds);

/* Seconds that it may compile: option compile_limit of `auto` and `exact`; if that was not set,
** `usual` of auto, else INFINITY. */
double task_compile_limit(const Task *, double usual);

/* Seconds that are left of its time; INFINITY: no limit. */
double task_seconds(const Task *);

/* The options of a compilation for this question; seconds are not set. */
CompileOptions task_compile_options(const Task *);

/* The task's compilation, begun, with what is left of the time as its limit. */
Compiled *task_compiled(const Task *);

/* ---- reasons.c: why there is nothing to answer ---------------------------------- */

Status task_no_model(const Task *);    /* says so: NO_ANSWER */
Status task_no_evidence(const Task *); /* says why the evidence is impossible: NO_ANSWER */
Status task_nothing(const Task *);     /* one of these */

bool task_contradicted(const Task *); /* by what is certain of the program */

/* Is there a stable model (with these literals)? */
Status task_satisfiable(const Task *, const Lit *required, size_t count, bool *result);

/* Says why the evidence of a block is impossible. */
Status task_explain_block(const Task *, uint32_t block);

/* Says which hard instances stand in the way: of any stable model; or of the evidence of
** each block of a list, the first HARD_BLOCKS of it.  Grounds the program with violable
** hard rules, beside the one that is there. */
enum { HARD_BLOCKS = 5 };
Status task_explain_hard(const Task *);
void task_explain_hard_blocks(const Task *, const uint32_t *blocks, size_t n);

#endif
