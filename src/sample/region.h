/* region.h - some guessed atoms of a component, chosen at random.
**
** What a move may change: the guessed atoms near to a random one, or just random ones.
** The choice does not look at the state, so a move that is right for the region given all
** other atoms is right for the whole. */
#ifndef SAMPLE_REGION_H
#define SAMPLE_REGION_H

#include "base/graph.h"
#include "base/memory.h"
#include "base/random.h"
#include "ground/ground.h"
#include "sample/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const Target *target;
  GraphLists rules; /* by atom: the rules that mention it */
  bool *chosen;     /* by atom */
  uint32_t *seen;   /* by atom, then by rule: the search that saw it */
  uint32_t search;
  VEC(Atom) queue;
} Region; /* {0} is none */

void region_begin(Region *, const Target *);
void region_free(Region *);

/* Marks `size` guessed atoms of the component, or all if it has no more. */
void region_choose(Region *, uint32_t component, size_t size, Random *);

/* Takes the marks away.  Guessed atoms without one are passed on, with their values. */
typedef void (*RegionFix)(void *data, Atom, bool value);
void region_fix_others(Region *, const bool *atoms, RegionFix, void *data);

#endif
