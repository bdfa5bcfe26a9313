/* answer.c - from the optimum to what the user sees: weights with their rules,
** groups, and advice in sentences. */
#include "learn/learning.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/names.h"
#include "language/program.h"
#include "learn/examine.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL 1.959963984540054 /* of a 95% interval */

typedef struct {
  Learning *l;
  VEC(const char *) advice;
} Answering;

static void advise(Answering *a, Text *sentence) {
  vec_push(&a->advice, arena_bytes(a->l->task->answer, sentence->at, sentence->n));
  vec_free(sentence);
}

/* ---- weights -------------------------------------------------------------------- */

static const lpmln_rule *rules_of(const Learning *l, uint32_t i) {
  const Parameters *t = &l->parameters;
  uint32_t n = t->rule_start[i + 1] - t->rule_start[i];
  assert(i < t->n && n);
  lpmln_rule *rules = arena_zero(l->task->answer, n, sizeof *rules);
  for (uint32_t k = 0; k < n; k++) {
    const Program *program = l->task->program;
    const Statement *s = &program->statements.at[t->rules[t->rule_start[i] + k]];
    const char *file;
    Text text = {0};
    program_describe(program, s, &file, &rules[k].line, &text);
    rules[k].file = arena_text(l->task->answer, file);
    rules[k].text = arena_text(l->task->answer, text.at);
    vec_free(&text);
  }
  return rules;
}

static void fill_weight(const Learning *l, const Point *at, const Examination *d, uint32_t i,
                        lpmln_learned *to) {
  const Parameters *t = &l->parameters;
  *to = (lpmln_learned){.parameter = arena_text(l->task->answer, t->name[i]),
                        .weight = at->w[i],
                        .standard_error = NAN,
                        .lower = NAN,
                        .upper = NAN,
                        .probability = NAN,
                        .holds = NAN,
                        .start = {NAN, NAN, NAN, NAN},
                        .end = {NAN, NAN, NAN, NAN},
                        .identified = true};
  if (t->fact[i])
    to->probability = 1 / (1 + exp(-at->w[i]));
  to->rule_count = t->rule_start[i + 1] - t->rule_start[i];
  to->rules = rules_of(l, i);
  if (!d)
    return;
  to->diverges = d->diverges[i];
  to->held = d->held[i];
  to->identified = d->group[i] == NO_GROUP;
  to->group = to->identified ? 0 : d->group[i];
  to->standard_error = d->error[i];
  to->lower = at->w[i] - NORMAL * d->error[i];
  to->upper = at->w[i] + NORMAL * d->error[i];
}

/* ---- probabilities ---------------------------------------------------------------- */

static uint32_t parameter_named(const Parameters *t, const char *name, const char *arguments) {
  size_t n = strlen(name);
  for (uint32_t i = 0; i < t->n; i++)
    if (!strncmp(t->name[i], name, n) && !strcmp(t->name[i] + n, arguments))
      return i;
  return UINT32_MAX;
}

/* What the parameters before this one in its chain leave over. */
static double left_over(const Learning *l, const double *w, uint32_t chance,
                        const char *arguments) {
  const Program *program = l->task->program;
  const Chance *c = &program->chances.at[chance];
  double left = 1;
  for (; c->before != UINT32_MAX; c = &program->chances.at[c->before]) {
    uint32_t i =
        parameter_named(&l->parameters, program->chance_names.list.at[c->before], arguments);
    if (i != UINT32_MAX)
      left /= 1 + exp(w[i]);
  }
  assert(!(left < 0 || left > 1));
  return left * c->rest;
}

/* The interval of the weight carries over if the rest is known. */
static void fill_probability(const Learning *l, const Point *at, uint32_t i, lpmln_learned *to) {
  const Program *program = l->task->program;
  const char *name = l->parameters.name[i], *arguments = name + strcspn(name, "(");
  uint32_t chance = names_find(&program->chance_names, name, (size_t)(arguments - name));
  to->probability_lower = to->probability_upper = NAN;
  to->as_probability = chance != UINT32_MAX;
  if (!to->as_probability)
    return;
  double left = left_over(l, at->w, chance, arguments);
  to->probability = left / (1 + exp(-at->w[i]));
  if (program->chances.at[chance].before != UINT32_MAX)
    return;
  to->probability_lower = left / (1 + exp(-to->lower));
  to->probability_upper = left / (1 + exp(-to->upper));
}

/* The last of a chain has no parameter: it gets what is left. */
static size_t add_implied(const Learning *l, const Point *at, lpmln_learned *weights, size_t n) {
  const Program *program = l->task->program;
  size_t count = n;
  for (uint32_t c = 0; c < program->chances.n; c++) {
    const Chance *chance = &program->chances.at[c];
    if (!chance->implied || chance->before == UINT32_MAX)
      continue;
    const char *before = program->chance_names.list.at[chance->before];
    for (uint32_t i = 0; i < n; i++) {
      size_t length = strcspn(l->parameters.name[i], "(");
      if (length != strlen(before) || strncmp(l->parameters.name[i], before, length))
        continue;
      const char *arguments = l->parameters.name[i] + length;
      assert(count < 2 * n); /* a parameter has one that follows it, at most */
      weights[count] = weights[i];
      weights[count].parameter =
          arena_printf(l->task->answer, "%s%s", program->chance_names.list.at[c], arguments);
      weights[count].weight = weights[count].standard_error = weights[count].lower =
          weights[count].upper = NAN;
      weights[count].probability = left_over(l, at->w, c, arguments);
      weights[count].probability_lower = weights[count].probability_upper = NAN;
      weights[count].holds = NAN;
      weights[count].diverges = 0, weights[count].identified = true;
      count++;
    }
  }
  return count;
}

static void fill_groups(Learning *l, const Examination *d) {
  lpmln_group *groups = arena_zero(l->task->answer, d->free.n, sizeof *groups);
  for (uint32_t g = 0; g < d->free.n; g++) {
    const char **names = arena_zero(l->task->answer, l->parameters.n, sizeof *names);
    groups[g].at_least_one = d->some ? d->some[g] : NAN;
    for (uint32_t i = 0; i < l->parameters.n; i++) {
      const lpmln_learned *w = &l->answer->weights[i];
      if (d->group[i] != g)
        continue;
      names[groups[g].count++] = w->parameter;
      if (fabs(w->probability - 1 / (1 + exp(-w->weight))) > 1e-9)
        groups[g].at_least_one = NAN; /* one of a chain: its fact is ours, not the user's */
    }
    assert(groups[g].count);
    groups[g].parameters = names;
    groups[g].free_directions = d->free.at[g];
  }
  l->answer->groups = groups;
  l->answer->group_count = d->free.n;
}

/* ---- advice ----------------------------------------------------------------------- */

/* `2 (line 5), 3 (line 6) and 8 (line 11)` of the weights that are chosen. */
static size_t list_weights(const lpmln_learning *answer, const bool *chosen, Text *text) {
  size_t all = 0, written = 0;
  for (size_t i = 0; i < answer->weight_count; i++)
    all += chosen[i];
  for (size_t i = 0; i < answer->weight_count; i++) {
    const lpmln_learned *w = &answer->weights[i];
    if (!chosen[i])
      continue;
    assert(w->rule_count);
    text_printf(text, "%s%s (line %u)",
                !written             ? ""
                : written + 1 == all ? " and "
                                     : ", ",
                w->parameter, w->rules[0].line);
    written++;
  }
  return all;
}

static void advise_diverging(Answering *a, char sign) {
  const lpmln_learning *answer = a->l->answer;
  bool *chosen = memory_zero(answer->weight_count, sizeof *chosen);
  for (size_t i = 0; i < answer->weight_count; i++)
    chosen[i] = answer->weights[i].diverges == sign;
  Text text = {0};
  size_t n = list_weights(answer, chosen, &text);
  if (n) {
    text_printf(&text,
                " %s to %s infinity: the data is most likely if %s rules %s. More data, or a "
                "prior (option prior=0,2), makes %s finite.",
                n > 1 ? "go" : "goes", sign == '+' ? "plus" : "minus", n > 1 ? "their" : "its",
                sign == '+' ? "always hold" : "are violated wherever they can be",
                n > 1 ? "them" : "it");
    advise(a, &text);
  }
  vec_free(&text);
  free(chosen);
}

static void advise_group(Answering *a, size_t number) {
  const lpmln_learning *answer = a->l->answer;
  const lpmln_group *g = &answer->groups[number];
  bool *chosen = memory_zero(answer->weight_count, sizeof *chosen);
  for (size_t i = 0; i < answer->weight_count; i++)
    chosen[i] = !answer->weights[i].identified && answer->weights[i].group == number;
  Text text = {0};
  list_weights(answer, chosen, &text);
  if (g->count == 1)
    text_puts(&text, " has no influence on the likelihood here: the data does not determine it.");
  else if (!g->free_directions)
    text_puts(&text, " are not determined, or not separately, as far as the samples tell: other "
                     "values are as likely.");
  else
    text_printf(&text,
                " are not determined separately: %zu direction%s free, so other values are "
                "as likely.",
                g->free_directions, g->free_directions > 1 ? "s are" : " is");
  if (isfinite(g->at_least_one))
    text_printf(&text,
                " The data determines how probable it is that at least one of them holds: %.6f.",
                g->at_least_one);
  text_puts(&text, " More data, or a prior (option prior=0,2), decides.");
  advise(a, &text);
  free(chosen);
}

static void advise_runs(Answering *a) {
  const lpmln_learning *answer = a->l->answer;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < answer->run_count; i++)
    low = fmin(low, answer->runs[i]), high = fmax(high, answer->runs[i]);
  Text text = {0};
  double noise = answer->log_likelihood_error > 0 ? 4 * answer->log_likelihood_error : 0;
  if (answer->run_count > 1 && high - low > 1e-6 * (1 + fabs(high)) + noise)
    text_printf(&text,
                "The %zu starts ended between %.6f and %.6f: there are local optima, and the "
                "best is shown.",
                answer->run_count, low, high);
  else if (a->l->incomplete && answer->run_count <= 1)
    text_printf(
        &text, "The observations are incomplete, so there may be better optima: option restarts=10 "
               "looks for them.");
  if (text.n)
    advise(a, &text);
}

static void advise_all(Answering *a) {
  const lpmln_learning *answer = a->l->answer;
  Text text = {0};
  if (answer->about.method == LPMLN_CLOSED_FORM) {
    text_printf(&text,
                "In closed form: the program is simple and coherent and the observations are "
                "complete, so each weight is ln(m/n), m instances holding and n not.");
    advise(a, &text);
  }
  advise_diverging(a, '-');
  advise_diverging(a, '+');
  for (size_t i = 0; i < answer->group_count; i++)
    advise_group(a, i);
  advise_runs(a);
}

/* By two weights of the answer: those that are implied have none. */
static const double *covariance_of(const Learning *l, const Examination *d, size_t count) {
  size_t n = l->parameters.n;
  double *all = arena_zero(l->task->answer, count * count, sizeof *all);
  assert(count >= n);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++)
      all[i * count + k] = i < n && k < n ? d->covariance[i * n + k] : NAN;
  return all;
}

lpmln_learned *learning_answer(Learning *l, const Point *at, const Examination *d,
                               const Sampled *sampled) {
  lpmln_learning *answer = l->answer;
  Objective *o = &l->objective;
  assert(!answer->weights && o->n == l->parameters.n);
  lpmln_learned *weights = arena_zero(l->task->answer, 2 * (size_t)o->n, sizeof *weights);
  answer->weights = weights;
  double *holds = memory_zero(o->n, sizeof *holds);
  facts_probabilities(l, at->w, sampled, holds);
  for (uint32_t i = 0; i < o->n; i++) {
    fill_weight(l, at, d, i, &weights[i]);
    weights[i].holds = holds[i];
    fill_probability(l, at, i, &weights[i]);
  }
  answer->weight_count = add_implied(l, at, weights, o->n);
  free(holds);
  answer->converged = at->converged;
  answer->objective = at->value - objective_penalty(o, at->w);
  answer->log_likelihood = objective_likelihood(o, at->w, at->value);
  answer->supremum = answer->log_likelihood;
  answer->gradient = o->n && isnan(at->gradient[0]) ? NAN : largest_of(at->gradient, o->n);
  answer->diagnosed = d != NULL;
  if (d) {
    fill_groups(l, d);
    if (d->covariance)
      answer->covariance = covariance_of(l, d, answer->weight_count);
    if (o->prior.kind == LPMLN_NO_PRIOR)
      answer->supremum = fmax(answer->supremum, d->supremum);
  }
  Answering a = {.l = l};
  advise_all(&a);
  answer->advice_count = a.advice.n;
  answer->advice = arena_take(l->task->answer, &a.advice);
  return weights;
}
