/* compile.c - from a program to a model, and models as bytes. */
#include "api/answer.h"
#include "api/handle.h"
#include "api/model.h"
#include "api/sealed.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/nearest.h"
#include "infer/coins.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- compile ------------------------------------------------------------------------- */

typedef struct {
  const lpmln_compile_options *options;
  lpmln_model **model;
} Compiling;

static Status find_observables(const Task *t, const lpmln_compile_options *o, ModelAtoms *to) {
  Nearest nearest = {.program = t->program, .ground = t->ground};
  for (size_t i = 0; o && i < o->observable_count; i++)
    if (!model_atoms(t->ground, o->observables[i], to))
      diagnose_hinted(t->said, LPMLN_ERROR, NOWHERE, nearest_atoms(&nearest, o->observables[i]),
                      "the program has no atom '%s' to observe", o->observables[i]);
  for (size_t i = 0; i < t->ground->queries.n; i++)
    if (t->ground->queries.at[i].given != NONE)
      diagnose_error(t->said, NOWHERE, "set the condition as evidence of a state",
                     "the query '%s' has a condition, which can't be compiled",
                     ground_text(t->ground, t->ground->queries.at[i].text));
  return t->said->errors ? INPUT : OK;
}

static Status compile(Task *t, Sealed *s, void *answer, const void *data) {
  assert(((const Compiling *)data)->model && !*((const Compiling *)data)->model);
  const Compiling *c = data;
  lpmln_answer *about = answer;
  ModelAtoms asked = {0};
  if (t->hard_bound != NONE) {
    diagnose_error(t->said, NOWHERE, NULL,
                   "a program whose hard rules are violated can't be compiled");
    return NO_ANSWER;
  }
  Status status = task_contradicted(t) ? task_no_evidence(t) : OK;
  if (status == OK)
    status = find_observables(t, c->options, &asked);
  if (status == OK)
    status = model_make(t, s, asked.at, asked.n, c->model);
  if (status == OK)
    about->method = LPMLN_EXACT, about->exact = about->complete = true;
  if (status == OK) /* the file will not say it */
    coins_compare_in(t, &(*c->model)->circuit, &(*c->model)->program);
  vec_free(&asked);
  return status;
}

lpmln_model *lpmln_compile(lpmln_program *p, const lpmln_compile_options *options,
                           const lpmln_answer **about) {
  lpmln_model *model = NULL;
  const lpmln_answer *answer = ask(p, &(Request){.size = sizeof(lpmln_answer),
                                                 .wrong = valid_compiling(options),
                                                 .run = compile,
                                                 .data = &(Compiling){options, &model}});
  if (answer->status != OK) { /* memory ran out when the model was there already */
    lpmln_model_free(model);
    model = NULL;
  }
  if (about)
    *about = answer;
  else
    lpmln_answer_free(answer);
  return model;
}

/* ---- bytes ----------------------------------------------------------------------------- */

static const lpmln_bytes *save(const lpmln_model *m) {
  assert(m->sealed->ground);
  Answer answer = answer_begin(sizeof(lpmln_bytes));
  lpmln_bytes *to = answer.content;
  Diagnostics said = {0};
  Text text = {0};
  model_write(m, &text);
  to->bytes = arena_bytes(&answer.arena, text.at, text.n);
  to->length = text.n;
  to->about.method = LPMLN_EXACT, to->about.exact = to->about.complete = true;
  vec_free(&text);
  return answer_end(&answer, OK, NULL, &said);
}

const lpmln_bytes *lpmln_model_save(const lpmln_model *m) {
  MemoryGuard guard;
  const lpmln_bytes *volatile result = answer_no_memory();
  if (!m)
    return result;
  if (!memory_guard(&guard))
    result = save(m);
  memory_unguard(&guard);
  return result;
}

static const lpmln_answer *load(const char *bytes, size_t length, lpmln_model **model) {
  Answer answer = answer_begin(sizeof(lpmln_answer));
  lpmln_answer *about = answer.content;
  Diagnostics said = {0};
  *model = model_read(bytes, length);
  if (*model)
    about->method = LPMLN_EXACT, about->exact = about->complete = true;
  else
    diagnose_error(&said, NOWHERE, "compile the program again",
                   "the compiled program is damaged, or of another version");
  const lpmln_answer *result = answer_end(&answer, *model ? OK : INPUT, NULL, &said);
  diagnostics_free(&said);
  return result;
}

lpmln_model *lpmln_model_load(const char *bytes, size_t length, const lpmln_answer **about) {
  MemoryGuard guard;
  lpmln_model *volatile model = NULL;
  const lpmln_answer *volatile answer = answer_no_memory();
  if (!memory_guard(&guard))
    answer = load(bytes ? bytes : "", bytes ? length : 0, (lpmln_model **)(uintptr_t)&model);
  memory_unguard(&guard);
  if (answer->status != OK) {
    lpmln_model_free(model);
    model = NULL;
  }
  if (about)
    *about = answer;
  else
    lpmln_answer_free(answer);
  return model;
}
