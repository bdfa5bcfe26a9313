/* spool.h - a text that is read block after block: a long one goes to the disk, if that takes it.
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* First come the bytes in the file, then those of the text; in the end, all are in one of them. */
typedef struct {
  Text text;
  bool tried, open; /* a file without a name: whether there was to be one, whether there is */
  int file;
  size_t spilled; /* bytes in it */
  char *view;     /* in the end: of the whole file */
} Spool;          /* {0} is empty */

void spool_free(Spool *);
void spool_add(Spool *, const char *bytes, size_t n);
size_t spool_length(const Spool *);

/* A NUL behind the bytes, which are in `view` or, where that is NULL, in `text` now. */
void spool_end(Spool *);

#endif
