/* seen.c - see seen.h. */
#include "base/seen.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  SeenRecord record;
  const void *owner;
} From;

/* The slot of the bytes, or the empty one where they belong. */
static size_t slot_of(const SeenSlots *s, From from, const void *bytes, size_t length) {
  assert(s->room > s->used && !(s->room & (s->room - 1)));
  size_t mask = s->room - 1, i = (size_t)hash_bytes(HASH_START, bytes, length) & mask, other;
  for (; s->at[i]; i = (i + 1) & mask) {
    const void *at = from.record(from.owner, s->at[i] - 1, &other);
    if (other == length && (!length || !memcmp(at, bytes, length)))
      break;
  }
  return i;
}

static void grow(SeenSlots *s, From from) {
  free(s->at);
  s->at = NULL;
  s->room = s->room ? 2 * s->room : 64;
  s->at = memory_zero(s->room, sizeof *s->at);
  for (uint32_t i = 0; i < s->used; i++) {
    size_t length;
    const void *at = from.record(from.owner, i, &length);
    s->at[slot_of(s, from, at, length)] = i + 1;
  }
}

uint32_t seen_number(SeenSlots *s, SeenRecord record, const void *owner, const void *bytes,
                     size_t length) {
  assert(bytes || !length);
  From from = {record, owner};
  if (3 * (s->used + 1) > 2 * s->room)
    grow(s, from);
  size_t slot = slot_of(s, from, bytes, length);
  if (!s->at[slot])
    s->at[slot] = (uint32_t)++s->used;
  return s->at[slot] - 1;
}

void seen_slots_free(SeenSlots *s) {
  free(s->at);
  *s = (SeenSlots){0};
}

static const void *own_record(const void *owner, uint32_t number, size_t *length) {
  const Seen *s = owner;
  assert(number < s->ends.n);
  size_t first = number ? s->ends.at[number - 1] : 0;
  *length = s->ends.at[number] - first;
  return s->bytes.at + first;
}

uint32_t seen_add(Seen *s, const void *bytes, size_t length) {
  vec_reserve(&s->bytes, length); /* so that a number has its record */
  vec_reserve(&s->ends, 1);
  uint32_t number = seen_number(&s->slots, own_record, s, bytes, length);
  if (number == s->ends.n) {
    if (length)
      memcpy(s->bytes.at + s->bytes.n, bytes, length);
    s->bytes.n += length;
    vec_push(&s->ends, s->bytes.n);
  }
  assert(s->ends.n == s->slots.used);
  return number;
}

void seen_free(Seen *s) {
  vec_free(&s->bytes);
  vec_free(&s->ends);
  seen_slots_free(&s->slots);
}
