/* tally.c - see tally.h. */
#include "infer/tally.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void tally_free(Tally *t) {
  free(t->sum);
  free(t->count);
  free(t->penalty_bit);
  free(t->penalty);
  free(t->evidence_bit);
  free(t->evidence_value);
}

static void prepare_penalties(Tally *t, const Layout *layout) {
  assert(!t->penalties && (t->weights || !t->ground->weights.n));
  const Ground *g = t->ground;
  t->penalty_bit = memory_zero(g->instances.n, sizeof *t->penalty_bit);
  t->penalty = memory_zero(g->instances.n, sizeof *t->penalty);
  for (uint32_t i = 0; i < g->instances.n; i++) {
    uint32_t weight = g->instances.at[i].weight, bit = layout->of_instance[i];
    if (weight == NONE || bit == NEVER)
      continue;
    if (bit == ALWAYS) {
      t->base -= t->weights[weight];
      continue;
    }
    t->penalty_bit[t->penalties] = bit;
    t->penalty[t->penalties++] = t->weights[weight];
  }
}

static void prepare_evidence(Tally *t, const Layout *layout) {
  t->evidence_bit = memory_zero(t->evidence_count, sizeof *t->evidence_bit);
  t->evidence_value = memory_zero(t->evidence_count, sizeof *t->evidence_value);
  for (size_t i = 0; i < t->evidence_count; i++) {
    Lit l = t->evidence[i];
    uint32_t bit = layout->of_atom[lit_atom(l)];
    Truth truth = t->ground->atoms.at[lit_atom(l)].truth;
    if (truth != ATOM_OPEN) {
      t->impossible |= (truth == ATOM_CERTAIN) == lit_negated(l);
      continue;
    }
    t->evidence_bit[t->evidence_bits] = bit;
    t->evidence_value[t->evidence_bits++] = !lit_negated(l);
  }
}

void tally_start(Tally *t, const Layout *layout) {
  if (t->ready)
    return;
  t->ready = true;
  t->reference = -INFINITY;
  t->sum = memory_zero(layout->bits, sizeof *t->sum);
  t->count = memory_zero(layout->bits, sizeof *t->count);
  prepare_penalties(t, layout);
  prepare_evidence(t, layout);
}

double tally_log_weight(const Tally *t, const uint8_t *model) {
  double log_weight = t->base;
  for (size_t i = 0; i < t->penalties; i++)
    if (layout_bit(model, t->penalty_bit[i]))
      log_weight -= t->penalty[i];
  return log_weight;
}

bool tally_agrees(const Tally *t, const uint8_t *model) {
  if (t->impossible)
    return false;
  for (size_t i = 0; i < t->evidence_bits; i++)
    if (layout_bit(model, t->evidence_bit[i]) != t->evidence_value[i])
      return false;
  return true;
}

/* Makes room at the top: the sums are rescaled to the heavier model. */
static void raise_reference(Tally *t, const Layout *layout, double log_weight) {
  assert(log_weight > t->reference);
  long double factor = t->models ? expl((long double)t->reference - log_weight) : 0;
  t->reference = log_weight;
  t->all *= factor;
  t->with *= factor;
  for (uint32_t b = 0; b < layout->bits; b++)
    t->sum[b] *= factor;
}

void tally_add(Tally *t, const Layout *layout, const uint8_t *model) {
  assert(t->ready);
  double log_weight = tally_log_weight(t, model);
  if (log_weight > t->reference + 100)
    raise_reference(t, layout, log_weight);
  long double weight = (long double)exp(log_weight - t->reference);
  t->models++;
  t->all += weight;
  if (!tally_agrees(t, model))
    return;
  t->agreeing++;
  t->with += weight;
  for (uint32_t byte = 0; byte < layout->bytes; byte++)
    for (unsigned rest = model[byte]; rest; rest &= rest - 1) {
      uint32_t b = 8 * byte + (uint32_t)__builtin_ctz(rest);
      if (b >= layout->bits) /* no worker in its right mind sets it */
        break;
      t->sum[b] += weight;
      t->count[b]++;
    }
}

/* Not through ln of the sum, which has no digits left beside large weights. */
double tally_probability(const Tally *t, double log_weight) {
  assert(t->models);
  return (double)(expl((long double)log_weight - t->reference) / t->all);
}

double tally_log_all(const Tally *t) { return (double)(logl(t->all) + t->reference); }
double tally_log_with(const Tally *t) { return (double)(logl(t->with) + t->reference); }
