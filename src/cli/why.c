/* why.c - `lpmln why`: the likeliest proofs of a query. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"

#include <assert.h>
#include <stdint.h>

/* All proofs: however small their shares. */
static lpmln_why_options options_of(const Settings *s) {
  lpmln_why_options wanted = lpmln_why_options_default();
  if (s->number != SIZE_MAX)
    wanted.most = s->number;
  if (!wanted.most)
    wanted.least_share = 0;
  return wanted;
}

lpmln_status command_why(Session *s) {
  const Settings *wanted = s->settings;
  assert(wanted->command->bit == C_WHY);
  if (wanted->queries.n != 1)
    return usage_error("'%s' needs one query: -q ATOM", wanted->command->name);
  lpmln_why_options asked = options_of(wanted);
  const lpmln_explanation *a = lpmln_why(s->program, &asked);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_explanation(&s->out, wanted->library.seed, a);
    else
      print_explanation(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_explanation(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}
