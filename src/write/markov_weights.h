/* markov_weights.h - weights of parameters, read back from a program in Markov logic. */
#ifndef WRITE_MARKOV_WEIGHTS_H
#define WRITE_MARKOV_WEIGHTS_H

#include "base/status.h"
#include "infer/task.h"
#include "language/program.h"

#include <stdint.h>

/* The source `learned` is the translation of the program, with weights, as Alchemy, Tuffy or we
** write it.  `to`: by weight of the ground program; NAN: the text has none for it.  INPUT: what
** is wrong with the text was said. */
Status markov_weights(const Task *, Program *, uint32_t learned, double *to);

#endif
