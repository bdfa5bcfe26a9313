/* minimality.h - programs for the worker's solver, and the checker that tells
** stable models from mere candidates where disjunctions have head cycles. */
#ifndef SAMPLE_MINIMALITY_H
#define SAMPLE_MINIMALITY_H

#include "base/memory.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "solver/client.h"

#include <stdbool.h>
#include <stdint.h>

/* Rules as REQUEST_SOLVE wants them; atoms are numbered from 1. */
typedef struct {
  uint32_t atoms, count;
  Text rules;
  VEC(int32_t) body; /* of the rule being made */
} SolverProgram;

void solver_rule(SolverProgram *, bool choice, const uint32_t *heads, uint32_t head_count,
                 const int32_t *body, uint32_t size);
void solver_sum(SolverProgram *, uint32_t head, int32_t bound, const int32_t *body,
                const uint32_t *weights, uint32_t size);
void solver_write(const SolverProgram *, Text *payload);
void solver_free(SolverProgram *);

/* Writes the checker and its assumptions, or that none is needed.  `atom`: the
** main program's solver atom of each atom, 0 if it is not open. */
void minimality_write(const Ground *, const Analysis *, const uint32_t *atom, Text *payload);

#endif
