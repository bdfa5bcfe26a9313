/* memory.c - see memory.h. */
#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local MemoryGuard *innermost; /* where a failure jumps to */

_Noreturn void memory_fail(void) {
  if (!innermost) /* a caller forgot its guard: our bug */
    abort();
  longjmp(innermost->jump, 1);
}

void memory_guard_enter(MemoryGuard *guard) {
  guard->outer = innermost;
  innermost = guard;
}

void memory_unguard(MemoryGuard *guard) {
  assert(innermost == guard);
  innermost = guard->outer;
}

void *memory_have(void *block) {
  if (!block)
    memory_fail();
  return block;
}

void *memory_resize(void *old, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size)
    memory_fail();
  return memory_have(realloc(old, count && size ? count * size : 1));
}

void *memory_zero(size_t count, size_t size) {
  return memory_have(calloc(count ? count : 1, size ? size : 1));
}

char *memory_copy(const char *text, size_t length) {
  assert(text || !length);
  char *copy = memory_resize(NULL, length + 1, 1);
  if (length)
    memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

void *memory_grow(void *old, size_t *room, size_t need, size_t size) {
  assert(need > *room && size);
  size_t more = *room + *room / 2 + 8; /* geometric: n pushes stay linear */
  if (more < need)
    more = need;
  void *block = memory_resize(old, more, size);
  *room = more;
  return block;
}

void text_add(Text *text, const char *bytes, size_t length) {
  assert(bytes || !length);
  vec_reserve(text, length + 1);
  if (length)
    memcpy(text->at + text->n, bytes, length);
  text->n += length;
  text->at[text->n] = 0;
}

void text_puts(Text *text, const char *string) { text_add(text, string, strlen(string)); }

void text_vprintf(Text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  assert(length >= 0);
  vec_reserve(text, (size_t)length + 1);
  vsnprintf(text->at + text->n, (size_t)length + 1, format, arguments);
  text->n += (size_t)length;
}

void text_printf(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(text, format, arguments);
  va_end(arguments);
}

char *text_take(Text *text) {
  text_add(text, "", 0);
  char *at = text->at;
  *text = (Text){0};
  return at;
}
