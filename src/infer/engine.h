/* engine.h - the ways to answer: one function per engine and question.
**
** Each fills `answer`, in the task's memory for answers.  LIMIT and INTERRUPTED may come
** with a partial answer (about.complete false), or with none (about.method LPMLN_AUTO). */
#ifndef INFER_ENGINE_H
#define INFER_ENGINE_H

#include "base/memory.h"
#include "base/scaled.h"
#include "base/status.h"
#include "compile/intervals.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

Status enumerate_infer(const Task *, lpmln_inference *);
/* LIMIT, without an answer, if there are more models or it takes longer. */
Status enumerate_infer_few(const Task *, uint64_t most, double seconds, lpmln_inference *);
/* Exact, or of `auto` whatever can be said in time. */
Status known_infer(const Task *, lpmln_inference *);
/* Certain intervals, as narrow as option precision, or as time allows. */
Status bounds_infer(const Task *, lpmln_inference *);
/* Of the ln weight of the best model with the evidence, as time allows. */
Interval bounds_best(const Task *);
/* `parts`: components that compile within seconds are exact, the rest is sampled;
** otherwise all of it is sampled. */
Status mcasp_infer(const Task *, bool parts, lpmln_inference *);
Status mcasp_sample(const Task *, bool parts, size_t count, lpmln_samples *);

/* The most probable models: the `most` best (0: all), or all that tie. */
typedef struct {
  size_t most;
  bool ties;
} Wanted;

#define TIE 1e-6 /* in log weight */

Status enumerate_models(const Task *, Wanted, lpmln_models *);
Status exact_models(const Task *, Wanted, lpmln_models *);

/* `uniform`: weights are ignored. */
Status exact_sample(const Task *, size_t count, bool uniform, lpmln_samples *);

/* Uniform samples from the solver. */
Status solver_sample(const Task *, size_t count, lpmln_samples *);

/* ---- what engines share --------------------------------------------------------- */

/* What is asked for: the queries, or every shown atom and term.  `always`: it is
** listed even if certain or impossible.  An entry with an empty text is the condition of
** the query before it (`A | B`). */
typedef struct {
  const char *text;
  Atom atom;
} Asked;

typedef VEC(Asked) AskedList;

void answer_asked(const Program *, const Ground *, AskedList *, bool *always);

/* Of a whole answer to queries: conditions are divided by and taken out.  NO_ANSWER: one
** is impossible. */
Status answer_conditions(const Task *, lpmln_inference *);

/* By atom: what is certain is true, all else false.  The caller frees it. */
bool *answer_atoms(const Ground *);

/* That of an exact answer. */
lpmln_marginal answer_marginal(const Task *, const char *text, Probability);

/* A model from the truth of all atoms; its ln probability, which rounding may have made a
** trace larger than 0. */
lpmln_stable_model answer_model(const Task *, const bool *atoms, Log log_weight,
                                double log_probability);
/* Which instance of which rule. */
lpmln_violation answer_violation(const Task *, const Instance *);
/* Puts models of equal weight in the order of their atoms. */
void answer_order(lpmln_stable_model *, size_t count);
const char *const *answer_shown(const Task *, const bool *atoms, size_t *count);

#endif
