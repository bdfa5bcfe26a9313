/* compare.c - the public question: which of several programs fits the observations best? */
#include "api/answer.h"
#include "api/handle.h"
#include "api/sealed.h"
#include "base/arena.h"
#include "base/chi_square.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "learn/nested.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* A comparison under way; all of it is given up if memory runs out. */
typedef struct {
  lpmln_program *const *programs;
  size_t count;
  double deadline; /* of clock_now; 0: none */
  const lpmln_learning **learned;
  Answer answer;
} Comparing;

/* Exactly, in the time that is left. */
static const lpmln_learning *learn_one(const Comparing *c, lpmln_program *p) {
  lpmln_learning_options wanted = lpmln_learning_options_default();
  wanted.evaluate = true;
  if (!p)
    return lpmln_learn(NULL, &wanted);
  lpmln_options own = p->options;
  p->options.method = LPMLN_EXACT;
  if (c->deadline > 0)
    p->options.time_limit = fmax(c->deadline - clock_now(), 1e-3);
  const lpmln_learning *a = lpmln_learn(p, &wanted);
  p->options = own;
  return a;
}

static Status learn_all(Comparing *c) {
  Status status = OK;
  double limit = c->programs[0] ? c->programs[0]->options.time_limit : 0;
  c->deadline = limit > 0 ? clock_now() + limit : 0;
  for (size_t i = 0; status == OK && i < c->count; i++) {
    c->learned[i] = learn_one(c, c->programs[i]);
    status = c->learned[i]->about.status;
  }
  return status;
}

/* ---- one program ------------------------------------------------------------------------- */

static const char *name_of(Arena *arena, const lpmln_program *p) {
  Text text = {0};
  for (size_t i = 0; i < p->inputs.n; i++)
    if (p->inputs.at[i].role == LPMLN_PROGRAM)
      text_printf(&text, "%s%s", text.n ? " " : "", p->inputs.at[i].name);
  const char *made = arena_bytes(arena, text.at, text.n);
  vec_free(&text);
  return made;
}

static lpmln_compared describe(Arena *arena, const lpmln_program *p, const lpmln_learning *a) {
  lpmln_compared m = {.program = name_of(arena, p),
                      .log_likelihood = a->log_likelihood,
                      .weights = a->weight_count,
                      .parameters = a->weight_count,
                      .converged = a->converged};
  for (size_t i = 0; i < a->group_count; i++)
    m.parameters -= a->groups[i].free_directions;
  for (size_t i = 0; i < a->weight_count; i++)
    m.diverging += a->weights[i].diverges != 0;
  assert(m.parameters <= m.weights);
  m.aic = 2 * (double)m.parameters - 2 * m.log_likelihood;
  m.bic = (double)m.parameters * log(a->observations) - 2 * m.log_likelihood;
  return m;
}

/* ---- tests ------------------------------------------------------------------------------- */

static const char *doubt_of(const lpmln_compared *small, const lpmln_compared *large) {
  if (!small->converged || !large->converged)
    return "a program is not learned to the end: its likelihood may be larger";
  if (large->log_likelihood < small->log_likelihood - 1e-9)
    return "the larger program is less likely: what was found is not its best optimum";
  if (small->diverging || large->diverging)
    return "a weight goes to infinity: at that boundary the statistic is not distributed as "
           "chi-square";
  if (small->parameters < small->weights || large->parameters < large->weights)
    return "the data does not determine all weights: only what it determines is counted";
  return NULL;
}

static Nestable nestable(const lpmln_program *p) {
  assert(p->sealed && p->sealed->ground);
  return (Nestable){&p->sealed->program, &p->sealed->is.ground};
}

static lpmln_ratio_test test(const lpmln_compared *models, size_t small, size_t large) {
  const lpmln_compared *s = &models[small], *l = &models[large];
  lpmln_ratio_test t = {.smaller = small,
                        .larger = large,
                        .statistic = fmax(0, 2 * (l->log_likelihood - s->log_likelihood)),
                        .degrees = l->parameters - s->parameters,
                        .doubt = doubt_of(s, l)};
  t.p_value = chi_square_tail(t.statistic, (double)t.degrees);
  return t;
}

static void fill_tests(Comparing *c, lpmln_comparison *to) {
  VEC(lpmln_ratio_test) tests = {0};
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < c->count; k++)
      if (to->models[i].parameters < to->models[k].parameters &&
          nested_in(nestable(c->programs[i]), nestable(c->programs[k])))
        vec_push(&tests, test(to->models, i, k));
  to->test_count = tests.n;
  to->tests = arena_take(&c->answer.arena, &tests);
}

/* ---- the answer -------------------------------------------------------------------------- */

static void fill(Comparing *c) {
  lpmln_comparison *to = c->answer.content;
  lpmln_compared *models = arena_zero(&c->answer.arena, c->count, sizeof *models);
  for (size_t i = 0; i < c->count; i++)
    models[i] = describe(&c->answer.arena, c->programs[i], c->learned[i]);
  to->about = (lpmln_answer){.method = LPMLN_EXACT, .exact = true, .complete = true};
  to->observations = c->learned[0]->observations;
  to->count = c->count, to->models = models;
  fill_tests(c, to);
}

static const void *compare(Comparing *c) {
  c->answer = answer_begin(sizeof(lpmln_comparison));
  c->learned = memory_zero(c->count, sizeof *c->learned);
  Status status = learn_all(c);
  if (status == OK)
    fill(c);
  const void *made = answer_gather(&c->answer, status, (const void *const *)c->learned, c->count);
  for (size_t i = 0; i < c->count; i++)
    lpmln_answer_free(c->learned[i]);
  free(c->learned);
  return made;
}

static const void *refuse(const char *why) {
  Answer answer = answer_begin(sizeof(lpmln_comparison));
  Diagnostics said = {0};
  diagnose_error(&said, NOWHERE, NULL, "%s", why);
  const void *made = answer_end(&answer, USAGE, NULL, &said);
  diagnostics_free(&said);
  return made;
}

const lpmln_comparison *lpmln_compare(lpmln_program *const *programs, size_t count) {
  MemoryGuard guard;
  Comparing c = {.programs = programs, .count = count};
  const void *volatile made = NULL;
  if (memory_guard(&guard))
    made = answer_no_memory();
  else if (!programs || count < 2)
    made = refuse("a comparison needs two programs at least");
  else
    made = compare(&c);
  memory_unguard(&guard);
  return made;
}
