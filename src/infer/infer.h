/* infer.h - questions, and the choice of the engine that answers them. */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "base/status.h"
#include "infer/engine.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>

Status infer(const Task *, lpmln_inference *);
Status infer_models(const Task *, Wanted, lpmln_models *);
Status infer_sample(const Task *, size_t count, bool uniform, lpmln_samples *);

/* markov.c: MC-ASP beside its transition matrix, and step by step. */
Status infer_chain(const Task *, size_t steps, lpmln_chain *);
Status infer_trace(const Task *, size_t steps, lpmln_trace *);

/* check.c */
Status infer_check(const Task *, lpmln_analysis *);

#endif
