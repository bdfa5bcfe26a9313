/* cnf.h - clauses, and gates that define new variables by them.
**
** Literals are DIMACS's: v or -v, v from 1 on; CNF_TRUE and its negation are
** constants and never reach a clause.  A gate returns a literal that holds iff
** the gate does, in every model of the clauses: it is defined in both
** directions, so that gates never add or merge models.  Equal gates are made
** once. */
#ifndef WRITE_CNF_H
#define WRITE_CNF_H

#include "base/memory.h"
#include "base/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CNF_TRUE INT32_MAX

typedef VEC(int32_t) CnfLiterals;

typedef struct {
  CnfLiterals literals; /* clauses, each followed by 0 */
  size_t clauses;
  int32_t variables;
  Names gates;         /* `literal literal …` of the conjunctions… */
  CnfLiterals outputs; /* …and what stands for them */
  bool full;           /* too large: the clauses are not all there */
} Cnf;                 /* {0} is empty */

void cnf_free(Cnf *);
int32_t cnf_variable(Cnf *);

/* Sorted, without repetitions; adds nothing if it always holds. */
void cnf_clause(Cnf *, const int32_t *literals, size_t n);

int32_t cnf_and(Cnf *, const int32_t *literals, size_t n);
int32_t cnf_or(Cnf *, const int32_t *literals, size_t n);

/* The weights, all positive, of the literals that hold add up to `bound`. */
int32_t cnf_sum(Cnf *, const int32_t *literals, const uint32_t *weights, size_t n, int64_t bound);

#endif
