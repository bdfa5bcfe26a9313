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

/* A silent answer looks like none. */
static void say_nothing_open(const Session *s, const lpmln_inference *a) {
  static const lpmln_diagnostic said = {
      .severity = LPMLN_NOTE,
      .message = "nothing is printed: every atom that is shown is certain, or impossible",
      .hint = "-q asks for an atom, map prints what holds"};
  const Settings *wanted = s->settings;
  if (!a->count && a->about.complete && !wanted->queries.n && !wanted->quiet &&
      wanted->format == FORMAT_TEXT)
    print_diagnostic(stderr, &said);
}

static lpmln_status infer_once(Session *s) {
  const Settings *wanted = s->settings;
  const lpmln_inference *a = lpmln_infer(s->program);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    say_nothing_open(s, a);
    if (wanted->format == FORMAT_JSON)
      json_inference(&s->out, wanted->library.seed, a);
    else
      print_inference(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      run.before = session_before(s, run.sources);
      status = page_close(s, &run, html_inference(&run, a), status);
      lpmln_answer_free(run.before);
    }
  }
  lpmln_answer_free(a);
  return status;
}

/* The last part waits: messages come before an answer that is not longer. */
static bool write_part(void *data, const lpmln_table *part) {
  Session *s = data;
  if (s->out.n && !session_pass_on(s))
    return false;
  if (!s->passed_on)
    table_write_names(&s->out, part);
  table_write_rows(&s->out, part);
  return true;
}

static lpmln_status infer_rows(Session *s) {
  const Settings *wanted = s->settings;
  bool json = wanted->format == FORMAT_JSON;
  const lpmln_table *a =
      json ? lpmln_infer_rows(s->program) : lpmln_infer_rows_each(s->program, write_part, s);
  lpmln_status status = a->about.status;
  assert(a->impossible <= a->row_count);
  if (session_answered(s, &a->about)) {
    if (json)
      json_table(&s->out, wanted->library.seed, a);
    if (status == LPMLN_OK && wanted->library.strict && a->impossible)
      status = LPMLN_NO_ANSWER;
  } else if (!json && wanted->output) {
    s->out.n = 0; /* the file stays as it is */
  }
  lpmln_answer_free(a);
  return status;
}

lpmln_status command_infer(Session *s) {
  bool rows = s->settings->data.n > 0;
  const lpmln_options *library = &s->settings->library;
  if (library->counts && rows)
    return usage_error("--counts does not go with --data");
  if ((library->sensitivity || library->next) && rows)
    return usage_error("--sensitivity and --next do not go with --data");
  if ((library->sensitivity || library->next) && library->method != LPMLN_AUTO &&
      library->method != LPMLN_EXACT)
    return usage_error("--sensitivity and --next need --method exact");
  if (s->settings->report && rows)
    return usage_error("--report does not go with --data");
  return rows ? infer_rows(s) : infer_once(s);
}
