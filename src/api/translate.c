/* translate.c - the program in another language. */
#include "api/handle.h"
#include "api/sealed.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "write/target.h"

#include <stddef.h>

static Status answer_translation(Task *t, Sealed *s, void *content, const void *data) {
  (void)s;
  const lpmln_translation_options *options = data;
  lpmln_translation *answer = content;
  TargetWriter writer = options->target ? target_named(options->target) : NULL;
  if (!writer) {
    diagnose_error(t->said, NOWHERE, NULL, "there is no target '%s'",
                   options->target ? options->target : "");
    return USAGE;
  }
  Translation out = {0};
  Status status = writer(t, options, &out);
  if (status == OK) {
    const char **texts = arena_zero(t->answer, out.data.n, sizeof *texts);
    for (size_t i = 0; i < out.data.n; i++)
      texts[i] = arena_bytes(t->answer, out.data.at[i].at, out.data.at[i].n);
    answer->text = arena_bytes(t->answer, out.text.at, out.text.n);
    answer->length = out.text.n;
    answer->data = texts;
    answer->data_count = out.data.n;
  }
  translation_free(&out);
  return status;
}

const lpmln_translation *lpmln_translate(lpmln_program *p,
                                         const lpmln_translation_options *options) {
  lpmln_translation_options none = {0};
  const lpmln_translation_options *asked = options ? options : &none;
  return ask(p, &(Request){.size = sizeof(lpmln_translation),
                           .reading = {.blocks = asked->separate},
                           .run = answer_translation,
                           .data = asked});
}
