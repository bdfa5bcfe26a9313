/* sampled.c - learning where expected counts are sampled: what the user sees of it. */
#include "learn/learning.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "learn/examine.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/sampled_search.h"
#include "learn/sides.h"
#include "learn/stochastic.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const char *refused(const Learning *l) {
  const lpmln_learning_options *o = l->options;
  if (o->optimizer == LPMLN_LBFGS || o->optimizer == LPMLN_EM || o->optimizer == LPMLN_ADAM)
    return "this optimiser needs exact values: with mc-asp, take newton or ascent";
  if (o->noise == LPMLN_NOISE_ATOMS)
    return "noise atoms need the compiled program: option method=exact";
  if (o->checkpoint && l->task->share)
    return "on several machines a run of mc-asp has no checkpoints: chains live on all of them";
  if (o->prior == LPMLN_L1 && l->parameters.n > MOST_DENSE)
    return "with more than 1000 parameters an L1 prior needs exact values: option method=exact";
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
  Prior prior = learning_prior(l);
  assert(n == l->parameters.n);
  Examination d = {.diverges = memory_zero(n, 1),
                   .held = memory_zero(n, sizeof *d.held),
                   .error = memory_zero(n, sizeof *d.error),
                   .group = memory_zero(n, sizeof *d.group),
                   .supremum = -INFINITY};
  for (uint32_t i = 0; i < n; i++) {
    d.diverges[i] = divergence(l, s, i);
    d.held[i] =
        (s->w[i] == 0 && prior_l1(&prior, i) > 0) ||
        (l->options->bounded && (s->w[i] <= l->options->lower || s->w[i] >= l->options->upper));
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
  uint32_t n = s->at.n;
  Sampled to = {memory_zero(n, sizeof *to.expected), memory_zero(n, sizeof *to.slack)};
  for (uint32_t i = 0; i < n; i++) {
    double noise = s->at.noise[moments_diagonal(&s->at, i)];
    to.expected[i] = s->known ? s->at.expected[i] / l->answer->observations : NAN;
    to.slack[i] = 4 * sqrt(noise) / l->answer->observations + 1e-9;
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
  a->supremum = a->objective = NAN;
  a->test_log_likelihood = NAN;
  a->evaluations = a->iterations;
  for (uint32_t i = 0; i < s->at.n; i++) {
    weights[i].mc_error = d.diverges[i] || !s->known || !s->determined[i] ? NAN : s->mc_error[i];
    if (s->known)
      weights[i].start = s->first[i], weights[i].end = s->now[i];
    if (fabs(s->at.gradient[i]) == a->gradient)
      a->gradient_error = sqrt(s->at.noise[moments_diagonal(&s->at, i)]);
  }
  a->gradient = s->known ? a->gradient : NAN;
  a->guarantee = sides->heuristic ? LPMLN_HEURISTIC
                 : sides->near    ? LPMLN_NEAR_UNIFORM
                                  : LPMLN_EXACTLY;
  examination_free(&d);
}

/* Sampled counts are whole numbers: what a step moves by has a grain of its own. */
static void judge_ascent(const Learning *l, const Stochastic *s) {
  const lpmln_sampling *o = &l->task->options->sampling;
  double samples = (double)(o->samples * o->chains);
  double grain = samples > 0 ? l->options->rate * l->answer->observations / samples : 0;
  Diagnostics *said = l->task->said;
  if (s->chance)
    diagnose_warning(said, NOWHERE,
                     "option samples with a larger number, or option optimizer=newton",
                     "stopped before it converged: no weight moved by %g, but that was chance: a "
                     "closer look shows a gradient",
                     l->options->delta);
  else if (grain > l->options->delta)
    diagnose_warning(
        said, NOWHERE, "option samples with a larger number",
        "stopped before it converged: means of %.0f samples move weights by multiples of "
        "%.2g, so that a move below %.2g is a matter of chance",
        samples, grain, l->options->delta);
  else
    diagnose_warning(said, NOWHERE, NULL, "stopped before it converged");
}

static void judge(const Learning *l, const Sides *sides, const Stochastic *s, Status status) {
  Diagnostics *said = l->task->said;
  mixed_explain_guarantee(&sides->side[0].mixed);
  if (status == OK && !s->converged && l->options->optimizer != LPMLN_ASCENT)
    diagnose_warning(said, NOWHERE, "more option iterations or option samples get closer",
                     "stopped before the Monte "
                     "Carlo error was small enough to say that it converged");
  else if (status == OK && !s->converged)
    judge_ascent(l, s);
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
  for (size_t i = 0; i < observations_count(l->task->observed); i++) {
    l->answer->observations += l->train[i];
    l->answer->different += l->train[i] > 0;
  }
  bool ascent = l->options->optimizer == LPMLN_ASCENT;
  SampledSearch found;
  task_stage(l->task, LPMLN_LEARNING);
  l->answer->optimizer = ascent ? LPMLN_ASCENT : LPMLN_NEWTON;
  status = sampled_search(&sides, &found);
  l->answer->about.method = LPMLN_MC_ASP;
  l->answer->about.complete = status == OK;
  judge(l, &sides, &found.best, status);
  if (found.best.at.wide)
    diagnose_note(l->task->said, NOWHERE, NULL,
                  "more than %d parameters: their standard errors, and which of them are not "
                  "determined, are not examined",
                  MOST_DENSE);
  l->answer->log_likelihood_error = found.likelihood.error;
  fill_answer(l, &sides, &found.best);
  l->answer->log_likelihood = found.likelihood.value;
  sides_free(&sides);
  if (status == OK)
    status = sampled_held_out(l, found.best.w);
  l->answer->about.complete = status == OK;
  stochastic_free(&found.best);
  return status;
}

Status sampled_learn(Learning *l) {
  const char *wrong = refused(l);
  if (wrong) {
    diagnose_error(l->task->said, NOWHERE, NULL, "%s", wrong);
    return USAGE;
  }
  l->objective =
      (Objective){.n = l->parameters.n, .place = l->parameters.place, .names = l->parameters.name};
  task_stage(l->task, LPMLN_SAMPLING);
  return run(l);
}
