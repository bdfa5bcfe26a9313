/* failing.c - memory that is out at the n-th allocation of the program lpmln, loaded in front
** of the C library: FAIL_AT=n, FAIL_FOREVER=1 for all that follow, too.  FAIL_COUNT names a
** file that says at the end how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static atomic_long seen;
static long fail_at;
static bool forever, ours;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAIL_AT");
  fail_at = at ? atol(at) : 0;
  forever = getenv("FAIL_FOREVER") != NULL;
  ours = !strcmp(program_invocation_short_name, "lpmln");
}

__attribute__((destructor)) static void end(void) {
  const char *name = ours ? getenv("FAIL_COUNT") : NULL;
  long all = atomic_load(&seen);
  ours = false;
  FILE *file = name ? fopen(name, "w") : NULL;
  if (file) {
    fprintf(file, "%ld\n", all);
    fclose(file);
  }
}

static bool fails(void) {
  if (!ours)
    return false;
  long n = atomic_fetch_add(&seen, 1) + 1;
  bool now = fail_at && (forever ? n >= fail_at : n == fail_at);
  if (now)
    errno = ENOMEM;
  return now;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { return fails() ? NULL : __libc_realloc(old, n); }
