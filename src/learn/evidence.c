/* evidence.c - the circuit of the program and of each different observation, and what
** there is to say about observations that are impossible. */
#include "learn/learning.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/compile.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void evidence_count(Learning *l) {
  const Program *program = l->task->program;
  const Observations *seen = l->task->observed;
  l->possible = memory_zero(seen->list.n, sizeof *l->possible);
  l->train = memory_zero(seen->list.n, sizeof *l->train);
  l->test = memory_zero(seen->list.n, sizeof *l->test);
  for (uint32_t b = 0; b < program->blocks.n; b++)
    (b < l->task->tests ? l->train : l->test)[seen->of_block.at[b]] += program->blocks.at[b].count;
}

/* ---- circuits ---------------------------------------------------------------------- */

static Status compile(Learning *l, const CompileQuestion *questions, size_t n, CircuitRoot *roots) {
  double until = l->compile_until;
  l->compiled.options.seconds = until > 0 ? fmax(until - clock_now(), 1e-3) : 0;
  Status status = compile_roots(&l->compiled, questions, n, roots);
  if (status == LIMIT)
    diagnose_warning(l->task->said, NOWHERE, NULL, "compiling: %s", l->compiled.message.at);
  return status;
}

/* `auto` keeps half of the time for sampling. */
static double compile_until(const Task *t) {
  double now = clock_now(), left = t->limits.deadline > 0 ? t->limits.deadline - now : INFINITY;
  if (t->options->method == LPMLN_AUTO)
    left = fmin(left / 2, t->options->compile_limit);
  return isinf(left) ? 0 : now + fmax(left, 1e-3);
}

static Status compile_program(Learning *l) {
  task_stage(l->task, LPMLN_COMPILING);
  l->compile_until = compile_until(l->task);
  CompileOptions options = task_compile_options(l->task);
  compile_begin(&l->compiled, &l->ground, &l->analysis, &options);
  l->compiling = true;
  Status status = compile(l, &(CompileQuestion){0}, 1, &l->program);
  return status == OK && !circuit_possible(&l->program) ? task_no_model(l->task) : status;
}

typedef VEC(Lit) Lits;

/* `not noise(k)` for each noise atom: the program as it was without them. */
static void silence_noise(const Learning *l, Lits *lits) {
  const Ground *g = &l->ground;
  size_t length = strlen(l->noise);
  for (Atom a = 0; a < g->atoms.n; a++) {
    uint32_t name = g->atoms.at[a].name;
    if (name == NONE || strncmp(ground_text(g, name), l->noise, length))
      continue;
    if (ground_text(g, name)[length] == '(')
      vec_push(lits, lit_of(a, true));
  }
}

typedef VEC(CompileQuestion) Questions;

/* Each observation; with noise atoms also what we learn from without noise, in the same
** order and out of `quiet`, literals that the questions borrow. */
static void ask(const Learning *l, Lits *quiet, Questions *questions) {
  const Observations *seen = l->task->observed;
  Lits silence = {0};
  for (size_t i = 0; i < seen->list.n; i++)
    vec_push(questions, (CompileQuestion){.evidence = seen->literals.at + seen->list.at[i].first,
                                          .evidences = seen->list.at[i].size});
  if (l->noise)
    silence_noise(l, &silence);
  vec_reserve(quiet, seen->literals.n + seen->list.n * silence.n); /* it must not move */
  for (size_t i = 0; silence.n && i < seen->list.n; i++) {
    size_t first = quiet->n;
    if (l->train[i] == 0)
      continue;
    for (uint32_t k = 0; k < seen->list.at[i].size; k++)
      vec_push(quiet, seen->literals.at[seen->list.at[i].first + k]);
    for (size_t k = 0; k < silence.n; k++)
      vec_push(quiet, silence.at[k]);
    vec_push(questions,
             (CompileQuestion){.evidence = quiet->at + first, .evidences = quiet->n - first});
  }
  vec_free(&silence);
}

/* `quiet`: roots without noise of the observations that we learn from. */
static void find_absorbed(Learning *l, const CircuitRoot *quiet) {
  const Observations *seen = l->task->observed;
  for (size_t i = 0, k = 0; i < seen->list.n; i++)
    if (l->train[i] > 0 && !circuit_possible(&quiet[k++]) && l->possible[i])
      vec_push(&l->absorbed, seen->list.at[i].block);
}

static Status compile_observations(Learning *l) {
  size_t n = l->task->observed->list.n;
  Lits quiet = {0};
  Questions questions = {0};
  ask(l, &quiet, &questions);
  assert(questions.n >= n && (l->noise || questions.n == n));
  l->roots = memory_zero(questions.n, sizeof *l->roots);
  Status status = compile(l, questions.at, questions.n, l->roots);
  for (size_t i = 0; i < n; i++)
    l->possible[i] = status == OK && circuit_possible(&l->roots[i]);
  if (status == OK && questions.n > n)
    find_absorbed(l, l->roots + n);
  for (size_t i = n; i < questions.n; i++) /* they have told what they were asked for */
    circuit_root_free(&l->roots[i]);
  vec_free(&questions);
  vec_free(&quiet);
  return status;
}

/* The program without the steps on the way to it. */
static void compact(Learning *l) {
  size_t n = l->task->observed->list.n;
  CircuitRoot **all = memory_zero(n + 1, sizeof *all);
  for (size_t i = 0; i < n; i++)
    all[i] = &l->roots[i];
  all[n] = &l->program;
  compile_compact(&l->compiled, all, n + 1);
  free(all);
}

Status evidence_compile(Learning *l) {
  assert(!l->compiling && l->train && l->ground.sealed);
  Status status = compile_program(l);
  if (status == OK)
    status = compile_observations(l);
  if (status == OK)
    status = evidence_possible(l);
  if (status == OK)
    compact(l);
  return status;
}

/* ---- impossible observations ------------------------------------------------------- */

/* Says why a block is impossible; as warnings if we can go on without it. */
static Status explain(Learning *l, uint32_t block, bool warn) {
  Diagnostics *said = l->task->said;
  size_t before = said->list.n;
  unsigned errors = said->errors;
  Status status = task_explain_block(l->task, block);
  if (status == OK && said->list.n == before)
    diagnose_error(said, l->task->program->blocks.at[block].place, NULL,
                   "observation %u is impossible", block + 1);
  for (size_t i = before; warn && i < said->list.n; i++)
    said->list.at[i].severity = LPMLN_WARNING;
  said->errors = warn ? errors : said->errors;
  return status;
}

/* An impossible observation to learn from: as the options say. */
static Status meet_impossible(Learning *l, uint32_t i) {
  uint32_t block = l->task->observed->list.at[i].block;
  bool drop = l->options->noise == LPMLN_DROP;
  vec_push(&l->impossible, block);
  Status status = l->impossible.n <= HARD_BLOCKS ? explain(l, block, drop) : OK;
  if (!drop)
    return status == OK ? NO_ANSWER : status;
  l->answer->dropped += l->train[i];
  l->train[i] = 0;
  return status;
}

static void say_rest(const Learning *l, Status status) {
  Diagnostics *said = l->task->said;
  bool refused = status == NO_ANSWER;
  size_t bad = l->impossible.n;
  if (refused || (status == OK && bad))
    task_explain_hard_blocks(l->task, l->impossible.at, bad);
  if (refused && bad > HARD_BLOCKS)
    diagnose_error(said, NOWHERE, NULL, "%zu more observations are impossible", bad - HARD_BLOCKS);
  if (refused)
    diagnose_note(said, NOWHERE, NULL,
                  l->options->noise == LPMLN_REFUSE
                      ? "option noisy=drop learns from the others, "
                        "option noisy=atoms explains them by noise"
                      : "noise atoms make an observed atom true, never false");
}

Status evidence_possible(Learning *l) {
  assert(!l->impossible.n);
  double left = 0;
  Status status = OK;
  for (uint32_t i = 0; i < l->task->observed->list.n; i++) {
    if (!l->possible[i] && l->train[i] > 0) {
      Status met = meet_impossible(l, i);
      status = met == OK ? status : met;
    }
    if (status != OK && status != NO_ANSWER)
      return status;
    left += l->train[i];
  }
  say_rest(l, status);
  if (status == OK && left == 0) {
    diagnose_error(l->task->said, NOWHERE, NULL, "there is no observation to learn from");
    return NO_ANSWER;
  }
  return status;
}
