/* mixed.c - see mixed.h. */
#include "infer/mixed.h"

#include "infer/hard.h"

#include <math.h>
#include <stdlib.h>

/* Seconds for each kind of component, and for all of them. */
enum { KIND_SECONDS = 5, ALL_SECONDS = 60, BURN_IN = 100, BLOCK_MOVES = 4, STREAM = 1000 };

/* ---- which components are sampled --------------------------------------------- */

static CompileOptions compile_options(const lpmln *p) {
  CompileOptions options = compile_options_default();
  double left = p->limits.deadline > 0 ? (p->limits.deadline - clock_now()) / 3 : ALL_SECONDS;
  options.memory = p->options.memory_limit << 20;
  options.stop = &p->stop;
  options.seed = p->options.seed;
  options.threads = p->options.threads;
  options.seconds = fmax(fmin(left, ALL_SECONDS), 1e-3);
  options.kind_seconds = fmin(KIND_SECONDS, options.seconds);
  return options;
}

static void sample_all(Mixed *m) {
  for (Atom a = 0; a < m->p->ground.atoms.n; a++)
    m->sampled[a] = m->p->ground.atoms.at[a].truth == ATOM_OPEN;
}

/* Tries all components; those whose kind fails are sampled. */
static Status sort_components(Mixed *m) {
  const Analysis *an = &m->p->analysis;
  Compiled trial;
  CircuitRoot root = {0};
  CompileOptions options = compile_options(m->p);
  compile_begin(&trial, &m->p->ground, an, &options);
  Status status = compile_root(&trial, m->evidence, m->evidences, NULL, 0, &root);
  for (uint32_t k = 0; status == LIMIT && k < an->components; k++)
    for (uint32_t i = an->first[k]; i < an->first[k + 1]; i++)
      m->sampled[an->member[i]] = compile_failed(&trial, an->kind[k]);
  circuit_root_free(&root);
  compile_free(&trial);
  return status == LIMIT ? OK : status;
}

/* Evidence about atoms of the compiled part. */
static size_t own_evidence(const Mixed *m, Lit *own) {
  size_t n = 0;
  for (size_t i = 0; i < m->evidences; i++)
    if (!m->sampled[lit_atom(m->evidence[i])])
      own[n++] = m->evidence[i];
  return n;
}

/* What compiled once compiles again; if not, all is sampled. */
static Status compile_rest(Mixed *m) {
  lpmln *p = m->p;
  Lit *own = memory_zero(m->evidences, sizeof *own);
  size_t n = own_evidence(m, own);
  CompileOptions options = compile_options(p);
  ground_without(&p->ground, m->sampled, &m->ground);
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
  circuit_evaluate(&m->compiled.circuit, m->weights, &m->values);
  m->valued = true;
  return OK;
}

/* ---- chains ---------------------------------------------------------------------- */

static Status begin_chains(Mixed *m) {
  lpmln *p = m->p;
  const lpmln_sampling *s = &p->options.sampling;
  bool *dropped = memory_zero(p->ground.atoms.n, sizeof *dropped);
  for (Atom a = 0; a < p->ground.atoms.n; a++)
    dropped[a] = p->ground.atoms.at[a].truth == ATOM_OPEN && !m->sampled[a];
  target_make(&p->ground, dropped, m->evidence, m->evidences, &m->target);
  free(dropped);
  ChainsOptions options = {.count = s->chains, .threads = p->options.threads, .seed = p->options.seed,
                           .stream = STREAM, .worker_path = p->worker_path, .limits = &p->limits,
                           .block_moves = s->block_moves == SIZE_MAX ? BLOCK_MOVES : s->block_moves};
  return chains_begin(&m->chains, &m->target, m->weights, &options);
}

/* No stable model at all, or none with the evidence? */
static Status nothing(lpmln *p) {
  bool consistent;
  Status status = problem_satisfiable(p, NULL, 0, NONE, &consistent);
  return status != OK ? status : consistent ? problem_no_evidence(p) : problem_no_model(p);
}

Status mixed_explain(Mixed *m, Status status) {
  const Uniform *failed = m->chains.chain ? chains_failed(&m->chains) : NULL;
  if (status == NO_ANSWER)
    return nothing(m->p);
  if (!failed || (status != LIMIT && status != INTERNAL && status != INPUT))
    return status;
  if (failed->outcome != WORKER_OK)
    return ground_outcome(&m->p->program, failed->outcome, &failed->worker, "sampling");
  if (limits_check(&m->p->limits) != OK)
    return ground_outcome(&m->p->program, WORKER_TIME, &failed->worker, "sampling");
  report_warning(&m->p->program.sources, NOWHERE, "another --seed may do, or --blocks with a larger number",
                 "no uniformly random stable model was found in the allowed attempts");
  return status;
}

Status mixed_begin(Mixed *m, lpmln *p, bool parts) {
  *m = (Mixed){.p = p};
  problem_evidence(p, &m->evidence, &m->evidences);
  m->weights = memory_zero(p->ground.weights.n, sizeof *m->weights);
  for (size_t i = 0; i < p->ground.weights.n; i++)
    m->weights[i] = p->ground.weights.at[i].value;
  m->sampled = memory_zero(p->ground.atoms.n, sizeof *m->sampled);
  Status status = OK;
  if (parts) {
    atomic_store(&p->stage, LPMLN_COMPILING);
    status = sort_components(m);
  } else {
    sample_all(m);
  }
  if (status == OK && parts)
    status = compile_rest(m);
  atomic_store(&p->stage, LPMLN_SAMPLING);
  atomic_store(&p->models, 0);
  if (status == OK)
    status = begin_chains(m);
  return mixed_explain(m, status);
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
  free(m->weights);
  free(m->evidence);
}

Status mixed_run(Mixed *m, size_t samples, ChainsRecord record, void *data, size_t *done) {
  const lpmln_sampling *s = &m->p->options.sampling;
  Status status = chains_run(&m->chains, s->burn_in == SIZE_MAX ? BURN_IN : s->burn_in, 1, NULL, NULL, done);
  *done = 0;
  if (status == OK)
    status = chains_run(&m->chains, samples, s->thin, record, data, done);
  return mixed_explain(m, status);
}
