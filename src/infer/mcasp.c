/* mcasp.c - answers from Markov chains, with their errors; see chain.h.
**
** Chains record the truth of the atoms that are asked for as bits, so that the memory
** of many samples stays small. */
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "infer/engine.h"
#include "infer/mixed.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "sample/chain.h"
#include "sample/chains.h"
#include "sample/diagnostics.h"
#include "sample/encode.h"
#include "sample/uniform.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SAMPLES = 1000, BURN_IN = 100, STREAM = 1000, EXACT_STREAM = 999 };

static size_t burn_in(const Task *task) {
  return task->options->sampling.burn_in == SIZE_MAX ? BURN_IN : task->options->sampling.burn_in;
}

/* Bits of some atoms: chain after chain, sample after sample, in whole bytes. */
typedef struct {
  Mixed *m;
  const Atom *atoms;
  size_t n, bytes, samples;
  uint8_t *bits;
} Trace;

static Trace trace_make(Mixed *m, const Atom *atoms, size_t n, size_t samples) {
  assert(m->q.chains && (atoms || !n));
  Trace t = {.m = m, .atoms = atoms, .n = n, .bytes = (n + 7) / 8, .samples = samples};
  t.bits = memory_zero(m->q.chains * samples, t.bytes);
  return t;
}

static uint8_t *trace_at(const Trace *t, size_t chain, size_t sample) {
  assert(chain < t->m->q.chains && sample < t->samples);
  return t->bits + (chain * t->samples + sample) * t->bytes;
}

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Trace *t = data;
  uint8_t *bits = trace_at(t, chain, sample);
  for (size_t i = 0; i < t->n; i++)
    bits[i >> 3] = (uint8_t)(bits[i >> 3] | atoms[t->atoms[i]] << (i & 7));
  atomic_fetch_add(&t->m->q.task->progress->models, 1);
}

static const lpmln_answer by_chains = {.method = LPMLN_MC_ASP};

typedef struct {
  lpmln_guarantee kind;
  double epsilon, doubt;
} Guarantee;

static Guarantee guarantee_of(const Mixed *m) {
  if (!m->chains.chain)
    return (Guarantee){0};
  const UniformOptions *o = &m->chains.chain[0].uniform.options;
  switch (chains_guarantee(&m->chains)) {
  case CHAINS_EXACT: return (Guarantee){LPMLN_EXACTLY, 0, 0};
  case CHAINS_NEAR: return (Guarantee){LPMLN_NEAR_UNIFORM, o->epsilon, o->doubt};
  default: return (Guarantee){LPMLN_HEURISTIC, 0, 0};
  }
}

/* ---- estimates ------------------------------------------------------------------- */

/* By atom of the trace, from `done` samples of each chain. */
static Estimate *estimate_all(const Trace *t, size_t done) {
  assert(done <= t->samples);
  size_t chains = t->m->q.chains;
  Estimate *estimates = memory_zero(t->n, sizeof *estimates);
  double *values = memory_zero(chains * done, sizeof *values), least = (double)(chains * done);
  for (int round = 0; round < 2; round++) /* what never changed goes by the worst of the others */
    for (size_t i = 0; i < t->n; i++) {
      if (round && !isnan(estimates[i].ess))
        continue;
      for (size_t c = 0; c < chains; c++)
        for (size_t s = 0; s < done; s++)
          values[c * done + s] = layout_bit(trace_at(t, c, s), (uint32_t)i);
      estimates[i] = estimate_probability(values, chains, done, least);
      if (!round && !isnan(estimates[i].ess))
        least = fmin(least, estimates[i].ess);
    }
  free(values);
  return estimates;
}

typedef struct {
  double rhat, ess; /* the worst */
} Mixing;

static void look_at(const Estimate *e, Mixing *worst) {
  if (isnan(e->ess))
    return;
  worst->rhat = fmax(worst->rhat, e->rhat);
  worst->ess = fmin(worst->ess, e->ess);
}

/* Says so if the chains are not to be trusted yet. */
static void judge(Mixed *m, Mixing worst) {
  Diagnostics *said = m->q.task->said;
  if (worst.rhat > 1.01)
    diagnose_warning(said, NOWHERE,
                     "take longer chains (option samples, option burn_in) or more steps between "
                     "samples (option thin)",
                     "the chains do not agree yet: R-hat is %.3f, and should be below "
                     "1.01; errors may be larger than stated",
                     worst.rhat);
  else if (worst.ess < 100 * (double)m->q.chains)
    diagnose_warning(said, NOWHERE, "take longer chains (option samples)",
                     "the samples are worth only %.0f "
                     "independent ones; errors are not certain below %zu",
                     worst.ess, 100 * m->q.chains);
}

/* ---- probabilities --------------------------------------------------------------- */

/* An atom that never changed may be certain or impossible: the solver knows. */
static Status settle(const Mixed *m, Atom atom, Estimate *e) {
  if (!isnan(e->ess))
    return OK;
  Lit *literals = memory_zero(m->q.evidences + 1, sizeof *literals);
  for (size_t i = 0; i < m->q.evidences; i++)
    literals[i] = m->q.evidence[i];
  literals[m->q.evidences] = lit_of(atom, e->mean > 0.5);
  bool possible = true;
  Status status = task_satisfiable(m->q.task, literals, m->q.evidences + 1, &possible);
  if (status == OK && !possible)
    *e = (Estimate){e->mean > 0.5, 0, NAN, NAN};
  free(literals);
  return status;
}

/* Exact ones, of atoms that are not sampled. */
static Status find_exact(Mixed *m, const Atom *atoms, size_t n, Estimate *to) {
  const Ground *g = m->q.task->ground;
  size_t evidences;
  Lit *own = mixed_own_evidence(m, &evidences);
  Atom *open = memory_zero(n, sizeof *open);
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if (g->atoms.at[atoms[i]].truth == ATOM_OPEN && !m->sampled[atoms[i]])
      open[count++] = atoms[i];
  double *probabilities = memory_zero(count, sizeof *probabilities);
  Status status = OK;
  if (count)
    status = compile_marginals(&m->compiled, own, evidences, open, count, m->q.weights, 0,
                               probabilities);
  for (size_t i = 0, k = 0; status == OK && i < n; i++)
    if (g->atoms.at[atoms[i]].truth != ATOM_OPEN)
      to[i] = (Estimate){g->atoms.at[atoms[i]].truth == ATOM_CERTAIN, 0, NAN, NAN};
    else if (!m->sampled[atoms[i]])
      to[i] = (Estimate){probabilities[k++], 0, NAN, NAN};
  free(own);
  free(open);
  free(probabilities);
  return status;
}

static Status find_sampled(Mixed *m, const Atom *atoms, size_t n, lpmln_inference *answer,
                           Estimate *to) {
  size_t count = 0, done = 0, samples = m->q.task->options->sampling.samples;
  Atom *own = memory_zero(n, sizeof *own);
  for (size_t i = 0; i < n; i++)
    if (m->sampled[atoms[i]])
      own[count++] = atoms[i];
  Trace trace = trace_make(m, own, count, samples ? samples : SAMPLES);
  Status status =
      count ? mixed_run(m, burn_in(m->q.task), trace.samples, record, &trace, &done) : OK;
  if (done >= 8 || !count) {
    Mixing worst = {0, INFINITY};
    Estimate *estimates = estimate_all(&trace, done);
    for (size_t i = 0, k = 0; i < n; i++)
      if (m->sampled[atoms[i]]) {
        look_at(&estimates[k], &worst);
        to[i] = estimates[k++];
      }
    judge(m, worst);
    free(estimates);
    Guarantee g = guarantee_of(m);
    answer->about = by_chains;
    answer->about.complete = status == OK;
    answer->guarantee = g.kind, answer->epsilon = g.epsilon, answer->doubt = g.doubt;
    answer->samples = done * m->q.chains;
  }
  free(trace.bits);
  free(own);
  return status;
}

static Status fill(Mixed *m, lpmln_inference *answer) {
  AskedList asked = {0};
  bool always;
  answer_asked(m->q.task->program, m->q.task->ground, &asked, &always);
  lpmln_marginal *list = arena_zero(m->q.task->answer, asked.n, sizeof *list);
  Atom *atoms = memory_zero(asked.n, sizeof *atoms);
  Estimate *estimates = memory_zero(asked.n, sizeof *estimates);
  for (size_t i = 0; i < asked.n; i++)
    atoms[i] = asked.at[i].atom;
  Status status = find_exact(m, atoms, asked.n, estimates);
  if (status == OK)
    status = find_sampled(m, atoms, asked.n, answer, estimates);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    if (m->sampled[atoms[i]])
      status = settle(m, atoms[i], &estimates[i]);
  for (size_t i = 0; answer->about.method && i < asked.n; i++) {
    const Estimate *e = &estimates[i];
    bool known = e->error == 0 && (e->mean == 0 || e->mean == 1);
    if (always || !known)
      list[answer->count++] = (lpmln_marginal){arena_text(m->q.task->answer, asked.at[i].text),
                                               e->mean, e->error, e->ess, e->rhat};
  }
  answer->marginals = list;
  answer->log_partition = answer->log_evidence = NAN;
  free(atoms);
  free(estimates);
  vec_free(&asked);
  return status;
}

/* ---- questions --------------------------------------------------------------------- */

static Status refuse_violable(const Task *task) {
  if (task->hard_bound == NONE)
    return OK;
  diagnose_error(task->said, NOWHERE, "option method=enumerate can",
                 "mc-asp can't sample a program whose "
                 "hard rules are violated");
  return USAGE;
}

/* No stable model at all, or none with the evidence? */
static Status nothing(const Task *task) {
  bool consistent;
  Status status = task_satisfiable(task, NULL, 0, &consistent);
  return status != OK ? status : consistent ? task_no_evidence(task) : task_no_model(task);
}

/* A question about the whole program, with its evidence and weights. */
static Status begin(Mixed *m, const Task *task, bool parts) {
  *m = (Mixed){0};
  Status status = refuse_violable(task);
  if (status != OK)
    return status;
  MixedQuestion q = {.task = task,
                     .ground = task->ground,
                     .analysis = task->analysis,
                     .evidence = task->evidence,
                     .evidences = task->evidences,
                     .weights = task->weights,
                     .parts = parts,
                     .chains = task->options->sampling.chains,
                     .stream = STREAM};
  task_stage(task, parts ? LPMLN_COMPILING : LPMLN_SAMPLING);
  status = mixed_begin(m, &q);
  task_stage(task, LPMLN_SAMPLING);
  atomic_store(&task->progress->models, 0);
  return status == NO_ANSWER ? nothing(task) : status;
}

Status mcasp_infer(const Task *task, bool parts, lpmln_inference *answer) {
  Mixed m;
  Status status = begin(&m, task, parts);
  if (status == OK)
    status = fill(&m, answer);
  mixed_free(&m);
  return status;
}

/* ---- samples ---------------------------------------------------------------------- */

/* Every open atom that a printed model tells. */
static void find_told(const Mixed *m, Atoms *told) {
  assert(!told->n && m->sampled);
  const Ground *g = m->q.task->ground;
  bool *wanted = memory_zero(g->atoms.n, sizeof *wanted);
  for (Atom a = 0; a < g->atoms.n; a++)
    wanted[a] = g->atoms.at[a].shown;
  for (size_t i = 0; i < g->terms.n; i++)
    wanted[g->terms.at[i].atom] = true;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (wanted[a] && m->sampled[a])
      vec_push(told, a);
  free(wanted);
}

static void fill_samples(Mixed *m, const Trace *t, size_t done, size_t count,
                         lpmln_samples *answer) {
  assert(done <= t->samples);
  const Task *task = m->q.task;
  lpmln_sample *samples = arena_zero(task->answer, count, sizeof *samples);
  bool *atoms = answer_atoms(task->ground);
  Random random = random_make(task->options->seed, EXACT_STREAM);
  for (size_t c = 0; c < m->q.chains; c++)
    for (size_t s = 0; s < done && answer->count < count; s++) {
      if (m->valued) {
        circuit_sample(&m->compiled.circuit, &m->values, &m->root, &random, atoms);
        strata_extend(&m->ground, &m->compiled.strata, atoms);
      }
      for (size_t i = 0; i < t->n; i++)
        atoms[t->atoms[i]] = layout_bit(trace_at(t, c, s), (uint32_t)i);
      lpmln_sample *to = &samples[answer->count++];
      to->atoms = answer_shown(task, atoms, &to->atom_count);
    }
  free(atoms);
  answer->samples = samples;
}

static void judge_samples(Mixed *m, const Trace *t, size_t done) {
  Mixing worst = {0, INFINITY};
  Estimate *estimates = estimate_all(t, done);
  for (size_t i = 0; i < t->n; i++)
    look_at(&estimates[i], &worst);
  if (done >= 8 && !isinf(worst.ess))
    diagnose_note(m->q.task->said, NOWHERE, "option thin=N takes every Nth",
                  "samples of one chain depend on "
                  "each other: these are worth about %.0f independent ones",
                  fmin(worst.ess, (double)(done * m->q.chains)));
  free(estimates);
}

static Status sample(Mixed *m, size_t count, lpmln_samples *answer) {
  Atoms told = {0};
  size_t done, chains = m->q.chains;
  find_told(m, &told);
  Trace trace = trace_make(m, told.at, told.n, (count + chains - 1) / chains);
  Status status = mixed_run(m, burn_in(m->q.task), trace.samples, record, &trace, &done);
  if (done) {
    Guarantee g = guarantee_of(m);
    fill_samples(m, &trace, done, count, answer);
    judge_samples(m, &trace, done);
    answer->about = by_chains;
    answer->about.complete = status == OK;
    answer->guarantee = g.kind, answer->epsilon = g.epsilon, answer->doubt = g.doubt;
  }
  free(trace.bits);
  vec_free(&told);
  return status;
}

Status mcasp_sample(const Task *task, bool parts, size_t count, lpmln_samples *answer) {
  Mixed m;
  Status status = begin(&m, task, parts);
  if (status == OK)
    status = sample(&m, count, answer);
  mixed_free(&m);
  return status;
}
