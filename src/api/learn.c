/* learn.c - the public question: the weights that make observations most likely. */
#include "learn/learn.h"

#include "api/handle.h"
#include "api/sealed.h"
#include "base/arena.h"
#include "base/memory.h"
#include "learn/parameters.h"
#include "write/learned.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The program's text with the learned weights in place. */
static void write_program(const Task *t, lpmln_learning *answer) {
  Parameters parameters;
  Text text = {0};
  parameters_find(t->ground, t->weights, &parameters);
  double *w = memory_zero(parameters.n, sizeof *w);
  for (uint32_t i = 0; i < parameters.n; i++)
    w[i] = answer->weights[i].weight;
  write_learned(t->program, &parameters, w, &text);
  answer->program = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  parameters_free(&parameters);
  free(w);
}

static Status answer_learning(Task *t, Sealed *s, void *content, const void *options) {
  lpmln_learning *answer = content;
  Status status = learn(t, options, s->noise, answer);
  if (answer->weights)
    write_program(t, answer);
  return status;
}

const lpmln_learning *lpmln_learn(lpmln_program *p, const lpmln_learning_options *options) {
  lpmln_learning_options defaults = lpmln_learning_options_default();
  const lpmln_learning_options *o = options ? options : &defaults;
  bool noise = o->noise == LPMLN_NOISE_ATOMS;
  return ask(p, &(Request){.size = sizeof(lpmln_learning),
                           .reading = {.blocks = true, .noise = noise ? o->noise_weight : 0},
                           .run = answer_learning,
                           .data = o});
}
