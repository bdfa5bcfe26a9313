/* relax.h - hard rules that may be violated: the original definition of LPMLN. */
#ifndef INFER_RELAX_H
#define INFER_RELAX_H

#include "base/status.h"
#include "ground/read.h"
#include "infer/task.h"

#include <stdint.h>

/* The program with violable hard rules, as many of which hold as possible. */
typedef struct {
  Grounded is;
  uint32_t bound; /* hard instances that must be violated */
} Relaxed;        /* {0} is none */

/* For a program without a stable model; whatever the status, relaxed_free is right. */
Status task_relax(const Task *, Relaxed *);
void relaxed_free(Relaxed *);

#endif
