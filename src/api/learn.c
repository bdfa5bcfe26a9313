/* learn.c - the public question: the weights that make observations most likely. */
#include "learn/learn.h"

#include "api/handle.h"
#include "api/sealed.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/memory.h"
#include "learn/parameters.h"
#include "write/learned.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(uint32_t) SourceNumbers;

/* The texts of the program, if all are of this dialect. */
static bool texts_of(const Sealed *s, const char *dialect, SourceNumbers *to) {
  bool all = true;
  for (size_t i = 0; i < s->texts.n; i++)
    if (s->texts.at[i].role == LPMLN_PROGRAM) {
      all &= !strcmp(s->texts.at[i].dialect->name, dialect);
      vec_push(to, s->texts.at[i].source);
    }
  return all && to->n;
}

/* The same in the language of the program. */
static void write_own_language(const Task *t, const Sealed *s, const Parameters *parameters,
                               const double *w, lpmln_learning *answer) {
  SourceNumbers problog = {0}, markov = {0};
  Text text = {0};
  if (texts_of(s, "problog", &problog) &&
      write_learned_problog(t->program, parameters, answer->weights, problog.at, problog.n, &text))
    answer->problog = arena_bytes(t->answer, text.at, text.n);
  text.n = 0;
  if (texts_of(s, "mln", &markov) &&
      write_learned_markov(t->program, parameters, w, markov.at, markov.n, &text))
    answer->markov = arena_bytes(t->answer, text.at, text.n);
  vec_free(&problog);
  vec_free(&markov);
  vec_free(&text);
}

/* The program's text with the learned weights in place. */
static void write_program(const Task *t, const Sealed *s, Fixed fixed, lpmln_learning *answer) {
  Parameters parameters;
  Text text = {0};
  size_t learned = 0;
  parameters_find(t->ground, t->weights, (Fixed){0}, &parameters);
  double *w = memory_zero(parameters.n, sizeof *w);
  for (uint32_t i = 0; i < parameters.n; i++)
    w[i] = parameters_fix(fixed, parameters.name[i]) ? parameters.start[i]
                                                     : answer->weights[learned++].weight;
  assert(learned <= answer->weight_count);
  write_learned(t->program, &parameters, w, &text);
  answer->program = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  if (learned == parameters.n) /* none keeps its value */
    write_own_language(t, s, &parameters, w, answer);
  parameters_free(&parameters);
  free(w);
}

static Status answer_learning(Task *t, Sealed *s, void *content, const void *options) {
  const lpmln_learning_options *o = options;
  lpmln_learning *answer = content;
  Status status = learn(t, o, s->noise, answer);
  if (answer->weights)
    write_program(t, s, (Fixed){o->fixed_count, o->fixed}, answer);
  return status;
}

const lpmln_learning *lpmln_learn(lpmln_program *p, const lpmln_learning_options *options) {
  lpmln_learning_options defaults = lpmln_learning_options_default();
  const lpmln_learning_options *o = options ? options : &defaults;
  bool noise = o->noise == LPMLN_NOISE_ATOMS;
  return ask(
      p,
      &(Request){.size = sizeof(lpmln_learning),
                 .wrong = valid_learning(o),
                 .reading = {.blocks = true, .listed = noise, .noise = noise ? o->noise_weight : 0},
                 .run = answer_learning,
                 .data = o});
}
