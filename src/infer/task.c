/* task.c - see task.h. */
#include "infer/task.h"

#include "base/diagnostic.h"
#include "base/scaled.h"
#include "base/source.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>

Status task_weights_fit(const Task *t, const Ground *g, const double *weights) {
  double range = ground_weight_range(g, weights);
  if (range <= SCALED_MOST)
    return OK;
  diagnose_error(t->said, NOWHERE, "a rule that always holds is a hard one, without a weight",
                 "the weights of the ground program add up to %g; above %.1g they are too large "
                 "to be told apart",
                 range, SCALED_MOST);
  return INPUT;
}

CompileOptions task_compile_options(const Task *t) {
  assert(t->options);
  CompileOptions options = compile_options_default();
  options.memory = t->options->memory_limit << 20;
  options.stop = t->limits.stop;
  options.seed = t->options->seed;
  options.threads = t->options->threads;
  options.explored = &t->progress->explored;
  return options;
}

Compiled *task_compiled(const Task *t) {
  assert(!*t->compiling || t->compiled->ground == t->ground);
  task_stage(t, LPMLN_COMPILING);
  if (!*t->compiling) {
    CompileOptions options = task_compile_options(t);
    compile_begin(t->compiled, t->ground, t->analysis, &options);
    *t->compiling = true;
  }
  t->compiled->options.stop = t->limits.stop;
  t->compiled->options.explored = &t->progress->explored;
  double left = task_seconds(t);
  if (t->compile_seconds > 0)
    left = fmin(left, t->compile_seconds);
  t->compiled->options.deadline = isinf(left) ? 0 : clock_now() + fmax(left, 1e-3);
  if (!isinf(left))
    atomic_store(&t->progress->until, t->compiled->options.deadline);
  return t->compiled;
}

double task_compile_limit(const Task *t, double usual) {
  double wanted = t->options->compile_limit;
  lpmln_method method = t->options->method;
  if (wanted < 0 && method == LPMLN_AUTO)
    return fmax(usual, 1e-3);
  bool limited = wanted >= 0 && (method == LPMLN_AUTO || method == LPMLN_EXACT);
  return limited ? fmax(wanted, 1e-3) : INFINITY;
}

double task_seconds(const Task *t) {
  return t->limits.deadline > 0 ? fmax(t->limits.deadline - clock_now(), 0) : INFINITY;
}

Task task_within(const Task *t, double seconds) {
  Task shorter = *t;
  assert(seconds >= 0);
  if (seconds < task_seconds(t))
    shorter.limits.deadline = clock_now() + seconds, shorter.own_limit = true;
  return shorter;
}
