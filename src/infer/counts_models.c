/* counts_models.c - expected counts from stable models: all of them, or those of Markov
** chains. */
#include "infer/counts.h"

#include "base/memory.h"
#include "ground/read.h"
#include "infer/engine.h"
#include "infer/mixed.h"
#include "infer/tally.h"
#include "sample/chains.h"
#include "sample/diagnostics.h"
#include "sample/encode.h"
#include "sample/solve.h"
#include "sample/target.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- all stable models ---------------------------------------------------------- */

typedef struct {
  Tally tally[2]; /* without and with the evidence */
} Both;

static bool add_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Both *b = data;
  for (int given = 0; given < 2; given++) {
    tally_start(&b->tally[given], layout);
    for (size_t i = 0; i < count; i++)
      tally_add(&b->tally[given], layout, models + i * layout->bytes);
  }
  return true;
}

static void add_instances(const Task *t, const Layout *layout, const Tally *tally, const Counts *c,
                          double *to) {
  assert(tally->agreeing);
  for (uint32_t i = 0; i < t->ground->instances.n; i++) {
    uint32_t bit = layout->of_instance[i];
    if (c->of[i] == NONE || bit == NEVER)
      continue;
    to[c->of[i]] += bit == ALWAYS ? 1 : tally_probability(tally, bit).value;
  }
}

Status counts_enumerate(const Task *t, Counts *c) {
  Tally empty = {.ground = t->ground, .weights = t->weights};
  Both both = {{empty, empty}};
  both.tally[1].evidence = t->evidence, both.tally[1].evidence_count = t->evidences;
  Question q = {.ground = t->ground, .analysis = t->analysis, .hard_violated = t->hard_bound};
  Layout layout = {0};
  WorkerOutcome outcome = solve(&q, t->worker, &t->limits, &layout, add_models, &both);
  Status status = ground_outcome(t->said, outcome, t->worker, "enumerating stable models");
  for (int given = 0; status == OK && given < 2; given++)
    add_instances(t, &layout, &both.tally[given], c, c->value[given]);
  tally_free(&both.tally[0]);
  tally_free(&both.tally[1]);
  layout_free(&layout);
  return status;
}

/* ---- Markov chains -------------------------------------------------------------- */

enum { SAMPLES = 1000, BURN_IN = 100, STREAM = 5000 };

typedef struct {
  const Task *task;
  const Counts *counts;
  size_t samples, chains;
  double *values; /* by row, chain and sample */
} Recording;

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Recording *r = data;
  const Ground *g = r->task->ground;
  assert(chain < r->chains && sample < r->samples);
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *rule = &g->rules.at[i];
    uint32_t row = rule->instance == NONE ? NONE : r->counts->of[rule->instance];
    if (row != NONE && ground_violated(g, rule, atoms))
      r->values[(row * r->chains + chain) * r->samples + sample]++;
  }
}

/* Nothing is open: all samples are the one stable model. */
static void record_certain(Recording *r) {
  bool *atoms = answer_atoms(r->task->ground);
  for (size_t chain = 0; chain < r->chains; chain++)
    for (size_t sample = 0; sample < r->samples; sample++)
      record(r, chain, sample, atoms);
  free(atoms);
}

static Status sample_side(const Task *t, Counts *c, int given) {
  size_t samples = t->options->sampling.samples, burn_in = t->options->sampling.burn_in, done = 0;
  MixedQuestion q = {.task = t,
                     .ground = t->ground,
                     .analysis = t->analysis,
                     .evidence = given ? t->evidence : NULL,
                     .evidences = given ? t->evidences : 0,
                     .weights = t->weights,
                     .chains = t->options->sampling.chains,
                     .stream = STREAM + 1000 * (uint64_t)given};
  Recording r = {t, c, samples ? samples : SAMPLES, q.chains, NULL};
  r.values = memory_zero(c->n * r.chains * r.samples, sizeof *r.values);
  Mixed m;
  Status status = mixed_begin(&m, &q);
  if (status == OK && m.chains.chain)
    status = mixed_run(&m, burn_in == SIZE_MAX ? BURN_IN : burn_in, r.samples, record, &r, &done);
  else if (status == OK)
    record_certain(&r);
  for (size_t i = 0; status == OK && i < c->n; i++) {
    Estimate e = estimate_mean(r.values + i * r.chains * r.samples, r.chains, r.samples);
    c->value[given][i] = e.mean;
    c->error[given][i] = isnan(e.error) ? 0 : e.error;
  }
  mixed_free(&m);
  free(r.values);
  return status;
}

Status counts_sample(const Task *t, Counts *c) {
  Status status = sample_side(t, c, 0);
  return status == OK ? sample_side(t, c, 1) : status;
}
