/* enumerate.c - answers by enumerating all stable models.
**
** Sums are kept per atom, models are not, except for those that may still be
** among the most probable ones: when twice as many as wanted are there, or a
** better model makes ties obsolete, they are thinned. */
#include "base/arena.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "infer/engine.h"
#include "infer/tally.h"
#include "infer/task.h"
#include "lpmln/lpmln.h"
#include "sample/encode.h"
#include "sample/solve.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *decimal(const Task *task, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return arena_text(task->answer, text);
}

static WorkerOutcome enumerate(const Task *task, const Lit *required, size_t count,
                               const Limits *limits, Layout *layout, ModelsCallback callback,
                               void *data) {
  assert(task->worker && (required || !count));
  task_stage(task, LPMLN_ENUMERATING);
  Question q = {.ground = task->ground,
                .analysis = task->analysis,
                .required = required,
                .required_count = count,
                .hard_violated = task->hard_bound};
  return solve(&q, task->worker, limits, layout, callback, data);
}

static Status ask(const Task *task, const Lit *required, size_t count, Layout *layout,
                  ModelsCallback callback, void *data) {
  WorkerOutcome outcome = enumerate(task, required, count, &task->limits, layout, callback, data);
  return ground_outcome(task->said, outcome, task->worker, "enumerating stable models");
}

/* ---- probabilities -------------------------------------------------------------- */

typedef struct {
  const Task *task;
  Tally tally;
  uint64_t most; /* models; 0: any number */
} Sums;

static bool add_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Sums *s = data;
  tally_start(&s->tally, layout);
  for (size_t i = 0; i < count; i++)
    tally_add(&s->tally, layout, models + i * layout->bytes);
  atomic_store(&s->task->progress->models, s->tally.models);
  return !s->most || s->tally.models <= s->most;
}

static void fill_marginals(const Task *task, const Layout *layout, const Tally *tally,
                           lpmln_inference *answer) {
  AskedList asked = {0};
  bool always;
  answer_asked(task->program, task->ground, &asked, &always);
  lpmln_marginal *list = arena_zero(task->answer, asked.n, sizeof *list);
  for (size_t i = 0; i < asked.n; i++) {
    Atom atom = asked.at[i].atom;
    uint32_t bit = layout->of_atom[atom];
    bool certain = task->ground->atoms.at[atom].truth == ATOM_CERTAIN;
    Probability p = bit != NONE ? tally_probability(tally, bit) : probability_known(certain);
    if (!always && !probability_is_open(p))
      continue;
    lpmln_marginal *to = &list[answer->count++];
    *to = answer_marginal(task, asked.at[i].text, p);
    if (!answer->about.complete)
      to->lower = 0, to->upper = 1;
  }
  answer->marginals = list;
  vec_free(&asked);
}

/* From the sums of all models seen. */
static Status answer_sums(const Task *task, const Layout *layout, const Tally *tally, Status status,
                          lpmln_inference *answer) {
  if (!tally->agreeing)
    return status != OK ? status : tally->models ? task_no_evidence(task) : task_no_model(task);
  answer->about = (lpmln_answer){.method = LPMLN_ENUMERATE,
                                 .exact = status == OK,
                                 .complete = status == OK,
                                 .models_seen = decimal(task, tally->models)};
  Log all = tally_log(&tally->all);
  answer->log_partition = log_double(all);
  if (tally->agreeing < tally->models)
    answer->log_evidence = log_apart(tally_log(&tally->with), all);
  fill_marginals(task, layout, tally, answer);
  return status;
}

Status enumerate_infer(const Task *task, lpmln_inference *answer) {
  Layout layout = {0};
  Sums sums = {.task = task, .tally = {.ground = task->ground, .weights = task->weights}};
  sums.tally.evidence = task->evidence, sums.tally.evidence_count = task->evidences;
  Status status = ask(task, NULL, 0, &layout, add_models, &sums);
  status = answer_sums(task, &layout, &sums.tally, status, answer);
  tally_free(&sums.tally);
  layout_free(&layout);
  return status;
}

Status enumerate_infer_few(const Task *task, uint64_t most, double seconds,
                           lpmln_inference *answer) {
  Layout layout = {0};
  Sums sums = {
      .task = task, .tally = {.ground = task->ground, .weights = task->weights}, .most = most};
  Limits limits = task->limits;
  if (limits.deadline == 0 || clock_now() + seconds < limits.deadline)
    limits.deadline = clock_now() + seconds;
  sums.tally.evidence = task->evidence, sums.tally.evidence_count = task->evidences;
  WorkerOutcome outcome = enumerate(task, NULL, 0, &limits, &layout, add_models, &sums);
  Status status =
      outcome == WORKER_TIME || sums.tally.models > most
          ? LIMIT
          : ground_outcome(task->said, outcome, task->worker, "enumerating stable models");
  if (status == OK)
    status = answer_sums(task, &layout, &sums.tally, status, answer);
  tally_free(&sums.tally);
  layout_free(&layout);
  return status;
}

/* ---- models --------------------------------------------------------------------- */

typedef struct {
  Log log_weight;
  uint8_t *bits; /* owned */
  uint32_t bytes;
} Kept;

typedef struct {
  const Task *task;
  Tally tally;
  Wanted wanted;
  Log best;
  VEC(Kept) kept;
} Store;

static int compare_kept(const void *a, const void *b) {
  const Kept *x = a, *y = b;
  double apart = log_apart(x->log_weight, y->log_weight);
  if (apart != 0)
    return apart > 0 ? -1 : 1;
  return x->bytes ? memcmp(x->bits, y->bits, x->bytes) : 0;
}

static void thin(Store *s) {
  size_t n = s->kept.n;
  if (n)
    qsort(s->kept.at, n, sizeof *s->kept.at, compare_kept);
  while (n && ((s->wanted.most && n > s->wanted.most) ||
               (s->wanted.ties && log_apart(s->best, s->kept.at[n - 1].log_weight) > TIE)))
    free(s->kept.at[--n].bits);
  s->kept.n = n;
}

static void keep(Store *s, const Layout *layout, const uint8_t *model) {
  assert(s->tally.ready);
  Log log_weight = tally_log_weight(&s->tally, model);
  double better = s->kept.n ? log_apart(log_weight, s->best) : INFINITY;
  if (s->wanted.ties && better < -TIE)
    return;
  s->best = better > 0 ? log_weight : s->best;
  if (s->wanted.ties && better > TIE)
    thin(s);
  uint8_t *bits = memory_resize(NULL, layout->bytes + 1, 1);
  memcpy(bits, model, layout->bytes);
  vec_push(&s->kept, (Kept){log_weight, bits, layout->bytes});
  if (s->wanted.most && s->kept.n >= 2 * s->wanted.most + 64)
    thin(s);
}

static bool keep_models(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  Store *s = data;
  tally_start(&s->tally, layout);
  for (size_t i = 0; i < count; i++) {
    tally_add(&s->tally, layout, models + i * layout->bytes);
    keep(s, layout, models + i * layout->bytes);
  }
  atomic_store(&s->task->progress->models, s->tally.models);
  return true;
}

static void fill_models(const Task *task, const Layout *layout, const Store *s, bool complete,
                        lpmln_models *answer) {
  assert(!s->wanted.most || s->kept.n <= s->wanted.most);
  lpmln_stable_model *models = arena_zero(task->answer, s->kept.n, sizeof *models);
  bool *atoms = answer_atoms(task->ground);
  Log all = tally_log(&s->tally.all);
  for (size_t i = 0; i < s->kept.n; i++) {
    const Kept *kept = &s->kept.at[i];
    for (Atom a = 0; a < task->ground->atoms.n; a++)
      if (layout->of_atom[a] != NONE)
        atoms[a] = layout_bit(kept->bits, layout->of_atom[a]);
    models[i] = answer_model(task, atoms, kept->log_weight, log_apart(kept->log_weight, all));
  }
  free(atoms);
  answer_order(models, s->kept.n);
  answer->about = (lpmln_answer){.method = LPMLN_ENUMERATE,
                                 .exact = complete,
                                 .complete = complete,
                                 .models_seen = decimal(task, s->tally.models)};
  answer->total = answer->about.models_seen;
  answer->count = s->kept.n;
  answer->models = models;
  answer->log_weight_upper = complete && answer->count ? models[0].log_weight : INFINITY;
}

Status enumerate_models(const Task *task, Wanted wanted, lpmln_models *answer) {
  Layout layout = {0};
  Store store = {
      .task = task, .tally = {.ground = task->ground, .weights = task->weights}, .wanted = wanted};
  Status status = ask(task, task->evidence, task->evidences, &layout, keep_models, &store);
  if (store.tally.models) {
    thin(&store);
    fill_models(task, &layout, &store, status == OK, answer);
  } else if (status == OK) {
    bool consistent;
    status = task_satisfiable(task, NULL, 0, &consistent);
    if (status == OK)
      status = consistent ? task_no_evidence(task) : task_no_model(task);
  }
  for (size_t i = 0; i < store.kept.n; i++)
    free(store.kept.at[i].bits);
  vec_free(&store.kept);
  tally_free(&store.tally);
  layout_free(&layout);
  return status;
}
