/* arena.c - see arena.h. */
#include "base/arena.h"

#include "base/memory.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000, MOST = 1 << 20 }; /* bytes of a block */

struct ArenaBlock {
  ArenaBlock *before;
  max_align_t bytes[];
};

void arena_free(Arena *a) {
  for (ArenaBlock *block = a->last; block;) {
    ArenaBlock *before = block->before;
    free(block);
    block = before;
  }
  *a = (Arena){0};
}

static void add_block(Arena *a, size_t need) {
  size_t room = a->last ? 2 * a->room : FIRST;
  room = room > MOST ? MOST : room;
  room = room < need ? need : room;
  ArenaBlock *block = memory_resize(NULL, sizeof *block + room, 1);
  block->before = a->last;
  a->last = block, a->used = 0, a->room = room;
}

void *arena_zero(Arena *a, size_t count, size_t size) {
  size_t align = alignof(max_align_t);
  if (size && count > (SIZE_MAX / 2) / size)
    memory_fail();
  size_t need = (count * size + align) / align * align; /* at least one byte */
  if (!a->last || need > a->room - a->used)
    add_block(a, need);
  void *at = (char *)a->last->bytes + a->used;
  a->used += need;
  assert(a->used <= a->room);
  return memset(at, 0, need);
}

char *arena_bytes(Arena *a, const void *bytes, size_t length) {
  assert(bytes || !length);
  char *copy = arena_zero(a, length + 1, 1);
  if (length)
    memcpy(copy, bytes, length);
  return copy;
}

char *arena_text(Arena *a, const char *text) {
  return text ? arena_bytes(a, text, strlen(text)) : NULL;
}

char *arena_printf(Arena *a, const char *format, ...) {
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  char *copy = arena_bytes(a, text.at, text.n);
  vec_free(&text);
  return copy;
}

void *arena_take_bytes(Arena *a, void **at, size_t *n, size_t *room, size_t size) {
  assert(*n <= *room && (*at || !*n));
  void *copy = arena_zero(a, *n, size);
  if (*n)
    memcpy(copy, *at, *n * size);
  free(*at);
  *at = NULL, *n = *room = 0;
  return copy;
}
