/* translate.c - `lpmln translate`: the program in another language, its observations in
** files of their own. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "lpmln/lpmln.h"
#include "report/json.h"

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

static lpmln_status write_data(const Session *s, const lpmln_translation *a) {
  Text path = {0};
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < a->data_count; i++) {
    path.n = 0;
    name_part(&path, s->settings->data_output, i + 1, a->data_count);
    status = write_file(s, path.at, a->data[i], strlen(a->data[i]));
  }
  vec_free(&path);
  return status;
}

lpmln_status command_translate(Session *s) {
  lpmln_translation_options wanted = s->settings->translation;
  if (!wanted.target)
    return usage_error("'%s' needs --to TARGET", s->settings->command->name);
  wanted.separate = s->settings->data_output != NULL;
  if (wanted.indexed && !wanted.separate)
    return usage_error("--indexed needs --data-output FILE");
  const lpmln_learning_options *noisy = &s->settings->learning;
  if (noisy->noise == LPMLN_DROP)
    return usage_error("--noisy drop is for learn");
  wanted.noise = noisy->noise == LPMLN_NOISE_ATOMS ? noisy->noise_weight : 0;
  const lpmln_translation *a = lpmln_translate(s->program, &wanted);
  lpmln_status status = a->about.status, written = LPMLN_OK;
  session_answered(s, &a->about);
  if (a->text && s->settings->format == FORMAT_JSON)
    json_translation(&s->out, s->settings->library.seed, wanted.target, a);
  else if (a->text)
    text_add(&s->out, a->text, a->length);
  assert(!a->data_count || wanted.separate);
  if (a->text && wanted.separate)
    written = write_data(s, a);
  lpmln_answer_free(a);
  return status == LPMLN_OK ? written : status;
}
