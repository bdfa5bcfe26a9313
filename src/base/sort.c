/* sort.c - see sort.h. */
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

enum { SHORT = 24 }; /* lists that are sorted by inserting */

void sort_words(uint32_t *at, size_t n) {
  assert(at || !n);
  for (size_t i = 1; n <= SHORT && i < n; i++) {
    uint32_t word = at[i];
    size_t k = i;
    for (; k && at[k - 1] > word; k--)
      at[k] = at[k - 1];
    at[k] = word;
  }
  if (n > SHORT)
    qsort(at, n, sizeof *at, compare_words);
}

size_t sort_unique(uint32_t *at, size_t n) {
  size_t kept = 0;
  sort_words(at, n);
  for (size_t i = 0; i < n; i++)
    if (!kept || at[kept - 1] != at[i])
      at[kept++] = at[i];
  assert(kept <= n && !kept == !n);
  return kept;
}
