/* hard.h - what to do about hard rules that can't all hold. */
#ifndef INFER_HARD_H
#define INFER_HARD_H

#include "api/problem.h"

/* Grounds again, `violable`: hard rules keep track of their instances. */
Status problem_ground(lpmln *, bool violable);

/* The original definition of LPMLN: as many ground hard rules as possible hold.
** Leaves the program as it is if all can; else grounds it anew with violable
** hard rules and sets the least number that is violated. */
Status hard_relax(lpmln *);

/* Reports a smallest set of hard instances whose removal leaves a stable model.
** The problem is left with violable hard rules. */
Status hard_explain(lpmln *);

/* The same for smallest sets without which the evidence of a block is possible,
** of the first blocks of a list; says nothing where there is none. */
enum { HARD_BLOCKS = 5 };
void hard_explain_blocks(lpmln *, const uint32_t *blocks, size_t n);

/* Is there a stable model (with these literals)? */
Status problem_satisfiable(lpmln *, const Lit *required, size_t count, uint32_t hard_bound,
                           bool *result);

/* Says why the evidence of a block is impossible. */
Status explain_impossible(lpmln *, uint32_t block);

/* Evidence as literals: no violation of an observation holds.  The caller
** frees them. */
void problem_evidence(const lpmln *, Lit **lits, size_t *count);

/* Report why there is nothing to answer; NO_ANSWER. */
Status problem_no_model(lpmln *);
Status problem_no_evidence(lpmln *);

#endif
