/* mixed.c - see mixed.h. */
#include "infer/mixed.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "ground/read.h"
#include "lpmln/lpmln.h"
#include "sample/flips.h"
#include "sample/uniform.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Seconds for each kind of component, and for all of them: a hard one takes nothing from
** others. */
enum { KIND_SECONDS = 5, ALL_SECONDS = 60 };

/* ---- which components are sampled --------------------------------------------- */

static CompileOptions compile_options(const Mixed *m) {
  const Task *task = m->q.task;
  CompileOptions options = compile_options_default();
  double left = task->limits.deadline > 0 ? (task->limits.deadline - clock_now()) / 3 : ALL_SECONDS;
  options.deadline = clock_now() + fmax(fmin(left, ALL_SECONDS), 1e-3);
  double each = fmin(left, ALL_SECONDS) / fmax(m->q.analysis->kinds, 1);
  options.memory = task->options->memory_limit << 20;
  options.stop = task->limits.stop;
  options.seed = task->options->seed;
  options.threads = task->options->threads;
  options.explored = &task->progress->explored;
  options.kind_seconds =
      fmax(fmin(fmin(each, KIND_SECONDS), task_compile_limit(task, KIND_SECONDS)), 1e-3);
  return options;
}

static void sample_all(Mixed *m) {
  for (Atom a = 0; a < m->q.ground->atoms.n; a++)
    m->sampled[a] = m->q.ground->atoms.at[a].truth == ATOM_OPEN;
}

/* Tries all components; those whose kind fails are sampled. */
static Status sort_components(Mixed *m) {
  assert(m->q.parts);
  const Analysis *an = m->q.analysis;
  Compiled trial;
  CircuitRoot root = {0};
  CompileOptions options = compile_options(m);
  compile_begin(&trial, m->q.ground, an, &options);
  Status status = compile_root(&trial, m->q.evidence, m->q.evidences, NULL, 0, &root);
  for (uint32_t k = 0; status == LIMIT && k < an->components; k++)
    for (uint32_t i = an->first[k]; i < an->first[k + 1]; i++)
      m->sampled[an->member[i]] = compile_failed(&trial, an->kind[k]);
  circuit_root_free(&root);
  compile_free(&trial);
  return status == LIMIT ? OK : status;
}

Lit *mixed_own_evidence(const Mixed *m, size_t *count) {
  assert(m->sampled || !m->q.evidences);
  Lit *own = memory_zero(m->q.evidences, sizeof *own);
  *count = 0;
  for (size_t i = 0; i < m->q.evidences; i++)
    if (!m->sampled[lit_atom(m->q.evidence[i])])
      own[(*count)++] = m->q.evidence[i];
  return own;
}

/* What compiled once compiles again; if not, all is sampled. */
static Status compile_rest(Mixed *m) {
  assert(!m->compiling && !m->valued);
  size_t n;
  Lit *own = mixed_own_evidence(m, &n);
  CompileOptions options = compile_options(m);
  ground_without(m->q.ground, m->sampled, &m->ground);
  analysis_make(&m->ground, &m->analysis);
  compile_begin(&m->compiled, &m->ground, &m->analysis, &options);
  m->compiling = true;
  Status status = compile_root(&m->compiled, own, n, NULL, 0, &m->root);
  free(own);
  if (status == LIMIT)
    sample_all(m);
  if (status == OK && !circuit_possible(&m->root))
    return NO_ANSWER;
  if (status != OK)
    return status == LIMIT ? OK : status;
  circuit_values_make(&m->compiled.circuit, &m->values);
  circuit_evaluate(&m->compiled.circuit, m->q.weights, &m->values);
  m->valued = true;
  return OK;
}

/* ---- chains ---------------------------------------------------------------------- */

static void make_target(const Mixed *m, size_t evidences, Target *t) {
  const Ground *g = m->q.ground;
  assert(evidences <= m->q.evidences);
  bool *dropped = memory_zero(g->atoms.n, sizeof *dropped);
  for (Atom a = 0; a < g->atoms.n; a++)
    dropped[a] = g->atoms.at[a].truth == ATOM_OPEN && !m->sampled[a];
  target_make(g, dropped, m->q.evidence, evidences, t);
  if (m->valued)
    t->constants.n = 0; /* the circuit counts them */
  free(dropped);
}

static ChainsOptions chains_options(const Mixed *m, size_t block_moves, uint64_t stream) {
  const Task *task = m->q.task;
  return (ChainsOptions){.count = m->q.chains,
                         .threads = task->options->threads,
                         .seed = task->options->seed,
                         .stream = stream,
                         .worker_path = task->worker->wanted,
                         .limits = &task->limits,
                         .share = task->share,
                         .block_moves = block_moves};
}

static Status begin_chains(Mixed *m) {
  assert(!m->chains.chain && m->sampled);
  make_target(m, m->q.evidences, &m->target);
  ChainsOptions options = chains_options(m, m->q.task->options->sampling.block_moves, m->q.stream);
  return m->target.analysis.components
             ? chains_begin(&m->chains, &m->target, m->q.weights, &options)
             : OK;
}

static bool contradicts(const Mixed *m) {
  for (size_t i = 0; i < m->q.evidences; i++) {
    Truth truth = m->q.ground->atoms.at[lit_atom(m->q.evidence[i])].truth;
    if (truth != ATOM_OPEN && (truth == ATOM_CERTAIN) == lit_negated(m->q.evidence[i]))
      return true;
  }
  return m->q.ground->inconsistent;
}

/* What there is to say if chains end in this way. */
static Status explain(const Mixed *m, Status status) {
  const Uniform *failed = m->chains.chain ? chains_failed(&m->chains) : NULL;
  Diagnostics *said = m->q.task->said;
  if (m->chains.trouble.n) {
    diagnose_error(said, NOWHERE, NULL, "sampling: %s", m->chains.trouble.at);
    return status;
  }
  if (!failed || status == OK || status == NO_ANSWER || status == INTERRUPTED)
    return status;
  if (m->q.task->own_limit && limits_check(&m->q.task->limits) == LIMIT)
    return LIMIT;
  if (failed->outcome != WORKER_OK)
    return ground_outcome(said, failed->outcome, &failed->worker, "sampling");
  if (limits_check(&m->q.task->limits) != OK)
    return ground_outcome(said, WORKER_TIME, &failed->worker, "sampling");
  diagnose_warning(said, NOWHERE, "another option seed may do",
                   "no uniformly random stable model was found in the allowed attempts");
  return status;
}

Status mixed_begin(Mixed *m, const MixedQuestion *q) {
  assert(q->task && q->ground->sealed && (q->evidence || !q->evidences));
  *m = (Mixed){.q = *q};
  m->sampled = memory_zero(q->ground->atoms.n, sizeof *m->sampled);
  Status status = contradicts(m) ? NO_ANSWER : OK;
  if (status == OK && q->parts)
    status = sort_components(m);
  else
    sample_all(m);
  if (status == OK && q->parts)
    status = compile_rest(m);
  if (status == OK)
    status = begin_chains(m);
  return explain(m, status);
}

void mixed_free(Mixed *m) {
  chains_free(&m->chains);
  target_free(&m->target);
  if (m->valued)
    circuit_values_free(&m->values);
  circuit_root_free(&m->root);
  if (m->compiling)
    compile_free(&m->compiled);
  analysis_free(&m->analysis);
  ground_free(&m->ground);
  free(m->sampled);
}

#define BURN_SHARE 0.4 /* of the time that is left, at most */
enum { BURN_ROUND = 8 };

/* An early end of the burn-in shows in R-hat; no samples would be worse. */
static Status burn(Mixed *m, size_t steps) {
  double until = clock_now() + BURN_SHARE * task_seconds(m->q.task);
  Status status = OK;
  for (size_t left = steps, done; status == OK && left && clock_now() < until; left -= done)
    status = chains_run(&m->chains, left < BURN_ROUND ? left : BURN_ROUND, 1, NULL, NULL, &done);
  return status;
}

Status mixed_run(Mixed *m, size_t burn_in, size_t samples, ChainsRecord record, void *data,
                 size_t *done) {
  Status status = burn(m, burn_in);
  *done = 0;
  if (status == OK)
    status = chains_run(&m->chains, samples, m->q.task->options->sampling.thin, record, data, done);
  return explain(m, status);
}

/* ---- sums of weights ------------------------------------------------------------------ */

enum { LADDER_STREAM = 500, FOOT_BURN_IN = 50 };

/* Of the sampled part; all moves help here, whatever the user wants of the samples. */
static Status climb(const Mixed *m, const Target *t, size_t samples, uint64_t stream,
                    LogEstimate *to) {
  LadderOptions options = {chains_options(m, SIZE_MAX, stream), samples, FOOT_BURN_IN};
  if (t->analysis.components)
    return ladder_climb(t, m->q.weights, &options, to);
  *to = (LogEstimate){0, 0};
  for (size_t i = 0; i < t->constants.n; i++)
    to->value -= m->q.weights[t->constants.at[i]];
  return OK;
}

/* Of the compiled part without evidence. */
static Status compiled_log(Mixed *m, double *log_sum) {
  CircuitRoot root = {0};
  CircuitValues values;
  assert(m->valued);
  Status status = compile_root(&m->compiled, NULL, 0, NULL, 0, &root);
  *log_sum = NAN;
  if (status == OK) {
    circuit_values_make(&m->compiled.circuit, &values);
    circuit_evaluate(&m->compiled.circuit, m->q.weights, &values);
    *log_sum = circuit_log_value(&m->compiled.circuit, &values, &root);
    circuit_values_free(&values);
  }
  circuit_root_free(&root);
  return status == LIMIT ? OK : status;
}

static Status sum_all(Mixed *m, size_t samples, LogEstimate *to) {
  Target t;
  double rest = 0;
  make_target(m, 0, &t);
  Status status = climb(m, &t, samples, m->q.stream + LADDER_STREAM + m->q.chains, to);
  target_free(&t);
  if (status == OK && m->valued)
    status = compiled_log(m, &rest);
  to->value += rest;
  return status;
}

Status mixed_log_sums(Mixed *m, size_t samples, LogEstimate *with, LogEstimate *all) {
  LogEstimate none = {NAN, NAN};
  *with = none;
  if (m->valued) /* before anything is added to the circuit */
    circuit_evaluate(&m->compiled.circuit, m->q.weights, &m->values);
  double rest = m->valued ? circuit_log_value(&m->compiled.circuit, &m->values, &m->root) : 0;
  Status status = climb(m, &m->target, samples, m->q.stream + LADDER_STREAM, with);
  with->value += rest;
  if (!all)
    return status;
  *all = m->q.evidences ? none : *with;
  if (status == OK && m->q.evidences)
    status = sum_all(m, samples, all);
  return status;
}

/* A name for people; auxiliary atoms have none. */
static const char *name_of(const Ground *g, Atom a) {
  return a == NONE || g->atoms.at[a].name == NONE ? "an auxiliary atom"
                                                  : ground_text(g, g->atoms.at[a].name);
}

void mixed_explain_guarantee(const Mixed *m) {
  static const char *const why[] = {
      [FLIP_FREE] = "option block_moves=0 leaves out the moves that would prove it",
      [FLIP_LOOP] = "guessed atoms depend on each other in a loop at '%s'",
      [FLIP_RULE] = "a hard rule about '%s' may stand between them",
      [FLIP_EVIDENCE] = "the evidence about '%s' may stand between them",
      [FLIP_SUPPORT] = "what supports '%s' depends on it in turn"};
  if (!m->chains.chain || chains_guarantee(&m->chains) != CHAINS_HEURISTIC)
    return;
  FlipObstacle obstacle;
  uint32_t k = chains_obstructed(&m->chains, &obstacle);
  const Target *t = &m->target;
  Text reason = {0};
  text_printf(&reason, why[obstacle.reason], name_of(m->q.ground, obstacle.atom));
  diagnose_note(m->q.task->said, NOWHERE, NULL,
                "it is not proven that the chains reach every stable model: a component has %u "
                "guessed atoms, too many to be drawn at once, and %s",
                t->guess_start[k + 1] - t->guess_start[k], reason.at);
  vec_free(&reason);
}
