/* sort.h - lists of words in increasing order. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

void sort_words(uint32_t *at, size_t n);

/* Sorts and removes repeats; returns how many are left. */
size_t sort_unique(uint32_t *at, size_t n);

#endif
