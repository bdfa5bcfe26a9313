/* draw.c - uniform samples from the solver, for programs without a circuit. */
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "infer/engine.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "sample/encode.h"
#include "sample/uniform.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Says what stopped the sampler. */
static Status explain(const Task *task, const Uniform *u, Status status) {
  if (status == LIMIT && limits_check(&task->limits) == LIMIT)
    return ground_outcome(task->said, WORKER_TIME, &u->worker, "sampling");
  if (status == LIMIT && u->outcome == WORKER_OK) {
    diagnose_warning(task->said, NOWHERE, NULL,
                     "no cell of the hashed stable models was acceptable in %u attempts",
                     u->options.retries);
    return LIMIT;
  }
  return u->outcome == WORKER_OK ? status
                                 : ground_outcome(task->said, u->outcome, &u->worker, "sampling");
}

static Assumption *assume_evidence(const Task *task) {
  Assumption *list = memory_zero(task->evidences, sizeof *list);
  for (size_t i = 0; i < task->evidences; i++)
    list[i] =
        (Assumption){.id = lit_atom(task->evidence[i]), .holds = !lit_negated(task->evidence[i])};
  return list;
}

/* The weakest guarantee of all draws: that of the most hashed parts. */
static void promise(const Uniform *u, lpmln_samples *answer) {
  assert(u->options.epsilon > 0 && u->options.doubt > 0);
  if (!u->near)
    return;
  answer->guarantee = LPMLN_NEAR_UNIFORM;
  answer->epsilon = fmax(answer->epsilon, pow(1 + u->options.epsilon, u->near) - 1);
  answer->doubt = fmin(1, fmax(answer->doubt, u->near * u->options.doubt));
}

/* Draws until there are enough samples or something stops it. */
static Status draw(const Task *task, Uniform *u, size_t count, lpmln_samples *answer) {
  const Layout *layout = &u->encoding.layout;
  lpmln_sample *samples = arena_zero(task->answer, count, sizeof *samples);
  Assumption *evidence = assume_evidence(task);
  bool *atoms = answer_atoms(task->ground);
  uint8_t *model = memory_zero(layout->bytes, 1);
  Random random = random_make(task->options->seed, 0);
  Status status = OK;
  while (answer->count < count && status == OK) {
    UniformGuarantee guarantee;
    status = limits_check(&task->limits);
    if (status == OK)
      status = uniform_draw(u, evidence, task->evidences, &random, model, &guarantee);
    if (status != OK)
      break;
    promise(u, answer);
    for (Atom a = 0; a < task->ground->atoms.n; a++)
      if (layout->of_atom[a] != NONE)
        atoms[a] = layout_bit(model, layout->of_atom[a]);
    lpmln_sample *sample = &samples[answer->count++];
    sample->atoms = answer_shown(task, atoms, &sample->atom_count);
    atomic_store(&task->progress->models, answer->count);
  }
  answer->samples = samples;
  free(model);
  free(atoms);
  free(evidence);
  return status;
}

static void describe(const Task *task, Status status, lpmln_samples *answer) {
  bool near = answer->guarantee == LPMLN_NEAR_UNIFORM;
  answer->about = (lpmln_answer){.method = LPMLN_MC_ASP, .exact = !near, .complete = status == OK};
  answer->uniform = true;
  if (near)
    diagnose_note(
        task->said, NOWHERE, NULL,
        "near-uniform samples: with probability %.4g or more, no stable model is more than "
        "%.4g times as likely as it should be, or less than 1/%.4g times",
        1 - answer->doubt, 1 + answer->epsilon, 1 + answer->epsilon);
}

Status solver_sample(const Task *task, size_t count, lpmln_samples *answer) {
  assert(task->ground->sealed && task->worker);
  UniformOptions options = uniform_options_default();
  options.hard_violated = task->hard_bound;
  Uniform u;
  task_stage(task, LPMLN_SAMPLING);
  Status status = uniform_begin(&u, task->ground, task->analysis, task->worker->wanted,
                                &task->limits, &options);
  if (status == OK)
    status = draw(task, &u, count, answer);
  if (status != OK)
    status = status == NO_ANSWER ? task_nothing(task) : explain(task, &u, status);
  if (status != NO_ANSWER && (status == OK || answer->count))
    describe(task, status, answer);
  uniform_free(&u);
  return status;
}
