/* trial.h - programs with some of the candidates: each is learned as a program of its own.
**
** A rule that is not chosen is not there, which is not the same as a weight of 0: a rule of
** weight 0 still lets its head be true. */
#ifndef API_TRIAL_H
#define API_TRIAL_H

#include "api/handle.h"
#include "base/status.h"
#include "infer/task.h"
#include "language/candidates.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>

/* Another program of the same texts and options, to be learned exactly in the time that is left;
** `programs`: not only the data.  NULL: memory is out. */
lpmln_program *trial_program(const lpmln_program *, const Task *, bool programs);

typedef struct {
  const lpmln_program *from; /* texts and options */
  Task *task;
  const Candidates *candidates;
  size_t fits; /* so far */
} Trials;

/* How a program is to be learned. */
typedef struct {
  const bool *chosen;  /* by candidate */
  double strength;     /* of an L1 prior on the candidates; 0: none */
  size_t folds;        /* of cross-validation; 0: none */
  const double *start; /* by candidate: initial weights; NULL: 0 */
  bool look;           /* only at where it starts */
  bool thorough;       /* several starts */
} Trial;

/* What came of it.  Arrays are by candidate: NAN where it is not chosen or has no instances. */
typedef struct {
  bool possible; /* some stable model agrees with each observation */
  double log_likelihood, held_out, observations;
  double *weight, *error, *gradient; /* the gradient is that at the start if it only looked */
  char *diverges;
  char *program; /* its text, with the weights in place */
  size_t others; /* parameters of the program itself */
} Fit;           /* {0} is none */

void fit_free(Fit *);

/* Fills an empty fit.  What is wrong with the texts is said. */
Status trial_fit(Trials *, const Trial *, Fit *);

#endif
