/* evidence.c - the circuit of the program and of each different observation. */
#include "learn/learning.h"

#include "infer/hard.h"

#include <math.h>
#include <stdlib.h>

static Status say_limit(Learning *l, Status status) {
  if (status == LIMIT)
    diagnose_warning(&l->p->program.sources, NOWHERE, NULL, "compiling: %s", l->compiled.message.at);
  return status;
}

static Status compile(Learning *l, const CompileQuestion *questions, size_t n, CircuitRoot *roots) {
  double until = l->compile_until;
  l->compiled.options.seconds = until > 0 ? fmax(until - clock_now(), 1e-3) : 0;
  return say_limit(l, compile_roots(&l->compiled, questions, n, roots));
}

/* `auto` keeps half of the time for sampling. */
static double compile_until(const lpmln *p) {
  double now = clock_now(), left = p->limits.deadline > 0 ? p->limits.deadline - now : INFINITY;
  if (p->options.method == LPMLN_AUTO)
    left = fmin(left / 2, p->options.compile_limit);
  return isinf(left) ? 0 : now + fmax(left, 1e-3);
}

static Status begin(Learning *l) {
  atomic_store(&l->p->stage, LPMLN_COMPILING);
  l->compile_until = compile_until(l->p);
  CompileOptions options = compile_options_default();
  options.memory = l->p->options.memory_limit << 20;
  options.stop = &l->p->stop;
  options.seed = l->p->options.seed;
  options.threads = l->p->options.threads;
  compile_begin(&l->compiled, &l->observed.ground, &l->observed.analysis, &options);
  l->compiling = true;
  Status status = compile(l, &(CompileQuestion){0}, 1, &l->program);
  return status == OK && !circuit_possible(&l->program) ? problem_no_model(l->p) : status;
}

void evidence_count(Learning *l) {
  const Program *program = &l->p->program;
  l->possible = memory_zero(l->observed.list.n, sizeof *l->possible);
  l->train = memory_zero(l->observed.list.n, sizeof *l->train);
  l->test = memory_zero(l->observed.list.n, sizeof *l->test);
  for (uint32_t b = 0; b < program->blocks.n; b++)
    (b < l->p->tests ? l->train : l->test)[l->observed.of_block.at[b]] +=
        program->blocks.at[b].count;
}

/* The program without the steps on the way to it. */
static void compact(Learning *l) {
  size_t n = l->observed.list.n;
  CircuitRoot **all = memory_zero(n + 1, sizeof *all);
  for (size_t i = 0; i < n; i++)
    all[i] = &l->roots[i];
  all[n] = &l->program;
  compile_compact(&l->compiled, all, n + 1);
  free(all);
}

/* Says why a block is impossible; as warnings if we can go on without it. */
static Status explain(Learning *l, uint32_t block, bool warn) {
  Sources *sources = &l->p->program.sources;
  size_t before = sources->diagnostics.n;
  unsigned errors = sources->errors;
  Status status = explain_impossible(l->p, block);
  if (status == OK && sources->diagnostics.n == before)
    diagnose_error(sources, l->p->program.blocks.at[block].place, NULL,
                 "observation %u is impossible", block + 1);
  for (size_t i = before; warn && i < sources->diagnostics.n; i++)
    sources->diagnostics.at[i].severity = LPMLN_WARNING;
  sources->errors = warn ? errors : sources->errors;
  return status;
}

/* An impossible observation to learn from: as the options say. */
static Status meet_impossible(Learning *l, uint32_t i, size_t met) {
  const Observation *o = &l->observed.list.at[i];
  bool drop = l->options->noise == LPMLN_DROP;
  Status status = met <= HARD_BLOCKS ? explain(l, o->block, drop) : OK;
  vec_push(&l->impossible, o->block);
  if (!drop)
    return status == OK ? NO_ANSWER : status;
  l->answer->dropped += l->train[i];
  l->train[i] = 0;
  return status;
}

static void say_rest(Learning *l, size_t bad, Status status) {
  Sources *sources = &l->p->program.sources;
  bool refused = status == NO_ANSWER;
  if (refused)
    hard_explain_blocks(l->p, l->impossible.at, l->impossible.n);
  if (refused && bad > HARD_BLOCKS)
    diagnose_error(sources, NOWHERE, NULL, "%zu more observations are impossible", bad - HARD_BLOCKS);
  if (refused)
    diagnose_note(sources, NOWHERE, NULL,
                l->options->noise == LPMLN_REFUSE
                    ? "--noisy drop learns from the others, --noisy atoms explains them by noise"
                    : "noise atoms make an observed atom true, never false");
}

Status evidence_possible(Learning *l) {
  double left = 0;
  size_t bad = 0;
  Status status = OK;
  for (uint32_t i = 0; i < l->observed.list.n && (status == OK || status == NO_ANSWER); i++) {
    if (!l->possible[i] && l->train[i] > 0) {
      Status met = meet_impossible(l, i, ++bad);
      status = met == OK ? status : met;
    }
    left += l->train[i];
  }
  say_rest(l, bad, status);
  if (status == OK && left == 0) {
    diagnose_error(&l->p->program.sources, NOWHERE, NULL, "there is no observation to learn from");
    return NO_ANSWER;
  }
  return status;
}

static Status compile_observations(Learning *l) {
  const Observations *o = &l->observed;
  CompileQuestion *questions = memory_zero(o->list.n, sizeof *questions);
  for (size_t i = 0; i < o->list.n; i++)
    questions[i] = (CompileQuestion){.evidence = o->literals.at + o->list.at[i].first,
                                     .evidences = o->list.at[i].size};
  l->roots = memory_zero(o->list.n, sizeof *l->roots);
  Status status = compile(l, questions, o->list.n, l->roots);
  for (size_t i = 0; i < o->list.n; i++)
    l->possible[i] = status == OK && circuit_possible(&l->roots[i]);
  free(questions);
  return status;
}

Status evidence_compile(Learning *l) {
  Status status = begin(l);
  if (status == OK)
    status = compile_observations(l);
  if (status == OK)
    status = evidence_possible(l);
  if (status == OK)
    compact(l);
  return status;
}
