/* counts.h - expected numbers of violated instances, by soft rule: E[n_i] of the paper, with
** and without the evidence. */
#ifndef INFER_COUNTS_H
#define INFER_COUNTS_H

#include "base/status.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

#include <stddef.h>
#include <stdint.h>

/* What is counted together: the instances of a soft rule that have the same parameter, or a
** number as their weight. */
typedef struct {
  uint32_t soft, weight; /* weight NONE: numbers */
} CountRow;

typedef struct {
  size_t n;
  CountRow *rows;   /* in the order of the text */
  uint32_t *of;     /* by instance: its row; NONE: of a hard rule */
  double *value[2]; /* by row: without and with the evidence */
  double *error[2]; /* likewise */
} Counts;

/* By the engine that has answered the question, into the answer. */
Status counts_infer(const Task *, lpmln_inference *);

/* ---- one function for each engine ----------------------------------------------- */

Status counts_exactly(const Task *, Counts *);   /* counts_split.c */
Status counts_enumerate(const Task *, Counts *); /* counts_models.c, by all stable models */
Status counts_sample(const Task *, Counts *);    /* counts_models.c, by Markov chains */

#endif
