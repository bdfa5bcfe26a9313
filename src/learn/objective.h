/* objective.h - the function that learning maximises, and everything that an
** optimiser may want to know of it.
**
**   F(w) = ln P(observations) + ln prior(w)
**
** w are the parameters, in the order of the text; other weights are fixed.  The
** L1 prior is not in F (it has no gradient at 0): who optimises it adds it.
** Values come from the circuit or, in a resumed run, from the journal of the
** run before.  A limit or an interruption makes `status` other than OK, and
** every call after that returns at once. */
#ifndef LEARN_OBJECTIVE_H
#define LEARN_OBJECTIVE_H

#include "base/limits.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "learn/journal.h"
#include "learn/mixture.h"
#include "learn/portions.h"
#include "lpmln/lpmln.h"

typedef struct {
  lpmln_prior kind;
  double mean, deviation; /* of LPMLN_GAUSSIAN */
  double strength;        /* of LPMLN_L1… */
  uint32_t first, end;    /* …on these parameters */
} Prior;

/* The strength of the L1 prior on a parameter; 0: none. */
static inline double prior_l1(const Prior *p, uint32_t i) {
  return p->kind == LPMLN_L1 && i >= p->first && i < p->end ? p->strength : 0;
}

typedef struct {
  const Circuit *circuit;
  const Mixture *mixture;
  const Mixture *halves; /* of it: observations, program */
  Portions *portions;    /* observations beside those of the mixture; NULL: none */
  bool parted;           /* they are the mixture itself, which is not evaluated */
  uint32_t n;
  const uint32_t *place; /* by parameter: in the weights of the circuit */
  double count;          /* of observations: the scale of F */
  Prior prior;
  const double *linear; /* by parameter: F has linear * w in addition; or NULL */
  bool bounded;
  double lower, upper;
  const Limits *limits;
  unsigned threads;
  Journal *journal; /* NULL: none */
  lpmln_iteration_function progress;
  void *progress_data;
  lpmln_balance *balances; /* room for those of an iteration; NULL: nobody wants them */

  CircuitValues values;
  bool fresh;       /* values are those of weights */
  double *weights;  /* all, as last asked for */
  double *gathered; /* by weight of the circuit */
  Status status;
  bool stopped;             /* by the progress function */
  size_t run;               /* number of the start, for progress */
  const char *const *names; /* of the parameters, for progress */
  size_t evaluations, iterations;
  double started;
  size_t guessed_run;                   /* of the guess how long it takes: */
  double first_gradient, first_seconds; /* where that run began */
} Objective;

/* `weights`: initial values of all weights of the circuit. */
void objective_begin(Objective *, const Circuit *, const double *weights);
void objective_free(Objective *);

/* F and its gradient at w. */
double objective_value(Objective *, const double *w, double *gradient);

/* What one portion adds to F and to its gradient. */
double objective_portion(Objective *, size_t portion, const double *w, double *gradient);

/* ln prior(w); adds its gradient. */
double objective_prior(const Objective *, const double *w, double *gradient);

/* The Hessian of F at w, where the last value was asked for, times v. */
void objective_product(Objective *, const double *v, double *product);

/* All of it, row after row. */
void objective_hessian(Objective *, double *hessian);

/* An iteration is over: says so, and is false if the run should end. */
bool objective_iteration(Objective *, const double *w, double value, const double *gradient);

/* ln P(observations) alone, from F. */
double objective_likelihood(const Objective *, const double *w, double value);

double objective_penalty(const Objective *, const double *w); /* of the L1 prior */

/* What is observed and expected at w, by parameter.  The point last asked for stays. */
void objective_balance(const Objective *, const double *w, lpmln_balance *);

/* The strength of the L1 prior on a parameter; 0: none. */
static inline double objective_l1(const Objective *o, uint32_t i) { return prior_l1(&o->prior, i); }

static inline bool objective_ended(const Objective *o) { return o->status != OK || o->stopped; }

/* Converged: the largest derivative per observation.  Line searches compare
** values, whose rounding hides derivatives much smaller than this. */
#define GRADIENT 1e-6

/* …and beside the value: where one observation was seen very often, those that were seen once
** may decide as much, and their derivatives are small only per observation. */
bool objective_converged(const Objective *, double slope, double value);
bool objective_fine(double slope, double value); /* further digits would be of rounding */

/* Its absolute value, where the L1 prior and the bounds leave it. */
double objective_slope(const Objective *, const double *w, const double *gradient);

double largest_of(const double *v, uint32_t n); /* absolute value */

#endif
