/* solve.h - stable models of a ground program, one after the other. */
#ifndef SAMPLE_SOLVE_H
#define SAMPLE_SOLVE_H

#include "base/limits.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "sample/encode.h"
#include "solver/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const Ground *ground;
  const Analysis *analysis;
  const Lit *required; /* these hold in the models wanted */
  size_t required_count;
  uint32_t hard_violated; /* at most so many violable hard instances; NONE: any */
  uint32_t most;          /* stop after so many models; 0: all */
} Question;

/* Called with blocks of models; false stops. */
typedef bool (*ModelsCallback)(void *data, const Layout *, const uint8_t *models, size_t count);

/* Streams all models to the callback.  The layout is the caller's to free. */
WorkerOutcome solve(const Question *, Worker *, const Limits *, Layout *, ModelsCallback,
                    void *data);

/* Takes the replies to any request that is answered by models. */
WorkerOutcome receive_models(Worker *, const Limits *, const Layout *, ModelsCallback, void *data);

#endif
