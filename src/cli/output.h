/* output.h - files that the program writes beside its answer. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/options.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"

#include <stddef.h>

/* LPMLN_USAGE, with a message: an output is also an input, or another output. */
lpmln_status outputs_refuse(const Settings *);

/* All of a file, whole or as it was; says what is wrong. */
lpmln_status write_file(const Session *, const char *path, const char *bytes, size_t length);

lpmln_status cannot_write(const char *path); /* says so, with errno; LPMLN_INPUT */

/* The command as one would type it again, quoted where needed; the caller frees. */
char *command_line(int argc, char **argv);

/* The whole file as text; false, with a message: it can't be read. */
bool read_file(const char *path, Text *to);

#endif
