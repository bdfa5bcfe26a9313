/* mcasp.c - answers from Markov chains, with their errors; see chain.h.
**
** Chains record the truth of the atoms that are asked for as bits, so that the memory
** of many samples stays small. */
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
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
#include <string.h>

enum { FIRST_SAMPLES = 250, MOST_SAMPLES = 10000000 };      /* of each chain, for a given error */
enum { RUNG_SHARE = 8, LEAST_RUNG = 64, MOST_RUNG = 4096 }; /* samples on a rung of the ladder */
enum { MOST_MIXING = 4, PIECES = 50 };                      /* atoms and points of a trace plot */
enum { SAMPLES = 1000, BURN_IN = 100, STREAM = 1000, EXACT_STREAM = 999 };

static size_t burn_in(const Task *task) {
  return task->options->sampling.burn_in == SIZE_MAX ? BURN_IN : task->options->sampling.burn_in;
}

/* Bits of some atoms: sample after sample, chain after chain, in whole bytes. */
typedef struct {
  Mixed *m;
  const Atom *atoms;
  size_t n, bytes, samples;
  size_t done; /* before the run under way */
  uint8_t *bits;
} Trace;

static Trace trace_make(Mixed *m, const Atom *atoms, size_t n, size_t samples) {
  assert(m->q.chains && (atoms || !n));
  Trace t = {.m = m, .atoms = atoms, .n = n, .bytes = (n + 7) / 8, .samples = samples};
  t.bits = memory_zero(m->q.chains * samples, t.bytes);
  return t;
}

/* Anew: the system clears pages when they are touched, and a run may stop long before. */
static void trace_grow(Trace *t, size_t samples) {
  assert(samples >= t->samples);
  size_t each = t->m->q.chains * t->bytes;
  uint8_t *bits = memory_zero(samples, each);
  memcpy(bits, t->bits, t->done * each);
  free(t->bits);
  t->bits = bits, t->samples = samples;
}

static uint8_t *trace_at(const Trace *t, size_t chain, size_t sample) {
  assert(chain < t->m->q.chains && sample < t->samples);
  return t->bits + (sample * t->m->q.chains + chain) * t->bytes;
}

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Trace *t = data;
  uint8_t *bits = trace_at(t, chain, t->done + sample);
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
    *e = (Estimate){e->mean > 0.5, 0, NAN, NAN, NAN};
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
  Probability *probabilities = memory_zero(count, sizeof *probabilities);
  Status status = OK;
  if (count)
    status = compile_marginals(&m->compiled, own, evidences, open, count, m->q.weights, 0,
                               probabilities);
  if (status == LIMIT && limits_check(&m->q.task->limits) == OK)
    status = OK; /* what is NAN has no estimate */
  for (size_t i = 0, k = 0; status == OK && i < n; i++)
    if (g->atoms.at[atoms[i]].truth != ATOM_OPEN)
      to[i] = (Estimate){g->atoms.at[atoms[i]].truth == ATOM_CERTAIN, 0, NAN, NAN, NAN};
    else if (!m->sampled[atoms[i]]) {
      double p = probabilities[k++].value;
      to[i] = (Estimate){p, isnan(p) ? NAN : 0, NAN, NAN, NAN};
    }
  free(own);
  free(open);
  free(probabilities);
  return status;
}

/* How many samples are wanted next, of each chain; as many as there are: no more. */
static size_t wanted_samples(const Task *task, size_t done, double worst) {
  const lpmln_sampling *o = &task->options->sampling;
  size_t most = o->samples ? o->samples : o->error > 0 ? MOST_SAMPLES : SAMPLES;
  if (o->error <= 0)
    return most;
  if (!done)
    return FIRST_SAMPLES < most ? FIRST_SAMPLES : most;
  if (worst <= o->error)
    return done;
  double factor = fmin(fmax(1.1 * worst * worst / (o->error * o->error), 1.3), 4);
  double next = (double)done * factor;
  return next < (double)most ? (size_t)next : most;
}

static double largest_error(const Estimate *estimates, size_t n) {
  double worst = 0;
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, estimates[i].error);
  return worst;
}

/* Runs the chains until there are enough samples; the caller frees the estimates.  NULL: too
** few for any. */
static Status run_chains(Mixed *m, Trace *t, Estimate **estimates) {
  const Task *task = m->q.task;
  double worst = INFINITY;
  Status status = OK;
  *estimates = NULL;
  for (size_t next; status == OK && (next = wanted_samples(task, t->done, worst)) > t->done;) {
    size_t before = t->done, more = 0;
    trace_grow(t, next);
    status = mixed_run(m, before ? 0 : burn_in(task), next - before, record, t, &more);
    t->done = before + more;
    if (t->done < 8)
      continue;
    free(*estimates);
    *estimates = estimate_all(t, t->done);
    worst = largest_error(*estimates, t->n);
  }
  if (status == OK && task->options->sampling.error > 0 && worst > task->options->sampling.error) {
    diagnose_warning(task->said, NOWHERE, "option samples with a larger number, or a time limit",
                     "the error asked for was not reached: the largest is %.2g", worst);
    status = LIMIT;
  }
  return status;
}

/* The one with the largest R-hat that is not `taken`; n: none is left. */
static size_t worst_left(const Estimate *estimates, size_t n, const bool *taken) {
  size_t worst = n;
  for (size_t i = 0; i < n; i++)
    if (!taken[i] && !isnan(estimates[i].rhat) &&
        (worst == n || estimates[i].rhat > estimates[worst].rhat))
      worst = i;
  return worst;
}

static const double *shares_of(const Trace *t, size_t atom, size_t pieces) {
  double *shares = arena_zero(t->m->q.task->answer, t->m->q.chains * pieces, sizeof *shares);
  assert(pieces && pieces <= t->done);
  for (size_t c = 0; c < t->m->q.chains; c++)
    for (size_t p = 0; p < pieces; p++) {
      size_t from = p * t->done / pieces, end = (p + 1) * t->done / pieces, seen = 0;
      for (size_t s = from; s < end; s++)
        seen += layout_bit(trace_at(t, c, s), (uint32_t)atom);
      shares[c * pieces + p] = (double)seen / (double)(end - from);
    }
  return shares;
}

/* `names`: of the atoms of the trace. */
static void fill_mixing(const Trace *t, const Estimate *estimates, const char *const *names,
                        lpmln_inference *answer) {
  const Task *task = t->m->q.task;
  size_t pieces = t->done < PIECES ? t->done : PIECES, which;
  lpmln_mixing *list = arena_zero(task->answer, MOST_MIXING, sizeof *list);
  bool *taken = memory_zero(t->n, sizeof *taken);
  for (size_t i = 0; i < t->n; i++)
    taken[i] = !*names[i]; /* a condition */
  while (answer->mixing_count < MOST_MIXING &&
         (which = worst_left(estimates, t->n, taken)) < t->n) {
    taken[which] = true;
    list[answer->mixing_count++] = (lpmln_mixing){.atom = arena_text(task->answer, names[which]),
                                                  .chains = t->m->q.chains,
                                                  .pieces = pieces,
                                                  .shares = shares_of(t, which, pieces)};
  }
  answer->mixing = list;
  free(taken);
}

static Status find_sampled(Mixed *m, const AskedList *asked, const Atom *atoms,
                           lpmln_inference *answer, Estimate *to) {
  size_t count = 0, n = asked->n;
  Atom *own = memory_zero(n, sizeof *own);
  const char **names = memory_zero(n, sizeof *names);
  for (size_t i = 0; i < n; i++)
    if (m->sampled[atoms[i]])
      names[count] = asked->at[i].text, own[count++] = atoms[i];
  Trace trace = trace_make(m, own, count, 0);
  Estimate *estimates = NULL;
  Status status = count ? run_chains(m, &trace, &estimates) : OK;
  if (estimates || !count) {
    Mixing worst = {0, INFINITY};
    for (size_t i = 0, k = 0; i < n; i++)
      if (m->sampled[atoms[i]]) {
        look_at(&estimates[k], &worst);
        to[i] = estimates[k++];
      }
    judge(m, worst);
    mixed_explain_guarantee(m);
    Guarantee g = guarantee_of(m);
    answer->about = by_chains;
    answer->about.complete = status == OK;
    answer->guarantee = g.kind, answer->epsilon = g.epsilon, answer->doubt = g.doubt;
    answer->samples = trace.done * m->q.chains;
    if (count)
      fill_mixing(&trace, estimates, names, answer);
  }
  free(estimates);
  free(trace.bits);
  free(own);
  free(names);
  return status;
}

/* ln Z and ln P(evidence), in about the time that the samples took.  What ends this is no
** failure of the rest: they are not known then. */
static Status fill_sums(Mixed *m, lpmln_inference *answer) {
  const Task *task = m->q.task;
  size_t wanted = answer->samples / m->q.chains / RUNG_SHARE;
  size_t samples = wanted < LEAST_RUNG ? LEAST_RUNG : wanted < MOST_RUNG ? wanted : MOST_RUNG;
  LogEstimate with, all;
  Status status = mixed_log_sums(m, samples, &with, &all);
  answer->log_partition = all.value, answer->log_partition_error = all.error;
  if (task->evidences) {
    double apart = with.value - all.value; /* NAN if one of them is not known */
    answer->log_evidence = apart > 0 ? 0 : apart;
    answer->log_evidence_error = hypot(with.error, all.error);
  } else
    answer->log_evidence = answer->log_evidence_error = 0;
  return status == INTERRUPTED ? status : OK;
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
  answer->log_partition = answer->log_partition_error = NAN;
  answer->log_evidence = answer->log_evidence_error = NAN;
  Status status = find_exact(m, atoms, asked.n, estimates);
  if (status == OK)
    status = find_sampled(m, &asked, atoms, answer, estimates);
  for (size_t i = 0; status == OK && i < asked.n; i++)
    if (m->sampled[atoms[i]])
      status = settle(m, atoms[i], &estimates[i]);
  for (size_t i = 0; answer->about.method && i < asked.n; i++) {
    const Estimate *e = &estimates[i];
    bool known = e->error == 0 && (e->mean == 0 || e->mean == 1);
    if (always || !known)
      list[answer->count++] =
          (lpmln_marginal){.atom = arena_text(m->q.task->answer, asked.at[i].text),
                           .probability = e->mean,
                           .log_probability = log(e->mean),
                           .error = e->error,
                           .ess = e->ess,
                           .rhat = e->rhat,
                           .lower = e->error == 0 ? e->mean : 0,
                           .upper = e->error == 0 ? e->mean : 1};
  }
  answer->marginals = list;
  if (status == OK)
    status = fill_sums(m, answer);
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
  return status == NO_ANSWER ? task_nothing(task) : status;
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
    mixed_explain_guarantee(m);
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
