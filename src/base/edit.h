/* edit.h - how far two words are apart: letters to insert, remove, replace or exchange. */
#ifndef BASE_EDIT_H
#define BASE_EDIT_H

#include <stddef.h>

enum { EDIT_LONGEST = 63 }; /* longer words are alike or as far apart as they are long */

unsigned edit_distance(const char *a, size_t n, const char *b, size_t m);

/* How many slips of the pen a word of that length may have. */
unsigned edit_slips(size_t length);

#endif
