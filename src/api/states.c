/* states.c - the public state: questions to a model. */
#include "api/answer.h"
#include "api/model.h"
#include "api/sealed.h"
#include "api/state.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/scaled.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "infer/careful.h"
#include "infer/engine.h"
#include "infer/rows.h"
#include "infer/task.h"
#include "infer/told.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

lpmln_state *lpmln_state_new(lpmln_model *m) {
  MemoryGuard guard;
  if (!m)
    return NULL;
  lpmln_state *volatile s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  if (memory_guard(&guard)) {
    lpmln_model_free(s->model);
    free(s->weights);
    free(s->evidence);
    free(s);
    s = NULL;
  } else {
    state_begin(s, m);
  }
  memory_unguard(&guard);
  return s;
}

void lpmln_state_free(lpmln_state *s) {
  if (!s)
    return;
  state_end(s);
  free(s);
}

lpmln_status lpmln_state_set_weight(lpmln_state *s, const char *parameter, double value) {
  if (!s || !parameter || !isfinite(value))
    return USAGE;
  const lpmln_model *m = s->model;
  for (size_t i = 0; i < m->parameters.n; i++)
    if (!strcmp(m->parameter_names.at[i], parameter)) {
      s->weights[m->parameters.at[i]] = value;
      return OK;
    }
  return USAGE;
}

lpmln_status lpmln_state_observe(lpmln_state *s, const char *atom, lpmln_truth truth) {
  MemoryGuard guard;
  volatile Status status = USAGE;
  if (!s || !atom || (unsigned)truth > LPMLN_UNKNOWN)
    return USAGE;
  if (memory_guard(&guard)) {
    status = LIMIT;
  } else {
    Atom a = model_atom(s->model, atom, strlen(atom));
    if (a != NONE) {
      state_observe(s, a, truth == LPMLN_UNKNOWN ? -1 : truth == LPMLN_TRUE);
      status = OK;
    }
  }
  memory_unguard(&guard);
  return status;
}

void lpmln_state_clear(lpmln_state *s) {
  size_t n = s ? s->model->sealed->is.ground.atoms.n : 0;
  for (Atom a = 0; a < n; a++)
    state_observe(s, a, -1);
}

void lpmln_state_seed(lpmln_state *s, uint64_t seed) {
  if (s)
    s->options.seed = seed;
}

void lpmln_state_limit(lpmln_state *s, double seconds) {
  if (s)
    s->options.time_limit = seconds > 0 && isfinite(seconds) ? seconds : 0;
}

void lpmln_state_interrupt(lpmln_state *s) {
  if (s)
    atomic_store(&s->stop, true);
}

/* ---- questions ------------------------------------------------------------------------ */

typedef struct {
  lpmln_state *state;
  size_t size;
  StateAnswering run;
  const void *data;
} StateRequest;

static Limits limits_of(const lpmln_state *s) {
  double seconds = s->options.time_limit;
  return (Limits){.memory = s->options.memory_limit,
                  .stop = &s->stop,
                  .deadline = seconds > 0 ? clock_now() + seconds : 0};
}

static const void *run_request(const StateRequest *r) {
  assert(r->run && r->size >= sizeof(lpmln_answer));
  lpmln_state *s = r->state;
  Answer answer = answer_begin(r->size);
  Diagnostics said = {.sources = &s->model->sealed->program.sources};
  Limits limits = limits_of(s);
  Task task = {.options = &s->options,
               .hard_bound = NONE,
               .weights = s->weights,
               .limits = limits,
               .said = &said,
               .progress = &s->progress,
               .answer = &answer.arena};
  Status status = limits_check(&limits);
  if (status == OK)
    status = task_weights_fit(&task, &s->model->sealed->is.ground, s->weights);
  if (status == OK)
    status = r->run(s, &task, NULL, answer.content, r->data);
  limits_say(&limits, status, &said);
  const void *result = answer_end(&answer, status, NULL, &said);
  diagnostics_free(&said);
  return result;
}

/* Memory is out: what it was building is lost. */
static void give_up(lpmln_state *s) {
  s->compiling = s->owned = false;
  s->root = (CircuitRoot){0};
}

static const void *ask_state(const StateRequest *r) {
  MemoryGuard guard;
  const void *volatile result = answer_no_memory();
  if (!r->state)
    return result;
  if (memory_guard(&guard))
    give_up(r->state);
  else
    result = run_request(r);
  memory_unguard(&guard);
  atomic_store(&r->state->stop, false);
  return result;
}

const lpmln_inference *lpmln_state_infer(lpmln_state *s) {
  return ask_state(&(StateRequest){s, sizeof(lpmln_inference), state_infer, NULL});
}

const lpmln_models *lpmln_state_map(lpmln_state *s) {
  return ask_state(&(StateRequest){s, sizeof(lpmln_models), state_list, &(Wanted){.ties = true}});
}

const lpmln_models *lpmln_state_list(lpmln_state *s, size_t most) {
  return ask_state(&(StateRequest){s, sizeof(lpmln_models), state_list, &(Wanted){.most = most}});
}

const lpmln_samples *lpmln_state_draw(lpmln_state *s, size_t count) {
  return ask_state(&(StateRequest){s, sizeof(lpmln_samples), state_draw, &count});
}

/* ---- rows ------------------------------------------------------------------------------ */

static double element(const lpmln_matrix *m, size_t row, size_t column) {
  return m->at[(ptrdiff_t)row * m->row_stride + (ptrdiff_t)column * m->column_stride];
}

/* Of its instances, if all weighed as much as the largest of these. */
static bool all_fit(const lpmln_model *m, double largest) {
  const Ground *g = &m->sealed->is.ground;
  if (!careful_needed(&largest, 1))
    return true;
  if (isinf(largest))
    return false;
  double *weights = memory_zero(g->weights.n, sizeof *weights);
  for (size_t i = 0; i < g->weights.n; i++)
    weights[i] = largest;
  bool fit = ground_weight_range(g, weights) <= SCALED_MOST;
  free(weights);
  return fit;
}

/* Weights are NAN or not too large, evidence is 1, 0 or NAN. */
static bool makes_sense(const lpmln_batch *b, const lpmln_model *m) {
  bool good = true;
  double largest = 0;
  for (size_t row = 0; row < b->rows; row++) {
    for (size_t i = 0; b->weights.at && i < m->parameters.n; i++)
      largest = fmax(largest, fabs(element(&b->weights, row, i)));
    for (size_t i = 0; b->evidence.at && i < m->observables.n; i++) {
      double seen = element(&b->evidence, row, i);
      good &= isnan(seen) || seen == 0 || seen == 1;
    }
  }
  return good && all_fit(m, largest);
}

static Status evaluate(lpmln_state *s, const lpmln_batch *b) {
  const lpmln_model *m = s->model;
  Arena arena = {0};
  Diagnostics said = {.sources = &m->sealed->program.sources};
  Task task = {.options = &s->options,
               .hard_bound = NONE,
               .limits = limits_of(s),
               .said = &said,
               .progress = &s->progress,
               .answer = &arena};
  const Told *told;
  StateEvidence evidence = {0};
  Status status = state_tell(s, &task, &told);
  state_evidence(s, true, &evidence);
  RowsShape shape = {.told = told,
                     .program = &m->prior,
                     .weights = s->weights,
                     .parameters = m->parameters.n,
                     .parameter = m->parameters.at,
                     .observables = m->observables.n,
                     .observable = m->observables.at,
                     .queries = m->queries.n,
                     .query = m->queries.at,
                     .ground = &m->sealed->is.ground,
                     .evidence = evidence.at,
                     .evidences = evidence.n};
  if (status == OK)
    status = rows_evaluate(&shape, b, &task.limits);
  vec_free(&evidence);
  diagnostics_free(&said);
  arena_free(&arena);
  return status;
}

lpmln_status lpmln_state_evaluate(lpmln_state *s, const lpmln_batch *b) {
  MemoryGuard guard;
  volatile Status status = USAGE;
  if (!s || !b)
    return USAGE;
  if (memory_guard(&guard))
    status = LIMIT, give_up(s);
  else if (makes_sense(b, s->model))
    status = evaluate(s, b);
  memory_unguard(&guard);
  atomic_store(&s->stop, false);
  return status;
}
