/* chains.h - several chains over one target, on several threads.
**
** Chains go on together, some samples at a time, so that they are about equally long when a
** limit ends them.  The same seed gives the same chains on any number of threads, and on any
** number of processes: each chain lives in one of them. */
#ifndef SAMPLE_CHAINS_H
#define SAMPLE_CHAINS_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "sample/chain.h"
#include "sample/flips.h"
#include "sample/target.h"
#include "sample/uniform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t count;       /* of chains, at least 1 */
  size_t block_moves; /* as in Chain */
  unsigned threads;
  uint64_t seed, stream; /* chain i has random numbers stream + i */
  const char *worker_path;
  const Limits *limits;
  Team *share; /* processes that have some of the chains; NULL: all are here */
} ChainsOptions;

typedef struct {
  ChainsOptions options;
  FlipPlan plan;
  Chain *chain;     /* of those that live elsewhere: whether some draw was near, and the outcome */
  Status *status;   /* by chain */
  ShareSetup setup; /* {0}: all are here */
  Text trouble;     /* of another process; "" if there was none */
  bool forgetful;   /* chains forget when they go on */
} Chains;           /* {0} is none */

/* `weights` are borrowed and may change between runs.  Whatever the status, chains_free
** is right afterwards; NO_ANSWER: no stable model agrees with the evidence. */
Status chains_begin(Chains *, const Target *, const double *weights, const ChainsOptions *);
void chains_free(Chains *);

/* Called after each sample, for different chains at the same time. */
typedef void (*ChainsRecord)(void *data, size_t chain, size_t sample, const bool *atoms);

/* Each chain makes `samples` times `thin` steps.  `done`: samples that all chains have,
** also if the status is not OK.  NULL record: burn-in. */
Status chains_run(Chains *, size_t samples, size_t thin, ChainsRecord, void *data, size_t *done);

/* The next run begins with chain_forget. */
void chains_forget(Chains *);

/* The states of chains that have forgotten; all are here. */
size_t chains_words(const Chains *);
void chains_save(const Chains *, uint64_t *);
void chains_restore(Chains *, const uint64_t *);

/* Ends the worker processes; they start again when they are asked. */
void chains_park(Chains *);

/* Of all steps so far: draws were exactly uniform; some only nearly; some components were
** moved by regions only, and flips do not prove that all their stable models are reached. */
typedef enum { CHAINS_EXACT, CHAINS_NEAR, CHAINS_HEURISTIC } ChainsGuarantee;
ChainsGuarantee chains_guarantee(const Chains *);

/* A component of CHAINS_HEURISTIC, and why. */
uint32_t chains_obstructed(const Chains *, FlipObstacle *);

/* What the worker of the first chain that failed said. */
const Uniform *chains_failed(const Chains *);

/* ---- for chains_served.c ----------------------------------------------------------------- */

/* Chain i, which has not begun; its limits are not set. */
Chain chain_of(const ChainsOptions *, size_t i, const Target *, const FlipPlan *,
               const double *weights);
Status chain_steps(Chain *, size_t steps, bool tune);

/* A target with its options as bytes; its server. */
void chains_put(const Target *, const ChainsOptions *, Text *to);
extern const ShareServer chains_server;

#endif
