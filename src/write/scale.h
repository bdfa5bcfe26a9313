/* scale.h - weights as the integers of clingo: multiplied by a scale and rounded. */
#ifndef WRITE_SCALE_H
#define WRITE_SCALE_H

#include "base/status.h"
#include "infer/task.h"

#define SCALE_DEFAULT 1000.0

/* The nearest integer. */
double scale_round(double weight, double scale);

/* Says which weights do not fit into 32 bits (NO_ANSWER) and which are rounded. */
Status scale_check(const Task *, double scale);

#endif
