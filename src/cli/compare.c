/* compare.c - `lpmln compare`: programs learned from the same observations, side by side. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/page.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/html.h"
#include "report/json.h"
#include "report/print.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const lpmln_comparison *ask(const Session *s) {
  VEC(lpmln_program *) all = {0};
  vec_push(&all, s->program);
  for (size_t i = 0; i < s->others.n; i++)
    vec_push(&all, s->others.at[i]);
  assert(all.n == s->settings->programs.n);
  const lpmln_comparison *a = lpmln_compare(all.at, all.n);
  vec_free(&all);
  return a;
}

static bool reads_twice(const Words *files) {
  for (size_t i = 0; i < files->n; i++)
    if (!strcmp(files->at[i], "-"))
      return true;
  return false;
}

lpmln_status command_compare(Session *s) {
  const Settings *wanted = s->settings;
  if (!s->others.n)
    return usage_error("'%s' needs two programs at least: each file is one", wanted->command->name);
  if (!wanted->evidence.n && !wanted->data.n)
    return usage_error("'%s' needs observations: -e FILE or --data TABLE.csv",
                       wanted->command->name);
  if (reads_twice(&wanted->evidence) || reads_twice(&wanted->data))
    return usage_error("'%s' reads the observations for each program: not from standard input",
                       wanted->command->name);
  const lpmln_comparison *a = ask(s);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about)) {
    if (wanted->format == FORMAT_JSON)
      json_comparison(&s->out, wanted->library.seed, a);
    else
      print_comparison(&s->out, a);
    if (wanted->report) {
      HtmlRun run = page_open(s);
      status = page_close(s, &run, html_comparison(&run, a), status);
    }
  }
  lpmln_answer_free(a);
  return status;
}
