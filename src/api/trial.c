/* trial.c - see trial.h. */
#include "api/trial.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "candidate("

void fit_free(Fit *f) {
  free(f->weight);
  free(f->error);
  free(f->gradient);
  free(f->diverges);
  free(f->program);
  *f = (Fit){0};
}

/* ---- the program ----------------------------------------------------------------------- */

/* A rule a line, each with a parameter; without any, an atom that nobody knows, so that there
** is one. */
static char *text_of(const Trials *t, const bool *chosen) {
  Text text = {0};
  bool any = false;
  for (size_t i = 0; i < t->candidates->list.n; i++)
    if (chosen[i]) {
      text_printf(&text, "@w(" PREFIX "%zu)) %s\n", i + 1, t->candidates->list.at[i].text);
      any = true;
    }
  if (!any)
    text_puts(&text, "@w(no_candidate) no_candidate.\n");
  return text_take(&text);
}

/* Standard input can be read once: then it is what was read. */
static lpmln_status add_standard_input(const Task *t, lpmln_role role, lpmln_program *to) {
  const Sources *sources = &t->program->sources;
  for (size_t i = 0; i < sources->list.n; i++)
    if (!strcmp(sources->list.at[i].name, "<stdin>") && !sources->list.at[i].derived)
      return lpmln_program_add_text(to, role, "<stdin>", sources->list.at[i].bytes,
                                    sources->list.at[i].length);
  return LPMLN_OK;
}

static lpmln_status add_inputs(const lpmln_program *from, const Task *t, bool programs,
                               lpmln_program *to) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && i < from->inputs.n; i++) {
    const Input *in = &from->inputs.at[i];
    if (in->role == LPMLN_PROGRAM && !programs)
      continue;
    if (in->bytes)
      status = lpmln_program_add_text(to, in->role, in->name, in->bytes, in->length);
    else if (!strcmp(in->name, "-"))
      status = add_standard_input(t, in->role, to);
    else
      status = lpmln_program_add_file(to, in->role, in->name);
  }
  for (size_t i = 0; status == LPMLN_OK && i < from->constants.n; i++) {
    const char *constant = from->constants.at[i], *sign = strchr(constant, '=');
    char *name = memory_copy(constant, (size_t)(sign - constant));
    status = lpmln_program_define(to, name, sign + 1);
    free(name);
  }
  for (size_t i = 0; status == LPMLN_OK && programs && i < from->new_weights.n; i++)
    status =
        lpmln_program_set_weight(to, from->new_weights.at[i].name, from->new_weights.at[i].value);
  return status;
}

lpmln_program *trial_program(const lpmln_program *from, const Task *t, bool programs) {
  lpmln_options options = from->options;
  options.method = LPMLN_EXACT;
  if (t->limits.deadline > 0)
    options.time_limit = fmax(t->limits.deadline - clock_now(), 1e-3);
  lpmln_program *p = lpmln_program_new(&options);
  if (p)
    p->outer = t->limits.stop; /* an interruption ends the question, not one trial */
  if (p && add_inputs(from, t, programs, p) == LPMLN_OK)
    return p;
  lpmln_program_free(p);
  return NULL;
}

static lpmln_status add_start(const Trials *t, const Trial *wanted, lpmln_program *to) {
  lpmln_status status = LPMLN_OK;
  for (size_t i = 0; status == LPMLN_OK && wanted->start && i < t->candidates->list.n; i++) {
    char name[64];
    snprintf(name, sizeof name, PREFIX "%zu)", i + 1);
    if (wanted->chosen[i] && wanted->start[i] != 0 && isfinite(wanted->start[i]))
      status = lpmln_program_set_weight(to, name, wanted->start[i]);
  }
  return status;
}

/* NULL: memory is out. */
static lpmln_program *program_of(const Trials *t, const Trial *wanted) {
  lpmln_program *p = trial_program(t->from, t->task, true);
  char *text = text_of(t, wanted->chosen);
  bool good = p &&
              lpmln_program_add_text(p, LPMLN_PROGRAM, "candidates.lpmln", text, strlen(text)) ==
                  LPMLN_OK &&
              add_start(t, wanted, p) == LPMLN_OK;
  free(text);
  if (good)
    return p;
  lpmln_program_free(p);
  return NULL;
}

/* ---- the fit --------------------------------------------------------------------------- */

/* Which candidate a parameter is of; SIZE_MAX: none. */
static size_t candidate_of(const Trials *t, const char *parameter) {
  if (strncmp(parameter, PREFIX, strlen(PREFIX)) != 0)
    return SIZE_MAX;
  size_t number = strtoul(parameter + strlen(PREFIX), NULL, 10);
  return number && number <= t->candidates->list.n ? number - 1 : SIZE_MAX;
}

static void fill(const Trials *t, const Trial *wanted, const lpmln_learning *a, Fit *to) {
  to->possible = true;
  to->log_likelihood = a->log_likelihood;
  to->observations = a->observations;
  to->held_out = a->fold_count ? 0 : NAN;
  for (size_t i = 0; i < a->fold_count; i++)
    to->held_out += a->folds[i];
  for (size_t i = 0; i < a->weight_count; i++) {
    size_t c = candidate_of(t, a->weights[i].parameter);
    if (c == SIZE_MAX) {
      to->others += strcmp(a->weights[i].parameter, "no_candidate") != 0;
      continue;
    }
    to->weight[c] = a->weights[i].weight;
    to->error[c] = a->weights[i].standard_error;
    to->diverges[c] = a->weights[i].diverges;
    to->gradient[c] = wanted->look ? a->weights[i].start.gradient : a->weights[i].end.gradient;
  }
  to->program = memory_copy(a->program, strlen(a->program));
}

/* A message about a candidate is shown where the user wrote it. */
static void pass_on(const Trials *t, const Trial *wanted, const lpmln_answer *about) {
  for (size_t k = 0; k < about->diagnostic_count; k++) {
    const lpmln_diagnostic *d = &about->diagnostics[k];
    Place place = NOWHERE;
    size_t line = 0;
    if (d->severity != LPMLN_ERROR)
      continue;
    for (size_t i = 0; i < t->candidates->list.n; i++) {
      line += wanted->chosen[i];
      if (d->file && !strcmp(d->file, "candidates.lpmln") && wanted->chosen[i] && line == d->line)
        place = t->candidates->list.at[i].place;
    }
    if (place.source != NONE_SOURCE || !d->line)
      diagnose_error(t->task->said, place, d->hint, "%s", d->message);
    else
      diagnose_error(t->task->said, place, d->hint, "%s:%u: %s", d->file, d->line, d->message);
  }
}

static void fit_begin(size_t n, Fit *f) {
  *f = (Fit){.log_likelihood = -INFINITY, .held_out = NAN};
  f->weight = memory_zero(n, sizeof *f->weight);
  f->error = memory_zero(n, sizeof *f->error);
  f->gradient = memory_zero(n, sizeof *f->gradient);
  f->diverges = memory_zero(n, 1);
  for (size_t i = 0; i < n; i++)
    f->weight[i] = f->error[i] = f->gradient[i] = NAN;
}

static lpmln_learning_options options_of(const Trials *t, const Trial *wanted) {
  lpmln_learning_options o = lpmln_learning_options_default();
  (void)t;
  o.restarts = wanted->thorough ? SIZE_MAX : 0;
  o.folds = wanted->folds;
  o.iterations = wanted->look ? 1 : 0;
  if (wanted->strength > 0) {
    o.prior = LPMLN_L1;
    o.prior_strength = wanted->strength;
    o.prior_only = PREFIX;
  }
  return o;
}

Status trial_fit(Trials *t, const Trial *wanted, Fit *to) {
  assert(wanted->chosen && !to->weight);
  Status status = limits_check(&t->task->limits);
  fit_begin(t->candidates->list.n, to);
  if (status != OK)
    return status;
  lpmln_program *p = program_of(t, wanted);
  lpmln_learning_options options = options_of(t, wanted);
  const lpmln_learning *a = lpmln_learn(p, &options);
  t->fits++;
  status = a->about.status;
  if (status == OK)
    fill(t, wanted, a, to);
  else if (status == NO_ANSWER) /* impossible without more rules */
    status = OK;
  else
    pass_on(t, wanted, &a->about);
  lpmln_answer_free(a);
  lpmln_program_free(p);
  return status;
}
