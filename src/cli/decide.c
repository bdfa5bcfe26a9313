/* decide.c - `lpmln decide`: the decisions of the highest expected utility. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"

#include <assert.h>

lpmln_status command_decide(Session *s) {
  const Settings *wanted = s->settings;
  const lpmln_decision *a = lpmln_decide(s->program);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    assert(a->count && a->values);
    if (wanted->format == FORMAT_JSON)
      json_decision(&s->out, wanted->library.seed, a);
    else
      print_decision(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_decision(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}
