/* transition.c - see transition.h. */
#include "infer/transition.h"

#include "base/chi_square.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 1 << 16, FEWEST = 5 };

void transition_free(Transition *t) {
  free(t->log_weight);
  vec_free(&t->sets);
  vec_free(&t->weights);
}

void transition_prefer(Transition *t, const uint64_t *states, double weight) {
  assert(t->words == (t->n + 63) / 64 && weight >= 0);
  for (size_t i = 0; i < t->weights.n; i++)
    if (!memcmp(t->sets.at + i * t->words, states, t->words * sizeof *states)) {
      t->weights.at[i] += weight;
      return;
    }
  for (size_t k = 0; k < t->words; k++)
    vec_push(&t->sets, states[k]);
  vec_push(&t->weights, weight);
}

/* ---- the matrix ---------------------------------------------------------------------- */

/* Sets of states, each with the probability that a step keeps to it. */
typedef struct {
  size_t words;
  VEC(uint64_t) bits;
  VEC(double) probability;
} Slices;

static void slices_add(Slices *s, const uint64_t *bits, double probability) {
  for (size_t k = 0; k < s->words; k++)
    vec_push(&s->bits, bits[k]);
  vec_push(&s->probability, probability);
}

static void slices_free(Slices *s) {
  vec_free(&s->bits);
  vec_free(&s->probability);
}

typedef struct {
  const uint64_t *bits;
  size_t words;
  double probability;
} Slice;

static int compare_slices(const void *a, const void *b) {
  const Slice *x = a, *y = b;
  return memcmp(x->bits, y->bits, x->words * sizeof *x->bits);
}

/* Equal sets become one. */
static void merge(Slices *s) {
  size_t n = s->probability.n;
  Slice *list = memory_zero(n, sizeof *list);
  Slices to = {.words = s->words};
  for (size_t i = 0; i < n; i++)
    list[i] = (Slice){s->bits.at + i * s->words, s->words, s->probability.at[i]};
  qsort(list, n, sizeof *list, compare_slices);
  for (size_t i = 0; i < n; i++)
    if (i && !compare_slices(&list[i - 1], &list[i]))
      to.probability.at[to.probability.n - 1] += list[i].probability;
    else
      slices_add(&to, list[i].bits, list[i].probability);
  free(list);
  slices_free(s);
  *s = to;
}

/* Each slice as it is, if the preference is not kept, and cut by it, if it is. */
static void cut(Slices *s, const uint64_t *by, double weight) {
  size_t n = s->probability.n;
  uint64_t *both = memory_zero(s->words, sizeof *both);
  for (size_t i = 0; i < n; i++) {
    double all = s->probability.at[i];
    for (size_t k = 0; k < s->words; k++)
      both[k] = s->bits.at[i * s->words + k] & by[k];
    s->probability.at[i] = all * exp(-weight);
    slices_add(s, both, all * -expm1(-weight));
  }
  free(both);
  merge(s);
}

static void spread(const Slices *s, double *row) {
  for (size_t i = 0; i < s->probability.n; i++) {
    const uint64_t *bits = s->bits.at + i * s->words;
    size_t count = 0;
    for (size_t k = 0; k < s->words; k++)
      count += (size_t)__builtin_popcountll(bits[k]);
    assert(count); /* it has the state itself */
    for (size_t k = 0; k < s->words; k++)
      for (uint64_t rest = bits[k]; rest; rest &= rest - 1)
        row[64 * k + (size_t)__builtin_ctzll(rest)] += s->probability.at[i] / (double)count;
  }
}

static Status fill_row(const Transition *t, const Limits *limits, size_t from, double *row) {
  Slices s = {.words = t->words};
  uint64_t *all = memory_zero(t->words, sizeof *all);
  Status status = OK;
  for (size_t i = 0; i < t->n; i++)
    all[i / 64] |= (uint64_t)1 << (i % 64);
  slices_add(&s, all, 1);
  for (size_t i = 0; status == OK && i < t->weights.n; i++) {
    const uint64_t *states = t->sets.at + i * t->words;
    if (!(states[from / 64] >> (from % 64) & 1))
      continue;
    cut(&s, states, t->weights.at[i]);
    status = s.probability.n > MOST_SETS ? LIMIT : limits_check(limits);
  }
  if (status == OK)
    spread(&s, row);
  slices_free(&s);
  free(all);
  return status;
}

Status transition_fill(const Transition *t, const Limits *limits, double *matrix) {
  Status status = OK;
  for (size_t i = 0; status == OK && i < t->n; i++)
    status = fill_row(t, limits, i, matrix + i * t->n);
  return status;
}

/* ---- what is verified ------------------------------------------------------------------ */

TransitionCheck transition_check(const double *matrix, const double *probability, size_t n) {
  TransitionCheck c = {.least = INFINITY};
  double *arrive = memory_zero(n, sizeof *arrive);
  for (size_t x = 0; x < n; x++) {
    double sum = 0;
    for (size_t y = 0; y < n; y++) {
      double there = probability[x] * matrix[x * n + y], back = probability[y] * matrix[y * n + x];
      sum += matrix[x * n + y];
      arrive[y] += there;
      c.least = fmin(c.least, matrix[x * n + y]);
      c.balance = fmax(c.balance, fabs(there - back));
    }
    c.rows = fmax(c.rows, fabs(sum - 1));
  }
  for (size_t y = 0; y < n; y++)
    c.stationary = fmax(c.stationary, fabs(arrive[y] - probability[y]));
  free(arrive);
  return c;
}

/* One row: cells that are large enough, the others together. */
static void test_row(const double *row, const double *seen, size_t n, TransitionTest *to) {
  double all = 0, rest = 0, rest_seen = 0;
  size_t cells = 0;
  for (size_t y = 0; y < n; y++)
    all += seen[y];
  for (size_t y = 0; y < n; y++) {
    double expected = all * row[y], off = seen[y] - expected;
    if (expected < FEWEST) {
      rest += expected, rest_seen += seen[y];
      continue;
    }
    to->chi_square += off * off / expected;
    cells++;
  }
  if (rest >= FEWEST) {
    to->chi_square += (rest_seen - rest) * (rest_seen - rest) / rest;
    cells++;
  }
  to->degrees += cells > 1 ? cells - 1 : 0;
}

TransitionTest transition_test(const double *matrix, const double *seen, size_t n) {
  TransitionTest t = {.p_value = 1};
  for (size_t x = 0; x < n; x++)
    test_row(matrix + x * n, seen + x * n, n, &t);
  if (t.degrees)
    t.p_value = chi_square_tail(t.chi_square, (double)t.degrees);
  return t;
}
