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
  size_t n = observations_count(seen);
  bool tests = l->task->tests < program->block_count;
  l->possible = memory_zero(n, sizeof *l->possible);
  if (seen->rows && !tests) {
    l->train = seen->rows->counts.at;
    return;
  }
  l->train = l->own = memory_zero(n, sizeof *l->own);
  l->test = tests ? memory_zero(n, sizeof *l->test) : NULL;
  for (uint32_t b = 0; b < program->block_count; b++)
    (b < l->task->tests ? l->own : l->test)[observations_of(seen, b)] +=
        program_block_count(program, b);
}

/* It is not learned from. */
static void drop(Learning *l, uint32_t observation) {
  size_t n = observations_count(l->task->observed);
  if (!l->own) {
    l->own = memory_zero(n, sizeof *l->own);
    memcpy(l->own, l->train, n * sizeof *l->own);
    l->train = l->own;
  }
  l->answer->dropped += l->own[observation];
  l->own[observation] = 0;
}

/* ---- circuits ---------------------------------------------------------------------- */

static Status compile(Learning *l, const CompileQuestion *questions, size_t n, CircuitRoot *roots) {
  double until = l->compile_until;
  l->compiled.options.seconds = until > 0 ? fmax(until - clock_now(), 1e-3) : 0;
  Status status = compile_roots(&l->compiled, questions, n, roots);
  if (status == LIMIT)
    diagnose_warning(l->task->said, NOWHERE, NULL, "compiling: %s", l->compiled.message.at);
  if (status == INTERNAL)
    diagnose_error(l->task->said, NOWHERE, NULL, "compiling: %s", l->compiled.message.at);
  return status;
}

#define LEARN_SECONDS 120 /* samples say much less */

/* `auto` keeps half of the time for sampling. */
static double compile_until(const Task *t) {
  double now = clock_now(), left = t->limits.deadline > 0 ? t->limits.deadline - now : INFINITY;
  if (t->options->method == LPMLN_AUTO)
    left /= 2;
  left = fmin(left, task_compile_limit(t, LEARN_SECONDS));
  return isinf(left) ? 0 : now + fmax(left, 1e-3);
}

static Status compile_program(Learning *l) {
  task_stage(l->task, LPMLN_COMPILING);
  l->compile_until = compile_until(l->task);
  CompileOptions options = task_compile_options(l->task);
  options.share = l->task->share;
  compile_begin(&l->compiled, &l->ground, &l->analysis, &options);
  l->compiling = true;
  Status status = compile(l, &(CompileQuestion){0}, 1, &l->program);
  return status == OK && !circuit_possible(&l->program) ? task_no_model(l->task) : status;
}

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

/* Observations first to end - 1, whose literals may be in `room`; with noise atoms also what we
** learn from without noise, in the same order and out of `quiet`. */
static void ask(const Learning *l, size_t first, size_t end, Lits *room, Lits *quiet,
                Questions *questions) {
  const Observations *seen = l->task->observed;
  Lits silence = {0};
  size_t literals = 0;
  vec_reserve(room, (end - first) * observations_most(seen)); /* it must not move */
  for (size_t i = first; i < end; i++) {
    uint32_t size;
    const Lit *own = observations_literals(seen, i, room, &size);
    literals += size;
    vec_push(questions, (CompileQuestion){.evidence = own, .evidences = size});
  }
  if (l->noise)
    silence_noise(l, &silence);
  if (silence.n)
    vec_reserve(quiet, literals + (end - first) * silence.n); /* it must not move */
  for (size_t i = first; silence.n && i < end; i++) {
    size_t begin = quiet->n;
    if (l->train[i] == 0)
      continue;
    for (size_t k = 0; k < questions->at[i - first].evidences; k++)
      vec_push(quiet, questions->at[i - first].evidence[k]);
    for (size_t k = 0; k < silence.n; k++)
      vec_push(quiet, silence.at[k]);
    vec_push(questions,
             (CompileQuestion){.evidence = quiet->at + begin, .evidences = quiet->n - begin});
  }
  vec_free(&silence);
}

/* `quiet`: roots without noise of those that we learn from. */
static void find_absorbed(Learning *l, size_t first, size_t end, const CircuitRoot *quiet) {
  const Observations *seen = l->task->observed;
  for (size_t i = first, k = 0; i < end; i++)
    if (l->train[i] > 0 && !circuit_possible(&quiet[k++]) && l->possible[i])
      vec_push(&l->absorbed, observations_block(seen, i));
}

static Status compile_some(Learning *l, size_t first, size_t end) {
  size_t n = end - first;
  Lits room = {0}, quiet = {0};
  Questions questions = {0};
  ask(l, first, end, &room, &quiet, &questions);
  assert(questions.n >= n && (l->noise || questions.n == n));
  CircuitRoot *roots = memory_zero(questions.n, sizeof *roots);
  Status status = compile(l, questions.at, questions.n, roots);
  for (size_t i = 0; status == OK && i < n; i++)
    l->possible[first + i] = circuit_possible(&roots[i]);
  if (status == OK && questions.n > n)
    find_absorbed(l, first, end, roots + n);
  if (status == OK)
    factors_add(&l->factors, &l->compiled.circuit, roots, n);
  for (size_t i = 0; i < questions.n; i++)
    circuit_root_free(&roots[i]);
  free(roots);
  vec_free(&questions);
  vec_free(&quiet);
  vec_free(&room);
  return status;
}

static size_t size_of(const Learning *l) {
  return l->compiled.circuit.nodes.n + l->compiled.circuit.children.n;
}

size_t learning_batch(const Learning *l) {
  enum { BATCH = 1024 };
  bool adam = l->options->optimizer == LPMLN_ADAM;
  return l->options->batch || !adam ? l->options->batch : BATCH;
}

/* The observations from `first` on whose factors are there, as a portion. */
static Status add_portion(Learning *l, size_t first) {
  CircuitRoot *all[] = {&l->factors.nodes, &l->program}, *program = &l->program;
  Mixture both = {0}, observed = {0};
  double sum = 0;
  compile_shrink(&l->compiled, all, 2);
  for (size_t i = 0; i < l->factors.starts.n; i++) {
    double times = l->possible[first + i] ? l->train[first + i] : 0;
    if (times > 0) {
      factors_mix(&l->factors, i, &l->program, times, &both);
      factors_mix(&l->factors, i, &l->program, times, &observed);
    }
    sum += times;
  }
  mixture_add(&both, &l->program, -sum);
  mixture_seal(&both);
  mixture_seal(&observed);
  Status status = OK;
  if (sum > 0)
    status = portions_add(&l->portions, &l->compiled.circuit, &both, &observed, &l->task->limits);
  mixture_free(&both);
  mixture_free(&observed);
  factors_free(&l->factors);
  l->factors = (Factors){0};
  compile_shrink(&l->compiled, &program, 1);
  return status;
}

/* What is not needed at once may be spilled from a quarter of the memory on.  Without a time limit,
** what compiling may take is for each portion: the next one is not harder than those before. */
static Status compile_portions(Learning *l) {
  size_t n = observations_count(l->task->observed), batch = learning_batch(l);
  Status status = OK;
  assert(batch && !l->portions.list.n);
  l->portions.most = l->task->options->memory_limit << 18;
  if (l->task->share)
    portions_share(&l->portions, l->task->share);
  for (size_t i = 0; i < n && status == OK; i += batch) {
    if (l->task->limits.deadline <= 0)
      l->compile_until = compile_until(l->task);
    status = compile_some(l, i, n - i < batch ? n : i + batch);
    if (status == OK)
      status = add_portion(l, i);
  }
  return status;
}

/* Some at a time, so that what is needed on the way to the factors stays small; what remains
** is no turn of its own if it is too little to be shared out. */
static Status compile_observations(Learning *l) {
  enum { AT_A_TIME = 8192, SMALL = 1 << 18 };
  CircuitRoot *all[] = {&l->factors.nodes, &l->program};
  size_t n = observations_count(l->task->observed), kept = size_of(l);
  Status status = OK;
  for (size_t i = 0, end = 0; i < n && status == OK; i = end) {
    end = n - i < AT_A_TIME + COMPILE_MANY ? n : i + AT_A_TIME;
    status = compile_some(l, i, end);
    if (status != OK || end == n || size_of(l) < 2 * kept + SMALL)
      continue;
    compile_shrink(&l->compiled, all, 2);
    kept = size_of(l);
  }
  if (status == OK)
    compile_compact(&l->compiled, all, 2);
  return status;
}

Status evidence_compile(Learning *l) {
  assert(!l->compiling && l->train && l->ground.sealed);
  Status status = compile_program(l);
  if (status == OK)
    status = learning_batch(l) ? compile_portions(l) : compile_observations(l);
  return status == OK ? evidence_possible(l) : status;
}

/* ---- impossible observations ------------------------------------------------------- */

/* Says why a block is impossible; as warnings if we can go on without it. */
static Status explain(Learning *l, uint32_t block, bool warn) {
  Diagnostics *said = l->task->said;
  size_t before = said->list.n;
  unsigned errors = said->errors;
  Status status = task_explain_block(l->task, block);
  if (status == OK && said->list.n == before)
    diagnose_error(said, program_block_place(l->task->program, block), NULL,
                   "observation %u is impossible", block + 1);
  for (size_t i = before; warn && i < said->list.n; i++)
    said->list.at[i].severity = LPMLN_WARNING;
  said->errors = warn ? errors : said->errors;
  return status;
}

/* An impossible observation to learn from: as the options say. */
static Status meet_impossible(Learning *l, uint32_t i) {
  uint32_t block = observations_block(l->task->observed, i);
  bool dropped = l->options->noise == LPMLN_DROP;
  vec_push(&l->impossible, block);
  Status status = l->impossible.n <= HARD_BLOCKS ? explain(l, block, dropped) : OK;
  if (!dropped)
    return status == OK ? NO_ANSWER : status;
  drop(l, i);
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
  if (refused && !l->options->evaluate) /* who compares programs must not drop any */
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
  for (uint32_t i = 0; i < observations_count(l->task->observed); i++) {
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
