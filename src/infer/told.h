/* told.h - a circuit that answers about some atoms by evaluation alone.
**
** Guessed atoms are variables of a circuit, and so are derived ones that it was compiled
** to tell.  Evidence about them is a matter of evaluation.  Sealed once, shared by threads;
** the circuit and its root are borrowed. */
#ifndef INFER_TOLD_H
#define INFER_TOLD_H

#include "circuit/batch.h"
#include "circuit/circuit.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an atom is a variable. */
typedef struct {
  uint32_t part;     /* of the root; NONE: it is not told */
  uint32_t copy;     /* which of the part's */
  uint32_t variable; /* of the part's block, from 0 */
} ToldPlace;

typedef struct {
  const Circuit *circuit;
  const CircuitRoot *root;
  BatchPlan *plans; /* by part */
  ToldPlace *place; /* by atom */
  size_t atoms;
} Told; /* {0} tells nothing */

void told_make(Told *, const Circuit *, const CircuitRoot *);
void told_free(Told *);

/* Re-checks every place; for debug builds. */
bool told_valid(const Told *);

static inline bool told_has(const Told *t, Atom a) {
  return a < t->atoms && t->place[a].part != NONE;
}

#endif
