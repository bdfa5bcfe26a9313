/* state.h - a caller's workspace on a model: weights and evidence.
**
** Evidence about atoms that the model tells is a matter of evaluation.  Evidence about
** others is compiled when a question comes, beside the model, into a circuit of the
** state's own that tells the same atoms. */
#ifndef API_STATE_H
#define API_STATE_H

#include "api/model.h"
#include "api/sealed.h"
#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "infer/told.h"
#include "lpmln/lpmln.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lpmln_state {
  lpmln_model *model;    /* kept */
  lpmln_options options; /* seed, threads; its texts are others' */
  const Sealed *asked;   /* of a compiled file in place of a program: that; NULL: none */
  const Asking *asking;  /* …and what it is asked, with its evidence; NULL: none */
  double *weights;       /* by weight of the ground program */
  int8_t *evidence;      /* by atom: 1, 0, or -1 */
  atomic_bool stop;
  Progress progress;

  Compiled compiled; /* for what the model does not tell */
  bool compiling;    /* it has begun */
  CircuitRoot root;  /* with the evidence about untold atoms… */
  Told own;          /* …if `owned` */
  bool owned;
};

typedef struct lpmln_state State;

void state_begin(State *, lpmln_model *);
void state_end(State *);

/* value: 1, 0, or -1 for unknown. */
void state_observe(State *, Atom, int value);

/* Beside what is observed already; false: that says the opposite. */
bool state_observe_too(State *, Atom, bool value);

/* OK: stable models agree with the evidence; NO_ANSWER: none does, and that was said. */
Status state_agrees(State *, Task *);

/* impossible.c: says which piece of the evidence of `asking` is the first that can't be beside
** those before it; false: there is none. */
bool state_say_impossible(const State *, const Task *);

/* Evidence of the state about open atoms that the model tells, or about others. */
typedef VEC(Lit) StateEvidence;
void state_evidence(const State *, bool told, StateEvidence *);

/* Answers a question of the state, or of a compiled file: then `asking` has the queries;
** NULL: those of the model. */
typedef Status (*StateAnswering)(State *, Task *, const Asking *, void *answer, const void *data);

Status state_infer(State *, Task *, const Asking *, void *answer, const void *data);
Status state_list(State *, Task *, const Asking *, void *answer, const void *wanted);
Status state_draw(State *, Task *, const Asking *, void *answer, const void *count);

/* The circuit that tells, with the evidence about untold atoms in it; NO_ANSWER: that is
** impossible, and was said. */
Status state_tell(State *, Task *, const Told **);

#endif
