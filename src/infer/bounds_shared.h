/* bounds_shared.h - bounds of components on several machines.
**
** Components of one kind share a search, and nothing with the others: kind k lives on rank
** k mod N, which goes on with it turn after turn.  A turn is so much work, whoever does it: what
** is known after as many turns does not depend on the number of ranks. */
#ifndef INFER_BOUNDS_SHARED_H
#define INFER_BOUNDS_SHARED_H

#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "compile/intervals.h"

#include <stdbool.h>

/* Before the first turn, if there is more than one kind; `atoms` as intervals_begin got them. */
void bounds_share(const Intervals *, const Atom *atoms, size_t n, Team *, ShareSetup *);

/* intervals_turn, shared out.  INTERNAL: a rank is in trouble, which is said. */
Status bounds_turn(Intervals *, ShareSetup *, double precision, bool all, const BoundLimits *,
                   Text *trouble);

extern const ShareServer bounds_server;

#endif
