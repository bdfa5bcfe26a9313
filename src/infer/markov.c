/* markov.c - MC-ASP laid open: the transition matrix of a small program beside a run
** (lpmln_check_chain), and the steps of a run (lpmln_draw_trace).
**
** Both are about one chain that makes steps of Algorithm 1 and nothing else. */
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/ground.h"
#include "ground/read.h"
#include "infer/engine.h"
#include "infer/infer.h"
#include "infer/task.h"
#include "infer/transition.h"
#include "lpmln/lpmln.h"
#include "sample/chain.h"
#include "sample/encode.h"
#include "sample/solve.h"
#include "sample/target.h"
#include "solver/client.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 1024, STREAM = 7000 };

/* ---- one chain --------------------------------------------------------------------- */

typedef struct {
  Target target;
  Chain chain;
  ChainStep step;
  bool *dropped;
} Walk;

static Status walk_begin(const Task *t, Walk *w) {
  *w = (Walk){.dropped = memory_zero(t->ground->atoms.n, sizeof *w->dropped)};
  target_make(t->ground, w->dropped, t->evidence, t->evidences, &w->target);
  w->chain = (Chain){.target = &w->target,
                     .weights = t->weights,
                     .limits = &t->limits,
                     .random = random_make(t->options->seed, STREAM),
                     .whole = UINT32_MAX,
                     .part = CHAIN_REGION,
                     .told = &w->step};
  return chain_begin(&w->chain, t->worker->wanted);
}

static void walk_free(Walk *w) {
  chain_free(&w->chain);
  target_free(&w->target);
  vec_free(&w->step.kept);
  free(w->dropped);
}

static Status explain(const Task *t, const Walk *w, Status status) {
  if (status == NO_ANSWER)
    return task_nothing(t);
  if (status == OK || w->chain.uniform.outcome == WORKER_OK)
    return status;
  return ground_outcome(t->said, w->chain.uniform.outcome, &w->chain.uniform.worker, "sampling");
}

static Status refuse(const Task *t) {
  if (t->hard_bound == NONE)
    return task_contradicted(t) ? task_no_evidence(t) : OK;
  diagnose_error(t->said, NOWHERE, NULL,
                 "mc-asp can't sample a program whose hard rules are violated");
  return USAGE;
}

/* ---- the states -------------------------------------------------------------------- */

/* Stable models as the solver sends them. */
typedef struct {
  VEC(uint8_t) models;
  size_t count;
  bool many;
} States;

static bool keep_states(void *data, const Layout *layout, const uint8_t *models, size_t count) {
  States *s = data;
  for (size_t i = 0; i < count && !s->many; i++) {
    for (uint32_t k = 0; k < layout->bytes; k++)
      vec_push(&s->models, models[i * layout->bytes + k]);
    s->many = ++s->count > MOST_STATES;
  }
  return !s->many;
}

static Status find_states(const Task *t, Layout *layout, States *s) {
  Question q = {.ground = t->ground,
                .analysis = t->analysis,
                .required = t->evidence,
                .required_count = t->evidences,
                .hard_violated = NONE};
  task_stage(t, LPMLN_ENUMERATING);
  WorkerOutcome outcome = solve(&q, t->worker, &t->limits, layout, keep_states, s);
  Status status = ground_outcome(t->said, outcome, t->worker, "enumerating stable models");
  if (status == OK && s->many) {
    diagnose_error(t->said, NOWHERE, "option evidence makes them fewer",
                   "there are more than %d stable models: too many for a matrix", MOST_STATES);
    return LIMIT;
  }
  return status == OK && !s->count ? task_nothing(t) : status;
}

/* By instance: the states in its more probable state. */
static void prefer(const Task *t, const Layout *layout, const States *s, Transition *to) {
  const Ground *g = t->ground;
  uint64_t *set = memory_zero(to->words, sizeof *set);
  for (uint32_t i = 0; i < g->instances.n; i++) {
    uint32_t bit = layout->of_instance[i], weight = g->instances.at[i].weight;
    if (weight == NONE || bit == NEVER)
      continue;
    double w = t->weights[weight];
    memset(set, 0, to->words * sizeof *set);
    for (size_t k = 0; k < s->count; k++) {
      bool violated = bit == ALWAYS || layout_bit(s->models.at + k * layout->bytes, bit);
      to->log_weight[k] -= violated ? w : 0;
      set[k / 64] |= (uint64_t)(violated == (w < 0)) << (k % 64);
    }
    if (bit != ALWAYS && w != 0)
      transition_prefer(to, set, fabs(w));
  }
  free(set);
}

static Transition transition_of(const Task *t, const Layout *layout, const States *s) {
  Transition to = {.n = s->count, .words = (s->count + 63) / 64};
  to.log_weight = memory_zero(s->count, sizeof *to.log_weight);
  prefer(t, layout, s, &to);
  return to;
}

static double *probabilities_of(const Task *t, const Transition *from) {
  double *p = arena_zero(t->answer, from->n, sizeof *p), best = -INFINITY, sum = 0;
  for (size_t k = 0; k < from->n; k++)
    best = fmax(best, from->log_weight[k]);
  for (size_t k = 0; k < from->n; k++)
    sum += p[k] = exp(from->log_weight[k] - best);
  for (size_t k = 0; k < from->n; k++)
    p[k] /= sum;
  return p;
}

/* ---- the run ----------------------------------------------------------------------- */

/* Which state the chain is in: models differ in their open atoms. */
static size_t state_at(const Ground *g, const Layout *layout, const States *s, const bool *atoms) {
  for (size_t k = 0; k < s->count; k++) {
    const uint8_t *model = s->models.at + k * layout->bytes;
    bool same = true;
    for (Atom a = 0; same && a < g->atoms.n; a++)
      same = layout->of_atom[a] == NONE || layout_bit(model, layout->of_atom[a]) == atoms[a];
    if (same)
      return k;
  }
  return SIZE_MAX;
}

static Status run(const Task *t, const Layout *layout, const States *s, size_t steps,
                  double *seen) {
  Walk w;
  Status status = explain(t, &w, walk_begin(t, &w));
  task_stage(t, LPMLN_SAMPLING);
  size_t from = status == OK ? state_at(t->ground, layout, s, w.chain.atoms) : 0;
  for (size_t i = 0; status == OK && i < steps; i++) {
    status = explain(t, &w, chain_step(&w.chain, false));
    size_t to = status == OK ? state_at(t->ground, layout, s, w.chain.atoms) : 0;
    if (from == SIZE_MAX || to == SIZE_MAX) {
      diagnose_error(t->said, NOWHERE, NULL, "the chain left the stable models");
      status = INTERNAL;
    }
    if (status == OK)
      seen[from * s->count + to]++;
    from = to;
    status = status == OK ? limits_check(&t->limits) : status;
  }
  walk_free(&w);
  return status;
}

/* ---- the matrix beside the run ------------------------------------------------------- */

static void fill_models(const Task *t, const Layout *layout, const States *s,
                        const Transition *from, lpmln_chain *answer) {
  const double *p = answer->probabilities;
  lpmln_stable_model *models = arena_zero(t->answer, s->count, sizeof *models);
  bool *atoms = answer_atoms(t->ground);
  for (size_t k = 0; k < s->count; k++) {
    for (Atom a = 0; a < t->ground->atoms.n; a++)
      if (layout->of_atom[a] != NONE)
        atoms[a] = layout_bit(s->models.at + k * layout->bytes, layout->of_atom[a]);
    models[k] = answer_model(t, atoms, log_of(from->log_weight[k]), log(p[k]));
  }
  free(atoms);
  answer->models = models;
}

static void fill_shares(size_t n, const double *seen, size_t steps, double *shares) {
  for (size_t x = 0; x < n; x++)
    for (size_t y = 0; y < n; y++)
      shares[y] += seen[x * n + y] / (double)(steps ? steps : 1);
}

static Status compare(const Task *t, const Layout *layout, const States *s, size_t steps,
                      lpmln_chain *answer) {
  size_t n = s->count;
  Transition from = transition_of(t, layout, s);
  double *matrix = arena_zero(t->answer, n * n, sizeof *matrix);
  double *shares = arena_zero(t->answer, n, sizeof *shares);
  double *seen = memory_zero(n * n, sizeof *seen);
  answer->probabilities = probabilities_of(t, &from);
  Status status = transition_fill(&from, &t->limits, matrix);
  if (status == LIMIT && limits_check(&t->limits) == OK)
    diagnose_error(t->said, NOWHERE, NULL,
                   "the soft rules cut the stable models into too many slices for a matrix");
  if (status == OK)
    status = run(t, layout, s, steps, seen);
  if (status == OK) {
    TransitionCheck c = transition_check(matrix, answer->probabilities, n);
    TransitionTest test = transition_test(matrix, seen, n);
    fill_models(t, layout, s, &from, answer);
    fill_shares(n, seen, steps, shares);
    answer->about = (lpmln_answer){.method = LPMLN_ENUMERATE, .exact = true, .complete = true};
    answer->states = n, answer->matrix = matrix, answer->shares = shares;
    answer->least = c.least, answer->balance = fmax(c.balance, c.rows);
    answer->stationary = c.stationary;
    answer->ergodic = c.least > 0;
    answer->balanced = answer->balance < 1e-12;
    answer->steps = steps, answer->degrees = test.degrees;
    answer->chi_square = test.chi_square, answer->p_value = test.p_value;
  }
  transition_free(&from);
  free(seen);
  return status;
}

Status infer_chain(const Task *t, size_t steps, lpmln_chain *answer) {
  Layout layout = {0};
  States s = {0};
  Status status = refuse(t);
  if (status == OK)
    status = find_states(t, &layout, &s);
  if (status == OK)
    status = compare(t, &layout, &s, steps, answer);
  vec_free(&s.models);
  layout_free(&layout);
  return status;
}

/* ---- steps --------------------------------------------------------------------------- */

static lpmln_sample shown(const Task *t, const bool *atoms) {
  lpmln_sample s;
  s.atoms = answer_shown(t, atoms, &s.atom_count);
  return s;
}

static void fill_step(const Task *t, const Walk *w, lpmln_step *to) {
  lpmln_kept *kept = arena_zero(t->answer, w->step.kept.n, sizeof *kept);
  for (size_t i = 0; i < w->step.kept.n; i++) {
    const Assumption *a = &w->step.kept.at[i];
    assert(a->violation);
    kept[i] = (lpmln_kept){answer_violation(t, &t->ground->instances.at[a->id]), a->holds};
  }
  to->kept_count = w->step.kept.n;
  to->kept = kept;
  to->candidates = w->step.candidates;
  to->counted = w->step.counted;
  to->after = shown(t, w->chain.atoms);
}

Status infer_trace(const Task *t, size_t steps, lpmln_trace *answer) {
  Walk w;
  Status status = refuse(t);
  if (status != OK)
    return status;
  task_stage(t, LPMLN_SAMPLING);
  status = explain(t, &w, walk_begin(t, &w));
  lpmln_step *list = arena_zero(t->answer, steps, sizeof *list);
  while (status == OK && answer->count < steps) {
    lpmln_step *now = &list[answer->count];
    now->before = shown(t, w.chain.atoms);
    status = explain(t, &w, chain_step(&w.chain, false));
    if (status == OK)
      fill_step(t, &w, now);
    answer->count += status == OK;
    status = status == OK ? limits_check(&t->limits) : status;
  }
  if (answer->count)
    answer->about = (lpmln_answer){.method = LPMLN_MC_ASP, .complete = status == OK};
  answer->steps = list;
  walk_free(&w);
  return status;
}
