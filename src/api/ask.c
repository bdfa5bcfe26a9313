/* ask.c - running a question to a program: see handle.h. */
#include "api/answer.h"
#include "api/handle.h"
#include "api/model.h"
#include "api/sealed.h"
#include "api/state.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "compile/compile.h"
#include "ground/ground.h"
#include "ground/nearest.h"
#include "ground/observations.h"
#include "ground/read.h"
#include "ground/script.h"
#include "infer/relax.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What `auto` compiles at most: seconds that a person waits for, and a share of what is left. */
#define AUTO_SECONDS 7
#define AUTO_SHARE 0.4

void program_forget(lpmln_program *p) {
  if (p->compiling)
    compile_free(&p->compiled);
  p->compiling = false;
  sealed_free(p->sealed);
  lpmln_model_free(p->model);
  p->sealed = NULL, p->model = NULL;
}

/* A question under way: all of it is given up if memory runs out. */
typedef struct {
  lpmln_program *handle;
  const Request *request;
  Limits limits;
  Sealed *making;     /* not attached yet */
  lpmln_model *model; /* likewise */
  Answer answer;
  Diagnostics said;
  double *weights;
  Lit *evidence;
  const void *result;
} Run;

static bool same_reading(const Reading *a, const Reading *b) {
  return a->blocks == b->blocks && a->rows == b->rows && a->listed == b->listed &&
         a->utilities == b->utilities && a->noise == b->noise;
}

static Limits limits_of(lpmln_program *p) {
  Limits limits = {.memory = p->options.memory_limit,
                   .stop = p->outer ? p->outer : &p->stop,
                   .workers = &p->workers};
  if (p->options.time_limit > 0)
    limits.deadline = clock_now() + p->options.time_limit;
  return limits;
}

static Task task_of(Run *run, Sealed *from, const Limits *limits) {
  lpmln_program *p = run->handle;
  return (Task){.options = &p->options,
                .share = p->share.ranks.count > 1 ? &p->share : NULL,
                .program = &from->program,
                .ground = &from->is.ground,
                .analysis = &from->is.analysis,
                .observed = &from->is.observed,
                .tests = from->tests,
                .hard_bound = from->hard_bound,
                .limits = *limits,
                .worker = &p->worker,
                .compiled = &p->compiled,
                .compiling = &p->compiling,
                .said = &run->said,
                .progress = &p->progress,
                .answer = &run->answer.arena};
}

/* The original definition: as many hard rules as possible hold. */
static Status relax(Run *run, Sealed *to, const Limits *limits) {
  assert(to->ground && to->hard_bound == NONE);
  Task task = task_of(run, to, limits);
  bool consistent = true;
  Status status = task_satisfiable(&task, NULL, 0, &consistent);
  if (status != OK || consistent)
    return status;
  Relaxed relaxed = {0};
  status = task_relax(&task, &relaxed);
  if (status == OK) {
    grounded_free(&to->is);
    to->is = relaxed.is, relaxed.is = (Grounded){0};
    to->hard_bound = relaxed.bound;
  }
  relaxed_free(&relaxed);
  return status;
}

static Status make_ground(Run *run, Sealed *to, const Limits *limits) {
  assert(!to->ground && !to->program.said.errors);
  lpmln_program *p = run->handle;
  ScriptOptions options = {.closed_world = to->closed_world,
                           .closed = p->options.closed,
                           .strict = p->options.strict,
                           .utilities = to->reading.utilities};
  atomic_store(&p->progress.stage, LPMLN_GROUNDING);
  Status status =
      ground_read(&to->program, program_said(&to->program), options, &p->worker, limits, &to->is);
  to->ground = status == OK;
  if (status == OK && p->options.violable)
    status = relax(run, to, limits);
  return status;
}

static void attach(Run *run) {
  assert(run->making && !run->making->program.said.errors);
  lpmln_program *p = run->handle;
  program_forget(p);
  p->sealed = run->making, p->model = run->model;
  run->making = NULL, run->model = NULL;
}

/* A compiled file answers by itself if all that is asked is about its atoms. */
static bool is_told(const Run *run, const Sealed *sealed, const lpmln_model *model) {
  Asking asking = {0};
  bool told = run->request->run_told && model && model_finds(model, sealed, run->handle, &asking);
  asking_free(&asking);
  return told;
}

/* Reads and grounds what is not there yet, as this question wants it. */
static Status prepare(Run *run, const Limits *limits) {
  lpmln_program *p = run->handle;
  const Request *r = run->request;
  bool fits = p->sealed && same_reading(&p->sealed->reading, &r->reading);
  if (fits && (p->sealed->ground || r->unground || is_told(run, p->sealed, p->model)))
    return OK;
  Sealed *to = run->making = sealed_new();
  run->said.sources = &to->program.sources;
  to->reading = r->reading;
  read_texts(p, to, &run->model);
  Status status = to->program.said.errors ? INPUT : OK;
  if (status != OK)
    (void)ground_complain(&to->program, program_said(&to->program), &p->worker, limits);
  if (status == OK && !r->unground && !is_told(run, to, run->model))
    status = make_ground(run, to, limits);
  if (status == OK)
    attach(run);
  return status;
}

/* The user's weights in place of those that are there. */
static Status replace_weights(Run *run, const Ground *g, double *weights) {
  const lpmln_program *p = run->handle;
  for (size_t i = 0; i < p->new_weights.n; i++) {
    const NewWeight *new = &p->new_weights.at[i];
    bool found = false;
    for (size_t k = 0; k < g->weights.n; k++) {
      uint32_t name = g->weights.at[k].name;
      if (name == NONE || strcmp(ground_text(g, name), new->name) != 0)
        continue;
      weights[k] = new->value;
      found = true;
    }
    if (!found)
      diagnose_hinted(&run->said, LPMLN_ERROR, NOWHERE, nearest_parameter(g, new->name),
                      "the program has no parameter '%s'", new->name);
  }
  return run->said.errors ? INPUT : OK;
}

static Status set_weights(Run *run, const Ground *g) {
  assert(!run->weights);
  run->weights = memory_zero(g->weights.n, sizeof *run->weights);
  for (size_t k = 0; k < g->weights.n; k++)
    run->weights[k] = g->weights.at[k].value;
  return replace_weights(run, g, run->weights);
}

/* By a state of the compiled file. */
static Status answer_told(Run *run, Task *task) {
  assert(run->handle->model && run->request->run_told);
  lpmln_program *p = run->handle;
  Asking asking = {0};
  bool found = model_finds(p->model, p->sealed, p, &asking);
  assert(found);
  (void)found;
  State state;
  state_begin(&state, p->model);
  state.options = p->options;
  state.asked = p->sealed, state.asking = &asking;
  task->weights = state.weights;
  Status status = replace_weights(run, &p->model->sealed->is.ground, state.weights);
  if (status == OK)
    status = task_weights_fit(task, &p->model->sealed->is.ground, state.weights);
  bool agrees = true;
  for (size_t i = 0; i < asking.evidence.n; i++)
    agrees &= state_observe_too(&state, lit_atom(asking.evidence.at[i]),
                                !lit_negated(asking.evidence.at[i]));
  if (status == OK && !agrees) {
    state_say_impossible(&state, task);
    status = NO_ANSWER;
  }
  if (status == OK)
    status = run->request->run_told(&state, task, &asking, run->answer.content, run->request->data);
  state_end(&state);
  asking_free(&asking);
  return status;
}

static Status answer(Run *run, const Limits *limits) {
  assert(run->handle->sealed && run->answer.content);
  Sealed *sealed = run->handle->sealed;
  const Request *r = run->request;
  Task task = task_of(run, sealed, limits);
  if (limits_check(limits) != OK)
    return limits_check(limits);
  if (!sealed->ground && !r->unground)
    return answer_told(run, &task);
  Status status = sealed->ground ? set_weights(run, task.ground) : OK;
  task.weights = run->weights;
  if (status == OK && sealed->ground)
    status = task_weights_fit(&task, task.ground, run->weights);
  if (!r->reading.blocks) {
    run->evidence = observations_evidence(task.observed, &task.evidences);
    task.evidence = run->evidence;
  }
  task.compile_seconds = task_compile_limit(&task, AUTO_SECONDS);
  if (task.options->method == LPMLN_AUTO) /* most of the time is for other engines */
    task.compile_seconds = fmin(task.compile_seconds, fmax(1e-3, AUTO_SHARE * task_seconds(&task)));
  if (status == OK)
    status = r->run(&task, sealed, run->answer.content, r->data);
  return status;
}

/* Options that make no sense: nothing is read. */
static bool refuse(Run *run) {
  const char *wrong = valid_options(&run->handle->options);
  wrong = wrong ? wrong : run->request->wrong;
  if (!wrong)
    return false;
  diagnose_error(&run->said, NOWHERE, NULL, "%s", wrong);
  run->answer = answer_begin(run->request->size);
  run->result = answer_end(&run->answer, USAGE, NULL, &run->said);
  diagnostics_free(&run->said);
  return true;
}

static void run_question(Run *run) {
  lpmln_program *p = run->handle;
  const Limits limits = run->limits = limits_of(p);
  run->answer = answer_begin(run->request->size);
  limits_watch(&run->limits);
  Status status = prepare(run, &limits);
  (void)limits_unwatch();
  const Program *program = run->making ? &run->making->program : &p->sealed->program;
  run->said.sources = &program->sources;
  if (status == OK) {
    status = answer(run, &limits);
    limits_say(&limits, status, &run->said);
  }
  run->result = answer_end(&run->answer, status, &program->said, &run->said);
  sealed_free(run->making);
  lpmln_model_free(run->model);
  diagnostics_free(&run->said);
  free(run->weights);
  free(run->evidence);
}

/* What was being built is lost; what was there before is whole.  A limit that is over while
** texts are read ends here, too; what was read so far is whole then and freed. */
static void give_up(Run *run) {
  lpmln_program *p = run->handle;
  Status stopped = limits_unwatch();
  worker_stop(&p->worker);
  if (stopped == OK) {
    p->compiling = false;
    run->result = answer_no_memory();
    return;
  }
  sealed_free(run->making);
  diagnostics_free(&run->said);
  arena_free(&run->answer.arena);
  run->result = answer_stopped(stopped);
}

const void *ask(lpmln_program *p, const Request *request) {
  assert(request->run && request->size >= sizeof(lpmln_answer));
  if (!p)
    return answer_no_memory();
  MemoryGuard guard;
  Run run = {.handle = p, .request = request};
  if (memory_guard(&guard))
    give_up(&run);
  else if (!refuse(&run))
    run_question(&run);
  memory_unguard(&guard);
  workers_end(&p->workers, &p->worker); /* whoever lost them */
  atomic_store(&p->stop, false);        /* an interruption is for one question */
  atomic_store(&p->progress.stage, LPMLN_IDLE);
  return run.result;
}
