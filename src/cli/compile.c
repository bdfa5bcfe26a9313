/* compile.c - `lpmln compile`: the compiled program in a file. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/json.h"

#include <assert.h>

static lpmln_status save(Session *s, const lpmln_model *model, const lpmln_answer *about) {
  const char *path = s->settings->output;
  const lpmln_bytes *saved = lpmln_model_save(model);
  lpmln_status status = saved->about.status;
  session_answered(s, &saved->about);
  if (status == LPMLN_OK)
    status = write_file(s, path, saved->bytes, saved->length);
  if (status == LPMLN_OK && s->settings->format == FORMAT_JSON)
    json_compiled(&s->out, s->settings->library.seed, about, path, saved->length);
  lpmln_answer_free(saved);
  return status;
}

lpmln_status command_compile(Session *s) {
  const Settings *wanted = s->settings;
  if (!wanted->output)
    return usage_error("'%s' needs -o FILE", wanted->command->name);
  lpmln_compile_options how = {.observable_count = wanted->observables.n,
                               .observables = wanted->observables.at};
  const lpmln_answer *about = NULL;
  lpmln_model *model = lpmln_compile(s->program, &how, &about);
  assert(about);
  lpmln_status status = about->status;
  assert(model || status != LPMLN_OK);
  session_answered(s, about);
  if (model && status == LPMLN_OK)
    status = save(s, model, about);
  lpmln_answer_free(about);
  lpmln_model_free(model);
  return status;
}
