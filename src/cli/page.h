/* page.h - the report of a run, as a file. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"

/* What a page says about the run; after the question, which reads the texts. */
HtmlRun page_open(const Session *);

/* Takes the page and what page_open got.  The status is that of the answer, or that the
** page can't be written. */
lpmln_status page_close(const Session *, HtmlRun *, char *page, lpmln_status);

#endif
