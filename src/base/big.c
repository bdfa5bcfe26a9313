/* big.c - see big.h. */
#include "base/big.h"

#include "base/memory.h"

#include <gmp.h>
#include <pthread.h>
#include <stdlib.h>

static void *make(size_t size) { return memory_resize(NULL, size, 1); }

static void *resize(void *old, size_t before, size_t size) {
  (void)before;
  return memory_resize(old, size, 1);
}

static void drop(void *block, size_t size) {
  (void)size;
  free(block);
}

static void hook(void) { mp_set_memory_functions(make, resize, drop); }

void big_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, hook);
}
