/* names.h - strings to small numbers: each different string gets the next one. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  VEC(char *) list; /* by number; owned */
  uint32_t *slots;  /* hash table of numbers + 1 */
  size_t room;      /* of slots; a power of two */
} Names;            /* {0} is empty */

void names_free(Names *);
uint32_t names_add(Names *, const char *text, size_t length);
uint32_t names_find(const Names *, const char *text, size_t length); /* or UINT32_MAX */

#endif
