/* state.c - see state.h. */
#include "api/state.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/source.h"
#include "ground/read.h"
#include "infer/careful.h"
#include "infer/engine.h"
#include "infer/exact.h"
#include "infer/rows.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const Ground *ground_of(const State *s) { return &s->model->sealed->is.ground; }

void state_begin(State *s, lpmln_model *m) {
  assert(m->sealed->ground && m->weights);
  const Ground *g = &m->sealed->is.ground;
  *s = (State){.model = lpmln_model_keep(m), .options = lpmln_options_default()};
  s->weights = memory_zero(g->weights.n, sizeof *s->weights);
  s->evidence = memory_zero(g->atoms.n, sizeof *s->evidence);
  if (g->weights.n)
    memcpy(s->weights, m->weights, g->weights.n * sizeof *s->weights);
  memset(s->evidence, -1, g->atoms.n);
}

static void forget_own(State *s) {
  if (s->owned)
    told_free(&s->own);
  s->owned = false;
  circuit_root_free(&s->root);
}

void state_end(State *s) {
  forget_own(s);
  if (s->compiling)
    compile_free(&s->compiled);
  free(s->weights);
  free(s->evidence);
  lpmln_model_free(s->model);
}

void state_observe(State *s, Atom a, int value) {
  assert(a < ground_of(s)->atoms.n && value >= -1 && value <= 1);
  if (s->evidence[a] == value)
    return;
  s->evidence[a] = (int8_t)value;
  if (!told_has(&s->model->told, a))
    forget_own(s);
}

bool state_observe_too(State *s, Atom a, bool value) {
  if (s->evidence[a] == !value)
    return false;
  state_observe(s, a, value);
  return true;
}

/* ---- what tells ---------------------------------------------------------------------- */

void state_evidence(const State *s, bool told, StateEvidence *to) {
  const Ground *g = ground_of(s);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (s->evidence[a] >= 0 && g->atoms.at[a].truth == ATOM_OPEN &&
        told_has(&s->model->told, a) == told)
      vec_push(to, lit_of(a, !s->evidence[a]));
}

static bool contradicts(const State *s) {
  const Ground *g = ground_of(s);
  for (Atom a = 0; a < g->atoms.n; a++)
    if (s->evidence[a] >= 0 && g->atoms.at[a].truth != ATOM_OPEN &&
        (g->atoms.at[a].truth == ATOM_CERTAIN) != (s->evidence[a] == 1))
      return true;
  return false;
}

static Status refuse(const State *s, const Task *t) {
  if (!s->asking || !state_say_impossible(s, t))
    diagnose_error(t->said, NOWHERE, NULL, "no stable model agrees with the evidence");
  return NO_ANSWER;
}

static Compiled *compiled_of(State *s, const Task *t) {
  if (!s->compiling) {
    CompileOptions options = task_compile_options(t);
    compile_begin(&s->compiled, ground_of(s), &s->model->sealed->is.analysis, &options);
    s->compiling = true;
  }
  double left = t->limits.deadline - clock_now();
  s->compiled.options.stop = t->limits.stop;
  s->compiled.options.seconds = t->limits.deadline > 0 ? fmax(left, 1e-3) : 0;
  return &s->compiled;
}

static Status compile_own(State *s, const Task *t, StateEvidence *untold) {
  assert(!s->owned && untold->n);
  const lpmln_model *m = s->model;
  Compiled *c = compiled_of(s, t);
  for (size_t i = 0; i < m->evidence.n; i++)
    vec_push(untold, m->evidence.at[i]);
  ModelAtoms wanted = {0}; /* what the model tells, this one tells, too */
  for (Atom a = 0; a < ground_of(s)->atoms.n; a++)
    if (told_has(&m->told, a))
      vec_push(&wanted, a);
  Status status = compile_root(c, untold->at, untold->n, wanted.at, wanted.n, &s->root);
  vec_free(&wanted);
  if (status == LIMIT)
    diagnose_warning(t->said, NOWHERE, NULL, "compiling: %s", c->message.at);
  if (status == OK && circuit_possible(&s->root)) {
    told_make(&s->own, &c->circuit, &s->root);
    s->owned = true;
  }
  return status != OK ? status : s->owned ? OK : refuse(s, t);
}

Status state_tell(State *s, Task *t, const Told **told) {
  assert(s->model->sealed->ground);
  const Sealed *sealed = s->model->sealed;
  t->program = &sealed->program;
  t->ground = &sealed->is.ground;
  t->analysis = &sealed->is.analysis;
  t->observed = &sealed->is.observed;
  *told = &s->model->told;
  if (careful_needed(s->weights, t->ground->weights.n) &&
      task_weights_fit(t, t->ground, s->weights) != OK)
    return INPUT;
  if (contradicts(s))
    return refuse(s, t);
  StateEvidence untold = {0};
  state_evidence(s, false, &untold);
  Status status = untold.n && !s->owned ? compile_own(s, t, &untold) : OK;
  if (untold.n && status == OK)
    *told = &s->own;
  vec_free(&untold);
  return status;
}

/* By atom: 1, 0, or -1 for open and for what is not told. */
static int8_t *told_evidence(const State *s, const Told *told) {
  size_t n = ground_of(s)->atoms.n;
  int8_t *value = memory_zero(n, sizeof *value);
  for (Atom a = 0; a < n; a++)
    value[a] = told_has(told, a) ? s->evidence[a] : -1;
  return value;
}

/* ---- probabilities -------------------------------------------------------------------- */

typedef struct {
  const Atom *atoms;
  const char *const *names;
  size_t n;
  bool always;
} Queries;

static Queries queries_of(const State *s, const Asking *asking) {
  const lpmln_model *m = s->model;
  if (asking)
    return (Queries){asking->queries.at, asking->names.at, asking->queries.n, asking->always};
  return (Queries){m->queries.at, m->query_names.at, m->queries.n, m->always};
}

/* Queries that nothing tells are compiled, in slices. */
static Status find_untold(State *s, const Task *t, const Told *told, const Queries *q,
                          Probability *probabilities) {
  VEC(Atom) untold = {0};
  StateEvidence evidence = {0};
  Status status = OK;
  for (size_t i = 0; i < q->n; i++)
    if (!told_has(told, q->atoms[i]) && t->ground->atoms.at[q->atoms[i]].truth == ATOM_OPEN)
      vec_push(&untold, q->atoms[i]);
  if (untold.n) {
    Probability *found = memory_zero(untold.n, sizeof *found);
    state_evidence(s, true, &evidence);
    state_evidence(s, false, &evidence);
    for (size_t i = 0; i < s->model->evidence.n; i++)
      vec_push(&evidence, s->model->evidence.at[i]);
    Compiled *c = compiled_of(s, t);
    status =
        compile_marginals(c, evidence.at, evidence.n, untold.at, untold.n, s->weights, 0, found);
    forget_own(s); /* the circuit has grown */
    for (size_t i = 0, k = 0; status == OK && i < q->n; i++)
      if (k < untold.n && q->atoms[i] == untold.at[k])
        probabilities[i] = found[k++];
    free(found);
  }
  vec_free(&untold);
  vec_free(&evidence);
  return status;
}

static void fill(const State *s, const Task *t, const Queries *q, const Probability *probabilities,
                 const double *logs, lpmln_inference *answer) {
  assert(!answer->count);
  lpmln_marginal *list = arena_zero(t->answer, q->n, sizeof *list);
  bool evidence = s->model->evidence.n > 0;
  for (Atom a = 0; !evidence && a < t->ground->atoms.n; a++)
    evidence = s->evidence[a] >= 0;
  for (size_t i = 0; i < q->n; i++)
    if (q->always || probability_is_open(probabilities[i]))
      list[answer->count++] = answer_marginal(t, q->names[i], probabilities[i]);
  answer->about.method = LPMLN_EXACT, answer->about.exact = answer->about.complete = true;
  answer->log_partition = logs[0];
  answer->log_evidence = evidence ? logs[1] : 0;
  answer->log_partition_lower = answer->log_partition_upper = answer->log_partition;
  answer->log_evidence_lower = answer->log_evidence_upper = answer->log_evidence;
  answer->marginals = list;
}

/* Where a double may be too short for a probability, or for its complement: the state's evidence
** apart, which is known. */
static bool is_extreme(const State *s, const Told *told, const Queries *q, const double *found) {
  for (size_t i = 0; i < q->n; i++)
    if (told_has(told, q->atoms[i]) && s->evidence[q->atoms[i]] < 0 &&
        (found[i] < DBL_MIN || found[i] > 1 - 1e-9))
      return true;
  return false;
}

static void evaluate_carefully(const State *s, const Told *told, const Queries *q, double *logs,
                               Probability *probabilities) {
  CarefulRow r;
  int8_t *value = told_evidence(s, told);
  careful_evaluate(&r, told, &s->model->prior, s->weights, value);
  free(value);
  logs[0] = log_double(r.prior);
  logs[1] = log_apart(r.observed, r.prior);
  for (size_t i = 0; !isinf(logs[1]) && i < q->n; i++)
    if (told_has(told, q->atoms[i]))
      probabilities[i] = r.marginals[q->atoms[i]];
  careful_free(&r);
}

static Status evaluate_once(const State *s, const Limits *limits, const Told *told,
                            const Queries *q, double *logs, Probability *probabilities) {
  assert(q->atoms || !q->n);
  double *found = memory_zero(q->n, sizeof *found);
  StateEvidence evidence = {0};
  state_evidence(s, true, &evidence);
  RowsShape shape = {.told = told,
                     .program = &s->model->prior,
                     .weights = s->weights,
                     .queries = q->n,
                     .query = q->atoms,
                     .ground = ground_of(s),
                     .evidence = evidence.at,
                     .evidences = evidence.n};
  lpmln_batch batch = {.rows = 1,
                       .log_partition = {&logs[0], 1, 1},
                       .log_evidence = {&logs[1], 1, 1},
                       .marginals = {found, (ptrdiff_t)q->n, 1}};
  Status status = rows_evaluate(&shape, &batch, limits);
  for (size_t i = 0; i < q->n; i++)
    probabilities[i] = (Probability){found[i], log(found[i])};
  bool large = careful_needed(s->weights, ground_of(s)->weights.n);
  if (status == OK && !isinf(logs[1]) && (large || is_extreme(s, told, q, found)))
    evaluate_carefully(s, told, q, logs, probabilities);
  free(found);
  vec_free(&evidence);
  return status;
}

Status state_infer(State *s, Task *t, const Asking *asking, void *answer, const void *data) {
  (void)data;
  const Told *told;
  Queries q = queries_of(s, asking);
  Probability *probabilities = memory_zero(q.n, sizeof *probabilities);
  double logs[2] = {0, 0};
  Status status = state_tell(s, t, &told);
  if (status == OK)
    status = evaluate_once(s, &t->limits, told, &q, logs, probabilities);
  if (status == OK && isinf(logs[1]))
    status = refuse(s, t);
  if (status == OK)
    status = find_untold(s, t, told, &q, probabilities);
  if (status == OK)
    fill(s, t, &q, probabilities, logs, answer);
  free(probabilities);
  return status;
}

/* ---- models and samples ----------------------------------------------------------------- */

/* The circuit with all evidence in it. */
typedef struct {
  Circuit circuit;
  CircuitRoot root;
} Conditioned;

static Status condition(State *s, Task *t, Conditioned *c) {
  const Told *told;
  *c = (Conditioned){0};
  Status status = state_tell(s, t, &told);
  if (status != OK)
    return status;
  int8_t *value = told_evidence(s, told);
  circuit_condition(told->circuit, told->root, value, &c->circuit, &c->root);
  free(value);
  return circuit_possible(&c->root) ? OK : refuse(s, t);
}

static void conditioned_free(Conditioned *c) {
  circuit_root_free(&c->root);
  circuit_free(&c->circuit);
}

Status state_agrees(State *s, Task *t) {
  Conditioned c;
  Status status = condition(s, t, &c);
  conditioned_free(&c);
  return status;
}

static ExactSource source_of(const State *s, const Conditioned *c) {
  return (ExactSource){&c->circuit, &c->root, &s->model->strata, s->weights};
}

Status state_list(State *s, Task *t, const Asking *asking, void *answer, const void *wanted) {
  (void)asking;
  Conditioned c;
  Status status = condition(s, t, &c);
  ExactSource from = source_of(s, &c);
  if (status == OK)
    status = exact_list(t, &from, *(const Wanted *)wanted, answer);
  conditioned_free(&c);
  return status;
}

Status state_draw(State *s, Task *t, const Asking *asking, void *answer, const void *count) {
  (void)asking;
  Conditioned c;
  Status status = condition(s, t, &c);
  ExactSource from = source_of(s, &c);
  if (status == OK)
    status = exact_draw(t, &from, *(const size_t *)count, answer);
  conditioned_free(&c);
  return status;
}
