/* infer.c - questions and the engine that answers them. */
#include "infer/infer.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/source.h"
#include "ground/ground.h"

#include <assert.h>
#include <math.h>

/* `auto`, when compiling is too hard: programs with few stable models are enumerated. */
enum { FEW_MODELS = 100000, FEW_SECONDS = 5 };

/* The circuit answers unless the user wants otherwise; violable hard rules are
** a matter of counting models. */
static bool wants_circuit(const Task *task) {
  return (task->options->method == LPMLN_AUTO || task->options->method == LPMLN_EXACT) &&
         task->hard_bound == NONE;
}

/* `auto`, and there is still time: go on with another engine. */
static bool goes_on(const Task *task, Status status) {
  return status == LIMIT && task->options->method == LPMLN_AUTO &&
         limits_check(&task->limits) == OK;
}

static void say_fallback(const Task *task, const char *what) {
  diagnose_note(task->said, NOWHERE, "option method=exact stops here instead",
                "the program is too hard to compile: %s", what);
}

static Status begin(const Task *task) {
  assert(task->ground->sealed && task->options && task->answer);
  if (task_contradicted(task))
    return task_no_evidence(task);
  if (task->options->method == LPMLN_EXACT && task->hard_bound != NONE)
    diagnose_note(task->said, NOWHERE, NULL,
                  "hard rules are violated, so the stable models are enumerated");
  return OK;
}

/* Too hard to compile: enumerated if that is quick, else sampled. */
static Status infer_without_circuit(const Task *task, lpmln_inference *answer) {
  assert(task->hard_bound == NONE);
  double left = task->limits.deadline > 0 ? (task->limits.deadline - clock_now()) / 4 : FEW_SECONDS;
  Status status = enumerate_infer_few(task, FEW_MODELS, fmin(left, FEW_SECONDS), answer);
  if (status == OK)
    say_fallback(task, "its stable models were enumerated");
  if (!goes_on(task, status))
    return status;
  say_fallback(task, "what does not compile by itself is sampled by Markov chains, see the errors");
  return mcasp_infer(task, true, answer);
}

Status infer(const Task *task, lpmln_inference *answer) {
  Status status = begin(task);
  if (status != OK)
    return status;
  if (wants_circuit(task)) {
    status = exact_infer(task, answer);
    if (goes_on(task, status))
      status = infer_without_circuit(task, answer);
  } else if (task->options->method == LPMLN_MC_ASP) {
    status = mcasp_infer(task, false, answer);
  } else {
    status = enumerate_infer(task, answer);
  }
  return status;
}

Status infer_models(const Task *task, Wanted wanted, lpmln_models *answer) {
  Status status = begin(task);
  if (status != OK)
    return status;
  if (task->options->method == LPMLN_MC_ASP) {
    diagnose_error(task->said, NOWHERE, NULL,
                   "samples do not tell the most probable stable models");
    return USAGE;
  }
  bool circuit = wants_circuit(task);
  if (circuit)
    status = exact_models(task, wanted, answer);
  if (circuit && goes_on(task, status))
    say_fallback(task, "its stable models are enumerated");
  if (!circuit || goes_on(task, status))
    status = enumerate_models(task, wanted, answer);
  return status;
}

Status infer_sample(const Task *task, size_t count, bool uniform, lpmln_samples *answer) {
  Status status = begin(task);
  if (status != OK)
    return status;
  bool circuit = wants_circuit(task);
  bool chains = task->options->method == LPMLN_MC_ASP && !uniform;
  if (!circuit && !chains && !uniform) {
    diagnose_error(task->said, NOWHERE, NULL, "samples need the compiled program, or mc-asp");
    return USAGE;
  }
  if (circuit)
    status = exact_sample(task, count, uniform, answer);
  bool hard = circuit && goes_on(task, status);
  if (hard)
    say_fallback(task, uniform ? "stable models are drawn with the solver"
                               : "what does not compile by itself is sampled by Markov chains");
  if (uniform && (hard || !circuit))
    status = solver_sample(task, count, answer);
  else if (chains || hard)
    status = mcasp_sample(task, hard, count, answer);
  return status;
}
