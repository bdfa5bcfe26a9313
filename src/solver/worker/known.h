/* known.h - models that were reported before.
**
** clasp should not report a model twice; with its preprocessing by equivalences (--eq), which
** is off, it did, and worse.  The first KNOWN_MOST models are told by two hashes of what is
** reported of them. */
#ifndef SOLVER_WORKER_KNOWN_H
#define SOLVER_WORKER_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNOWN_MOST = 1 << 18 }; /* 8 MiB */

typedef struct {
  uint64_t first, second; /* both 0: none */
} KnownModel;

typedef struct {
  KnownModel *at; /* open addressing */
  size_t n, room; /* room is a power of 2, or 0 */
} Known;          /* {0} knows none */

/* False: it was there before. */
bool known_add(Known *, const uint8_t *model, size_t bytes);
void known_free(Known *);

#endif
