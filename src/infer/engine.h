/* engine.h - the ways to answer: one function per engine and question.
**
** Each fills `answer`, in the task's memory for answers.  LIMIT and INTERRUPTED may come
** with a partial answer (about.complete false), or with none (about.method LPMLN_AUTO). */
#ifndef INFER_ENGINE_H
#define INFER_ENGINE_H

#include "base/memory.h"
#include "base/status.h"
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
Status exact_infer(const Task *, lpmln_inference *);
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
** listed even if certain or impossible. */
typedef struct {
  const char *text;
  Atom atom;
} Asked;

typedef VEC(Asked) AskedList;

void answer_asked(const Program *, const Ground *, AskedList *, bool *always);

/* By atom: what is certain is true, all else false.  The caller frees it. */
bool *answer_atoms(const Ground *);

/* A model from the truth of all atoms. */
lpmln_stable_model answer_model(const Task *, const bool *atoms, double log_weight,
                                double probability);
/* Puts models of equal weight in the order of their atoms. */
void answer_order(lpmln_stable_model *, size_t count);
const char *const *answer_shown(const Task *, const bool *atoms, size_t *count);

#endif
