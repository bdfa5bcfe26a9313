/* ladder.c - see ladder.h. */
#include "sample/ladder.h"

#include "base/memory.h"
#include "base/status.h"
#include "sample/diagnostics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_RUNGS = 256 };
#define HIGHEST 0.125  /* step: what is rare on one rung and not on the next must not go unseen */
#define OVERLAP 0.5    /* share of a rung's samples that are worth something at the next */
#define LEAST_ESS 20.0 /* below, an error is not to be trusted */

typedef struct {
  double height;   /* growing weights are so much of what they are, 0 to 1 */
  double *penalty; /* by chain and sample: what growing weights of height 1 cost the state */
} Rung;

typedef struct {
  const Target *target;
  const double *weights;
  const LadderOptions *options;
  bool *growing; /* by weight */
  double *now;   /* weights of the rung under way; the chains read them */
  size_t n;      /* samples of a rung, of all chains */
  VEC(Rung) rungs;
  Chains chains;
} Ladder;

static Rung *top(const Ladder *l) {
  assert(l->rungs.n);
  return &l->rungs.at[l->rungs.n - 1];
}

/* ---- rungs ------------------------------------------------------------------------------ */

static void record(void *data, size_t chain, size_t sample, const bool *atoms) {
  const Ladder *l = data;
  const Target *t = l->target;
  uint32_t n = t->soft_start[t->analysis.components];
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    if (l->growing[t->soft[i].weight] && target_violated(t, &t->soft[i], atoms))
      sum += l->weights[t->soft[i].weight];
  top(l)->penalty[chain * l->options->samples + sample] = sum;
}

static Status sample_rung(Ladder *l, double height) {
  assert(height >= 0 && height <= 1);
  size_t done, burn_in = l->rungs.n ? l->options->samples / 4 : l->options->burn_in;
  vec_push(&l->rungs, (Rung){height, memory_zero(l->n, sizeof(double))});
  for (size_t i = 0; i < l->target->ground.weights.n; i++)
    l->now[i] = l->growing[i] ? height * l->weights[i] : l->weights[i];
  Status status = chains_run(&l->chains, burn_in, 1, NULL, NULL, &done);
  if (status == OK)
    status = chains_run(&l->chains, l->options->samples, 1, record, l, &done);
  return status;
}

/* (sum of v)^2 / (n sum of v^2) for v = e^(-step penalty): the share of samples that counts. */
static double overlap(const Ladder *l, double step) {
  const double *u = top(l)->penalty;
  double least = INFINITY, sum = 0, squares = 0;
  for (size_t i = 0; i < l->n; i++)
    least = fmin(least, u[i]);
  for (size_t i = 0; i < l->n; i++) {
    double v = exp(-step * (u[i] - least));
    sum += v, squares += v * v;
  }
  return sum * sum / ((double)l->n * squares);
}

/* The next rung: as high as the samples of the last one allow. */
static double next_height(const Ladder *l) {
  enum { HALVINGS = 20 };
  double height = top(l)->height, low = 0, high = fmin(1 - height, HIGHEST);
  if (overlap(l, high) >= OVERLAP)
    return height + high;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = (low + high) / 2;
    if (overlap(l, middle) >= OVERLAP)
      low = middle;
    else
      high = middle;
  }
  return height + high;
}

/* ---- ratios ----------------------------------------------------------------------------- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Means of s(a) below and s(-a) above, a being the ln ratio of a state's weights there, less
** `offset`. */
typedef struct {
  double below, above;
} Meeting;

static Meeting meet(const Ladder *l, const Rung *below, double offset) {
  const Rung *above = below + 1;
  double step = above->height - below->height;
  Meeting m = {0, 0};
  for (size_t i = 0; i < l->n; i++) {
    m.below += sigmoid(-step * below->penalty[i] - offset) / (double)l->n;
    m.above += sigmoid(step * above->penalty[i] + offset) / (double)l->n;
  }
  return m;
}

/* ln of the ratio of the sums of two neighbouring rungs: where both means are the same. */
static double ratio(const Ladder *l, const Rung *below) {
  enum { HALVINGS = 60 };
  double step = below[1].height - below->height, low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < l->n; i++) {
    low = fmin(low, -step * fmax(below->penalty[i], below[1].penalty[i]));
    high = fmax(high, -step * fmin(below->penalty[i], below[1].penalty[i]));
  }
  for (int i = 0; i < HALVINGS && low < high; i++) {
    double middle = low + (high - low) / 2;
    Meeting m = meet(l, below, middle);
    if (m.below > m.above)
      low = middle;
    else
      high = middle;
  }
  return low + (high - low) / 2;
}

/* What each sample of a rung adds to the sum of both ratios that it takes part in. */
static void fill_shares(const Ladder *l, size_t k, const double *ratios, double *shares) {
  const Rung *r = &l->rungs.at[k];
  for (size_t i = 0; i < l->n; i++)
    shares[i] = 0;
  if (k + 1 < l->rungs.n) {
    double step = r[1].height - r->height, mean = meet(l, r, ratios[k]).below;
    for (size_t i = 0; i < l->n; i++)
      shares[i] += sigmoid(-step * r->penalty[i] - ratios[k]) / mean;
  }
  if (k) {
    double step = r->height - r[-1].height, mean = meet(l, r - 1, ratios[k - 1]).above;
    for (size_t i = 0; i < l->n; i++)
      shares[i] -= sigmoid(step * r->penalty[i] + ratios[k - 1]) / mean;
  }
}

/* The sum of all ratios. */
static LogEstimate add_ratios(const Ladder *l) {
  size_t rungs = l->rungs.n;
  assert(rungs >= 2);
  double *ratios = memory_zero(rungs, sizeof *ratios), *shares = memory_zero(l->n, sizeof *shares);
  double variance = 0;
  LogEstimate sum = {0, 0};
  for (size_t k = 0; k + 1 < rungs; k++)
    sum.value += ratios[k] = ratio(l, &l->rungs.at[k]);
  for (size_t k = 0; k < rungs; k++) {
    fill_shares(l, k, ratios, shares);
    Estimate e = estimate_mean(shares, l->options->chains.count, l->options->samples);
    if (isnan(e.ess))
      continue; /* all samples add the same */
    variance += e.error * e.error;
    if (e.ess < LEAST_ESS)
      sum.value = NAN;
  }
  sum.error = isnan(sum.value) ? NAN : sqrt(variance);
  free(ratios);
  free(shares);
  return sum;
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool grows(const Ladder *l) {
  uint32_t n = l->target->soft_start[l->target->analysis.components];
  for (uint32_t i = 0; i < n; i++)
    if (l->growing[l->target->soft[i].weight] && l->weights[l->target->soft[i].weight] != 0)
      return true;
  return false;
}

static Status climb(Ladder *l, LogEstimate *to) {
  *to = (LogEstimate){0, 0};
  if (!grows(l))
    return OK;
  Status status = chains_begin(&l->chains, l->target, l->now, &l->options->chains);
  double height = 0;
  if (status == OK)
    status = sample_rung(l, height);
  while (status == OK && height < 1 && l->rungs.n < MOST_RUNGS)
    status = sample_rung(l, height = next_height(l));
  *to = status == OK && height >= 1 ? add_ratios(l) : (LogEstimate){NAN, NAN};
  chains_free(&l->chains);
  return status;
}

static void add_constants(const Target *t, const double *weights, LogEstimate *to) {
  for (size_t i = 0; i < t->constants.n; i++)
    to->value -= weights[t->constants.at[i]];
}

Status ladder_climb(const Target *t, const double *weights, const LadderOptions *options,
                    LogEstimate *to) {
  assert(options->samples >= 16 && options->chains.count);
  double foot;
  Ladder l = {.target = t, .weights = weights, .options = options, .growing = ladder_growing(t)};
  l.n = options->chains.count * options->samples;
  l.now = memory_zero(t->ground.weights.n, sizeof *l.now);
  *to = (LogEstimate){NAN, NAN};
  Status status = ladder_foot(t, weights, l.growing, options->chains.limits, &foot);
  if (status == OK && !isnan(foot)) {
    status = climb(&l, to);
    to->value += foot;
    add_constants(t, weights, to);
  }
  for (size_t i = 0; i < l.rungs.n; i++)
    free(l.rungs.at[i].penalty);
  vec_free(&l.rungs);
  free(l.now);
  free(l.growing);
  return status;
}
