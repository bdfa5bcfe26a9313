/* solve.h - stable models of a ground program, one after the other.
**
** The penalty translation at the ground level: a soft rule a :- B becomes the
** choice {a} :- B and its violation the literal or atom that B, not a defines.
** clasp never sees a disjunction (its answers to some are wrong): heads in
** different strongly connected components are shifted into normal rules, the
** others become a choice with 'some head holds', and the worker checks every
** candidate for minimality with a second, disjunction-free program. */
#ifndef SAMPLE_SOLVE_H
#define SAMPLE_SOLVE_H

#include "ground/analysis.h"
#include "ground/worker.h"

typedef struct {
  const Ground *ground;
  const Analysis *analysis;
  const Lit *required;   /* these hold in the models wanted */
  size_t required_count;
  uint32_t hard_violated; /* at most so many violable hard instances; NONE: any */
  uint32_t most;          /* stop after so many models; 0: all */
} Question;

/* Where the values of a model are: bit i of its bytes. */
typedef struct {
  uint32_t bits, bytes;
  uint32_t *of_atom;     /* by atom: its bit; NONE: certain or impossible */
  uint32_t *of_instance; /* by instance: its violation; ALWAYS, NEVER */
} Layout;

#define NEVER (UINT32_MAX - 1)
#define ALWAYS UINT32_MAX

static inline bool layout_bit(const uint8_t *model, uint32_t bit) {
  return model[bit >> 3] >> (bit & 7) & 1;
}

void layout_free(Layout *);

/* Called with blocks of models; false stops. */
typedef bool (*ModelsCallback)(void *data, const Layout *, const uint8_t *models, size_t count);

/* Streams all models to the callback.  The layout is the caller's to free. */
WorkerOutcome solve(const Question *, Worker *, const char *worker_path, const Limits *,
                    Layout *, ModelsCallback, void *data);

#endif
