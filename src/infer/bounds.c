/* bounds.c - certain intervals for what is asked, and `auto`: the circuit, or else whatever can
** be said in time.
**
** Time is shared out so that every engine has had its turn before it is over: compiling first,
** then a list of all stable models if they are few, then bounds, and samples of what the bounds
** leave open. */
#include "infer/known.h"

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "infer/bounds_shared.h"
#include "infer/engine.h"
#include "infer/exact.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { FEW_MODELS = 100000, FEW_SECONDS = 3 }; /* stable models that are enumerated */
enum { BOUND_SECONDS = 5, SAMPLE_SECONDS = 10 };
enum { TRIAL_SECONDS = 1, COMPILE_SECONDS = 10 }; /* of a precision that was asked for */
#define ENOUGH 0.01                               /* an interval below needs no samples */
#define FINE 1e-6                                 /* and this is as narrow as anyone wants */

/* ---- bounds ------------------------------------------------------------------------------ */

/* The atoms whose probability is not known yet; the caller frees both. */
static Atom *list_open(const Known *k, size_t **which, size_t *n) {
  Atom *atoms = memory_zero(k->asked.n, sizeof *atoms);
  *which = memory_zero(k->asked.n, sizeof **which);
  *n = 0;
  for (size_t i = 0; i < k->asked.n; i++)
    if (k->certain[i].lower < k->certain[i].upper) {
      (*which)[*n] = i;
      atoms[(*n)++] = k->atoms[i];
    }
  return atoms;
}

static void take(const Intervals *iv, Known *k, const size_t *which, size_t n) {
  Interval *found = memory_zero(n, sizeof *found);
  for (size_t i = 0; i < n; i++)
    found[i] = (Interval){0, 1};
  intervals_probabilities(iv, found);
  for (size_t i = 0; i < n; i++) {
    Interval *to = &k->certain[which[i]];
    *to = (Interval){fmax(to->lower, found[i].lower), fmin(to->upper, found[i].upper)};
  }
  Interval partition = intervals_log_partition(iv), evidence = intervals_log_evidence(iv);
  if (k->log_partition.lower < k->log_partition.upper)
    k->log_partition = partition;
  if (k->log_evidence.lower < k->log_evidence.upper)
    k->log_evidence = evidence;
  if (k->possible < 0)
    k->possible = intervals_possible(iv);
  free(found);
}

#define HOPELESS 0.9 /* if nothing is narrower after a part of the time, nothing will be */
#define PART 0.2
#define WIDE 0.1 /* what is wider by then is left to samples, if they are good */

/* Whether time is better spent on something else. */
static bool hopeless(const Intervals *iv) {
  for (size_t i = 0; i < iv->atoms.n; i++)
    if (iv->atoms.at[i].probability.upper - iv->atoms.at[i].probability.lower < HOPELESS)
      return false;
  return iv->atoms.n;
}

/* For people who wait. */
static void tell(const Task *task, double explored, double width) {
  atomic_store(&task->progress->explored, explored);
  atomic_store(&task->progress->width, width);
}

/* A turn, here or on all ranks. */
static Status turn_once(const Task *task, Intervals *iv, ShareSetup *setup, double width, bool all,
                        const BoundLimits *limits) {
  Text trouble = {0};
  if (!setup->share)
    return intervals_turn(iv, width, all, limits);
  Status status = bounds_turn(iv, setup, width, all, limits, &trouble);
  if (trouble.n)
    diagnose_error(task->said, NOWHERE, NULL, "%s", trouble.at);
  status = trouble.n ? INTERNAL : status;
  vec_free(&trouble);
  return status;
}

/* Turns until all is narrow enough: what is asked first, then ln Z. */
static Status turn(const Task *task, const Known *k, Intervals *iv, ShareSetup *setup,
                   double width) {
  double left = task_seconds(task), trial = clock_now() + PART * left;
  BoundLimits limits = {.memory = task->options->memory_limit << 18, /* a quarter of it */
                        .until = task->limits};
  Status status = OK;
  for (int all = 0; all < 2; all++)
    while (status == OK && !intervals_closed(iv, width, all)) {
      bool tried = task->options->method == LPMLN_AUTO && clock_now() > trial;
      if (tried && (hopeless(iv) || (k->samples_wait && intervals_width(iv) > WIDE)))
        return OK;
      status = turn_once(task, iv, setup, width, all, &limits);
      tell(task, intervals_explored(iv), intervals_width(iv));
    }
  return status == LIMIT ? OK : status;
}

Status known_bound(const Task *task, Known *k, double width) {
  assert(task->hard_bound == NONE);
  Intervals iv;
  size_t n, *which;
  Atom *atoms = list_open(k, &which, &n);
  Compiled *c = task_compiled(task);
  tell(task, 0, 1);
  task_stage(task, LPMLN_BOUNDING);
  intervals_begin(&iv, c, task->evidence, task->evidences, atoms, n, task->weights);
  ShareSetup setup = {0};
  if (task->share)
    bounds_share(&iv, atoms, n, task->share, &setup);
  Status status = turn(task, k, &iv, &setup, width);
  share_end(&setup);
  take(&iv, k, which, n);
  intervals_free(&iv);
  free(atoms);
  free(which);
  return status;
}

Interval bounds_best(const Task *task) {
  assert(task->hard_bound == NONE);
  Intervals iv;
  BoundLimits limits = {.memory = task->options->memory_limit << 18, .until = task->limits};
  Status status = OK;
  tell(task, NAN, NAN);
  task_stage(task, LPMLN_BOUNDING);
  intervals_begin_best(&iv, task_compiled(task), task->evidence, task->evidences, task->weights);
  while (status == OK && !intervals_closed(&iv, 0, true))
    status = intervals_turn(&iv, 0, true, &limits);
  Interval best = intervals_log_best(&iv);
  intervals_free(&iv);
  return best;
}

static void know_sums(const Task *task, const ExactFound *found, Known *k) {
  double log_evidence = task->evidences ? log_apart(found->observed, found->program) : 0;
  double log_partition = log_double(found->program);
  k->log_partition = (Interval){log_partition, log_partition};
  k->log_evidence = (Interval){log_evidence, log_evidence};
  k->possible = 1;
}

/* A precision that a moment of search does not reach: what compiles is certain, too. */
static Status reach(const Task *task, Known *k, double wanted) {
  double left = task_seconds(task);
  Task trial = task_within(task, fmin(TRIAL_SECONDS, 0.2 * left));
  Status status = known_bound(&trial, k, wanted);
  if (status != OK || known_width(k) <= wanted)
    return status;
  ExactFound found;
  Probability *probabilities = memory_zero(k->asked.n, sizeof *probabilities);
  Task compiling = task_within(task, fmin(COMPILE_SECONDS, 0.4 * left));
  status = exact_find(&compiling, k->atoms, k->asked.n, &found, probabilities);
  known_set(k, probabilities);
  if (found.rooted)
    know_sums(task, &found, k);
  exact_found_free(&found);
  free(probabilities);
  if (status == LIMIT && known_width(k) > wanted)
    status = known_bound(task, k, wanted);
  return status;
}

/* Without a time limit a precision that was asked for is reached, whatever it takes. */
Status bounds_infer(const Task *task, lpmln_inference *answer) {
  Known k;
  double wanted = task->options->precision;
  Task now = wanted > 0 ? *task : task_within(task, 2 * BOUND_SECONDS);
  if (task->limits.deadline > 0)
    now = task_within(task, 0.9 * task_seconds(task));
  known_begin(task, &k);
  Status status = wanted > 0 ? reach(&now, &k, wanted) : known_bound(&now, &k, FINE);
  if (status != INTERNAL) /* a rank is in trouble, and that was said */
    status = known_answer(task, &k, status, answer);
  known_free(&k);
  return status;
}

/* ---- auto -------------------------------------------------------------------------------- */

static void say(const Task *task, const char *what) {
  diagnose_note(task->said, NOWHERE, "option method=exact stops here instead",
                "the program is too hard to compile: %s", what);
}

/* Seconds of what is left: a share of it, or the usual ones. */
static double seconds_of(const Task *task, double share, double usual) {
  double left = task_seconds(task);
  return isinf(left) ? usual : fmin(share * left, usual);
}

static Status sample_rest(const Task *task, Known *k, const ExactFound *found,
                          const Probability *probabilities) {
  Task now = task_within(task, seconds_of(task, 0.85, SAMPLE_SECONDS));
  atomic_store(&task->progress->models, 0); /* those of the enumeration are no samples */
  if (found->rooted) {
    k->samples = exact_estimate(&now, found, k->atoms, k->asked.n, probabilities, k->estimate);
    return limits_check(&task->limits);
  }
  lpmln_inference sampled = {0};
  bool parts = task->analysis->kinds > 1; /* one alone has failed to compile already */
  Status status = mcasp_infer(&now, parts, &sampled);
  if (sampled.about.method == LPMLN_MC_ASP)
    known_estimate(k, &sampled);
  return status == LIMIT ? OK : status;
}

/* What is certain, and samples inside it. */
static Status bound_and_sample(const Task *task, Known *k, const ExactFound *found,
                               const Probability *probabilities, lpmln_inference *answer) {
  double wanted = task->options->precision;
  double seconds = wanted > 0 ? 0.6 * task_seconds(task) : seconds_of(task, 0.35, BOUND_SECONDS);
  Task now = task_within(task, seconds);
  known_set(k, probabilities);
  if (found->rooted)
    know_sums(task, found, k);
  k->samples_wait = found->rooted && wanted <= 0;
  Status status = known_bound(&now, k, wanted > 0 ? wanted : FINE);
  if (status == OK && k->possible != 0 && known_width(k) > (wanted > 0 ? wanted : ENOUGH))
    status = sample_rest(task, k, found, probabilities);
  say(task, k->samples ? "lower and upper bounds are certain, estimates between them are of samples"
                       : "lower and upper bounds are certain");
  if (status != OK && status != INTERRUPTED)
    return status;
  return known_answer(task, k, status, answer);
}

/* Interrupted while it was compiled: a moment is enough for something. */
static Status answer_interrupted(const Task *task, Known *k, const Probability *probabilities,
                                 lpmln_inference *answer) {
  Task now = *task;
  now.limits.stop = NULL;
  now = task_within(&now, 0.3);
  known_set(k, probabilities);
  Status status = known_bound(&now, k, FINE);
  return status == OK ? known_answer(&now, k, INTERRUPTED, answer) : status;
}

static Status otherwise(const Task *task, Status why, Known *k, const ExactFound *found,
                        const Probability *probabilities, lpmln_inference *answer) {
  if (why == INTERRUPTED)
    return answer_interrupted(task, k, probabilities, answer);
  Status status = LIMIT;
  if (!found->rooted)
    status = enumerate_infer_few(task, FEW_MODELS, seconds_of(task, 0.15, FEW_SECONDS), answer);
  if (status == OK)
    say(task, "its stable models were enumerated");
  return status == LIMIT ? bound_and_sample(task, k, found, probabilities, answer) : status;
}

Status known_infer(const Task *task, lpmln_inference *answer) {
  Known k;
  ExactFound found;
  known_begin(task, &k);
  Probability *probabilities = memory_zero(k.asked.n, sizeof *probabilities);
  Status status = exact_find(task, k.atoms, k.asked.n, &found, probabilities);
  if (status == OK)
    exact_answer(task, &found, &k.asked, k.always, probabilities, answer);
  else if (task->options->method == LPMLN_AUTO && (status == LIMIT || status == INTERRUPTED))
    status = otherwise(task, status, &k, &found, probabilities, answer);
  exact_found_free(&found);
  free(probabilities);
  known_free(&k);
  return status;
}
