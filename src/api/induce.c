/* induce.c - choosing rules: the public question.
**
** Of n candidates those are chosen that improve the penalised log-likelihood
**
**   L - k (ln(N)/2 + ln(n)),    k rules chosen, N observations
**
** (the extended Bayesian information criterion: the more candidates there are, the more of
** them fit by chance).  First the path of L1 priors on the program with all candidates, from
** the strength at which all weights are 0 on; the point that cross-validation likes best says
** where to begin.  Then greedy steps: rules are dropped, or added in the order of their exact
** gradients at weight 0, or exchanged, while that improves the score; and once more from no rules
** on, or from the best two where the data is impossible without any, of which the better is taken.
** Every step compares programs in which what is not chosen is not there. */
#include "api/handle.h"
#include "api/sealed.h"
#include "api/trial.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "infer/task.h"
#include "language/candidates.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 8, TRIED = 6, MOST_STEPS = 200, MOST_EXCHANGES = 300, MOST_PAIRS = 500 };

typedef struct {
  Trials trials;
  size_t n, folds;
  double penalty;
  bool *all, *chosen; /* by candidate */
  double *gain;       /* by candidate: what it is worth in log-likelihood; NAN: not tried */
  Fit now;            /* of the chosen ones */
  VEC(lpmln_path_point) path;
  VEC(lpmln_induction_step) steps;
} Induction;

lpmln_induction_options lpmln_induction_options_default(void) {
  return (lpmln_induction_options){.folds = 5, .penalty = NAN};
}

static size_t count_of(const bool *chosen, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    k += chosen[i];
  return k;
}

static double score_of(const Induction *x, const Fit *f, size_t rules) {
  return f->possible ? f->log_likelihood - x->penalty * (double)rules : -INFINITY;
}

/* ---- the path --------------------------------------------------------------------------- */

static double largest_gradient(const Fit *f, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    largest = isnan(f->gradient[i]) ? largest : fmax(largest, fabs(f->gradient[i]));
  return largest;
}

static size_t active(const Fit *f, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    k += f->weight[i] != 0 && !isnan(f->weight[i]);
  return k;
}

/* One point of it; false: the data is impossible even with all candidates. */
static Status walk(Induction *x, double strength, const double *start, Fit *to) {
  Status status = trial_fit(
      &x->trials,
      &(Trial){.chosen = x->all, .strength = strength, .folds = x->folds, .start = start}, to);
  if (status == OK && !to->possible) {
    diagnose_error(x->trials.task->said, NOWHERE, NULL,
                   "an observation is impossible, even with all candidates");
    return NO_ANSWER;
  }
  return status;
}

/* Chooses what is not 0 where held-out observations are most likely. */
static Status follow_path(Induction *x) {
  Fit at = {0};
  Status status = walk(x, 1e12, NULL, &at);
  double strength = status == OK ? largest_gradient(&at, x->n) : 0;
  double most = -INFINITY, factor = pow(0.02, 1.0 / (PATH - 1));
  if (status == OK && isnan(x->penalty))
    x->penalty = log((double)x->n) + log(fmax(at.observations, 2)) / 2;
  for (size_t k = 0; status == OK && strength > 0 && k < PATH; k++, strength *= factor) {
    Fit next = {0};
    status = walk(x, strength, at.weight, &next);
    fit_free(&at);
    at = next;
    if (status != OK)
      break;
    vec_push(&x->path, (lpmln_path_point){strength, active(&at, x->n), at.log_likelihood,
                                          at.held_out, false});
    if (at.held_out > most) {
      most = at.held_out;
      for (size_t i = 0; i < x->n; i++)
        x->chosen[i] = at.weight[i] != 0 && !isnan(at.weight[i]);
      for (size_t i = 0; i < x->path.n; i++)
        x->path.at[i].chosen = i + 1 == x->path.n;
    }
  }
  fit_free(&at);
  return status;
}

/* ---- greedy steps ------------------------------------------------------------------------ */

static Status fit_chosen(Induction *x, Fit *to) {
  return trial_fit(&x->trials, &(Trial){.chosen = x->chosen, .start = x->now.weight}, to);
}

/* The program with one candidate more or less; `better` becomes its fit if its score is. */
static Status try_flip(Induction *x, size_t i, double *best, size_t *which, Fit *better) {
  Fit f = {0};
  x->chosen[i] = !x->chosen[i];
  Status status = fit_chosen(x, &f);
  double score = score_of(x, &f, count_of(x->chosen, x->n));
  x->chosen[i] = !x->chosen[i];
  if (status == OK && x->now.possible)
    x->gain[i] = fabs(x->now.log_likelihood - f.log_likelihood);
  bool good = status == OK && f.possible && score > *best + 1e-6;
  if (good) {
    fit_free(better);
    *better = f, *best = score, *which = i;
  } else {
    fit_free(&f);
  }
  return status;
}

static Status try_drops(Induction *x, double *best, size_t *which, Fit *better) {
  Status status = OK;
  for (size_t i = 0; status == OK && i < x->n; i++)
    if (x->chosen[i])
      status = try_flip(x, i, best, which, better);
  return status;
}

/* Those with the largest gradients at weight 0, all candidates being compiled in. */
static Status try_additions(Induction *x, double *best, size_t *which, Fit *better) {
  Fit look = {0};
  Status status = trial_fit(
      &x->trials, &(Trial){.chosen = x->all, .start = x->now.weight, .look = true}, &look);
  bool *tried = memory_zero(x->n, sizeof *tried);
  for (size_t k = 0; status == OK && k < TRIED; k++) {
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < x->n; i++)
      if (!x->chosen[i] && !tried[i] && fabs(look.gradient[i]) > 0 &&
          (next == SIZE_MAX || fabs(look.gradient[i]) > fabs(look.gradient[next])))
        next = i;
    if (next == SIZE_MAX)
      break;
    tried[next] = true;
    status = try_flip(x, next, best, which, better);
  }
  free(tried);
  fit_free(&look);
  return status;
}

static void take(Induction *x, size_t which, Fit *better, double score) {
  x->chosen[which] = !x->chosen[which];
  vec_push(&x->steps,
           (lpmln_induction_step){x->chosen[which], which, better->log_likelihood, score});
  fit_free(&x->now);
  x->now = *better;
  *better = (Fit){0};
}

/* One step that improves the score; `which` stays SIZE_MAX if there is none. */
static Status step(Induction *x, size_t *which) {
  double best = score_of(x, &x->now, count_of(x->chosen, x->n));
  Fit better = {0};
  *which = SIZE_MAX;
  Status status = try_drops(x, &best, which, &better);
  if (status == OK && *which == SIZE_MAX)
    status = try_additions(x, &best, which, &better);
  if (status == OK && *which != SIZE_MAX)
    take(x, *which, &better, best);
  fit_free(&better);
  return status;
}

/* One candidate in place of one chosen rule or two, which may say together what it says alone. */
static Status exchange(Induction *x, size_t in, size_t out, size_t other, bool *done) {
  Fit f = {0};
  double best = score_of(x, &x->now, count_of(x->chosen, x->n));
  x->chosen[in] = true, x->chosen[out] = x->chosen[other] = false;
  Status status = fit_chosen(x, &f);
  double score = score_of(x, &f, count_of(x->chosen, x->n));
  x->chosen[in] = false, x->chosen[out] = x->chosen[other] = true;
  *done = status == OK && score > best + 1e-6;
  if (*done) {
    take(x, out, &(Fit){.log_likelihood = NAN}, NAN);
    if (other != out)
      take(x, other, &(Fit){.log_likelihood = NAN}, NAN);
    take(x, in, &f, score);
  }
  fit_free(&f);
  return status;
}

static Status try_exchanges(Induction *x, bool *done) {
  Status status = OK;
  size_t k = count_of(x->chosen, x->n), fits = 0;
  bool affordable = (x->n - k) * k * (k + 1) / 2 <= MOST_EXCHANGES;
  *done = false;
  for (size_t in = 0; affordable && in < x->n; in++)
    for (size_t out = 0; !x->chosen[in] && out < x->n; out++)
      for (size_t other = out; x->chosen[out] && other < x->n; other++) {
        if (!x->chosen[other] || status != OK || *done)
          continue;
        fits++;
        status = exchange(x, in, out, other, done);
        if (*done)
          return status;
      }
  assert(fits <= MOST_EXCHANGES);
  return status;
}

/* From the chosen ones on, while something improves the score. */
static Status improve(Induction *x) {
  Status status = OK;
  size_t which = 0;
  bool exchanged = true;
  for (size_t k = 0; status == OK && exchanged && k < MOST_STEPS; k++) {
    status = step(x, &which);
    exchanged = true;
    if (status == OK && which == SIZE_MAX)
      status = try_exchanges(x, &exchanged);
  }
  return status;
}

/* The path may have left out what some observation needs: then everything is where it begins. */
static Status descend(Induction *x) {
  Status status = fit_chosen(x, &x->now);
  if (status == OK && !x->now.possible) {
    memcpy(x->chosen, x->all, x->n * sizeof *x->chosen);
    fit_free(&x->now);
    status = fit_chosen(x, &x->now);
  }
  return status == OK ? improve(x) : status;
}

/* One rule, or two, with which the data is possible: those of the best score.  A rule that is not
** true may make the data possible, too, and then many are needed to mend what it says, none of
** which can be dropped alone: so from above, the true ones may be out of reach. */
static Status begin_with_two(Induction *x) {
  size_t first = SIZE_MAX, second = SIZE_MAX;
  double best = -INFINITY;
  Fit better = {0};
  Status status = OK;
  bool affordable = x->n * (x->n + 1) / 2 <= MOST_PAIRS;
  for (size_t i = 0; affordable && i < x->n; i++)
    for (size_t k = i; status == OK && k < x->n; k++) {
      Fit f = {0};
      x->chosen[i] = x->chosen[k] = true;
      status = fit_chosen(x, &f);
      double score = score_of(x, &f, count_of(x->chosen, x->n));
      x->chosen[i] = x->chosen[k] = false;
      bool good = status == OK && score > best;
      if (good)
        best = score, first = i, second = k;
      fit_free(good ? &better : &f);
      better = good ? f : better;
    }
  if (status == OK && first != SIZE_MAX && first != second)
    take(x, first, &(Fit){.log_likelihood = NAN}, NAN);
  if (status == OK && first != SIZE_MAX)
    take(x, second, &better, best);
  fit_free(&better);
  return status;
}

/* Several rules may say together what one says alone: from nothing on, the one is found. */
static Status ascend(Induction *x) {
  Induction other = *x;
  other.chosen = memory_zero(x->n, sizeof *other.chosen);
  other.gain = memory_zero(x->n, sizeof *other.gain);
  other.now = (Fit){0};
  memset(&other.steps, 0, sizeof other.steps);
  for (size_t i = 0; i < x->n; i++)
    other.gain[i] = NAN;
  Status status = fit_chosen(&other, &other.now);
  if (status == OK && !other.now.possible)
    status = begin_with_two(&other);
  if (status == OK && other.now.possible)
    status = improve(&other);
  bool better = status == OK && score_of(x, &other.now, count_of(other.chosen, x->n)) >
                                    score_of(x, &x->now, count_of(x->chosen, x->n)) + 1e-6;
  x->trials.fits = other.trials.fits;
  Induction loser = better ? *x : other;
  if (better)
    *x = other;
  for (size_t i = 0; better && i < x->path.n; i++)
    x->path.at[i].chosen = false;
  fit_free(&loser.now);
  vec_free(&loser.steps);
  free(loser.chosen);
  free(loser.gain);
  return status;
}

/* ---- the answer ---------------------------------------------------------------------------- */

static void fill_candidates(const Induction *x, const Fit *end, lpmln_induction *to) {
  const Task *t = x->trials.task;
  lpmln_candidate *list = arena_zero(t->answer, x->n, sizeof *list);
  for (size_t i = 0; i < x->n; i++) {
    const Candidate *c = &x->trials.candidates->list.at[i];
    const Source *source = &t->said->sources->list.at[c->place.source];
    list[i] = (lpmln_candidate){.rule = arena_text(t->answer, c->text),
                                .file = arena_text(t->answer, source->name),
                                .line = source_position(source, c->place.offset).line,
                                .kept = x->chosen[i],
                                .weight = end->weight[i],
                                .standard_error = end->error[i],
                                .diverges = end->diverges[i],
                                .gain = x->gain[i]};
  }
  to->candidate_count = x->n;
  to->candidates = list;
}

static Status finish(Induction *x, lpmln_induction *to) {
  Arena *arena = x->trials.task->answer;
  bool *none = memory_zero(x->n, sizeof *none);
  Fit end = {0}, base = {0};
  Status status = trial_fit(
      &x->trials, &(Trial){.chosen = x->chosen, .folds = x->folds, .thorough = true}, &end);
  if (status == OK)
    status = trial_fit(&x->trials, &(Trial){.chosen = none, .folds = x->folds}, &base);
  if (status == OK) {
    fill_candidates(x, &end, to);
    to->about = (lpmln_answer){.method = LPMLN_EXACT, .exact = true, .complete = true};
    to->observations = end.observations;
    to->penalty = x->penalty;
    to->fits = x->trials.fits;
    to->log_likelihood = end.log_likelihood, to->held_out = end.held_out;
    to->base_log_likelihood = base.log_likelihood, to->base_held_out = base.held_out;
    to->program = arena_text(arena, end.program);
    to->path_count = x->path.n, to->path = arena_take(arena, &x->path);
    to->step_count = x->steps.n, to->steps = arena_take(arena, &x->steps);
  }
  free(none);
  fit_free(&end);
  fit_free(&base);
  return status;
}

static Status induce(Induction *x, lpmln_induction *to) {
  x->all = memory_zero(x->n, sizeof *x->all);
  x->chosen = memory_zero(x->n, sizeof *x->chosen);
  x->gain = memory_zero(x->n, sizeof *x->gain);
  for (size_t i = 0; i < x->n; i++)
    x->all[i] = true, x->gain[i] = NAN;
  task_stage(x->trials.task, LPMLN_LEARNING);
  Status status = follow_path(x);
  if (status == OK)
    status = descend(x);
  if (status == OK)
    status = ascend(x);
  if (status == OK)
    status = finish(x, to);
  fit_free(&x->now);
  vec_free(&x->path);
  vec_free(&x->steps);
  free(x->all);
  free(x->chosen);
  free(x->gain);
  return status;
}

typedef struct {
  const lpmln_program *from;
  const lpmln_induction_options *options;
} Asked;

static Status answer_induction(Task *t, Sealed *s, void *answer, const void *data) {
  const Asked *asked = data;
  const lpmln_induction_options *o = asked->options;
  size_t length = strlen(o->candidates);
  uint32_t source = source_add(&s->program.sources, o->name ? o->name : "<candidates>",
                               memory_copy(o->candidates, length), length);
  Candidates candidates = {0};
  candidates_read(t->said, source, &candidates);
  Induction x = {.trials = {asked->from, t, &candidates, 0},
                 .n = candidates.list.n,
                 .folds = o->folds,
                 .penalty = o->penalty};
  Status status = t->said->errors ? INPUT : induce(&x, answer);
  candidates_free(&candidates);
  return status;
}

const lpmln_induction *lpmln_induce(lpmln_program *p, const lpmln_induction_options *options) {
  lpmln_induction_options usual = lpmln_induction_options_default();
  Asked asked = {p, options ? options : &usual};
  return ask(p, &(Request){.size = sizeof(lpmln_induction),
                           .wrong = valid_induction(asked.options),
                           .reading = {.blocks = true},
                           .unground = true,
                           .run = answer_induction,
                           .data = &asked});
}
