/* check.c - `lpmln check`: what the program is. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/json.h"
#include "report/print.h"

lpmln_status command_check(Session *s) {
  const Settings *wanted = s->settings;
  if (refuse_samples(wanted))
    return LPMLN_USAGE;
  const lpmln_analysis *a = lpmln_check(s->program);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_analysis(&s->out, wanted->library.seed, a);
    else
      print_analysis(&s->out, a);
  }
  lpmln_answer_free(a);
  return status;
}
