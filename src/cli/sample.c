/* sample.c - `lpmln sample`: random stable models. */
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

/* Steps of one chain. */
static lpmln_status trace(Session *s) {
  const Settings *wanted = s->settings;
  if (wanted->uniform || wanted->report || wanted->library.method == LPMLN_EXACT)
    return usage_error(
        "--trace is about steps of mc-asp: no --uniform, --report or --method exact");
  const lpmln_trace *a = lpmln_draw_trace(s->program, wanted->number);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_trace(&s->out, wanted->library.seed, a);
    else
      print_trace(&s->out, a);
  }
  lpmln_answer_free(a);
  return status;
}

lpmln_status command_sample(Session *s) {
  const Settings *wanted = s->settings;
  if (wanted->library.method == LPMLN_ENUMERATE)
    return usage_error("'%s' works on the compiled program or with the solver: --method exact or "
                       "mc-asp",
                       wanted->command->name);
  if (wanted->number == SIZE_MAX || !wanted->number)
    return usage_error("'%s' needs -n N, how many", wanted->command->name);
  if (wanted->trace)
    return trace(s);
  const lpmln_samples *a =
      (wanted->uniform ? lpmln_draw_uniform : lpmln_draw)(s->program, wanted->number);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    assert(a->count <= wanted->number);
    if (wanted->format == FORMAT_JSON)
      json_samples(&s->out, wanted->library.seed, a);
    else
      print_samples(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_samples(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}
