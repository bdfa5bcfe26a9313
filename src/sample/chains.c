/* chains.c - see chains.h. */
#include "sample/chains.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <assert.h>
#include <stdlib.h>

/* Samples that a chain makes before it is another one's turn: few at first, so that slow chains
** have some of each when time is short. */
enum { FIRST_ROUND = 2, ROUND = 16 };
#define SHORT 0.2 /* seconds */

static Status worst(const Chains *c) {
  for (size_t i = 0; i < c->options.count; i++)
    if (c->status[i] != OK)
      return c->status[i];
  return OK;
}

Chain chain_of(const ChainsOptions *options, size_t i, const Target *t, const FlipPlan *plan,
               const double *weights) {
  return (Chain){.target = t,
                 .weights = weights,
                 .random = random_make(options->seed, options->stream + i),
                 .block_moves = options->block_moves,
                 .plan = plan,
                 .whole = CHAIN_WHOLE,
                 .part = CHAIN_REGION};
}

Status chain_steps(Chain *chain, size_t steps, bool tune) {
  Status status = OK;
  for (size_t step = 0; status == OK && step < steps; step++)
    status = chain_step(chain, tune);
  return status == OK ? limits_check(chain->limits) : status;
}

/* ---- several at once --------------------------------------------------------------------- */

/* What each chain does next: it begins (no samples), or makes some. */
typedef struct {
  Chains *chains;
  size_t first, end, thin; /* samples of this round */
  ChainsRecord record;     /* NULL: burn-in */
  void *data;
} Round;

static void do_one(void *data, size_t i) {
  const Round *r = data;
  assert(i < r->chains->options.count);
  Chain *chain = &r->chains->chain[i];
  Status *status = &r->chains->status[i];
  if (r->first == r->end)
    *status = chain_begin(chain, r->chains->options.worker_path);
  else if (r->chains->forgetful)
    chain_forget(chain);
  for (size_t k = r->first; *status == OK && k < r->end; k++) {
    *status = chain_steps(chain, r->thin, !r->record);
    if (*status == OK && r->record)
      r->record(r->data, i, k, chain->atoms);
  }
}

static unsigned owner(void *data, size_t i) {
  const Round *r = data;
  return (unsigned)(i % r->chains->options.share->ranks.count);
}

static void put_round(void *data, size_t i, Text *to) {
  const Round *r = data;
  const Chain *chain = &r->chains->chain[i];
  put_u64(to, i);
  put_u64(to, r->end - r->first);
  put_u64(to, r->thin);
  put_u32(to, r->record != NULL);
  put_u32(to, r->chains->forgetful);
  put_bytes(to, chain->weights, chain->target->ground.weights.n * sizeof *chain->weights);
}

/* A state, eight atoms to a byte. */
static void get_state(Bytes *from, bool *atoms, size_t n) {
  for (size_t i = 0; i < n; i += 8) {
    uint8_t byte = bytes_u8(from);
    for (size_t k = i; k < n && k < i + 8; k++)
      atoms[k] = byte >> (k - i) & 1;
  }
}

static void get_round(void *data, size_t i, Bytes *from) {
  const Round *r = data;
  Chain *chain = &r->chains->chain[i];
  size_t n = chain->target->ground.atoms.n;
  Status status = (Status)bytes_u32(from);
  chain->uniform.outcome = (WorkerOutcome)bytes_u32(from);
  chain->near = bytes_u32(from) == 1;
  if (!chain->atoms)
    chain->atoms = memory_zero(n, sizeof *chain->atoms);
  for (size_t k = r->first; status == OK && r->record && k < r->end && !from->bad; k++) {
    get_state(from, chain->atoms, n);
    if (!from->bad)
      r->record(r->data, i, k, chain->atoms);
  }
  if (status != OK)
    from->at = from->end; /* the round is lost */
  r->chains->status[i] = from->bad ? INTERNAL : status;
}

static Status do_round(Round *r) {
  static const ShareWork work = {do_one, put_round, get_round, owner};
  Chains *c = r->chains;
  const ChainsOptions *o = &c->options;
  if (!c->setup.share) {
    parallel_for(o->threads, o->count, do_one, r);
    return worst(c);
  }
  c->trouble.n = 0;
  Status status = share_for(&c->setup, o->threads, o->count, &work, r, o->limits, &c->trouble);
  if (status == OK)
    status = worst(c);
  return status == OK ? limits_check(o->limits) : status; /* others may not be through */
}

Status chains_begin(Chains *c, const Target *t, const double *weights,
                    const ChainsOptions *options) {
  assert(options->count && options->limits);
  *c = (Chains){.options = *options};
  c->chain = memory_zero(options->count, sizeof *c->chain);
  c->status = memory_zero(options->count, sizeof *c->status);
  flip_plan_make(&c->plan, t);
  for (size_t i = 0; i < options->count; i++) {
    c->chain[i] = chain_of(options, i, t, &c->plan, weights);
    c->chain[i].limits = options->limits;
  }
  if (options->share && options->count > 1) {
    Text bytes = {0};
    chains_put(t, options, &bytes);
    share_begin(&c->setup, options->share, SHARE_CHAINS, &bytes);
  }
  return do_round(&(Round){.chains = c});
}

void chains_free(Chains *c) {
  for (size_t i = 0; c->chain && i < c->options.count; i++)
    chain_free(&c->chain[i]);
  free(c->chain);
  free(c->status);
  flip_plan_free(&c->plan);
  share_end(&c->setup);
  vec_free(&c->trouble);
  *c = (Chains){0};
}

void chains_forget(Chains *c) { c->forgetful = true; }

size_t chains_words(const Chains *c) {
  size_t words = 0;
  for (size_t i = 0; c->chain && i < c->options.count; i++)
    words += chain_words(&c->chain[i]);
  return words;
}

void chains_save(const Chains *c, uint64_t *to) {
  assert(!c->setup.share);
  for (size_t i = 0; c->chain && i < c->options.count; i++) {
    chain_save(&c->chain[i], to);
    to += chain_words(&c->chain[i]);
  }
}

void chains_restore(Chains *c, const uint64_t *from) {
  assert(!c->setup.share);
  for (size_t i = 0; c->chain && i < c->options.count; i++) {
    chain_restore(&c->chain[i], from);
    from += chain_words(&c->chain[i]);
  }
}

void chains_park(Chains *c) {
  for (size_t i = 0; c->chain && i < c->options.count; i++)
    uniform_park(&c->chain[i].uniform);
}

/* Where others are waited for, rounds grow on, up to a part of a second. */
static size_t next_round(const Chains *c, size_t round, double seconds) {
  return round < ROUND || (c->setup.share && seconds < SHORT) ? 2 * round : round;
}

Status chains_run(Chains *c, size_t samples, size_t thin, ChainsRecord record, void *data,
                  size_t *done) {
  assert(c->chain || !c->options.count);
  Status status = worst(c);
  size_t round = FIRST_ROUND;
  for (*done = 0; status == OK && *done < samples;) {
    double began = clock_now();
    size_t end = samples - *done > round ? *done + round : samples;
    status = do_round(&(Round){c, *done, end, thin, record, data});
    c->forgetful = false;
    *done = status == OK ? end : *done;
    round = next_round(c, round, clock_now() - began);
  }
  return status;
}

ChainsGuarantee chains_guarantee(const Chains *c) {
  if (c->options.count && chain_obstructed(&c->chain[0]) != NONE)
    return CHAINS_HEURISTIC;
  for (size_t i = 0; i < c->options.count; i++)
    if (c->chain[i].near)
      return CHAINS_NEAR;
  return CHAINS_EXACT;
}

uint32_t chains_obstructed(const Chains *c, FlipObstacle *why) {
  assert(chains_guarantee(c) == CHAINS_HEURISTIC);
  uint32_t k = chain_obstructed(&c->chain[0]);
  *why = c->plan.obstacle[k];
  return k;
}

const Uniform *chains_failed(const Chains *c) {
  for (size_t i = 0; i < c->options.count; i++)
    if (c->status[i] != OK)
      return &c->chain[i].uniform;
  return NULL;
}
