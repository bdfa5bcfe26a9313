/* failing.h - memory that is out at the n-th allocation: the linker sends the library's malloc,
** calloc, realloc and strdup through here (Makefile), GMP's come from there.
**
** What a question was building when memory ran out is lost (base/memory.h): leaks are not
** looked at. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
char *__real_strdup(const char *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
char *__wrap_strdup(const char *);

static size_t left = SIZE_MAX; /* allocations until one fails; SIZE_MAX: none does */
static bool failed, on;        /* forever: all after it fail, too */
static bool forever;

static bool fails(void) {
  if (!on || left == SIZE_MAX)
    return false;
  if (left > 0 && --left > 0)
    return false;
  if (failed && !forever)
    return false;
  return failed = true;
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t n) { return fails() ? NULL : __real_realloc(old, n); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

static void fail_at(size_t n, bool all_after) {
  left = n, failed = false, on = true, forever = all_after;
}

/* True: an allocation has failed since. */
static bool fail_never(void) {
  on = false, left = SIZE_MAX;
  return failed;
}

#endif
