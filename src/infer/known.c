/* known.c - see known.h. */
#include "infer/known.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-9 /* an interval that narrow is a number */

void known_begin(const Task *task, Known *k) {
  const Ground *g = task->ground;
  *k = (Known){.log_partition = {-INFINITY, INFINITY},
               .log_evidence = {task->evidences ? -INFINITY : 0, 0},
               .sampled_partition = {NAN, NAN},
               .sampled_evidence = {NAN, NAN},
               .possible = -1};
  answer_asked(task->program, g, &k->asked, &k->always);
  k->atoms = memory_zero(k->asked.n, sizeof *k->atoms);
  k->certain = memory_zero(k->asked.n, sizeof *k->certain);
  k->estimate = memory_zero(k->asked.n, sizeof *k->estimate);
  k->plain = memory_zero(k->asked.n, sizeof *k->plain);
  k->log = memory_zero(k->asked.n, sizeof *k->log);
  for (size_t i = 0; i < k->asked.n; i++) {
    Truth truth = g->atoms.at[k->asked.at[i].atom].truth;
    k->atoms[i] = k->asked.at[i].atom;
    k->certain[i] = (Interval){truth == ATOM_CERTAIN, truth != ATOM_IMPOSSIBLE};
    k->estimate[i] = (Estimate){NAN, NAN, NAN, NAN, NAN};
    k->log[i] = NAN;
  }
}

void known_free(Known *k) {
  vec_free(&k->asked);
  free(k->atoms);
  free(k->certain);
  free(k->estimate);
  free(k->plain);
  free(k->log);
  *k = (Known){0};
}

double known_width(const Known *k) {
  double width = 0;
  for (size_t i = 0; i < k->asked.n; i++)
    width = fmax(width, k->certain[i].upper - k->certain[i].lower);
  return width;
}

void known_set(Known *k, const Probability *found) {
  for (size_t i = 0; i < k->asked.n; i++)
    if (!isnan(found[i].value)) {
      k->certain[i] = (Interval){found[i].value, found[i].value};
      k->log[i] = found[i].log;
      k->plain[i] = !probability_is_open(found[i]);
    }
}

/* The other answer lists the same atoms in the same order, without those that are plain. */
void known_estimate(Known *k, const lpmln_inference *from) {
  assert(from->marginals || !from->count);
  size_t next = 0;
  for (size_t i = 0; i < k->asked.n; i++) {
    const lpmln_marginal *m = &from->marginals[next];
    k->plain[i] = next == from->count || strcmp(m->atom, k->asked.at[i].text) != 0;
    if (k->plain[i])
      continue;
    if (m->error == 0)
      k->certain[i] = (Interval){m->probability, m->probability}, k->log[i] = m->log_probability;
    k->estimate[i] = (Estimate){m->probability, m->error, m->ess, NAN, m->rhat};
    next++;
  }
  k->samples = from->samples;
  k->sampled_partition = (LogEstimate){from->log_partition, from->log_partition_error};
  k->sampled_evidence = (LogEstimate){from->log_evidence, from->log_evidence_error};
}

/* ---- the answer ------------------------------------------------------------------------ */

static double middle(Interval x) {
  return isfinite(x.lower) && isfinite(x.upper) ? x.lower + (x.upper - x.lower) / 2 : NAN;
}

/* The samples' estimate, moved into what is certain, or the middle: whichever is better known. */
static LogEstimate log_of_both(Interval x, LogEstimate e) {
  double half = (x.upper - x.lower) / 2;
  if (e.error < half) /* and not NAN */
    return (LogEstimate){fmin(fmax(e.value, x.lower), x.upper), e.error};
  return (LogEstimate){middle(x), isfinite(half) ? half : NAN};
}

static lpmln_marginal marginal_of(const Task *task, const Known *k, size_t i) {
  Interval certain = k->certain[i];
  Estimate e = k->estimate[i];
  double half = (certain.upper - certain.lower) / 2;
  bool sampled = e.error < half; /* and not NAN */
  bool exact = half == 0 && !isnan(k->log[i]);
  double p = sampled ? fmin(fmax(e.mean, certain.lower), certain.upper) : middle(certain);
  assert(certain.lower <= certain.upper && p >= 0 && p <= 1);
  return (lpmln_marginal){.atom = arena_text(task->answer, k->asked.at[i].text),
                          .probability = p,
                          .log_probability = exact ? k->log[i] : log(p),
                          .error = sampled ? e.error : half,
                          .ess = sampled ? e.ess : NAN,
                          .rhat = sampled ? e.rhat : NAN,
                          .lower = certain.lower,
                          .upper = certain.upper};
}

/* What seems to be 0 or 1 but for rounding: the solver knows, if it is quick. */
static void settle(const Task *task, Known *k) {
  Lit *literals = memory_zero(task->evidences + 1, sizeof *literals);
  for (size_t i = 0; i < task->evidences; i++)
    literals[i] = task->evidence[i];
  for (size_t i = 0; i < k->asked.n && limits_check(&task->limits) == OK; i++) {
    Interval *x = &k->certain[i];
    bool low = x->upper<1e-12, high = x->lower> 1 - 1e-12, possible = true;
    if (x->lower == x->upper || !(low || high))
      continue;
    literals[task->evidences] = lit_of(k->atoms[i], high);
    if (task_satisfiable(task, literals, task->evidences + 1, &possible) == OK && !possible)
      *x = (Interval){high, high}, k->log[i] = NAN;
  }
  free(literals);
}

/* The evidence may still be impossible, and then there is no answer. */
static Status look_for_model(const Task *task, Known *k) {
  bool consistent = true, agrees = true;
  if (k->possible < 0 && !k->samples &&
      task_satisfiable(task, task->evidence, task->evidences, &agrees) == OK)
    k->possible = agrees;
  if (k->possible != 0)
    return OK;
  if (task_satisfiable(task, NULL, 0, &consistent) == OK && !consistent)
    return task_no_model(task);
  return task_no_evidence(task);
}

static void list_marginals(const Task *task, const Known *k, lpmln_inference *answer) {
  lpmln_marginal *list = arena_zero(task->answer, k->asked.n, sizeof *list);
  for (size_t i = 0; i < k->asked.n; i++) {
    Interval x = k->certain[i];
    bool plain = k->plain[i] || (x.lower == x.upper && (x.lower == 0 || x.lower == 1));
    if (k->always || !plain)
      list[answer->count++] = marginal_of(task, k, i);
  }
  answer->marginals = list;
}

Status known_answer(const Task *task, Known *k, Status status, lpmln_inference *answer) {
  Status none = look_for_model(task, k);
  if (none != OK)
    return none;
  double wanted = task->options->precision, width = known_width(k);
  settle(task, k);
  *answer = (lpmln_inference){.guarantee = LPMLN_CERTAIN, .samples = k->samples};
  answer->about = (lpmln_answer){
      .method = LPMLN_BOUNDS, .exact = width <= SAME, .complete = status != INTERRUPTED};
  LogEstimate partition = log_of_both(k->log_partition, k->sampled_partition);
  LogEstimate evidence = log_of_both(k->log_evidence, k->sampled_evidence);
  answer->log_partition = partition.value, answer->log_partition_error = partition.error;
  answer->log_partition_lower = k->log_partition.lower;
  answer->log_partition_upper = k->log_partition.upper;
  answer->log_evidence = evidence.value, answer->log_evidence_error = evidence.error;
  answer->log_evidence_lower = k->log_evidence.lower;
  answer->log_evidence_upper = k->log_evidence.upper;
  list_marginals(task, k, answer);
  if (status == INTERRUPTED || wanted <= 0 || width <= wanted)
    return status == INTERRUPTED ? INTERRUPTED : OK;
  diagnose_warning(task->said, NOWHERE, "option time_limit with more seconds may do",
                   "an interval is %.3g wide, option precision asks for %.3g", width, wanted);
  return LIMIT;
}
