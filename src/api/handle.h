/* handle.h - what is behind the public program, and how its questions are run.
**
** A stage is built aside and attached when it is complete: `sealed` is whole or not
** there, so that a failure leaves the handle as it was.  A question that runs out of
** memory gives up what it was building. */
#ifndef API_HANDLE_H
#define API_HANDLE_H

#include "api/model.h"
#include "api/sealed.h"
#include "api/state.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "compile/compile.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "solver/client.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  lpmln_role role;
  char *name;  /* a path, or the name of `bytes` */
  char *bytes; /* NULL: a file */
  size_t length;
} Input;

typedef struct {
  char *name;
  double value;
} NewWeight;

struct lpmln_program {
  lpmln_options options; /* its texts are owned */
  VEC(Input) inputs;
  VEC(char *) queries;
  VEC(char *) constants;     /* `name=value` */
  VEC(char *) interventions; /* `a, not b` */
  VEC(NewWeight) new_weights;
  Team share; /* with other processes; a count of ranks of 0 or 1: alone */
  atomic_bool stop;
  const atomic_bool *outer; /* of the question that this program is a part of; NULL: none */
  Progress progress;
  Worker worker;
  Workers workers; /* all that run, with those of samplers */

  Sealed *sealed;     /* NULL: not yet, or not any more */
  lpmln_model *model; /* a compiled file among its texts; NULL: there is none */
  Compiled compiled;  /* of sealed; what one question compiled another finds */
  bool compiling;     /* it has begun */
};

/* Forgets what was made of the texts. */
void program_forget(lpmln_program *);

/* read.c: reads the texts into an empty one, and a compiled file among them into `model`.
** What is wrong is said in its program. */
void read_texts(const lpmln_program *, Sealed *, lpmln_model **model);

/* ---- ask.c: questions ---------------------------------------------------------------- */

/* Answers it.  `answer` starts with an lpmln_answer. */
typedef Status (*Answering)(Task *, Sealed *, void *answer, const void *data);

typedef struct {
  size_t size;       /* of the answer */
  const char *wrong; /* with its options, see valid.h; NULL: nothing */
  Reading reading;
  bool unground;           /* the texts are enough */
  Answering run;           /* answers from the program */
  StateAnswering run_told; /* or from a compiled file among its texts; NULL: never */
  const void *data;
} Request;

/* The answer, which says for itself how it went; never NULL. */
const void *ask(lpmln_program *, const Request *);

#endif
