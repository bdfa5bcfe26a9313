/* task.c - see task.h. */
#include "infer/task.h"

#include <assert.h>
#include <math.h>

CompileOptions task_compile_options(const Task *t) {
  assert(t->options);
  CompileOptions options = compile_options_default();
  options.memory = t->options->memory_limit << 20;
  options.stop = t->limits.stop;
  options.seed = t->options->seed;
  options.threads = t->options->threads;
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
  double left = t->limits.deadline > 0 ? fmax(t->limits.deadline - clock_now(), 1e-3) : INFINITY;
  if (t->compile_seconds > 0) /* `auto` keeps half of the time for another engine */
    left = fmin(t->options->method == LPMLN_AUTO ? left / 2 : left, t->compile_seconds);
  t->compiled->options.seconds = isinf(left) ? 0 : left;
  return t->compiled;
}
