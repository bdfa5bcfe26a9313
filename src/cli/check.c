/* check.c - `lpmln check`: what the program is. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"

#include <stdint.h>

enum { STEPS = 10000 };

/* The Markov chain of mc-asp. */
static lpmln_status check_chain(Session *s) {
  const Settings *wanted = s->settings;
  const lpmln_chain *a =
      lpmln_check_chain(s->program, wanted->number == SIZE_MAX ? STEPS : wanted->number);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_chain(&s->out, wanted->library.seed, a);
    else
      print_chain(&s->out, a);
  }
  lpmln_answer_free(a);
  return status;
}

lpmln_status command_check(Session *s) {
  const Settings *wanted = s->settings;
  if (wanted->number != SIZE_MAX && !wanted->chain)
    return usage_error("-n is for steps of --chain");
  if (wanted->chain && wanted->data.n)
    return usage_error("--chain takes evidence with -e, not --data");
  if (wanted->chain && wanted->report)
    return usage_error("--report does not go with --chain");
  if (wanted->chain)
    return check_chain(s);
  if (refuse_samples(wanted))
    return LPMLN_USAGE;
  const lpmln_analysis *a = lpmln_check(s->program);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_analysis(&s->out, wanted->library.seed, a);
    else
      print_analysis(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_analysis(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}
