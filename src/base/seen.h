/* seen.h - numbers for strings of bytes: equal ones have the same number.
**
** For very many short records.  Those of Seen stand in one pool, record after record, in the
** order of their numbers; who has records already keeps only the slots here. */
#ifndef BASE_SEEN_H
#define BASE_SEEN_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/* A record that has a number. */
typedef const void *(*SeenRecord)(const void *owner, uint32_t number, size_t *length);

typedef struct {
  uint32_t *at; /* open addressing: number + 1, 0 is empty */
  size_t room, used;
} SeenSlots; /* {0} is empty */

/* The number of these bytes among the owner's `used` records.  Used becomes one more if they
** are new: the owner adds them. */
uint32_t seen_number(SeenSlots *, SeenRecord, const void *owner, const void *bytes, size_t length);
void seen_slots_free(SeenSlots *);

typedef struct {
  VEC(uint8_t) bytes;
  VEC(size_t) ends; /* by number */
  SeenSlots slots;
} Seen; /* {0} is empty */

/* Its number; if it is new, that is how many there were before. */
uint32_t seen_add(Seen *, const void *bytes, size_t length);
void seen_free(Seen *);

#endif
