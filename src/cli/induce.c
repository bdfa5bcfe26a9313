/* induce.c - `lpmln induce`: rules chosen from candidates, with their weights. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/json.h"
#include "report/print.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static lpmln_status show(Session *s, const lpmln_induction *a, lpmln_status status) {
  const Settings *wanted = s->settings;
  const char *output = wanted->output;
  if (wanted->format == FORMAT_JSON)
    json_induction(&s->out, wanted->library.seed, a);
  else
    print_induction(&s->out, a);
  if (output && status == LPMLN_OK)
    status = write_file(s, output, a->program, strlen(a->program));
  return status;
}

lpmln_status command_induce(Session *s) {
  const Settings *wanted = s->settings;
  lpmln_induction_options asked = wanted->induction;
  Text text = {0};
  if (!wanted->evidence.n && !wanted->data.n)
    return usage_error("'%s' needs observations: -e FILE or --data TABLE.csv",
                       wanted->command->name);
  if (!wanted->candidates)
    return usage_error("'%s' needs --candidates FILE", wanted->command->name);
  if (!read_file(wanted->candidates, &text)) {
    vec_free(&text);
    return LPMLN_INPUT;
  }
  asked.candidates = text.at, asked.name = wanted->candidates;
  asked.folds = wanted->learning.folds ? wanted->learning.folds : asked.folds;
  const lpmln_induction *a = lpmln_induce(s->program, &asked);
  lpmln_status status = a->about.status;
  if (session_answered(s, &a->about))
    status = show(s, a, status);
  lpmln_answer_free(a);
  vec_free(&text);
  return status;
}
