/* infer.c - questions and the engine that answers them. */
#include "infer/infer.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/source.h"
#include "ground/ground.h"
#include "infer/coins.h"
#include "infer/counts.h"
#include "infer/sensitivity.h"

#include <assert.h>
#include <math.h>

#define LISTING 0.75 /* share of the time that models are enumerated in */
#define MOMENT 0.3   /* seconds after an interruption */

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
  if ((task->options->method == LPMLN_EXACT || task->options->method == LPMLN_BOUNDS) &&
      task->hard_bound != NONE)
    diagnose_note(task->said, NOWHERE, NULL,
                  "hard rules are violated, so the stable models are enumerated");
  return OK;
}

/* What is certain of ln Z and ln P(evidence) if they are exact, or not known. */
static void set_bounds(lpmln_inference *answer) {
  bool exact = answer->about.exact && answer->about.complete;
  answer->log_partition_lower = exact ? answer->log_partition : -INFINITY;
  answer->log_partition_upper = exact ? answer->log_partition : INFINITY;
  answer->log_evidence_lower = exact ? answer->log_evidence : -INFINITY;
  answer->log_evidence_upper = exact ? answer->log_evidence : 0;
}

Status infer(const Task *task, lpmln_inference *answer) {
  Status status = begin(task);
  if (status != OK)
    return status;
  if (wants_circuit(task)) {
    status = known_infer(task, answer);
  } else if (task->options->method == LPMLN_BOUNDS && task->hard_bound == NONE) {
    status = bounds_infer(task, answer);
  } else if (task->options->method == LPMLN_MC_ASP) {
    status = mcasp_infer(task, false, answer);
  } else {
    status = enumerate_infer(task, answer);
  }
  if (status != OK && status != LIMIT && status != INTERRUPTED) {
    answer->about.method = LPMLN_AUTO; /* something went wrong: no number is to be trusted */
    answer->count = 0;
  }
  if (answer->about.method != LPMLN_AUTO) {
    Status conditions = answer_conditions(task, answer);
    status = status == OK ? conditions : status;
  }
  if (answer->about.method != LPMLN_BOUNDS)
    set_bounds(answer);
  if (status == OK && answer->about.method == LPMLN_EXACT)
    status = coins_compare(task);
  if (status == OK && task->options->counts)
    status = counts_infer(task, answer);
  if (status == OK && (task->options->sensitivity || task->options->next))
    status = sensitivity_infer(task, answer);
  return status;
}

/* What is certain of the best model, in the time that is left; after an interruption, a moment. */
static void bound_models(const Task *task, Status why, lpmln_models *answer) {
  Task now = *task;
  assert(!answer->about.complete);
  if (why == INTERRUPTED)
    now.limits.stop = NULL;
  now = task_within(&now, why == INTERRUPTED ? MOMENT : 0.9 * task_seconds(task));
  answer->log_weight_upper = bounds_best(&now).upper;
  double found = answer->models[0].log_weight; /* rounding may have moved it by a trace */
  answer->log_weight_upper = fmax(answer->log_weight_upper, found);
}

/* Enumerates them; a part of a limited time is for the bound. */
static Status list_models(const Task *task, Wanted wanted, lpmln_models *answer) {
  Task now = *task;
  if (task->limits.deadline > 0)
    now = task_within(task, LISTING * task_seconds(task));
  Status status = enumerate_models(&now, wanted, answer);
  if (answer->count && !answer->about.complete && task->hard_bound == NONE)
    bound_models(task, status, answer);
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
  answer->log_weight_upper = INFINITY;
  bool circuit = wants_circuit(task);
  if (circuit)
    status = exact_models(task, wanted, answer);
  if (circuit && goes_on(task, status))
    say_fallback(task, "its stable models are enumerated");
  if (!circuit || goes_on(task, status))
    status = list_models(task, wanted, answer);
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
