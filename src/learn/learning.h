/* learning.h - one question to learn: what its steps share.
**
** Filled from top to bottom by learn.c and freed with the question; what outlives it is
** in the answer's arena.  The ground program is a view without queries and shown terms,
** which learning has no use for; its atoms and weights have the task's numbers. */
#ifndef LEARN_LEARNING_H
#define LEARN_LEARNING_H

#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "learn/examine.h"
#include "learn/factors.h"
#include "learn/journal.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/parameters.h"
#include "learn/portions.h"
#include "lpmln/lpmln.h"

typedef VEC(uint32_t) BlockNumbers; /* of observations */

typedef struct {
  const Task *task;
  const lpmln_learning_options *options;
  const char *noise; /* predicate of noise atoms; NULL: none */
  lpmln_learning *answer;
  Ground ground; /* borrowed */
  Analysis analysis;
  Parameters parameters;
  Compiled compiled;
  Circuit thin; /* of it, what learning evaluates */
  bool compiling;
  CircuitRoot program;
  Factors factors;         /* of the observations… */
  Portions portions;       /* …or these, if they come in batches */
  Portions parts;          /* of `both`, if that is large; see parts.h */
  const double *train;     /* by observation: how often it was seen, to learn from… */
  double *own;             /* …which is this, or what a table says (NULL) */
  double *test;            /* …and to test; NULL: no test observations */
  bool *possible;          /* by observation: once it was tried */
  BlockNumbers impossible; /* to learn from, but no stable model agrees */
  BlockNumbers absorbed;   /* to learn from, but for noise no stable model agrees */
  double compile_until;    /* of clock_now; 0: no limit */
  Mixture both, halves[2]; /* observed less program; observed, program */
  Journal journal;
  Objective objective;
  bool incomplete;  /* an observation leaves counts open */
  double *coherent; /* by parameter: instances in all observations, if the program is
                    ** simple and coherent; else NULL */
} Learning;

/* evidence.c: counts the different observations; compiles the program and each of them;
** looks after those that are impossible. */
void evidence_count(Learning *);
Status evidence_compile(Learning *);
Status evidence_possible(Learning *);

/* Different observations in a portion; 0: all are together. */
size_t learning_batch(const Learning *);

/* sampled.c: the whole of it by sampling, into the answer. */
Status sampled_learn(Learning *);

/* closed.c */
void closed_examine(Learning *);       /* sets incomplete and coherent */
bool closed_form(Learning *, Point *); /* ln(m/n), if that is the maximum */

/* optimum.c: mixtures and objectives of observations, and the weights at the optimum, all
** starts and the examination included, into the answer. */
void optimum_begin(Learning *);
void optimum_find(Learning *);

/* Of these parameters. */
Prior learning_prior(const Learning *);

/* Where run 0 starts, or a random place around it. */
void learning_start(const Learning *, size_t run, double *w);

/* The objective of some observations: its mixture is the caller's. */
Objective learning_objective(Learning *, const Mixture *, double count);

/* Adds, for the observations alone, the gradient by weight at these weights, or with a direction
** the Hessian times this. */
void learning_observed(Learning *, const double *weights, const double *direction, double *sum);

/* Adds the observations less the program, as often as `counts` says; the sum of these. */
double learning_mix(const Learning *, const double *counts, Mixture *both);

/* facts.c: the probability of each parameter that is a fact (NAN: it is none), and for
** groups that one of their facts holds, where that is all that the data determines.
** Sampled: numbers of violated instances in the program, if there is no circuit to tell, and
** how far off they may be; NULL: there is. */
typedef struct {
  double *expected, *slack; /* by parameter */
} Sampled;

void facts_probabilities(const Learning *, const double *w, const Sampled *, double *probability);
void facts_combine(Learning *, const Point *, Examination *);

/* held_out.c: how likely test observations are, and those of each fold of a
** cross-validation, into the answer. */
void held_out_test(Learning *);
void held_out_folds(Learning *);

/* The observations to learn from, dealt out: by fold and observation, how often each is held out.
** The caller frees all. */
double **held_out_deal(const Learning *);

/* answer.c: from the optimum to what the user sees.  Sampled is for facts_probabilities.
** Returns the answer's weights: they are ours until the question is answered. */
lpmln_learned *learning_answer(Learning *, const Point *, const Examination *, const Sampled *);

#endif
