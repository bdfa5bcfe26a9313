/* known.h - what is known so far about what is asked: certain intervals, and estimates inside.
**
** Filled by one engine after the other (the circuit, bounds, samples), then made an answer.
** An interval never gets wider. */
#ifndef INFER_KNOWN_H
#define INFER_KNOWN_H

#include "base/scaled.h"
#include "base/status.h"
#include "compile/intervals.h"
#include "ground/ground.h"
#include "infer/engine.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "sample/diagnostics.h"
#include "sample/ladder.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  AskedList asked;
  bool always; /* all of them are listed */
  Atom *atoms; /* by asked, as all that follows */
  Interval *certain;
  Estimate *estimate; /* error NAN: none */
  bool *plain;        /* the solver knows that it is 0 or 1: not listed unless `always` */
  double *log;        /* of what is exact: a double may be too short for it; NAN: not known */
  Interval log_partition, log_evidence;
  LogEstimate sampled_partition, sampled_evidence; /* NAN: none */
  int possible;                                    /* the evidence: 1 yes, 0 no, -1 not known */
  size_t samples;                                  /* that estimates are from */
  bool samples_wait; /* independent ones are at hand, for what bounds leave wide */
} Known;

void known_begin(const Task *, Known *);
void known_free(Known *);

/* The widest interval. */
double known_width(const Known *);

/* Probabilities of the circuit, NAN where there is none. */
void known_set(Known *, const Probability *);

/* bounds.c: narrows intervals that are not exact until all are below `width`, or the task's time
** is over, which is no failure. */
Status known_bound(const Task *, Known *, double width);

/* Estimates from the answer of Markov chains to the same question. */
void known_estimate(Known *, const lpmln_inference *);

/* The answer.  `status` is how the last engine ended; what is said may be an error of its own. */
Status known_answer(const Task *, Known *, Status, lpmln_inference *);

#endif
