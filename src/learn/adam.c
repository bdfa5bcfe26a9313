/* adam.c - a step for each portion of the observations, epoch after epoch.
**
** Steps are Adam's (Kingma and Ba 2015): along a mean of gradients that forgets, each weight's
** part divided by the root of a mean square, of which the largest so far is taken (Reddi et al.
** 2018).  What other portions said last is kept, and a portion's gradient stands for itself and
** for them (SAGA, Defazio et al. 2014): as the weights come to rest, the noise of going through
** portions one by one goes away, and they rest where F has its maximum.
**
** The schedule: the rate is halved when some epochs in a row have not made the gradient smaller
** than it was before.  The end: what portions said last, added up, was said of weights that moved.
** When it leaves nothing to gain, a pass over all portions at one place decides. */
#include "learn/optimise.h"

#include "base/memory.h"
#include "base/random.h"
#include "learn/objective.h"
#include "learn/portions.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 0.9                          /* of the mean of gradients, and… */
#define SECOND 0.999                       /* …of their squares: what a step keeps */
#define LEAST_RATE 1e-12                   /* it moves no more */
enum { PATIENCE = 10, LEAST_STEPS = 300 }; /* epochs, with so many steps at least */

typedef struct {
  Objective *o;
  size_t portions;
  uint32_t n;
  double rate;
  double *w;
  double *mean, *square, *largest; /* by weight: the largest mean square */
  double *said;                    /* by portion: its value, then its gradient */
  double *sum;                     /* of that, over portions */
  double *gradient, *now;          /* of a step; what a portion says */
  uint32_t *order;                 /* of portions */
  size_t steps, epoch;
  double best; /* slope after an epoch… */
  size_t when; /* …and after which step */
} Run;

static Run run_begin(Objective *o, const double *w, Adam is) {
  size_t n = o->n, portions = o->portions->list.n;
  Run r = {.o = o, .portions = portions, .n = o->n, .rate = is.rate, .best = INFINITY};
  r.w = memory_zero(n, sizeof *r.w);
  r.mean = memory_zero(n, sizeof *r.mean);
  r.square = memory_zero(n, sizeof *r.square);
  r.largest = memory_zero(n, sizeof *r.largest);
  r.said = memory_zero(portions * (n + 1), sizeof *r.said);
  r.sum = memory_zero(n + 1, sizeof *r.sum);
  r.gradient = memory_zero(n, sizeof *r.gradient);
  r.now = memory_zero(n + 1, sizeof *r.now);
  r.order = memory_zero(portions, sizeof *r.order);
  memcpy(r.w, w, n * sizeof *w);
  return r;
}

static void run_free(Run *r) {
  free(r->w);
  free(r->mean);
  free(r->square);
  free(r->largest);
  free(r->said);
  free(r->sum);
  free(r->gradient);
  free(r->now);
  free(r->order);
}

/* Another order for each epoch and start. */
static void shuffle(Run *r, uint64_t seed) {
  Random random = random_make(seed, ((uint64_t)r->o->run + 1) << 40 | r->epoch);
  for (uint32_t i = 0; i < r->portions; i++)
    r->order[i] = i;
  for (size_t i = r->portions; i > 1; i--) {
    size_t k = (size_t)random_below(&random, i);
    uint32_t other = r->order[k];
    r->order[k] = r->order[i - 1], r->order[i - 1] = other;
  }
}

/* In the first epoch nobody else has said anything: the portion stands for all. */
static void listen(Run *r, uint32_t portion) {
  double *said = r->said + portion * ((size_t)r->n + 1), all = (double)r->portions;
  r->now[0] = objective_portion(r->o, portion, r->w, r->now + 1);
  for (uint32_t i = 0; i < r->n; i++) {
    double change = r->now[1 + i] - said[1 + i];
    r->gradient[i] = r->epoch ? all * change + r->sum[1 + i] : all * r->now[1 + i];
  }
  for (uint32_t i = 0; i <= r->n; i++) {
    r->sum[i] += r->now[i] - said[i];
    said[i] = r->now[i];
  }
}

/* Along r->gradient and the prior's. */
static void step(Run *r) {
  const Objective *o = r->o;
  double steps = (double)++r->steps;
  const double whole[] = {1 - pow(FIRST, steps), 1 - pow(SECOND, steps)};
  (void)objective_prior(o, r->w, r->gradient);
  for (uint32_t i = 0; i < r->n; i++) {
    double g = r->gradient[i] / o->count;
    r->mean[i] = FIRST * r->mean[i] + (1 - FIRST) * g;
    r->square[i] = SECOND * r->square[i] + (1 - SECOND) * g * g;
    r->largest[i] = fmax(r->largest[i], r->square[i] / whole[1]);
    if (!(r->largest[i] > 0))
      continue;
    double pace = r->rate / sqrt(r->largest[i]), pull = pace * objective_l1(o, i) / o->count;
    double to = r->w[i] + pace * r->mean[i] / whole[0];
    to = to > pull ? to - pull : to < -pull ? to + pull : 0;
    r->w[i] = o->bounded ? fmin(fmax(to, o->lower), o->upper) : to;
  }
}

/* `said`: value and gradient of F as portions said them last. */
static void run_epoch(Run *r, uint64_t seed, double *said) {
  shuffle(r, seed);
  for (size_t k = 0; k < r->portions; k++) {
    listen(r, r->order[k]);
    if (objective_ended(r->o))
      return;
    step(r);
  }
  r->epoch++;
  memcpy(said, r->sum, ((size_t)r->n + 1) * sizeof *said);
  said[0] += objective_prior(r->o, r->w, said + 1);
}

static void keep_schedule(Run *r, double slope) {
  size_t epochs = PATIENCE * r->portions, patience = epochs > LEAST_STEPS ? epochs : LEAST_STEPS;
  if (slope < r->best) {
    r->best = slope, r->when = r->steps;
  } else if (r->steps - r->when >= patience) {
    r->rate /= 2;
    r->when = r->steps;
  }
}

/* All portions at one place; true: this is the maximum. */
static bool decide(const Run *r, Point *point) {
  Objective *o = r->o;
  memcpy(point->w, r->w, r->n * sizeof *r->w);
  point_evaluate(o, point);
  return !objective_ended(o) && objective_slope(o, r->w, point->gradient) <= GRADIENT * o->count;
}

/* A limit in the midst of an epoch: what F is there nobody knows. */
static void leave(const Run *r, Point *point) {
  memcpy(point->w, r->w, r->n * sizeof *r->w);
  point->value = NAN;
  for (uint32_t i = 0; i < r->n; i++)
    point->gradient[i] = NAN;
}

void adam_maximise(Objective *o, Point *point, Adam is, size_t most_epochs) {
  assert(o->portions->list.n && is.rate > 0);
  Run r = run_begin(o, point->w, is);
  double *said = memory_zero((size_t)r.n + 1, sizeof *said);
  bool decided = false;
  point->converged = false;
  while (!point->converged && r.epoch < most_epochs && r.rate >= LEAST_RATE) {
    run_epoch(&r, is.seed, said);
    if (objective_ended(o) || !objective_iteration(o, r.w, said[0], said + 1))
      break;
    double slope = objective_slope(o, r.w, said + 1);
    keep_schedule(&r, slope);
    decided = slope <= GRADIENT * o->count;
    point->converged = decided && decide(&r, point);
  }
  if (!decided && !objective_ended(o))
    point->converged = decide(&r, point);
  if (objective_ended(o))
    leave(&r, point);
  free(said);
  run_free(&r);
}
