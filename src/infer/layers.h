/* layers.h - questions of two layers: some atoms are decided, after all others were summed over.
**
** A circuit of its own is compiled for them, with the atoms of the upper layer decided first,
** which can be much harder than any order: then LIMIT, and what one can do is said. */
#ifndef INFER_LAYERS_H
#define INFER_LAYERS_H

#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

/* The most probable states of the atoms that are shown (marginal MAP): all that tie. */
Status layers_visible(const Task *, lpmln_models *);

/* The decisions of the largest expected utility: all that tie. */
Status layers_decide(const Task *, lpmln_decision *);

#endif
