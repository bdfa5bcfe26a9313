/* solving.h - a program in clingo's solver, and its models on the way out. */
#ifndef SOLVER_WORKER_SOLVING_H
#define SOLVER_WORKER_SOLVING_H

#include "base/bytes.h"
#include "solver/worker/bytes.h"
#include "solver/worker/clingo_api.h"
#include "solver/worker/known.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct {
  clingo_control_t *control;
  clingo_atom_t *atoms; /* ours, from 1, to clingo's */
  uint32_t count;
} Solver;

/* clasp's preprocessing by equivalences gave wrong models of programs without disjunctions. */
#define NO_EQUIVALENCES "--eq=0"

/* n literals of the request, as clingo's. */
clingo_literal_t *take_literals(Bytes *, uint32_t *n, const Solver *);

typedef struct {
  Buffer *out;
  uint32_t bits, pairs;
  clingo_literal_t *report; /* bits literals */
  clingo_literal_t *pair;   /* literals of the model… */
  clingo_literal_t *assume; /* …and the checker's atoms, then as assumptions */
  clingo_literal_t *assumed;
  Solver solver, checker;
  uint64_t most, seen;
  size_t message; /* the open REPLY_MODELS */
  bool checked;   /* there is a checker */
  bool once;      /* models that were reported before are left out */
  Known known;
  uint8_t *model; /* the bits of one */
  bool open, failed;
  struct timespec sent;
} Solving;

/* Program, literals to report, checker: see REQUEST_SOLVE.  The arguments are
** clingo's, for the program. */
bool solving_begin(Solving *, Bytes *, Buffer *out, const char *const *arguments, size_t n);
void solving_free(Solving *);

/* Sends models, at most so many (0: all); `most` and the count of those seen are
** about models that passed the checker. */
bool solving_run(Solving *, uint32_t most, const clingo_literal_t *assumed, size_t n);

void solve(Bytes *request, Buffer *out); /* REQUEST_SOLVE */

#endif
