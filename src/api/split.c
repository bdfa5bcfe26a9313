/* split.c - which tied rules should have weights of their own for some of their instances: the
** public question.
**
** For each tied rule and variable, each value gets a weight; then values of neighbouring weights
** are put together, one pair after the other, and the best number of groups is kept.  The score is
** the log-likelihood less what it takes to say the model: ln(M)/2 for each further weight, M being
** the rule's instances in all observations, and v ln(g) for which of g groups each of v values is
** in, if these are fewer than the values; with fewer than five instances for each weight there is
** nothing to say.  With folds it is the held-out log-likelihood instead.
** The best of all is taken, and what is left is tried again. */
#include "api/clusters.h"
#include "api/handle.h"
#include "api/sealed.h"
#include "api/trial.h"
#include "api/valid.h"
#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/status.h"
#include "ground/script.h"
#include "infer/task.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 5 };

typedef struct {
  const lpmln_program *from;
  const lpmln_learning_options *options;
  Task *task;
  char *stem;
  TiedRules tied;
  VEC(Clusters) taken;
  double score, log_likelihood; /* of the program with these */
  VEC(lpmln_split_try) tries;
} Splitting;

/* What a program with clusters gave; owned. */
typedef struct {
  double log_likelihood, held_out, observations;
  double *weight; /* by cluster and group: MOST_VALUES each */
  char *program;
} Learnt;

static void learnt_free(Learnt *l) {
  free(l->weight);
  free(l->program);
}

/* ---- one program ------------------------------------------------------------------------ */

/* NAN: there is no such parameter. */
static double weight_of(const lpmln_learning *a, const char *stem, size_t cluster, size_t group) {
  char end[64];
  size_t length = strlen(stem);
  snprintf(end, sizeof end, "%zu(%zu)", cluster + 1, group + 1);
  for (size_t i = 0; i < a->weight_count; i++)
    if (!strncmp(a->weights[i].parameter, stem, length) &&
        !strcmp(a->weights[i].parameter + length, end))
      return a->weights[i].weight;
  return NAN;
}

static void fill(const Splitting *x, size_t n, const lpmln_learning *a, Learnt *to) {
  to->log_likelihood = fmax(a->log_likelihood, a->supremum);
  to->observations = a->observations;
  for (size_t i = 0; i < a->fold_count; i++)
    to->held_out += a->folds[i];
  to->weight = memory_zero(n * MOST_VALUES, sizeof *to->weight);
  for (size_t k = 0; k < n; k++)
    for (size_t g = 0; g < MOST_VALUES; g++)
      to->weight[k * MOST_VALUES + g] = weight_of(a, x->stem, k, g);
  to->program = memory_copy(a->program, strlen(a->program));
}

static Status learn(const Splitting *x, const Clusters *list, size_t n, Learnt *to) {
  char *text = clusters_write(x->task->program, list, n, x->stem);
  lpmln_program *p = trial_program(x->from, x->task, false);
  lpmln_learning_options options = *x->options;
  options.progress = NULL, options.checkpoint = NULL, options.resume = false;
  *to = (Learnt){0};
  bool good =
      p && lpmln_program_add_text(p, LPMLN_PROGRAM, "split.lpmln", text, strlen(text)) == OK;
  free(text);
  Status status = limits_check(&x->task->limits);
  const lpmln_learning *a = status == OK ? lpmln_learn(good ? p : NULL, &options) : NULL;
  status = a ? a->about.status : status;
  if (a && status == OK)
    fill(x, n, a, to);
  for (size_t i = 0; status != OK && a && i < a->about.diagnostic_count; i++)
    if (a->about.diagnostics[i].severity == LPMLN_ERROR)
      diagnose_error(x->task->said, NOWHERE, a->about.diagnostics[i].hint, "%s",
                     a->about.diagnostics[i].message);
  lpmln_answer_free(a);
  lpmln_program_free(p);
  return status;
}

/* How much better than the program before it. */
static double gain_of(const Splitting *x, const Clusters *c, const Learnt *l) {
  if (l->observations * (double)c->rule->instances < FEWEST * (double)c->groups)
    return -INFINITY;
  if (x->options->folds)
    return l->held_out - x->score;
  double all = fmax(2, l->observations * (double)c->rule->instances);
  double values = (double)c->rule->values.n, groups = (double)c->groups;
  double said = groups < values ? values * log(groups) : 0;
  return l->log_likelihood - x->log_likelihood - log(all) / 2 * (groups - 1) - said;
}

/* ---- one rule --------------------------------------------------------------------------- */

/* Groups in the order of their weights. */
static void sort_groups(Clusters *c, double *weight) {
  size_t rank[MOST_VALUES] = {0};
  double sorted[MOST_VALUES] = {0};
  for (size_t g = 0; g < c->groups; g++) {
    rank[g] = 0;
    for (size_t k = 0; k < c->groups; k++)
      rank[g] += weight[k] < weight[g] || (!(weight[k] > weight[g]) && k < g);
    sorted[rank[g]] = weight[g];
  }
  for (size_t i = 0; i < c->rule->values.n; i++)
    c->group[i] = rank[c->group[i]];
  memcpy(weight, sorted, c->groups * sizeof *weight);
}

/* The two neighbours that are nearest become one. */
static void merge_nearest(Clusters *c, const double *weight) {
  size_t at = 0;
  assert(c->groups > 2);
  for (size_t g = 1; g + 1 < c->groups; g++)
    if (weight[g + 1] - weight[g] < weight[at + 1] - weight[at])
      at = g;
  for (size_t i = 0; i < c->rule->values.n; i++)
    c->group[i] -= c->group[i] > at;
  c->groups--;
}

static Clusters copy_of(const Clusters *c) {
  Clusters to = *c;
  to.group = memory_zero(c->rule->values.n, sizeof *to.group);
  memcpy(to.group, c->group, c->rule->values.n * sizeof *to.group);
  return to;
}

/* The best grouping of a rule's values; its gain. */
static Status group(Splitting *x, const TiedRule *rule, Clusters *best, double *gain,
                    double *log_likelihood) {
  Clusters now = {rule, memory_zero(rule->values.n, sizeof *now.group), rule->values.n};
  Status status = OK;
  *gain = -INFINITY;
  for (size_t i = 0; i < rule->values.n; i++)
    now.group[i] = i;
  while (status == OK) {
    Learnt l;
    vec_push(&x->taken, now);
    status = learn(x, x->taken.at, x->taken.n, &l);
    double *weight = l.weight + (status == OK ? --x->taken.n * MOST_VALUES : 0);
    if (status != OK) {
      x->taken.n--;
      break;
    }
    sort_groups(&now, weight);
    double improves = gain_of(x, &now, &l);
    if (improves > *gain) {
      free(best->group);
      *best = copy_of(&now), *gain = improves, *log_likelihood = l.log_likelihood;
    }
    bool last = now.groups <= 2;
    if (!last)
      merge_nearest(&now, weight);
    learnt_free(&l);
    if (last)
      break;
  }
  free(now.group);
  return status;
}

/* ---- all rules -------------------------------------------------------------------------- */

static bool is_taken(const Splitting *x, const TiedRule *rule) {
  for (size_t i = 0; i < x->taken.n; i++)
    if (x->taken.at[i].rule->statement == rule->statement)
      return true;
  return false;
}

static void note(Splitting *x, const Clusters *c, double log_likelihood, double gain) {
  const Program *p = x->task->program;
  Arena *arena = x->task->answer;
  Text text = {0};
  lpmln_split_try to = {.variable = arena_text(arena, c->rule->variable),
                        .values = c->rule->values.n,
                        .groups = c->groups,
                        .log_likelihood = log_likelihood,
                        .gain = gain};
  program_describe(p, &p->statements.at[c->rule->statement], &to.file, &to.line, &text);
  to.rule = arena_text(arena, text.at);
  to.file = arena_text(arena, to.file);
  vec_free(&text);
  vec_push(&x->tries, to);
}

/* The best rule to split next; `done` if none improves. */
static Status next_split(Splitting *x, bool *done) {
  Clusters best = {0};
  double most = 1e-9, likely = 0;
  size_t which = SIZE_MAX;
  Status status = OK;
  for (size_t i = 0; status == OK && i < x->tied.n; i++) {
    Clusters c = {0};
    double gain = 0, log_likelihood = 0;
    if (is_taken(x, &x->tied.at[i]))
      continue;
    status = group(x, &x->tied.at[i], &c, &gain, &log_likelihood);
    if (status == OK && c.group)
      note(x, &c, log_likelihood, gain);
    bool better = status == OK && gain > most;
    free(better ? best.group : c.group);
    if (better)
      best = c, most = gain, likely = log_likelihood, which = x->tries.n - 1;
  }
  *done = which == SIZE_MAX || status != OK;
  if (*done) {
    free(best.group);
    return status;
  }
  x->tries.at[which].taken = true;
  x->score += x->options->folds ? most : 0, x->log_likelihood = likely;
  vec_push(&x->taken, best);
  return OK;
}

/* ---- the answer --------------------------------------------------------------------------- */

static lpmln_cluster *groups_of(Arena *arena, const Clusters *c, const double *weight) {
  lpmln_cluster *groups = arena_zero(arena, c->groups, sizeof *groups);
  for (size_t g = 0; g < c->groups; g++) {
    const char **values = arena_zero(arena, c->rule->values.n, sizeof *values);
    for (size_t i = 0; i < c->rule->values.n; i++)
      if (c->group[i] == g)
        values[groups[g].count++] = arena_text(arena, c->rule->values.at[i]);
    groups[g].values = values;
    groups[g].weight = weight[g];
  }
  return groups;
}

static Status fill_splits(const Splitting *x, lpmln_splitting *to) {
  Arena *arena = x->task->answer;
  lpmln_split *list = arena_zero(arena, x->taken.n, sizeof *list);
  Learnt l;
  Status status = learn(x, x->taken.at, x->taken.n, &l);
  for (size_t i = 0, k = 0; status == OK && i < x->tries.n; i++) {
    if (!x->tries.at[i].taken)
      continue;
    const Clusters *c = &x->taken.at[k];
    list[k] = (lpmln_split){x->tries.at[i].rule, x->tries.at[i].variable, c->groups,
                            groups_of(arena, c, l.weight + k * MOST_VALUES)};
    k++;
  }
  to->count = x->taken.n, to->splits = list;
  to->log_likelihood = l.log_likelihood;
  to->program = arena_text(arena, l.program);
  learnt_free(&l);
  return status;
}

static Status split(Splitting *x, lpmln_splitting *to) {
  Learnt tied;
  bool done = false;
  task_stage(x->task, LPMLN_LEARNING);
  x->stem = fresh_name(x->task->program, "cluster", true);
  tied_find(x->task->program, x->task->ground, &x->tied);
  Status status = learn(x, NULL, 0, &tied);
  x->log_likelihood = tied.log_likelihood, x->score = tied.held_out;
  to->tied_log_likelihood = tied.log_likelihood, to->observations = tied.observations;
  learnt_free(&tied);
  while (status == OK && !done)
    status = next_split(x, &done);
  if (status == OK)
    status = fill_splits(x, to);
  if (status == OK) {
    to->about = (lpmln_answer){.method = LPMLN_EXACT, .exact = true, .complete = true};
    to->try_count = x->tries.n;
    to->tries = arena_take(x->task->answer, &x->tries);
  }
  for (size_t i = 0; i < x->taken.n; i++)
    free(x->taken.at[i].group);
  vec_free(&x->taken);
  vec_free(&x->tries);
  tied_free(&x->tied);
  free(x->stem);
  return status;
}

typedef struct {
  const lpmln_program *from;
  const lpmln_learning_options *options;
} Asked;

static Status answer_split(Task *t, Sealed *s, void *answer, const void *data) {
  (void)s;
  const Asked *asked = data;
  Splitting x = {.from = asked->from, .options = asked->options, .task = t};
  return split(&x, answer);
}

const lpmln_splitting *lpmln_learn_split(lpmln_program *p, const lpmln_learning_options *options) {
  lpmln_learning_options usual = lpmln_learning_options_default();
  Asked asked = {p, options ? options : &usual};
  return ask(p, &(Request){.size = sizeof(lpmln_splitting),
                           .wrong = valid_learning(asked.options),
                           .reading = {.blocks = true},
                           .run = answer_split,
                           .data = &asked});
}
