/* answer.c - what the engines share: see engine.h. */
#include "infer/engine.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "ground/ground.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_asked(const void *a, const void *b) {
  return strverscmp(((const Asked *)a)->text, ((const Asked *)b)->text);
}

static int compare_texts(const void *a, const void *b) {
  return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Queries may be the program's own. */
static bool has_queries(const Program *program) {
  for (size_t i = 0; i < program->statements.n; i++)
    if (program->statements.at[i].kind == S_QUERY)
      return true;
  return false;
}

void answer_asked(const Program *program, const Ground *g, AskedList *list, bool *always) {
  assert(g->sealed && !list->n);
  *always = has_queries(program);
  for (size_t i = 0; i < g->queries.n; i++) {
    vec_push(list, (Asked){ground_text(g, g->queries.at[i].text), g->queries.at[i].atom});
    if (g->queries.at[i].given != NONE)
      vec_push(list, (Asked){"", g->queries.at[i].given});
  }
  if (*always)
    return;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown)
      vec_push(list, (Asked){ground_text(g, g->atoms.at[a].name), a});
  for (size_t i = 0; i < g->terms.n; i++)
    vec_push(list, (Asked){ground_text(g, g->terms.at[i].text), g->terms.at[i].atom});
  if (list->n)
    qsort(list->at, list->n, sizeof *list->at, compare_asked);
}

#define SHORT 1e-290    /* below it the digits of a double become fewer */
#define IMPROBABLE -1e5 /* ln P(B): beside it the digits of P(A | B) are lost */

/* P(A | B) = P(A, B) / P(B).  Its error is at most that of the parts, whatever they have to
** do with each other. */
static lpmln_marginal conditioned(const lpmln_marginal *both, const lpmln_marginal *given) {
  lpmln_marginal m = *both;
  m.probability = fmin(both->probability / given->probability, 1);
  m.log_probability = fmin(both->log_probability - given->log_probability, 0);
  if (both->probability < SHORT || given->probability < SHORT)
    m.probability = exp(m.log_probability);
  m.error = given->error > 0 || both->error > 0
                ? (both->error + m.probability * given->error) / given->probability
                : 0;
  m.ess = fmin(both->ess, given->ess);
  m.rhat = fmax(both->rhat, given->rhat);
  m.lower = given->upper > 0 ? fmin(nextafter(both->lower / given->upper, 0), m.probability) : 0;
  m.upper = given->lower > 0 ? fmin(nextafter(both->upper / given->lower, 2), 1) : 1;
  if (both->lower == both->upper && given->lower == given->upper)
    m.lower = m.upper = m.probability;
  return m;
}

Status answer_conditions(const Task *task, lpmln_inference *answer) {
  const lpmln_marginal *from = answer->marginals;
  lpmln_marginal *to = arena_zero(task->answer, answer->count, sizeof *to);
  Status status = OK;
  size_t n = 0;
  for (size_t i = 0; i < answer->count; i++) {
    bool condition = i + 1 < answer->count && !*from[i + 1].atom;
    if (!condition) {
      to[n++] = from[i];
    } else if (from[i + 1].log_probability > IMPROBABLE) {
      to[n++] = conditioned(&from[i], &from[i + 1]);
    } else if (from[i + 1].log_probability > -INFINITY) {
      status = INPUT;
      diagnose_error(task->said, NOWHERE, "give it with option evidence, which loses nothing",
                     "the condition of '%s' is too improbable: its probability is exp(%g)",
                     from[i].atom, from[i + 1].log_probability);
    } else {
      status = answer->about.exact ? NO_ANSWER : LIMIT;
      diagnose_error(task->said, NOWHERE, NULL,
                     answer->about.exact ? "the condition of '%s' is impossible"
                                         : "no sample has the condition of '%s'",
                     from[i].atom);
    }
    i += condition;
  }
  assert(n <= answer->count);
  answer->marginals = to, answer->count = n;
  return status;
}

bool *answer_atoms(const Ground *g) {
  bool *atoms = memory_zero(g->atoms.n, sizeof *atoms);
  for (Atom a = 0; a < g->atoms.n; a++)
    atoms[a] = g->atoms.at[a].truth == ATOM_CERTAIN;
  return atoms;
}

const char *const *answer_shown(const Task *task, const bool *atoms, size_t *count) {
  assert(atoms || !task->ground->atoms.n);
  const Ground *g = task->ground;
  VEC(const char *) list = {0};
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].shown && atoms[a])
      vec_push(&list, arena_text(task->answer, ground_text(g, g->atoms.at[a].name)));
  for (size_t i = 0; i < g->terms.n; i++) {
    const char *term = ground_text(g, g->terms.at[i].text);
    bool known = !atoms[g->terms.at[i].atom];
    for (size_t k = 0; !known && k < list.n; k++) /* several conditions, one term */
      known = !strcmp(list.at[k], term);
    if (!known)
      vec_push(&list, arena_text(task->answer, term));
  }
  if (list.n)
    qsort(list.at, list.n, sizeof *list.at, compare_texts);
  *count = list.n;
  return arena_take(task->answer, &list);
}

lpmln_violation answer_violation(const Task *task, const Instance *i) {
  assert(task->weights || i->weight == NONE);
  assert(i->soft < task->ground->soft.n);
  const Statement *s = &task->program->statements.at[task->ground->soft.at[i->soft].statement];
  lpmln_violation v = {.instance = arena_text(task->answer, ground_text(task->ground, i->text)),
                       .weight = i->weight != NONE ? task->weights[i->weight] : NAN,
                       .fact = s->coin || (s->head_kind == HEAD_LITERAL && range_empty(s->body))};
  Text text = {0};
  program_describe(task->program, s, &v.file, &v.line, &text);
  v.rule = arena_bytes(task->answer, text.at, text.n);
  v.file = arena_text(task->answer, v.file);
  vec_free(&text);
  return v;
}

lpmln_marginal answer_marginal(const Task *task, const char *text, Probability p) {
  return (lpmln_marginal){.atom = arena_text(task->answer, text),
                          .probability = p.value,
                          .log_probability = p.log,
                          .ess = NAN,
                          .rhat = NAN,
                          .lower = p.value,
                          .upper = p.value};
}

lpmln_stable_model answer_model(const Task *task, const bool *atoms, Log log_weight,
                                double log_probability) {
  assert(task->ground->sealed && task->answer);
  const Ground *g = task->ground;
  lpmln_stable_model model = {.log_weight = log_double(log_weight)};
  model.log_probability = fmin(log_probability, 0);
  model.probability = exp(model.log_probability);
  VEC(lpmln_violation) list = {0};
  for (size_t i = 0; i < g->rules.n; i++) {
    const Rule *r = &g->rules.at[i];
    if (r->instance != NONE && ground_violated(g, r, atoms))
      vec_push(&list, answer_violation(task, &g->instances.at[r->instance]));
  }
  model.violated_count = list.n;
  model.violated = arena_take(task->answer, &list);
  model.atoms = answer_shown(task, atoms, &model.atom_count);
  return model;
}

static int compare_models(const void *a, const void *b) {
  const lpmln_stable_model *x = a, *y = b;
  for (size_t i = 0; i < x->atom_count && i < y->atom_count; i++) {
    int order = strverscmp(x->atoms[i], y->atoms[i]);
    if (order)
      return order;
  }
  return (x->atom_count > y->atom_count) - (x->atom_count < y->atom_count);
}

void answer_order(lpmln_stable_model *models, size_t count) {
  assert(models || !count);
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1;
         to < count && models[from].log_probability - models[to].log_probability < 1e-12; to++)
      ;
    qsort(models + from, to - from, sizeof *models, compare_models);
  }
}
