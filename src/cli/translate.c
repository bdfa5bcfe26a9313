/* translate.c - `lpmln translate`: the program in another language, its observations in
** files of their own. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <string.h>

/* FILE, or FILE-1, FILE-2, … before the ending if there are several. */
static void name_part(Text *to, const char *file, size_t number, size_t count) {
  const char *dot = strrchr(file, '.');
  size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - file) : strlen(file);
  assert(number >= 1 && number <= count);
  text_add(to, file, stem);
  if (count > 1)
    text_printf(to, "-%zu", number);
  text_puts(to, file + stem);
}

static lpmln_status write_data(const char *file, const lpmln_translation *a) {
  Text path = {0};
  bool good = true;
  for (size_t i = 0; good && i < a->data_count; i++) {
    path.n = 0;
    name_part(&path, file, i + 1, a->data_count);
    good = write_file(path.at, a->data[i], strlen(a->data[i]));
  }
  lpmln_status status = good ? LPMLN_OK : cannot_write(path.at);
  vec_free(&path);
  return status;
}

lpmln_status command_translate(Session *s) {
  lpmln_translation_options wanted = s->settings->translation;
  if (!wanted.target)
    return usage_error("'%s' needs --to TARGET", s->settings->command->name);
  wanted.separate = s->settings->data_output != NULL;
  const lpmln_translation *a = lpmln_translate(s->program, &wanted);
  lpmln_status status = a->about.status, written = LPMLN_OK;
  session_answered(s, &a->about);
  if (a->text)
    text_add(&s->out, a->text, a->length);
  assert(!a->data_count || wanted.separate);
  if (a->text && wanted.separate)
    written = write_data(s->settings->data_output, a);
  lpmln_answer_free(a);
  return status == LPMLN_OK ? written : status;
}
