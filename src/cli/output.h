/* output.h - files that the program writes beside its answer. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/options.h"
#include "report/html.h"

/* Written beside it and then renamed: the file is whole or as it was. */
bool write_file(const char *path, const char *bytes, size_t length);

lpmln_status cannot_write(const char *path);

/* The command as one would type it again, quoted where needed; NULL: memory is out. */
char *command_line(int argc, char **argv);

/* What a report says about the run. */
HtmlRun report_run(lpmln *, const Settings *);

/* Takes the page.  The status is that of the answer, or that it can't be written. */
lpmln_status write_report(const Settings *, char *page, lpmln_status);

#endif
