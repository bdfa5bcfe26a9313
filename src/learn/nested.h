/* nested.h - is a program another one with parameters fixed or tied?
**
** Then each of its distributions is one of the other's, and their likelihoods may be compared by
** a test. */
#ifndef LEARN_NESTED_H
#define LEARN_NESTED_H

#include "ground/ground.h"
#include "language/program.h"

#include <stdbool.h>

/* A program that was read and ground; both are borrowed. */
typedef struct {
  const Program *program;
  const Ground *ground;
} Nestable;

/* True if both have the same rules, but for weights and order, and each instance of `larger` with
** a number has the same number in `smaller`; all that share a parameter share a parameter, or a
** number, there. */
bool nested_in(Nestable smaller, Nestable larger);

#endif
