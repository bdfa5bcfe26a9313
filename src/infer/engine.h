/* engine.h - the ways to answer: one function per engine and question.
**
** Each fills `answer` from the prepared problem, in memory the problem keeps.
** LIMIT and INTERRUPTED may come with a partial answer (about.complete false),
** or with none (about.method LPMLN_AUTO). */
#ifndef INFER_ENGINE_H
#define INFER_ENGINE_H

#include "api/problem.h"

Status enumerate_infer(lpmln *, lpmln_inference *);
/* LIMIT, without an answer, if there are more models or it takes longer. */
Status enumerate_infer_few(lpmln *, uint64_t most, double seconds, lpmln_inference *);
Status exact_infer(lpmln *, lpmln_inference *);
/* `parts`: components that compile within seconds are exact, the rest is sampled;
** otherwise all of it is sampled. */
Status mcasp_infer(lpmln *, bool parts, lpmln_inference *);
Status mcasp_sample(lpmln *, bool parts, size_t count, lpmln_samples *);

/* The most probable models: the `most` best (0: all), or all that tie. */
typedef struct {
  size_t most;
  bool ties;
} Wanted;

#define TIE 1e-6 /* in log weight */

Status enumerate_models(lpmln *, Wanted, lpmln_models *);
Status exact_models(lpmln *, Wanted, lpmln_models *);

/* Compiles the program alone and tells the size of the circuit. */
Status exact_size(lpmln *, lpmln_analysis *);

/* The compiled program as NNF, with comments that name the variables. */
Status exact_nnf(lpmln *, Text *out);

/* The compiled program as a graph for Graphviz. */
Status exact_dot(lpmln *, Text *out);

/* The compiled program as a file, see bundle.h. */
Status exact_compile(lpmln *, Text *out);

/* `uniform`: weights are ignored. */
Status exact_sample(lpmln *, size_t count, bool uniform, lpmln_samples *);

/* Uniform samples from the solver. */
Status solver_sample(lpmln *, size_t count, lpmln_samples *);

/* ---- what engines share --------------------------------------------------------- */

/* What is asked for: the queries, or every shown atom and term.  `always`: it is
** listed even if certain or impossible. */
typedef struct {
  const char *text;
  Atom atom;
} Asked;

typedef VEC(Asked) AskedList;

void answer_asked(const lpmln *, AskedList *, bool *always);

/* By atom: what is certain is true, all else false.  The caller frees it. */
bool *answer_atoms(const lpmln *);

/* A model from the truth of all atoms. */
lpmln_model answer_model(lpmln *, const bool *atoms, double log_weight, double probability);
/* Puts models of equal weight in the order of their atoms. */
void answer_order(lpmln_model *, size_t count);
const char *const *answer_shown(lpmln *, const bool *atoms, size_t *count);

#endif
