/* why.h - why a query is probable: its proofs, what the evidence adds, what would change it. */
#ifndef INFER_WHY_H
#define INFER_WHY_H

#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

/* The task has one query.  By the circuit alone. */
Status why(const Task *, const lpmln_why_options *, lpmln_explanation *);

#endif
