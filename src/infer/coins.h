/* coins.h - coins that come up with another probability than they are given. */
#ifndef INFER_COINS_H
#define INFER_COINS_H

#include "base/status.h"
#include "circuit/circuit.h"
#include "infer/task.h"

/* Says so, with both numbers: of `p :: head` and of facts of weight @logit(p), without evidence.
** By the circuit, which is there. */
Status coins_compare(const Task *);

/* The same by another circuit; `root`: the program without evidence. */
void coins_compare_in(const Task *, const Circuit *, const CircuitRoot *root);

#endif
