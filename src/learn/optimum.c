/* optimum.c - the search for the most likely weights: by formula or by an optimiser from
** one start or several, then the examination of what was found. */
#include "learn/learning.h"

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/source.h"
#include "circuit/circuit.h"
#include "learn/examine.h"
#include "learn/factors.h"
#include "learn/mixture.h"
#include "learn/objective.h"
#include "learn/optimise.h"
#include "learn/parts.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIAGNOSED = 500, AUTO_RESTARTS = 5, AUTO_NODES = 20000 };

/* ---- objectives -------------------------------------------------------------------- */

double learning_mix(const Learning *l, const double *counts, Mixture *both) {
  double sum = 0;
  for (size_t i = 0; i < observations_count(l->task->observed); i++) {
    assert(!(counts[i] < 0) && (counts[i] == 0 || l->possible[i]));
    if (counts[i] > 0)
      factors_mix(&l->factors, i, &l->program, counts[i], both);
    sum += counts[i];
  }
  mixture_add(both, &l->program, -sum);
  return sum;
}

/* Parameters of one name's beginning follow each other: those of other statements come before
** or after. */
Prior learning_prior(const Learning *l) {
  const lpmln_learning_options *s = l->options;
  Prior to = {s->prior,          s->prior_mean,   s->prior_deviation,
              s->prior_strength, l->parameters.n, l->parameters.n};
  size_t length = s->prior_only ? strlen(s->prior_only) : 0;
  for (uint32_t i = l->parameters.n; i-- > 0;)
    if (!length || !strncmp(l->parameters.name[i], s->prior_only, length)) {
      to.end = to.end == l->parameters.n && to.first == l->parameters.n ? i + 1 : to.end;
      to.first = i;
    }
  return to;
}

void learning_observed(Learning *l, const double *weights, const double *direction, double *sum) {
  const Circuit *c = &l->compiled.circuit;
  const PortionQuestion q = {weights, direction, true, l->task->options->threads, &l->task->limits};
  double ignored = 0;
  CircuitValues values;
  circuit_values_make(c, &values);
  circuit_evaluate(c, weights, &values);
  if (direction)
    mixture_product(&l->halves[0], c, &values, direction, sum);
  else
    mixture_gradient(&l->halves[0], c, &values, sum);
  (void)portions_sum(&l->portions, &q, &ignored, sum); /* trouble shows in the next evaluation */
  circuit_values_free(&values);
}

Objective learning_objective(Learning *l, const Mixture *mixture, double count) {
  const lpmln_learning_options *s = l->options;
  assert(!(count <= 0));
  Objective o = {.mixture = mixture,
                 .portions = &l->portions,
                 .n = l->parameters.n,
                 .place = l->parameters.place,
                 .count = count,
                 .bounded = s->bounded,
                 .lower = s->lower,
                 .upper = s->upper,
                 .limits = &l->task->limits,
                 .threads = l->task->options->threads,
                 .journal = l->journal.path ? &l->journal : NULL,
                 .progress = s->progress,
                 .progress_data = s->progress_data,
                 .names = l->parameters.name};
  o.prior = learning_prior(l);
  objective_begin(&o, &l->thin, l->task->weights);
  return o;
}

/* What is in portions is in no mixture but the program's own. */
static void begin_mixtures(Learning *l) {
  lpmln_learning *answer = l->answer;
  bool portions = l->portions.list.n > 0;
  if (!portions)
    answer->observations = learning_mix(l, l->train, &l->both);
  for (size_t i = 0; i < observations_count(l->task->observed); i++)
    if (l->train[i] > 0 && portions) {
      answer->observations += l->train[i];
      answer->different++;
    } else if (l->train[i] > 0) {
      factors_mix(&l->factors, i, &l->program, l->train[i], &l->halves[0]);
      answer->different++;
    }
  mixture_add(&l->halves[1], &l->program, -answer->observations);
  mixture_seal(&l->both);
  mixture_seal(&l->halves[0]);
  mixture_seal(&l->halves[1]);
}

static lpmln_optimizer chosen(const Learning *l) {
  if (l->options->optimizer != LPMLN_BEST)
    return l->options->optimizer;
  return l->options->bounded ? LPMLN_NEWTON : LPMLN_LBFGS;
}

/* EM needs the halves one by one. */
static Status begin_parts(Learning *l) {
  l->parts.most = l->task->options->memory_limit << 18;
  if (l->portions.list.n || chosen(l) == LPMLN_EM || !l->parameters.n)
    return OK;
  return parts_make(&l->thin, &l->both, l->task->share, &l->task->limits, &l->parts);
}

void optimum_begin(Learning *l) {
  begin_mixtures(l);
  closed_examine(l);
  circuit_thin(&l->compiled.circuit, &l->thin);
  Status status = begin_parts(l);
  l->objective = learning_objective(l, &l->both, l->answer->observations);
  l->objective.halves = l->halves;
  l->objective.status = status;
  if (l->parts.list.n)
    l->objective.portions = &l->parts, l->objective.parted = true;
  if (l->options->counts && l->options->progress)
    l->objective.balances = memory_zero(l->parameters.n, sizeof *l->objective.balances);
  l->answer->circuit_nodes = l->compiled.circuit.nodes.n + l->portions.nodes;
  l->answer->optimizer = chosen(l);
}

/* ---- starts ------------------------------------------------------------------------ */

static size_t most_iterations(const lpmln_learning_options *o, lpmln_optimizer optimizer) {
  static const size_t defaults[] = {10000, 10000, 1000, 100000, 1000000, 1000};
  return o->iterations ? o->iterations : defaults[optimizer];
}

/* From the start in point->w by the optimiser that was chosen. */
static void maximise(Learning *l, Objective *o, Point *point) {
  lpmln_optimizer optimizer = chosen(l);
  size_t most = most_iterations(l->options, optimizer);
  Expectation e = {&l->halves[0], &l->halves[1], l->coherent};
  switch (optimizer) {
  case LPMLN_NEWTON: newton_maximise(o, point, most); break;
  case LPMLN_EM: em_maximise(o, &e, point, most); break;
  case LPMLN_ASCENT:
    ascent_maximise(o, point, (Ascent){l->options->rate, l->options->delta}, most);
    break;
  case LPMLN_ADAM:
    adam_maximise(o, point, (Adam){l->options->rate, l->task->options->seed}, most);
    break;
  default: lbfgs_maximise(o, point, most);
  }
}

static double normal(Random *random) {
  double radius = sqrt(-2 * log(1 - random_unit(random)));
  return radius * cos(2 * M_PI * random_unit(random));
}

/* Initial values, or random ones around them. */
void learning_start(const Learning *l, size_t run, double *w) {
  Random random = random_make(l->task->options->seed, 2 + run);
  for (uint32_t i = 0; i < l->parameters.n; i++) {
    w[i] = l->parameters.start[i] + (run ? 2 * normal(&random) : 0);
    if (l->options->bounded)
      w[i] = fmin(fmax(w[i], l->options->lower), l->options->upper);
  }
}

static size_t restarts_of(const Learning *l) {
  if (l->options->restarts != SIZE_MAX)
    return l->options->restarts;
  bool cheap = l->compiled.circuit.nodes.n + l->portions.nodes <= AUTO_NODES;
  return l->incomplete && cheap && chosen(l) == LPMLN_LBFGS ? AUTO_RESTARTS : 0;
}

/* All starts; the first is kept unless another is clearly better.  `start`: of the one
** that is kept. */
static void run_all(Learning *l, Point *best, double *start) {
  Objective *o = &l->objective;
  size_t runs = 1 + restarts_of(l);
  double *values = arena_zero(l->task->answer, runs, sizeof *values), best_total = -INFINITY;
  double *from = memory_zero(o->n, sizeof *from);
  Point point = point_make(o->n);
  for (o->run = 0; o->run < runs && !objective_ended(o); o->run++) {
    learning_start(l, o->run, point.w);
    memcpy(from, point.w, o->n * sizeof *from);
    maximise(l, o, &point);
    double total = point.value - objective_penalty(o, point.w);
    values[l->answer->run_count++] = total;
    if (!o->run || total > best_total + 1e-9 * (1 + fabs(total))) {
      point_copy(best, &point, o->n);
      memcpy(start, from, o->n * sizeof *start);
      best_total = total;
    }
  }
  assert(l->answer->run_count <= runs);
  l->answer->runs = values;
  free(from);
  point_free(&point);
}

/* ---- the optimum ------------------------------------------------------------------- */

/* Examination wants the optimum itself; another optimiser than the Newton-like ones
** keeps the point that it found. */
static void polish(Learning *l, Point *best, Point *optimum) {
  Objective *o = &l->objective;
  lpmln_optimizer optimizer = chosen(l);
  bool own = optimizer == LPMLN_EM || optimizer == LPMLN_ASCENT;
  point_copy(optimum, best, o->n);
  if (own && o->bounded)
    newton_maximise(o, optimum, 1000);
  else if (own)
    lbfgs_maximise(o, optimum, 10000);
  examine_polish(o, optimum);
  if (!own && !objective_ended(o))
    point_copy(best, optimum, o->n);
}

/* False: the examination is not there, or a limit cut it short. */
static bool look_closer(Learning *l, Point *best, const double *start, bool closed,
                        Examination *d) {
  Objective *o = &l->objective;
  if (o->n > MOST_DIAGNOSED)
    diagnose_note(l->task->said, NOWHERE, NULL,
                  "more than %d parameters: which of them diverge or "
                  "are not determined separately is not examined",
                  MOST_DIAGNOSED);
  if (!o->n || o->n > MOST_DIAGNOSED || !best->converged || objective_ended(o))
    return false;
  Point optimum = point_make(o->n);
  if (closed)
    point_copy(&optimum, best, o->n);
  else
    polish(l, best, &optimum);
  examine(o, &optimum, start, d);
  if (!objective_ended(o))
    facts_combine(l, &optimum, d);
  point_free(&optimum);
  return !objective_ended(o);
}

/* What the paper's gradient is made of, where the search began and where it ended. */
static void fill_balances(const Learning *l, const double *start, const double *end,
                          lpmln_learned *weights) {
  uint32_t n = l->objective.n;
  lpmln_balance *from = memory_zero(n, sizeof *from), *to = memory_zero(n, sizeof *to);
  objective_balance(&l->objective, start, from);
  objective_balance(&l->objective, end, to);
  for (uint32_t i = 0; i < n; i++)
    weights[i].start = from[i], weights[i].end = to[i];
  free(from);
  free(to);
}

void optimum_find(Learning *l) {
  Objective *o = &l->objective;
  Point best = point_make(o->n);
  double *start = memory_zero(o->n, sizeof *start);
  memcpy(start, l->parameters.start, o->n * sizeof *start);
  bool closed = o->n && closed_form(l, &best);
  if (closed)
    l->answer->about.method = LPMLN_CLOSED_FORM;
  else if (o->n)
    run_all(l, &best, start);
  else /* all are fixed */
    point_evaluate(o, &best), best.converged = !objective_ended(o);
  l->answer->iterations = o->iterations;
  o->progress = NULL; /* what follows is no iteration of the search */
  Examination d = {0};
  bool diagnosed = look_closer(l, &best, start, closed, &d);
  l->answer->evaluations = o->evaluations;
  lpmln_learned *weights = learning_answer(l, &best, diagnosed ? &d : NULL, NULL);
  if (!l->portions.list.n || limits_check(o->limits) == OK) /* that is a pass over all of them */
    fill_balances(l, start, best.w, weights);
  examination_free(&d);
  point_free(&best);
  free(start);
}
