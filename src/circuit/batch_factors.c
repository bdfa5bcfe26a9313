/* batch_factors.c - the factors of literals from weights and evidence; see batch.h.
**
** Of the two factors of a variable the larger is 1 and the other e^-a, before
** those of an input are divided by their sum.  Weights may differ in all lanes, and
** there may be a variable for every ten nodes, so the exponential is computed for all
** lanes at once; the logarithms of sums are taken together, as one of a product. */
#include "circuit/batch_kernels.h"

#include <assert.h>
#include <string.h>

/* ln 2 in parts: times a whole number below 2^31 the first two are exact. */
#define LN2_HIGH 0x1.62e42p-1
#define LN2_MIDDLE 0x1.fdf47p-22
#define LN2_LOW 0x1.ef35793c7673p-45
#define SHIFTER 0x1p52   /* x + SHIFTER has the whole number x in its last bits */
#define ROUNDER 0x1.8p52 /* x + ROUNDER - ROUNDER is x, rounded */
#define FARTHEST 690     /* e^-a is taken for 0 from here on: far below BATCH_LEAST */

enum { TOGETHER = 512 };

/* From the half of a literal to that of the opposite one. */
enum { OTHER = 2 };

/* e^-a = mantissa * 2^-n for a >= 0, with whole n.  The mantissa is e^r with |r| <
** 0.35, where the series is exact to the last digit. */
BATCH_INLINE void decay(const BatchHalf *a, BatchHalf *mantissa, BatchHalf *n) {
  *n = *a * M_LOG2E + ROUNDER - ROUNDER;
  BatchHalf r = ((*n * LN2_HIGH - *a) + *n * LN2_MIDDLE) + *n * LN2_LOW;
  BatchHalf q = r * r; /* two sums, of even and odd powers, do not wait so long */
  BatchHalf even = q * (1. / 479001600) + 1. / 3628800;
  BatchHalf odd = q * (1. / 6227020800) + 1. / 39916800;
  even = (even * q + 1. / 40320) * q + 1. / 720;
  odd = (odd * q + 1. / 362880) * q + 1. / 5040;
  even = ((even * q + 1. / 24) * q + 1. / 2) * q;
  odd = ((odd * q + 1. / 120) * q + 1. / 6) * q + 1;
  *mantissa = odd * r + even + 1;
}

BATCH_INLINE void choose(const BatchBits *which, const BatchHalf *yes, const BatchHalf *no,
                         BatchHalf *result) {
  *result = (BatchHalf)(((BatchBits)*yes & *which) | ((BatchBits)*no & ~*which));
}

/* Which of the two is larger, that one, and how far they are apart. */
BATCH_INLINE void order(const BatchHalf *log, BatchBits *high, BatchHalf *larger,
                        BatchHalf *apart) {
  BatchHalf smaller;
  *high = log[0] >= log[OTHER];
  choose(high, &log[0], &log[OTHER], larger);
  choose(high, &log[OTHER], &log[0], &smaller);
  *apart = *larger - smaller;
}

/* From the literals to their factors, what was taken away and the sum. */
BATCH_INLINE void set_factor(const BatchHalf *log, bool input, BatchHalf *factor,
                             BatchHalf *log_scale, BatchHalf *sum) {
  BatchBits high;
  BatchHalf apart, mantissa, n, more = {0}, less;
  order(log, &high, log_scale, &apart);
  decay(&apart, &mantissa, &n);
  less = mantissa * (BatchHalf)((BatchBits)(SHIFTER + 1023 - n) << 52);
  less = (BatchHalf)((BatchBits)less & (apart < FARTHEST));
  more += 1;
  *sum = more;
  if (input) {
    *sum += less;
    more /= *sum;
    less *= more;
  }
  choose(&high, &more, &less, &factor[0]);
  choose(&high, &less, &more, &factor[OTHER]);
}

static void set_evidence(const int8_t *evidence, const BatchLanes *log, BatchLanes *factor,
                         BatchLanes *log_scale, BatchLanes *sum) {
  for (unsigned lane = 0; lane < BATCH_TILE; lane++) {
    assert(evidence[lane] >= -1 && evidence[lane] <= 1);
    if (evidence[lane] < 0)
      continue;
    factor[0][lane] = evidence[lane];
    factor[1][lane] = 1 - evidence[lane];
    (*log_scale)[lane] = log[!evidence[lane]][lane];
    (*sum)[lane] = 1;
  }
}

/* In some lane: -1, for unknown, has all bits set. */
BATCH_INLINE bool is_known(const int8_t *evidence) {
  uint64_t all;
  static_assert(sizeof all == BATCH_TILE, "evidence of a variable is one word");
  memcpy(&all, evidence, sizeof all);
  return all != UINT64_MAX;
}

BATCH_CLONES static void factors_set(const BatchPlan *plan, BatchWork *w) {
  for (uint32_t v = 0; v < plan->variables; v++) {
    const int8_t *evidence = w->evidence + (size_t)v * BATCH_TILE;
    const BatchLanes *log = &w->log_literal[2 * (size_t)v];
    BatchLanes *factor = &w->value[2 + 2 * (size_t)v];
    assert(batch_counts(plan, v) || !is_known(evidence));
    if (!batch_counts(plan, v))
      continue;
    for (int k = 0; k < 2; k++)
      set_factor((const BatchHalf *)log + k, plan->input[v], (BatchHalf *)factor + k,
                 (BatchHalf *)&w->log_scale[v] + k, (BatchHalf *)&w->sum[v] + k);
    if (is_known(evidence))
      set_evidence(evidence, log, factor, &w->log_scale[v], &w->sum[v]);
  }
}

void batch_factors_set(const BatchPlan *plan, BatchWork *w, const double *weights,
                       const int8_t *evidence) {
  memset(w->log_literal, 0, 2 * (size_t)plan->variables * sizeof *w->log_literal);
  memcpy(w->evidence, evidence, (size_t)plan->variables * BATCH_TILE);
  for (size_t i = 0; i < plan->terms.n; i++) {
    BatchLanes weight;
    memcpy(&weight, weights + (size_t)plan->terms.at[i].weight * BATCH_TILE, sizeof weight);
    for (unsigned lane = 0; lane < BATCH_TILE; lane++)
      assert(isfinite(weight[lane]));
    w->log_literal[plan->terms.at[i].literal] -= weight;
  }
  factors_set(plan, w);
}

static void set_scaled_evidence(const int8_t *evidence, BatchScaled *factor) {
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    if (evidence[lane] >= 0) {
      batch_scaled_set(&factor[evidence[lane] ? 0 : OTHER], lane, true);
      batch_scaled_set(&factor[evidence[lane] ? OTHER : 0], lane, false);
    }
}

/* As set_factor, whose sum is known. */
BATCH_INLINE void set_scaled(const BatchHalf *log, const BatchHalf *sum, BatchScaled *factor) {
  BatchBits high;
  BatchHalf larger, apart, mantissa, n, zero = {0}, more = zero + 1;
  order(log, &high, &larger, &apart);
  decay(&apart, &mantissa, &n);
  n = -n;
  more /= *sum;
  mantissa *= more;
  choose(&high, &more, &mantissa, &factor[0].mantissa);
  choose(&high, &zero, &n, &factor[0].exponent);
  choose(&high, &mantissa, &more, &factor[OTHER].mantissa);
  choose(&high, &n, &zero, &factor[OTHER].exponent);
}

BATCH_CLONES static void factors_scaled(const BatchPlan *plan, const BatchWork *w,
                                        BatchScaled *value) {
  for (uint32_t v = 0; v < plan->variables; v++) {
    BatchScaled *factor = &value[2 * (2 + 2 * (size_t)v)];
    const BatchHalf *log = (const BatchHalf *)&w->log_literal[2 * (size_t)v];
    const BatchHalf *sum = (const BatchHalf *)&w->sum[v];
    if (!plan->mentioned[v])
      continue;
    set_scaled(log, sum, factor);
    set_scaled(log + 1, sum + 1, factor + 1);
    set_scaled_evidence(w->evidence + (size_t)v * BATCH_TILE, factor);
  }
}

void batch_factors_scaled(const BatchPlan *plan, const BatchWork *w, BatchScaled *value) {
  factors_scaled(plan, w, value);
}

/* Large weights of both signs cancel, so what an addition loses is kept (Knuth's
** two-sum). */
static inline void add(BatchLanes *total, BatchLanes *lost, const BatchLanes *x) {
  BatchLanes next = *total + *x, part = next - *total;
  *lost += (*total - (next - part)) + (*x - part);
  *total = next;
}

/* Adds the logarithm of the product, and starts a new one. */
static void add_product(BatchLanes *total, BatchLanes *lost, BatchLanes *product) {
  BatchLanes x;
  for (unsigned lane = 0; lane < BATCH_TILE; lane++)
    x[lane] = log((*product)[lane]);
  add(total, lost, &x);
  *product = (BatchLanes){0} + 1;
}

/* A product of TOGETHER sums, of at most 2 each, does not overflow. */
void batch_factors_scale(const BatchPlan *plan, const BatchWork *w, BatchLanes *log_value) {
  BatchLanes total = *log_value, lost = {0}, product = {0};
  product += 1;
  for (uint32_t v = 0; v < plan->variables; v++) {
    if (v % TOGETHER == TOGETHER - 1)
      add_product(&total, &lost, &product);
    if (!batch_counts(plan, v))
      continue;
    add(&total, &lost, &w->log_scale[v]);
    product *= w->sum[v];
  }
  add_product(&total, &lost, &product);
  *log_value = total + lost;
}
