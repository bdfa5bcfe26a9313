/* page.c - see page.h. */
#include "cli/page.h"

#include "cli/output.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

HtmlRun page_open(const Session *s) {
  assert(s->settings->report);
  return (HtmlRun){.command = s->settings->command->name,
                   .line = s->settings->line,
                   .seed = s->settings->library.seed,
                   .sources = lpmln_program_sources(s->program)};
}

lpmln_status page_close(const Session *s, HtmlRun *run, char *page, lpmln_status status) {
  const char *path = s->settings->report;
  bool written = page && write_file(path, page, strlen(page));
  free(page);
  lpmln_answer_free(run->sources);
  run->sources = NULL;
  return written || status != LPMLN_OK ? status : cannot_write(path);
}
