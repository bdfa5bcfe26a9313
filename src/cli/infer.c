/* infer.c - `lpmln infer`: probabilities of atoms, once or for each row of a table. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"
#include "report/table.h"

#include <assert.h>

static lpmln_status infer_once(Session *s) {
  const Settings *wanted = s->settings;
  const lpmln_inference *a = lpmln_infer(s->program);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_inference(&s->out, wanted->library.seed, a);
    else
      print_inference(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_inference(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}

static lpmln_status infer_rows(Session *s) {
  const Settings *wanted = s->settings;
  const lpmln_table *a = lpmln_infer_rows(s->program);
  lpmln_status status = a->about.status;
  assert(a->impossible <= a->row_count);
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_table(&s->out, wanted->library.seed, a);
    else
      table_write(&s->out, a);
    if (status == LPMLN_OK && wanted->strict && a->impossible)
      status = LPMLN_NO_ANSWER;
  }
  lpmln_answer_free(a);
  return status;
}

lpmln_status command_infer(Session *s) {
  bool rows = s->settings->data.n > 0;
  if (s->settings->strict && !rows)
    return usage_error("--strict needs --data TABLE.csv");
  if (s->settings->report && rows)
    return usage_error("--report does not go with --data");
  return rows ? infer_rows(s) : infer_once(s);
}
