/* learning.h - one question to learn: what its steps share.
**
** Filled from top to bottom by learn.c; the observations' ground program and the
** circuit are owned here, all else that outlives the question is kept by the
** problem. */
#ifndef LEARN_LEARNING_H
#define LEARN_LEARNING_H

#include "learn/examine.h"
#include "ground/observations.h"

/* Parameters in order of first occurrence in the text. */
typedef struct {
  uint32_t n;
  uint32_t *place; /* in the weights of the ground program */
  const char **name;
  double *start;        /* initial value */
  double *instances;    /* of one stable model's program: ground instances */
  bool *fact;           /* all its ground instances are facts */
  uint32_t *rule_start; /* in rules; one more */
  uint32_t *rules;      /* statements */
} Parameters;

typedef VEC(uint32_t) BlockNumbers; /* of observations */

typedef struct {
  lpmln *p;
  const lpmln_learning_options *options;
  lpmln_learning *answer;
  Observations observed;
  Parameters parameters;
  Compiled compiled;
  bool compiling;
  CircuitRoot program;
  CircuitRoot *roots;      /* by observation */
  double *initial;         /* all weights */
  double *train, *test;    /* by observation: how often it was seen */
  BlockNumbers impossible; /* those to learn from that are */
  bool *possible;          /* by observation: once it was tried */
  double compile_until;    /* of clock_now; 0: no limit */
  Mixture both, halves[2]; /* observed less program; observed, program */
  Journal journal;
  Objective objective;
  bool incomplete;        /* an observation leaves counts open */
  const double *coherent; /* by parameter: instances in all observations, if the
                          ** program is simple and coherent; else NULL */
} Learning;

/* parameters.c */
Status parameters_find(lpmln *, Parameters *);
void parameters_free(Parameters *);

/* evidence.c: counts the different observations; compiles the program and each of them;
** looks after those that are impossible. */
void evidence_count(Learning *);
Status evidence_compile(Learning *);
Status evidence_possible(Learning *);

/* sampled.c: the whole of it by sampling, into the answer. */
Status sampled_learn(Learning *);

/* noise.c: the program with a noise atom for each atom observed; see the paper,
** Section 4.2.  NULL: nothing to add. */
char *noise_rules(const lpmln *, double weight);

/* closed.c */
void closed_examine(Learning *);       /* sets incomplete and coherent */
bool closed_form(Learning *, Point *); /* ln(m/n), if that is the maximum */

/* facts.c: the probability of each parameter that is a fact (NAN: it is none), and for
** groups that one of their facts holds, where that is all that the data determines.
** Sampled: numbers of violated instances in the program, if there is no circuit to tell, and
** how far off they may be; NULL: there is. */
typedef struct {
  double *expected, *slack; /* by parameter */
} Sampled;

void facts_probabilities(Learning *, const double *w, const Sampled *, double *probability);
void facts_combine(Learning *, const Point *, Examination *);

/* folds.c: cross-validation into the answer. */
void folds_run(Learning *);

/* answer.c: from the optimum to what the user sees.  Sampled is for facts_probabilities. */
void learning_answer(Learning *, const Point *, const Examination *, const Sampled *);

/* rewrite.c: the texts of the program with numbers in place of parameters. */
char *rewrite_program(const lpmln *, const Parameters *, const double *w);

/* The objective of some observations: its mixture is the caller's. */
Objective learning_objective(Learning *, const Mixture *, double count);

/* Adds the observations less the program, as often as `counts` says. */
double learning_mix(const Learning *, const double *counts, Mixture *both);

#endif
