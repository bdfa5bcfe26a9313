/* batch.c - lanes upwards and downwards, but for the inner loops; see batch.h. */
#include "circuit/batch.h"
#include "circuit/batch_kernels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A difference of masses below this part of the whole is rounding. */
#define NOISE 0x1p-46

typedef int64_t Bits __attribute__((vector_size(8 * BATCH_TILE)));

static size_t literals(const BatchPlan *plan) { return 2 * (size_t)plan->variables; }

/* --- workspace --- */

/* Zeros, from a multiple of a vector's size on. */
static BatchLanes *aligned(size_t n, void **room) {
  *room = memory_zero(n + 1, sizeof(BatchLanes));
  uintptr_t past = (uintptr_t)*room % sizeof(BatchLanes);
  return (BatchLanes *)(void *)((char *)*room + (past ? sizeof(BatchLanes) - past : 0));
}

void batch_work_make(BatchWork *w, const BatchPlan *plan) {
  *w = (BatchWork){0};
  size_t l = literals(plan), v = plan->variables;
  w->value = aligned(2 * (size_t)plan->slots + 2 * l + 2 * v, &w->room);
  w->adjoint = w->value + plan->slots;
  w->log_literal = w->adjoint + plan->slots;
  w->share = w->log_literal + l;
  w->log_scale = w->share + l;
  w->sum = w->log_scale + v;
  w->value[CIRCUIT_TRUE] += 1;
  w->evidence = memory_zero(v, BATCH_TILE);
}

void batch_work_free(BatchWork *w) {
  free(w->room);
  free(w->evidence);
  free(w->scaled_room);
  *w = (BatchWork){0};
}

/* --- upwards --- */

/* Two for each slot. */
static BatchScaled *scaled_values(const BatchWork *w) { return (BatchScaled *)w->scaled; }

static BatchScaled *scaled_adjoints(const BatchPlan *plan, const BatchWork *w) {
  return scaled_values(w) + 2 * (size_t)plan->slots;
}

/* All slots zero, as numbers of their kind. */
static void make_scaled(const BatchPlan *plan, BatchWork *w) {
  w->scaled = aligned(4 * (size_t)plan->slots, &w->scaled_room);
  BatchScaled *at = scaled_values(w);
  for (size_t i = 0; i < 2 * (size_t)plan->slots; i++)
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      batch_scaled_set(&at[2 * i], lane, i == CIRCUIT_TRUE);
}

static void redo_up(const BatchPlan *plan, BatchWork *w) {
  if (!w->scaled)
    make_scaled(plan, w);
  batch_factors_scaled(plan, w, scaled_values(w));
  batch_scaled_up(plan->steps.at, plan->steps.n, scaled_values(w));
}

static void redo_lanes(const BatchPlan *plan, BatchWork *w, BatchLanes *log_value) {
  redo_up(plan, w);
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    if (w->redo >> lane & 1) {
      double log = batch_scaled_log(&scaled_values(w)[2 * (size_t)plan->root], lane);
      w->impossible |= log == -INFINITY ? 1u << lane : 0;
      (*log_value)[lane] = log;
    }
}

void batch_up(const BatchPlan *plan, BatchWork *w, const double *weights, const int8_t *evidence,
              double *log_value) {
  batch_factors_set(plan, w, weights, evidence);
  batch_lanes_up(plan->steps.at, plan->steps.n, w->value);
  w->redo = w->impossible = 0;
  BatchLanes sum = {0};
  for (unsigned lane = 0; lane < BATCH_TILE; lane++) {
    double root = w->value[plan->root][lane];
    sum[lane] = log(root);
    if (!(root >= BATCH_LEAST && root <= 1 / BATCH_LEAST))
      w->redo |= 1u << lane;
  }
  if (w->redo)
    redo_lanes(plan, w, &sum);
  batch_factors_scale(plan, w, &sum);
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    log_value[lane] = w->impossible >> lane & 1 ? -INFINITY : sum[lane];
  w->ready = true;
}

/* --- downwards --- */

/* The last segment's values are those of the way up. */
static void all_down(const BatchPlan *plan, BatchWork *w) {
  memset(w->adjoint, 0, (2 + literals(plan)) * sizeof *w->adjoint);
  w->adjoint[plan->root] = w->value[CIRCUIT_TRUE];
  for (size_t s = plan->segments.n - 1; s-- > 0;) {
    const BatchStep *steps = plan->steps.at + plan->segments.at[s];
    size_t n = plan->segments.at[s + 1] - plan->segments.at[s];
    if (s + 2 < plan->segments.n)
      batch_lanes_up(steps, n, w->value);
    batch_lanes_down(steps, n, w->value, w->adjoint);
  }
}

static void redo_down(const BatchPlan *plan, BatchWork *w) {
  BatchScaled *value = scaled_values(w), *adjoint = scaled_adjoints(plan, w);
  for (size_t i = 0; i < 2 + literals(plan); i++)
    memcpy(&adjoint[2 * i], &value[2 * (size_t)CIRCUIT_FALSE], 2 * sizeof *adjoint);
  memcpy(&adjoint[2 * (size_t)plan->root], &value[2 * (size_t)CIRCUIT_TRUE], 2 * sizeof *adjoint);
  for (size_t s = plan->segments.n - 1; s-- > 0;) {
    const BatchStep *steps = plan->steps.at + plan->segments.at[s];
    size_t n = plan->segments.at[s + 1] - plan->segments.at[s];
    if (s + 2 < plan->segments.n)
      batch_scaled_up(steps, n, value);
    batch_scaled_down(steps, n, value, adjoint);
  }
}

/* Replaces the masses of the lanes that were done again.  The adjoints of literals
** are not needed any more and make room. */
static void redo_masses(const BatchPlan *plan, BatchWork *w, BatchLanes *whole) {
  redo_down(plan, w);
  BatchLanes *again = w->adjoint + 2;
  batch_scaled_shares(scaled_values(w) + 4, scaled_adjoints(plan, w) + 4, literals(plan),
                      &scaled_values(w)[2 * (size_t)plan->root], again);
  Bits chosen = {0};
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    if ((w->redo & ~w->impossible) >> lane & 1)
      chosen[lane] = -1, (*whole)[lane] = 1;
  for (size_t l = 0; l < literals(plan); l++)
    w->share[l] = (BatchLanes)(((Bits)again[l] & chosen) | ((Bits)w->share[l] & ~chosen));
}

/* From the masses of two opposite literals, of `whole`, to their probabilities;
** what is left has the literals' factors, NULL if nothing can be. */
BATCH_INLINE void share_out(BatchHalf *share, const BatchHalf *factor, const BatchHalf *whole) {
  BatchHalf high = share[0], low = share[2];
  if (factor) {
    BatchHalf rest = *whole - high - low;
    rest = (BatchHalf)((BatchBits)rest & (rest > *whole * NOISE));
    high += rest * factor[0];
    low += rest * factor[2];
  }
  share[0] = high / (high + low);
  share[2] = low / (high + low);
}

BATCH_CLONES static void find_shares(const BatchPlan *plan, BatchWork *w, const BatchLanes *whole) {
  for (uint32_t v = 0; v < plan->variables; v++) {
    BatchHalf *share = (BatchHalf *)&w->share[2 * (size_t)v];
    const BatchHalf *factor = (BatchHalf *)&w->value[2 + 2 * (size_t)v];
    bool skipped = plan->input[v] && !plan->always[v];
    if (!batch_counts(plan, v))
      continue;
    for (int k = 0; k < 2; k++)
      share_out(share + k, skipped ? factor + k : NULL, (const BatchHalf *)whole + k);
  }
}

BATCH_CLONES static void find_masses(const BatchPlan *plan, BatchWork *w) {
  BatchHalf *share = (BatchHalf *)w->share;
  const BatchHalf *adjoint = (BatchHalf *)&w->adjoint[2], *value = (BatchHalf *)&w->value[2];
  for (size_t i = 0; i < 2 * literals(plan); i++)
    share[i] = adjoint[i] * value[i];
}

static void write_held(const BatchPlan *plan, const BatchWork *w, const BatchLanes *spoil,
                       double *held) {
  for (uint32_t v = 0; v < plan->variables; v++) {
    BatchLanes p = *spoil + (batch_counts(plan, v) ? w->share[2 * (size_t)v] : *spoil + NAN);
    memcpy(held + (size_t)v * BATCH_TILE, &p, sizeof p);
  }
}

static void write_expected(const BatchPlan *plan, const BatchWork *w, const BatchLanes *spoil,
                           double *expected) {
  for (size_t k = 0; k < plan->weights.n; k++)
    memcpy(expected + k * BATCH_TILE, spoil, sizeof *spoil);
  for (size_t i = 0; i < plan->terms.n; i++) {
    BatchTerm term = plan->terms.at[i];
    double *to = expected + (size_t)term.weight * BATCH_TILE;
    BatchLanes sum;
    if (!batch_counts(plan, term.literal / 2))
      continue;
    memcpy(&sum, to, sizeof sum);
    sum += w->share[term.literal];
    memcpy(to, &sum, sizeof sum);
  }
}

void batch_down(const BatchPlan *plan, BatchWork *w, double *held, double *expected) {
  assert(w->ready);
  w->ready = false;
  all_down(plan, w);
  BatchLanes whole = w->value[plan->root], spoil = {0};
  find_masses(plan, w);
  if (w->redo & ~w->impossible)
    redo_masses(plan, w, &whole);
  find_shares(plan, w, &whole);
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    if (w->impossible >> lane & 1)
      spoil[lane] = NAN;
  if (held)
    write_held(plan, w, &spoil, held);
  if (expected)
    write_expected(plan, w, &spoil, expected);
}
