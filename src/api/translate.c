/* translate.c - the program in another language. */
#include "api/handle.h"
#include "api/sealed.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "write/target.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lpmln_program *handle;
  const lpmln_translation_options *options;
} Wanted;

static bool is_given(const lpmln_program *p, const char *name) {
  for (size_t i = 0; i < p->new_weights.n; i++)
    if (!strcmp(p->new_weights.at[i].name, name))
      return true;
  return false;
}

/* Those of the question.  A parameter that was given a value, be it its own, is a number. */
static Weight *weights_of(const Task *t, const lpmln_program *handle) {
  const Ground *g = t->ground;
  Weight *weights = memory_zero(g->weights.n, sizeof *weights);
  for (size_t i = 0; i < g->weights.n; i++) {
    Weight *w = &weights[i];
    *w = g->weights.at[i];
    if (w->name != NONE && is_given(handle, ground_text(g, w->name)))
      w->name = NONE;
    assert(w->name == NONE || w->value == t->weights[i]);
    w->value = t->weights[i];
  }
  return weights;
}

static Status answer_translation(Task *t, Sealed *s, void *content, const void *data) {
  const Wanted *wanted = data;
  const lpmln_translation_options *options = wanted->options;
  lpmln_translation *answer = content;
  TargetWriter writer = target_named(options->target);
  if (!writer) {
    diagnose_error(t->said, NOWHERE, NULL, "there is no target '%s'", options->target);
    return USAGE;
  }
  if (t->options->violable && strcmp(options->target, "asp") != 0) {
    diagnose_error(t->said, NOWHERE, NULL, "only the target asp has hard rules that are violable");
    return USAGE;
  }
  if (s->interventions.n) {
    diagnose_error(t->said, NOWHERE, NULL, "an intervention (option do) can't be translated");
    return USAGE;
  }
  Translation out = {0};
  Ground weighted = *t->ground;
  weighted.weights.at = weights_of(t, wanted->handle);
  Task with_weights = *t;
  with_weights.ground = &weighted;
  Status status = writer(&with_weights, options, &out);
  free(weighted.weights.at);
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
  const Wanted wanted = {p, asked};
  return ask(
      p, &(Request){.size = sizeof(lpmln_translation),
                    .wrong = valid_translation(asked),
                    .reading = {.blocks = asked->separate, .listed = true, .noise = asked->noise},
                    .run = answer_translation,
                    .data = &wanted});
}
