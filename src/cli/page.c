/* page.c - see page.h. */
#include "cli/page.h"

#include "base/memory.h"
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
  page = memory_have(page);
  lpmln_status written = write_file(s, s->settings->report, page, strlen(page));
  free(page);
  lpmln_answer_free(run->sources);
  run->sources = NULL;
  return status == LPMLN_OK ? written : status;
}
