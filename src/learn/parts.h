/* parts.h - one large mixture as several small ones, for several threads and machines.
**
** The nodes that the mixture is about are cut into runs; a part has those of one run and the
** circuit below them.  How it is cut depends on the circuit alone, so that sums of parts are the
** same for any number of threads and ranks.  Nodes below two runs are evaluated twice: where that
** would cost much, nothing is cut. */
#ifndef LEARN_PARTS_H
#define LEARN_PARTS_H

#include "base/limits.h"
#include "base/share.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "learn/mixture.h"
#include "learn/portions.h"

/* Parts of a sealed mixture of a thin circuit, as portions whose observations are not told; none
** if it is small or does not fall apart.  `team`: NULL: none. */
Status parts_make(const Circuit *, const Mixture *, Team *team, const Limits *, Portions *);

#endif
