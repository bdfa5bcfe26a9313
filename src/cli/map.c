/* map.c - `lpmln map`, `lpmln models`: stable models with their probabilities. */
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

enum { MOST_MODELS = 10000 }; /* if nothing else is said; the table of options says so */

/* Takes the answer.  `count`: how many there are is a part of it. */
static lpmln_status show(Session *s, const lpmln_models *a, bool count) {
  const Settings *wanted = s->settings;
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    assert(!count || a->total);
    if (wanted->format == FORMAT_JSON)
      json_models(&s->out, wanted->command->name, wanted->library.seed, a, count);
    else
      print_models(&s->out, a, count);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_models(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}

lpmln_status command_map(Session *s) {
  return refuse_samples(s->settings) ? LPMLN_USAGE : show(s, lpmln_map(s->program), false);
}

lpmln_status command_models(Session *s) {
  size_t most = s->settings->number == SIZE_MAX ? MOST_MODELS : s->settings->number;
  return refuse_samples(s->settings) ? LPMLN_USAGE : show(s, lpmln_list(s->program, most), true);
}
