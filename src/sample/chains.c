/* chains.c - see chains.h. */
#include "sample/chains.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <assert.h>
#include <stdlib.h>

enum { ROUND = 16 }; /* samples that a chain makes before it is another one's turn */

static Status worst(const Chains *c) {
  for (size_t i = 0; i < c->options.count; i++)
    if (c->status[i] != OK)
      return c->status[i];
  return OK;
}

static void begin_one(void *data, size_t i) {
  Chains *c = data;
  c->status[i] = chain_begin(&c->chain[i], c->options.worker_path);
}

Status chains_begin(Chains *c, const Target *t, const double *weights,
                    const ChainsOptions *options) {
  assert(options->count && options->limits);
  *c = (Chains){.options = *options};
  c->chain = memory_zero(options->count, sizeof *c->chain);
  c->status = memory_zero(options->count, sizeof *c->status);
  for (size_t i = 0; i < options->count; i++)
    c->chain[i] = (Chain){.target = t,
                          .weights = weights,
                          .limits = options->limits,
                          .random = random_make(options->seed, options->stream + i),
                          .block_moves = options->block_moves,
                          .whole = CHAIN_WHOLE,
                          .part = CHAIN_REGION};
  Status status = parallel_for(options->threads, options->count, begin_one, c);
  return status == OK ? worst(c) : status;
}

void chains_free(Chains *c) {
  for (size_t i = 0; c->chain && i < c->options.count; i++)
    chain_free(&c->chain[i]);
  free(c->chain);
  free(c->status);
  *c = (Chains){0};
}

void chains_reseed(Chains *c) {
  for (size_t i = 0; i < c->options.count; i++)
    c->chain[i].random = random_make(c->options.seed, c->options.stream + i);
}

typedef struct {
  Chains *chains;
  size_t first, end, thin; /* samples of this round */
  ChainsRecord record;
  void *data;
} Round;

static void run_one(void *data, size_t i) {
  assert(i < ((const Round *)data)->chains->options.count);
  const Round *r = data;
  Chain *chain = &r->chains->chain[i];
  Status *status = &r->chains->status[i];
  for (size_t k = r->first; *status == OK && k < r->end; k++) {
    for (size_t step = 0; *status == OK && step < r->thin; step++)
      *status = chain_step(chain, !r->record);
    if (*status == OK)
      *status = limits_check(chain->limits);
    if (*status == OK && r->record)
      r->record(r->data, i, k, chain->atoms);
  }
}

Status chains_run(Chains *c, size_t samples, size_t thin, ChainsRecord record, void *data,
                  size_t *done) {
  assert(c->chain || !c->options.count);
  Status status = worst(c);
  for (*done = 0; status == OK && *done < samples;) {
    Round round = {c, *done, *done + ROUND < samples ? *done + ROUND : samples, thin, record, data};
    status = parallel_for(c->options.threads, c->options.count, run_one, &round);
    status = status == OK ? worst(c) : status;
    *done = status == OK ? round.end : *done;
  }
  return status;
}

ChainsGuarantee chains_guarantee(const Chains *c) {
  ChainsGuarantee g = CHAINS_EXACT;
  for (size_t i = 0; i < c->options.count; i++)
    g = c->chain[i].heuristic ? CHAINS_HEURISTIC : c->chain[i].near && !g ? CHAINS_NEAR : g;
  return g;
}

const Uniform *chains_failed(const Chains *c) {
  for (size_t i = 0; i < c->options.count; i++)
    if (c->status[i] != OK)
      return &c->chain[i].uniform;
  return NULL;
}
