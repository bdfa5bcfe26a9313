/* derivation.h - the rules by which a literal holds in a stable model. */
#ifndef INFER_DERIVATION_H
#define INFER_DERIVATION_H

#include "base/memory.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stdint.h>

typedef VEC(uint32_t) RuleNumbers;

/* Rules by which the atom, which holds, follows from inputs, in their order.  An atom of a body is
** derived in turn; one that does not hold has, in each of its rules, a literal that does not hold,
** and why that is so is told likewise.  `model` and `inputs` are by atom; rules that have nothing
** to do with inputs are left out. */
void derivation_find(const Ground *, const bool *model, const bool *inputs, Atom, RuleNumbers *);

#endif
