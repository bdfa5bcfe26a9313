/* sampling.h - one program kept in the solver, of which parts are enumerated:
** the models under assumptions that satisfy given parity constraints. */
#ifndef SOLVER_WORKER_SAMPLING_H
#define SOLVER_WORKER_SAMPLING_H

#include "base/bytes.h"
#include "solver/worker/bytes.h"
#include "solver/worker/clingo_api.h"
#include "solver/worker/parity.h"
#include "solver/worker/solving.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  Solving solving;
  uint32_t hashed;           /* number of atoms that rows are about */
  clingo_literal_t *atom;    /* these, in the program… */
  uint32_t *column;          /* …and as columns */
  clingo_literal_t *literal; /* by column: in the solver */
  Parity parity;
  uint64_t *rows; /* of the request: bits of hashed atoms, then odd */
  uint32_t row_count, row_words;
  bool loaded;
} Sampling; /* {0} is empty */

void sampling_load(Sampling *, Bytes *, Buffer *out); /* REQUEST_LOAD */
void sampling_cell(Sampling *, Bytes *, Buffer *out); /* REQUEST_CELL */
void sampling_free(Sampling *);

#endif
