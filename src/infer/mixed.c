/* mixed.c - see mixed.h. */
#include "infer/mixed.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "ground/read.h"
#include "lpmln/lpmln.h"
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
  double each = fmin(left, ALL_SECONDS) / fmax(m->q.analysis->kinds, 1);
  options.memory = task->options->memory_limit << 20;
  options.stop = task->limits.stop;
  options.seed = task->options->seed;
  options.threads = task->options->threads;
  options.kind_seconds = fmax(fmin(fmin(each, KIND_SECONDS), task->options->compile_limit), 1e-3);
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

static Status begin_chains(Mixed *m) {
  assert(!m->chains.chain && m->sampled);
  const Task *task = m->q.task;
  const Ground *g = m->q.ground;
  const lpmln_sampling *s = &task->options->sampling;
  bool *dropped = memory_zero(g->atoms.n, sizeof *dropped);
  for (Atom a = 0; a < g->atoms.n; a++)
    dropped[a] = g->atoms.at[a].truth == ATOM_OPEN && !m->sampled[a];
  target_make(g, dropped, m->q.evidence, m->q.evidences, &m->target);
  if (m->valued)
    m->target.constants.n = 0; /* the circuit counts them */
  free(dropped);
  ChainsOptions options = {.count = m->q.chains,
                           .threads = task->options->threads,
                           .seed = task->options->seed,
                           .stream = m->q.stream,
                           .worker_path = task->worker->wanted,
                           .limits = &task->limits,
                           .block_moves = s->block_moves};
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
  if (!failed || status == OK || status == NO_ANSWER || status == INTERRUPTED)
    return status;
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

Status mixed_run(Mixed *m, size_t burn_in, size_t samples, ChainsRecord record, void *data,
                 size_t *done) {
  Status status = chains_run(&m->chains, burn_in, 1, NULL, NULL, done);
  *done = 0;
  if (status == OK)
    status = chains_run(&m->chains, samples, m->q.task->options->sampling.thin, record, data, done);
  return explain(m, status);
}
