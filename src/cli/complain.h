/* complain.h - what the program itself has to complain about, beside the library: usage, files
** that can't be written.  Printed at once; the last one is kept for the answer as JSON. */
#ifndef CLI_COMPLAIN_H
#define CLI_COMPLAIN_H

#include "base/memory.h"

/* As printf, without `lpmln: ` and the end of the line. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The last complaint, if there is one, as the object that stands in place of an answer. */
void complaint_object(Text *, const char *command, int code);

#endif
