/* input.h - reading a file or standard input whole, compressed or not. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/spool.h"

#include <stdbool.h>

/* What is in it, to its end; "-" is standard input.  What is compressed (gzip) is expanded.
** Waits for who writes to a pipe no longer than the limits allow (base/limits.h).  False: errno
** says what is wrong; input_trouble puts that into words. */
bool input_read(const char *path, Spool *to);

const char *input_trouble(int reason);

#endif
