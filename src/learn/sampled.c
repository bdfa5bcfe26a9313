/* sampled.c - learning where expected counts are sampled: what the user sees of it. */
#include "learn/learning.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "learn/examine.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/sides.h"
#include "learn/stochastic.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const char *refused(const lpmln_learning_options *o) {
  if (o->optimizer == LPMLN_LBFGS || o->optimizer == LPMLN_EM)
    return "this optimiser needs exact values: with mc-asp, take newton or ascent";
  if (o->prior == LPMLN_L1)
    return "an L1 prior needs exact values: option method=exact";
  if (o->checkpoint)
    return "a run of mc-asp has no checkpoints: its chains are not saved";
  if (o->folds)
    return "cross-validation needs exact likelihoods: option method=exact";
  if (o->restarts != SIZE_MAX && o->restarts)
    return "restarts need exact likelihoods, to tell which start is best: option method=exact";
  if (o->noise == LPMLN_NOISE_ATOMS)
    return "noise atoms need the compiled program: option method=exact";
  return NULL;
}

/* No model has fewer violations than none, or more than all instances; weights whose counts
** are observed at such an end want to be infinite. */
static char divergence(const Learning *l, const Stochastic *s, uint32_t i) {
  double most = l->parameters.instances[i] * l->answer->observations, seen = s->at.observed[i];
  if (!s->known || l->options->prior != LPMLN_NO_PRIOR || l->options->bounded || !s->varied[i])
    return 0;
  return seen <= 1e-9 * most ? '+' : seen >= most * (1 - 1e-9) ? '-' : 0;
}

static Examination diagnose_sampled(const Learning *l, const Stochastic *s) {
  uint32_t n = s->at.n;
  assert(n == l->parameters.n);
  Examination d = {.diverges = memory_zero(n, 1),
                   .held = memory_zero(n, sizeof *d.held),
                   .error = memory_zero(n, sizeof *d.error),
                   .group = memory_zero(n, sizeof *d.group),
                   .supremum = -INFINITY};
  for (uint32_t i = 0; i < n; i++) {
    d.diverges[i] = divergence(l, s, i);
    d.held[i] =
        l->options->bounded && (s->w[i] <= l->options->lower || s->w[i] >= l->options->upper);
    d.error[i] = !s->known || d.diverges[i] || d.held[i] ? NAN : s->error[i];
    d.group[i] = NO_GROUP;
  }
  return d;
}

/* Weights that the data leaves open together are one group here: which of them belong
** together, and in how many directions, does not show through the noise. */
static void group_free(const Stochastic *s, Examination *d) {
  bool any = false;
  for (uint32_t i = 0; i < s->at.n; i++)
    if (s->known && !s->determined[i] && !d->diverges[i] && !d->held[i]) {
      d->group[i] = 0;
      any = true;
    }
  if (any)
    vec_push(&d->free, 0);
}

/* The program's part of the gradient, without the prior's. */
static Sampled program_side(const Learning *l, const Stochastic *s) {
  const lpmln_learning_options *o = l->options;
  uint32_t n = s->at.n;
  Sampled to = {memory_zero(n, sizeof *to.expected), memory_zero(n, sizeof *to.slack)};
  double precision = o->prior == LPMLN_GAUSSIAN ? 1 / (o->prior_deviation * o->prior_deviation) : 0;
  for (uint32_t i = 0; i < n; i++) {
    double gradient = s->known ? s->at.gradient[i] + precision * (s->w[i] - o->prior_mean) : NAN;
    to.expected[i] = (gradient + s->at.observed[i]) / l->answer->observations;
    to.slack[i] = 4 * sqrt(s->at.noise[(size_t)i * n + i]) / l->answer->observations + 1e-9;
  }
  return to;
}

static void fill_answer(Learning *l, const Sides *sides, Stochastic *s) {
  lpmln_learning *a = l->answer;
  assert(!(a->observations <= 0));
  Point point = {.w = s->w, .gradient = s->at.gradient, .value = NAN, .converged = s->converged};
  Examination d = diagnose_sampled(l, s);
  group_free(s, &d);
  Sampled program = program_side(l, s);
  lpmln_learned *weights = learning_answer(l, &point, &d, &program);
  free(program.expected);
  free(program.slack);
  a->log_likelihood = a->supremum = a->objective = NAN;
  a->test_log_likelihood = NAN;
  a->iterations = a->evaluations = s->iterations;
  for (uint32_t i = 0; i < s->at.n; i++) {
    weights[i].mc_error = d.diverges[i] || !s->known ? NAN : s->mc_error[i];
    if (fabs(s->at.gradient[i]) == a->gradient)
      a->gradient_error = sqrt(s->at.noise[(size_t)i * s->at.n + i]);
  }
  a->gradient = s->known ? a->gradient : NAN;
  a->guarantee = sides->heuristic ? LPMLN_HEURISTIC
                 : sides->near    ? LPMLN_NEAR_UNIFORM
                                  : LPMLN_EXACTLY;
  examination_free(&d);
}

static void judge(const Learning *l, const Sides *sides, const Stochastic *s, Status status) {
  Diagnostics *said = l->task->said;
  if (status == OK && !s->converged && l->options->optimizer != LPMLN_ASCENT)
    diagnose_warning(said, NOWHERE, "more option iterations or option samples get closer",
                     "stopped before the Monte "
                     "Carlo error was small enough to say that it converged");
  else if (status == OK && !s->converged)
    diagnose_warning(said, NOWHERE, NULL, "stopped before it converged");
  if (sides->rhat > 1.05)
    diagnose_warning(said, NOWHERE, "take more samples in each iteration (option samples)",
                     "the chains do not agree yet: R-hat is %.3f; errors may be larger than stated",
                     sides->rhat);
}

static Status run(Learning *l) {
  Sides sides;
  Status status = sides_begin(&sides, l, l->possible);
  if (status == NO_ANSWER)
    status = task_no_model(l->task);
  else if (status == OK)
    status = evidence_possible(l);
  if (status != OK) {
    sides_free(&sides);
    return status;
  }
  Stochastic s = stochastic_make(l);
  for (size_t i = 0; i < l->task->observed->list.n; i++) {
    l->answer->observations += l->train[i];
    l->answer->different += l->train[i] > 0;
  }
  bool ascent = l->options->optimizer == LPMLN_ASCENT;
  task_stage(l->task, LPMLN_LEARNING);
  l->answer->optimizer = ascent ? LPMLN_ASCENT : LPMLN_NEWTON;
  status = ascent ? stochastic_ascend(&sides, &s) : stochastic_maximise(&sides, &s);
  l->answer->about.method = LPMLN_MC_ASP;
  l->answer->about.complete = status == OK;
  judge(l, &sides, &s, status);
  fill_answer(l, &sides, &s);
  stochastic_free(&s);
  sides_free(&sides);
  return status;
}

Status sampled_learn(Learning *l) {
  const char *wrong = refused(l->options);
  if (wrong) {
    diagnose_error(l->task->said, NOWHERE, NULL, "%s", wrong);
    return USAGE;
  }
  l->objective =
      (Objective){.n = l->parameters.n, .place = l->parameters.place, .names = l->parameters.name};
  task_stage(l->task, LPMLN_SAMPLING);
  return run(l);
}
