/* sensitivity.h - what the answers depend on: their derivatives by the weights; and what would
** tell more: mutual information. */
#ifndef INFER_SENSITIVITY_H
#define INFER_SENSITIVITY_H

#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

/* Into an answer of the circuit, as options sensitivity and next want it; of other answers it
** says that it can't be: LIMIT. */
Status sensitivity_infer(const Task *, lpmln_inference *);

#endif
