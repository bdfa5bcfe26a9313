/* weights.c - the public question: weights that were learned elsewhere. */
#include "api/handle.h"
#include "api/sealed.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "language/program.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"
#include "write/learned.h"
#include "write/markov_weights.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
  const char *name, *text;
  size_t length;
} Asked;

static void warn_missing(const Task *t, const Parameters *p, uint32_t i) {
  const Statement *s = &t->program->statements.at[p->rules[p->rule_start[i]]];
  diagnose_warning(t->said, program_place(t->program, s, s->weight), NULL,
                   "the text has no weight for '%s'", p->name[i]);
}

static void fill(const Task *t, const double *values, lpmln_weights *answer) {
  Parameters parameters;
  Text text = {0};
  parameters_find(t->ground, t->weights, (Fixed){0}, &parameters);
  assert(parameters_valid(&parameters, t->ground));
  lpmln_weight *list = arena_zero(t->answer, parameters.n, sizeof *list);
  double *w = memory_zero(parameters.n, sizeof *w);
  for (uint32_t i = 0; i < parameters.n; i++) {
    double value = values[parameters.place[i]];
    list[i] = (lpmln_weight){arena_text(t->answer, parameters.name[i]), value};
    w[i] = isnan(value) ? parameters.start[i] : value;
    if (isnan(value))
      warn_missing(t, &parameters, i);
  }
  write_learned(t->program, &parameters, w, &text);
  answer->program = arena_bytes(t->answer, text.at, text.n);
  answer->count = parameters.n;
  answer->about.method = LPMLN_EXACT, answer->about.exact = answer->about.complete = true;
  answer->weights = list;
  vec_free(&text);
  parameters_free(&parameters);
  free(w);
}

static Status answer_weights(Task *t, Sealed *s, void *content, const void *data) {
  const Asked *asked = data;
  double *values = memory_zero(t->ground->weights.n, sizeof *values);
  uint32_t source = source_add(&s->program.sources, asked->name,
                               memory_copy(asked->text, asked->length), asked->length);
  Status status = markov_weights(t, &s->program, source, values);
  if (status == OK)
    fill(t, values, content);
  free(values);
  return status;
}

const lpmln_weights *lpmln_weights_from(lpmln_program *p, const char *name, const char *text,
                                        size_t length) {
  Asked asked = {name, text, length};
  return ask(p, &(Request){.size = sizeof(lpmln_weights),
                           .wrong = name && text ? NULL : "a name and a text are needed",
                           .reading = {.blocks = true},
                           .run = answer_weights,
                           .data = &asked});
}
