/* chains.h - several chains over one target, on several threads.
**
** Chains go on together, some samples at a time, so that they are about equally long when a
** limit ends them.  The same seed gives the same chains on any number of threads. */
#ifndef SAMPLE_CHAINS_H
#define SAMPLE_CHAINS_H

#include "base/limits.h"
#include "base/status.h"
#include "sample/chain.h"
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
} ChainsOptions;

typedef struct {
  ChainsOptions options;
  Chain *chain;
  Status *status; /* by chain */
} Chains;         /* {0} is none */

/* `weights` are borrowed and may change between runs.  Whatever the status, chains_free
** is right afterwards; NO_ANSWER: no stable model agrees with the evidence. */
Status chains_begin(Chains *, const Target *, const double *weights, const ChainsOptions *);
void chains_free(Chains *);

/* Called after each sample, for different chains at the same time. */
typedef void (*ChainsRecord)(void *data, size_t chain, size_t sample, const bool *atoms);

/* Each chain makes `samples` times `thin` steps.  `done`: samples that all chains have,
** also if the status is not OK.  NULL record: burn-in. */
Status chains_run(Chains *, size_t samples, size_t thin, ChainsRecord, void *data, size_t *done);

/* Random numbers from the beginning; states stay. */
void chains_reseed(Chains *);

/* Of all steps so far: draws were exactly uniform; some only nearly; some components were
** moved by regions only. */
typedef enum { CHAINS_EXACT, CHAINS_NEAR, CHAINS_HEURISTIC } ChainsGuarantee;
ChainsGuarantee chains_guarantee(const Chains *);

/* What the worker of the first chain that failed said. */
const Uniform *chains_failed(const Chains *);

#endif
