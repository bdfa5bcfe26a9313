/* sentence.h - what the library says, in the words of the command line.
**
** The library knows options by the names of their fields and speaks of them as
** `option time_limit` or `option method=exact`; on the command line they are
** `--time-limit` and `--method exact`. */
#ifndef REPORT_SENTENCE_H
#define REPORT_SENTENCE_H

#include "base/memory.h"

void sentence_write(Text *, const char *sentence);

#endif
