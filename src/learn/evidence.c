/* evidence.c - the circuit of the program and of each different observation. */
#include "learn/learning.h"

#include "infer/hard.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EXPLAINED = 5 };

static Status say_limit(Learning *l, Status status) {
  if (status == LIMIT)
    report_warning(&l->p->program.sources, NOWHERE, NULL, "compiling: %s", l->compiled.message.at);
  return status;
}

static Status compile(Learning *l, const Lit *literals, size_t n, CircuitRoot *root) {
  const Limits *limits = &l->p->limits;
  double left = limits->deadline > 0 ? fmax(limits->deadline - clock_now(), 1e-3) : 0;
  l->compiled.options.seconds = left;
  return compile_root(&l->compiled, literals, n, NULL, 0, root);
}

static Status begin(Learning *l) {
  atomic_store(&l->p->stage, LPMLN_COMPILING);
  CompileOptions options = compile_options_default();
  options.memory = l->p->options.memory_limit << 20;
  options.stop = &l->p->stop;
  options.seed = l->p->options.seed;
  compile_begin(&l->compiled, &l->observed.ground, &l->observed.analysis, &options);
  l->compiling = true;
  Status status = compile(l, NULL, 0, &l->program);
  if (status == OK && !circuit_possible(&l->program))
    return problem_no_model(l->p);
  return say_limit(l, status);
}

static void count(Learning *l) {
  const Program *program = &l->p->program;
  l->train = memory_zero(l->observed.list.n, sizeof *l->train);
  l->test = memory_zero(l->observed.list.n, sizeof *l->test);
  for (uint32_t b = 0; b < program->blocks.n; b++)
    (b < l->p->tests ? l->train : l->test)[l->observed.of_block.at[b]] += program->blocks.at[b].count;
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

/* An impossible observation to learn from: as the options say. */
static Status meet_impossible(Learning *l, uint32_t i, double *dropped) {
  lpmln *p = l->p;
  const Observation *o = &l->observed.list.at[i];
  if (l->options->noise == LPMLN_DROP) {
    report_warning(&p->program.sources, p->program.blocks.at[o->block].place, NULL,
                   "observation %u is impossible and was dropped%s", o->block + 1,
                   l->train[i] > 1 ? ", as often as it was seen" : "");
    *dropped += l->train[i];
    l->train[i] = 0;
    return OK;
  }
  unsigned before = p->program.sources.errors;
  Status status = explain_impossible(p, o->block);
  if (status == OK && p->program.sources.errors == before)
    report_error(&p->program.sources, p->program.blocks.at[o->block].place, NULL,
                 "observation %u is impossible", o->block + 1);
  return status == OK ? NO_ANSWER : status;
}

static uint32_t first_impossible(const Learning *l) {
  uint32_t i = 0;
  while (l->train[i] == 0 || circuit_possible(&l->roots[i]))
    i++;
  return l->observed.list.at[i].block;
}

static Status look_after_impossible(Learning *l) {
  double dropped = 0, left = 0;
  size_t bad = 0;
  Status status = OK;
  for (uint32_t i = 0; i < l->observed.list.n; i++) {
    bool possible = circuit_possible(&l->roots[i]);
    bad += !possible && l->train[i] > 0;
    if (!possible && l->train[i] > 0 && (bad <= MOST_EXPLAINED || l->options->noise == LPMLN_DROP)) {
      Status met = meet_impossible(l, i, &dropped);
      status = status == OK || status == NO_ANSWER ? (met == OK ? status : met) : status;
    }
    left += l->train[i];
  }
  if (status == NO_ANSWER)
    (void)hard_explain_block(l->p, first_impossible(l)); /* says what it can */
  if (status == NO_ANSWER && bad > MOST_EXPLAINED)
    report_error(&l->p->program.sources, NOWHERE, NULL, "%zu more observations are impossible",
                 bad - MOST_EXPLAINED);
  if (status == NO_ANSWER)
    report_note(&l->p->program.sources, NOWHERE, NULL, l->options->noise == LPMLN_REFUSE
                ? "--noisy drop learns from the others, --noisy atoms explains them by noise"
                : "noise atoms make an observed atom true, never false");
  l->answer->dropped = dropped;
  if (status == OK && left == 0) {
    report_error(&l->p->program.sources, NOWHERE, NULL, "there is no observation to learn from");
    return NO_ANSWER;
  }
  return status;
}

Status evidence_compile(Learning *l) {
  const Observations *o = &l->observed;
  count(l);
  Status status = begin(l);
  l->roots = memory_zero(o->list.n, sizeof *l->roots);
  for (size_t i = 0; status == OK && i < o->list.n; i++) {
    status = say_limit(l, compile(l, o->literals.at + o->list.at[i].first, o->list.at[i].size,
                                  &l->roots[i]));
    if (status == OK)
      status = limits_check(&l->p->limits);
  }
  if (status == OK)
    status = look_after_impossible(l);
  if (status == OK)
    compact(l);
  return status;
}
