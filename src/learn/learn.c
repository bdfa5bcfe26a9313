/* learn.c - see learn.h: from a program and observations to weights. */
#include "learn/learn.h"

#include "base/diagnostic.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "ground/nearest.h"
#include "ground/observations.h"
#include "infer/task.h"
#include "learn/journal.h"
#include "learn/learning.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/parameters.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

lpmln_learning_options lpmln_learning_options_default(void) {
  return (lpmln_learning_options){
      .rate = 0.1, .delta = 0.001, .restarts = SIZE_MAX, .prior_deviation = 1, .noise_weight = 10};
}

const char *lpmln_optimizer_name(lpmln_optimizer optimizer) {
  static const char *const names[] = {"auto", "lbfgs", "newton", "em", "ascent", "adam"};
  return (unsigned)optimizer <= LPMLN_ADAM ? names[optimizer] : "unknown";
}

/* ---- the checkpoint ---------------------------------------------------------------- */

/* Of a long text, some at a time. */
static uint64_t hash_text(uint64_t h, const Source *source) {
  enum { AT_A_TIME = 1 << 22 };
  for (size_t at = 0; at < source->length; at += AT_A_TIME) {
    size_t left = source->length - at;
    h = hash_bytes(h, source->bytes + at, left < AT_A_TIME ? left : AT_A_TIME);
    source_forget(source, at);
  }
  return hash_word(h, source->length);
}

/* Everything that the observations and the objective are made of. */
static uint64_t hash_of(const Task *t, const lpmln_learning_options *o) {
  uint64_t h = HASH_START;
  for (size_t i = 0; i < t->program->sources.list.n; i++)
    h = hash_text(h, &t->program->sources.list.at[i]);
  h = hash_bytes(h, t->weights, t->ground->weights.n * sizeof *t->weights);
  h = hash_word(h, t->tests);
  for (size_t i = 0; i < o->fixed_count; i++)
    h = hash_bytes(h, o->fixed[i], strlen(o->fixed[i]) + 1);
  return hash_word(h, t->options->closed_world);
}

static void refuse_checkpoint(const Learning *l, JournalOutcome outcome, int reason) {
  const char *path = l->options->checkpoint;
  Diagnostics *said = l->task->said;
  assert(outcome != JOURNAL_OK);
  if (outcome == JOURNAL_OTHER_RUN)
    diagnose_error(said, NOWHERE, "remove the file, or ask for the same run again",
                   "the checkpoint '%s' is of another run", path);
  else if (outcome == JOURNAL_FOREIGN)
    diagnose_error(said, NOWHERE, "name another file, or remove this one",
                   "'%s' is no checkpoint, so it is not written to", path);
  else if (outcome == JOURNAL_DAMAGED)
    diagnose_error(said, NOWHERE, "remove the file and begin anew",
                   "the checkpoint '%s' is damaged", path);
  else if (outcome == JOURNAL_IN_USE)
    diagnose_error(said, NOWHERE, NULL, "another run writes to the checkpoint '%s'", path);
  else
    diagnose_error(said, NOWHERE, NULL, "can't write the checkpoint '%s': %s", path,
                   strerror(reason));
}

/* What a checkpoint is of: everything that decides the run. */
static Status begin_journal(Learning *l) {
  const lpmln_learning_options *s = l->options;
  const lpmln_sampling *o = &l->task->options->sampling;
  const double numbers[] = {s->rate,           s->delta, s->prior_mean, s->prior_deviation,
                            s->prior_strength, s->lower, s->upper,      s->noise_weight};
  Text key = {0};
  text_printf(&key, "%s %016" PRIx64 " %u %" PRIu64 " %d %zu %zu %d %d %d %zu", LPMLN_VERSION,
              hash_of(l->task, s), l->parameters.n, l->task->options->seed, (int)s->optimizer,
              s->iterations, s->restarts, (int)s->prior, s->bounded, (int)s->noise, s->folds);
  text_printf(&key, " %d %zu %zu %zu %zu %zu", (int)l->task->options->method, o->chains, o->samples,
              o->burn_in, o->thin, o->block_moves);
  text_printf(&key, " %zu", learning_batch(l));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    text_puts(&key, " ");
    number_write(&key, numbers[i]);
  }
  JournalOutcome outcome = journal_begin(&l->journal, s->checkpoint, key.at, s->resume);
  if (outcome != JOURNAL_OK)
    refuse_checkpoint(l, outcome, errno);
  vec_free(&key);
  return outcome == JOURNAL_OK ? OK : INPUT;
}

/* The answer is the same as without a checkpoint, so it is beside it that the user sees
** what was not computed again. */
static Status end_journal(Learning *l) {
  const char *path = l->options->checkpoint;
  Diagnostics *said = l->task->said;
  if (!path)
    return OK;
  journal_end(&l->journal);
  l->answer->replayed = l->journal.replayed;
  if (l->options->resume)
    diagnose_note(said, NOWHERE, NULL, "%zu result%s in the checkpoint '%s'", l->journal.replayed,
                  l->journal.replayed == 1 ? " was" : "s were", path);
  if (l->journal.status != OK)
    diagnose_error(said, NOWHERE, "what it has is whole: option resume goes on from there",
                   "can't write the checkpoint '%s': the run ends here", path);
  return l->journal.status;
}

/* ---- the question ------------------------------------------------------------------ */

/* A name that the program does not know is a mistake. */
static Status check_fixed(const Learning *l) {
  const Ground *g = l->task->ground;
  for (size_t i = 0; i < l->options->fixed_count; i++) {
    bool found = false;
    for (uint32_t w = 0; w < g->weights.n && !found; w++)
      found = g->weights.at[w].name != NONE &&
              !strcmp(ground_text(g, g->weights.at[w].name), l->options->fixed[i]);
    if (!found) {
      diagnose_hinted(l->task->said, LPMLN_ERROR, NOWHERE,
                      nearest_parameter(g, l->options->fixed[i]),
                      "the program has no parameter '%s' to fix", l->options->fixed[i]);
      return INPUT;
    }
  }
  return OK;
}

static Status prepare(Learning *l) {
  const Task *t = l->task;
  if (t->hard_bound != NONE) {
    diagnose_error(t->said, NOWHERE, NULL, "learning needs hard rules that can hold");
    return NO_ANSWER;
  }
  if (!t->tests) {
    diagnose_error(
        t->said, NOWHERE,
        "give them with option evidence or option data; an empty text has none, nor a table "
        "without rows",
        "there are no observations");
    return INPUT;
  }
  if (learning_batch(l) && t->tests < t->program->block_count) {
    diagnose_error(t->said, NOWHERE, "evaluate them with fixed weights in a run of their own",
                   "test observations do not go with batches");
    return USAGE;
  }
  if (check_fixed(l) != OK)
    return INPUT;
  l->ground = ground_view(t->ground, t->ground->observed);
  Fixed fixed = {l->options->fixed_count, l->options->fixed};
  parameters_find(&l->ground, t->weights, fixed, &l->parameters);
  if (!l->parameters.n && !fixed.n && !l->options->evaluate) {
    diagnose_error(t->said, NOWHERE, "write @w(NAME) in front of a rule instead of its weight",
                   "the program has no parameter to learn");
    return INPUT;
  }
  if (!l->parameters.n && fixed.n)
    diagnose_note(t->said, NOWHERE, "the likelihood is that of the weights as they are",
                  "every parameter is fixed: nothing is learned");
  analysis_make(&l->ground, &l->analysis);
  evidence_count(l);
  return OK;
}

/* A rank that has portions is lost, or its memory is out. */
static void say_trouble(const Learning *l) {
  const Text *trouble = l->parts.trouble.n ? &l->parts.trouble : &l->portions.trouble;
  if (trouble->n)
    diagnose_error(l->task->said, NOWHERE, NULL, "%s", trouble->at);
}

static void learning_free(Learning *l) {
  factors_free(&l->factors);
  portions_free(&l->portions);
  portions_free(&l->parts);
  circuit_root_free(&l->program);
  mixture_free(&l->both);
  mixture_free(&l->halves[0]);
  mixture_free(&l->halves[1]);
  if (l->compiling)
    compile_free(&l->compiled);
  circuit_free(&l->thin);
  analysis_free(&l->analysis);
  parameters_free(&l->parameters);
  journal_free(&l->journal);
  free(l->own);
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
  optimum_begin(l);
  l->answer->about.method = LPMLN_EXACT;
  l->answer->about.exact = true;
  optimum_find(l);
  held_out_test(l);
  if (l->options->folds)
    held_out_folds(l);
  Status status = l->objective.status, written = end_journal(l);
  status = status == OK ? written : status;
  l->answer->about.complete = status == OK;
  if (status == OK && !l->answer->converged)
    diagnose_warning(l->task->said, NOWHERE, NULL, "stopped before it converged");
  objective_free(&l->objective);
  return status;
}

static void say_absorbed(const Learning *l) {
  enum { MOST_SAID = 5 };
  const BlockNumbers *blocks = &l->absorbed;
  for (size_t i = 0; i < blocks->n && i < MOST_SAID; i++)
    diagnose_warning(l->task->said, program_block_place(l->task->program, blocks->at[i]), NULL,
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
  if (status == OK && l->options->checkpoint)
    status = begin_journal(l); /* before the work begins */
  if (status == OK)
    status = compile_or_sample(l, &sampled);
  if (status != OK)
    return status;
  say_absorbed(l);
  if (!sampled)
    return learn_exactly(l);
  status = sampled_learn(l);
  Status written = end_journal(l);
  return status == OK ? written : status;
}

/* Memory that is out ends the question, but not with the checkpoint's file open. */
static Status run_guarded(Learning *l) {
  MemoryGuard guard;
  volatile Status status = LIMIT;
  bool out = memory_guard(&guard);
  if (!out)
    status = run(l);
  memory_unguard(&guard);
  if (out) {
    journal_free(&l->journal);
    memory_fail();
  }
  return status;
}

Status learn(Task *t, const lpmln_learning_options *options, const char *noise,
             lpmln_learning *answer) {
  assert(t->ground->sealed && observations_valid(t->observed, t->ground));
  assert(t->tests <= t->program->block_count);
  assert(!noise || options->noise == LPMLN_NOISE_ATOMS);
  begin_answer(answer);
  Learning l = {.task = t, .options = options, .noise = noise, .answer = answer};
  Status status = run_guarded(&l);
  say_trouble(&l);
  learning_free(&l);
  assert(!answer->weights == (answer->about.method == LPMLN_AUTO));
  assert(answer->weights || status != OK);
  return status;
}
