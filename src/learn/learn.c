/* learn.c - see learn.h: from a program and observations to weights. */
#include "learn/learn.h"

#include "base/diagnostic.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/task.h"
#include "learn/journal.h"
#include "learn/learning.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

lpmln_learning_options lpmln_learning_options_default(void) {
  return (lpmln_learning_options){
      .rate = 0.1, .delta = 0.001, .restarts = SIZE_MAX, .prior_deviation = 1, .noise_weight = 10};
}

const char *lpmln_optimizer_name(lpmln_optimizer optimizer) {
  static const char *const names[] = {"auto", "lbfgs", "newton", "em", "ascent"};
  return optimizer <= LPMLN_ASCENT ? names[optimizer] : "unknown";
}

static const char *wrong_options(const lpmln_learning_options *o) {
  bool l1 = o->prior == LPMLN_L1;
  if (o->bounded && (o->optimizer == LPMLN_LBFGS || o->optimizer == LPMLN_EM))
    return "bounds need the optimiser newton or ascent";
  if (o->bounded && l1)
    return "bounds and an L1 prior do not go together";
  if (l1 && (o->optimizer == LPMLN_NEWTON || o->optimizer == LPMLN_EM))
    return "an L1 prior needs the optimiser lbfgs or ascent";
  if (o->bounded && !(o->lower < o->upper))
    return "the lower bound must be less than the upper one";
  if (o->prior == LPMLN_GAUSSIAN && !(o->prior_deviation > 0))
    return "the standard deviation of a Gaussian prior must be positive";
  if (l1 && !(o->prior_strength >= 0))
    return "the strength of an L1 prior must not be negative";
  if (o->optimizer == LPMLN_ASCENT && !(o->rate > 0))
    return "the rate of gradient ascent must be positive";
  if (o->folds == 1)
    return "cross-validation needs two folds at least";
  return NULL;
}

/* ---- the checkpoint ---------------------------------------------------------------- */

/* Everything that the observations and the objective are made of. */
static uint64_t hash_of(const Task *t) {
  uint64_t h = HASH_START;
  for (size_t i = 0; i < t->program->sources.list.n; i++) {
    const Source *source = &t->program->sources.list.at[i];
    h = hash_word(hash_bytes(h, source->bytes, source->length), source->length);
  }
  h = hash_bytes(h, t->weights, t->ground->weights.n * sizeof *t->weights);
  h = hash_word(h, t->tests);
  return hash_word(h, t->options->closed_world);
}

/* What a checkpoint is of: everything that decides the run. */
static Status begin_journal(Learning *l) {
  const lpmln_learning_options *s = l->options;
  Text key = {0};
  text_printf(&key,
              "%s %016" PRIx64 " %u %" PRIu64 " %d %a %a %zu %zu %d %a %a %a %d %a %a %d %a %zu",
              LPMLN_VERSION, hash_of(l->task), l->parameters.n, l->task->options->seed,
              (int)s->optimizer, s->rate, s->delta, s->iterations, s->restarts, (int)s->prior,
              s->prior_mean, s->prior_deviation, s->prior_strength, s->bounded, s->lower, s->upper,
              (int)s->noise, s->noise_weight, s->folds);
  Status status = journal_begin(&l->journal, s->checkpoint, key.at, s->resume);
  if (status != OK)
    diagnose_error(l->task->said, NOWHERE, "remove the file, or ask for the same run again",
                   "the checkpoint '%s' is of another run", s->checkpoint);
  vec_free(&key);
  return status;
}

/* The answer is the same as without a checkpoint, so it is beside it that the user sees
** what was not computed again. */
static void end_journal(Learning *l) {
  journal_flush(&l->journal, true);
  l->answer->replayed = l->journal.replayed;
  if (l->options->resume)
    diagnose_note(l->task->said, NOWHERE, NULL, "%zu result%s in the checkpoint '%s'",
                  l->journal.replayed, l->journal.replayed == 1 ? " was" : "s were",
                  l->options->checkpoint);
  if (l->journal.status != OK)
    diagnose_warning(l->task->said, NOWHERE, NULL, "can't write the checkpoint '%s'",
                     l->options->checkpoint);
}

/* ---- the question ------------------------------------------------------------------ */

static Status prepare(Learning *l) {
  const Task *t = l->task;
  if (t->hard_bound != NONE) {
    diagnose_error(t->said, NOWHERE, NULL, "learning needs hard rules that can hold");
    return NO_ANSWER;
  }
  if (!t->tests) {
    diagnose_error(t->said, NOWHERE, "give them with option evidence or option data",
                   "there are no observations");
    return INPUT;
  }
  l->ground = ground_view(t->ground, t->ground->observed);
  parameters_find(&l->ground, t->weights, &l->parameters);
  if (!l->parameters.n) {
    diagnose_error(t->said, NOWHERE, "write @w(NAME) in front of a rule instead of its weight",
                   "the program has no parameter to learn");
    return INPUT;
  }
  analysis_make(&l->ground, &l->analysis);
  evidence_count(l);
  return OK;
}

static void learning_free(Learning *l) {
  for (size_t i = 0; l->roots && i < l->task->observed->list.n; i++)
    circuit_root_free(&l->roots[i]);
  free(l->roots);
  circuit_root_free(&l->program);
  mixture_free(&l->both);
  mixture_free(&l->halves[0]);
  mixture_free(&l->halves[1]);
  if (l->compiling)
    compile_free(&l->compiled);
  analysis_free(&l->analysis);
  parameters_free(&l->parameters);
  journal_free(&l->journal);
  free(l->train);
  free(l->test);
  free(l->possible);
  free(l->coherent);
  vec_free(&l->impossible);
  vec_free(&l->absorbed);
}

/* `auto` turns to sampling if compiling takes too long. */
static Status compile_or_sample(Learning *l, bool *sampled) {
  const Task *t = l->task;
  *sampled = t->options->method == LPMLN_MC_ASP;
  Status status = *sampled ? OK : evidence_compile(l);
  if (status == LIMIT && t->options->method == LPMLN_AUTO && limits_check(&t->limits) == OK) {
    diagnose_note(t->said, NOWHERE, "option method=exact stops here instead",
                  "the program is too hard to compile: expected counts are sampled by Markov "
                  "chains");
    *sampled = true;
    status = OK;
  }
  return status;
}

static Status learn_exactly(Learning *l) {
  task_stage(l->task, LPMLN_LEARNING);
  Status status = l->options->checkpoint ? begin_journal(l) : OK;
  if (status != OK)
    return status;
  optimum_begin(l);
  l->answer->about.method = LPMLN_EXACT;
  l->answer->about.exact = true;
  optimum_find(l);
  held_out_test(l);
  if (l->options->folds)
    held_out_folds(l);
  status = l->objective.status;
  l->answer->about.complete = status == OK;
  end_journal(l);
  if (status == OK && !l->answer->converged)
    diagnose_warning(l->task->said, NOWHERE, NULL, "stopped before it converged");
  objective_free(&l->objective);
  return status;
}

static void say_absorbed(const Learning *l) {
  enum { MOST_SAID = 5 };
  const BlockNumbers *blocks = &l->absorbed;
  for (size_t i = 0; i < blocks->n && i < MOST_SAID; i++)
    diagnose_warning(l->task->said, l->task->program->blocks.at[blocks->at[i]].place, NULL,
                     "observation %u is impossible but for noise", blocks->at[i] + 1);
  if (blocks->n > MOST_SAID)
    diagnose_warning(l->task->said, NOWHERE, NULL,
                     "%zu more observations are impossible but for noise", blocks->n - MOST_SAID);
}

/* Figures that are not known, if nobody finds them. */
static void begin_answer(lpmln_learning *a) {
  a->about.method = LPMLN_AUTO;
  a->about.exact = a->about.complete = false;
  a->log_likelihood = a->supremum = a->objective = a->gradient = NAN;
  a->test_log_likelihood = NAN;
}

static Status run(Learning *l) {
  bool sampled = false;
  Status status = prepare(l);
  if (status == OK)
    status = compile_or_sample(l, &sampled);
  if (status != OK)
    return status;
  say_absorbed(l);
  return sampled ? sampled_learn(l) : learn_exactly(l);
}

Status learn(Task *t, const lpmln_learning_options *options, const char *noise,
             lpmln_learning *answer) {
  assert(t->ground->sealed && observations_valid(t->observed, t->ground));
  assert(t->observed->of_block.n == t->program->blocks.n && t->tests <= t->program->blocks.n);
  assert(!noise || options->noise == LPMLN_NOISE_ATOMS);
  const char *wrong = wrong_options(options);
  begin_answer(answer);
  if (wrong) {
    diagnose_error(t->said, NOWHERE, NULL, "%s", wrong);
    return USAGE;
  }
  Learning l = {.task = t, .options = options, .noise = noise, .answer = answer};
  Status status = run(&l);
  learning_free(&l);
  assert(!answer->weights == (answer->about.method == LPMLN_AUTO));
  assert(answer->weights || status != OK);
  return status;
}
