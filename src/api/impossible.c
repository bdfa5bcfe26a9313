/* impossible.c - which piece of the evidence that a compiled file is given can't be; see state.h.
**
** What more evidence makes possible is less, so the shortest impossible beginning is found by
** halving. */
#include "api/state.h"
#include "base/diagnostic.h"
#include "language/program.h"

#include <assert.h>
#include <stddef.h>

/* Stable models agree with the first n pieces; what stops an answer stops this, too. */
static bool possible(const State *s, const Task *t, size_t n) {
  Diagnostics unsaid = {.sources = t->said->sources};
  Task own = *t;
  State trial;
  own.said = &unsaid;
  state_begin(&trial, s->model);
  trial.options = s->options;
  bool good = true;
  for (size_t i = 0; i < n; i++) {
    Lit lit = s->asking->evidence.at[i];
    good = state_observe_too(&trial, lit_atom(lit), !lit_negated(lit)) && good;
  }
  good = good && state_agrees(&trial, &own) != NO_ANSWER;
  state_end(&trial);
  diagnostics_free(&unsaid);
  return good;
}

bool state_say_impossible(const State *s, const Task *t) {
  assert(s->asked && s->asking && s->asking->statements.n == s->asking->evidence.n);
  size_t few = 0, many = s->asking->evidence.n; /* possible, impossible */
  if (!many || possible(s, t, many))
    return false;
  while (many - few > 1) {
    size_t middle = few + (many - few) / 2;
    *(possible(s, t, middle) ? &few : &many) = middle;
  }
  const Program *program = &s->asked->program;
  const Statement *statement = &program->statements.at[s->asking->statements.at[many - 1]];
  const char *why = few                    ? "this contradicts what stands before it"
                    : s->model->evidence.n ? "this contradicts what the file was compiled with"
                                           : "no stable model agrees with this";
  diagnose_error(t->said, program_place(program, statement, statement->whole), NULL,
                 "the evidence is impossible: %s", why);
  return true;
}
