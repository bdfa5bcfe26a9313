/* output.h - files that the program writes beside its answer. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>

/* Written beside it and then renamed: the file is whole or as it was. */
bool write_file(const char *path, const char *bytes, size_t length);

lpmln_status cannot_write(const char *path); /* says so; LPMLN_INPUT */

/* The command as one would type it again, quoted where needed; the caller frees. */
char *command_line(int argc, char **argv);

#endif
