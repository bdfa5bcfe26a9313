/* arena.h - memory that is freed as a whole: what an answer is made of.
**
** Blocks double in size, so that a small answer is one allocation.  Nothing in it moves,
** so pointers into it may be kept. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/memory.h"

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct {
  ArenaBlock *last;  /* the newest block; each knows the one before it */
  size_t used, room; /* of it */
} Arena;             /* {0} is empty */

void arena_free(Arena *);

void *arena_zero(Arena *, size_t count, size_t size);         /* aligned for anything */
char *arena_bytes(Arena *, const void *bytes, size_t length); /* a copy that ends in NUL */
char *arena_text(Arena *, const char *text);                  /* likewise; NULL stays NULL */
char *arena_printf(Arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes what a vector holds into the arena and empties it. */
#define arena_take(arena, v) \
  arena_take_bytes(arena, (void **)&(v)->at, &(v)->n, &(v)->room, sizeof *(v)->at)
void *arena_take_bytes(Arena *, void **at, size_t *n, size_t *room, size_t size);

#endif
