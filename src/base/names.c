/* names.c - see names.h. */
#include "base/names.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void names_free(Names *names) {
  for (size_t i = 0; i < names->list.n; i++)
    free(names->list.at[i]);
  vec_free(&names->list);
  free(names->slots);
  *names = (Names){0};
}

/* The slot of the text, or the empty one where it belongs. */
static size_t slot_of(const Names *names, const char *text, size_t length) {
  assert(names->room > names->list.n && !(names->room & (names->room - 1)));
  size_t mask = names->room - 1, i = (size_t)hash_bytes(HASH_START, text, length) & mask;
  for (; names->slots[i]; i = (i + 1) & mask) {
    const char *other = names->list.at[names->slots[i] - 1];
    if (strlen(other) == length && !memcmp(other, text, length)) /* a text may have a NUL */
      break;
  }
  return i;
}

uint32_t names_find(const Names *names, const char *text, size_t length) {
  return names->room ? names->slots[slot_of(names, text, length)] - 1 : UINT32_MAX;
}

static void grow(Names *names) {
  free(names->slots);
  names->slots = NULL;
  names->room = names->room ? 2 * names->room : 64;
  names->slots = memory_zero(names->room, sizeof *names->slots);
  for (size_t i = 0; i < names->list.n; i++) {
    const char *text = names->list.at[i];
    names->slots[slot_of(names, text, strlen(text))] = (uint32_t)i + 1;
  }
}

uint32_t names_add(Names *names, const char *text, size_t length) {
  assert(text || !length);
  if (2 * (names->list.n + 1) > names->room)
    grow(names);
  size_t slot = slot_of(names, text, length);
  assert(names->slots[slot] <= names->list.n);
  if (!names->slots[slot]) {
    vec_push(&names->list, memory_copy(text, length));
    names->slots[slot] = (uint32_t)names->list.n;
  }
  return names->slots[slot] - 1;
}
