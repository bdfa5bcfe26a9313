/* tally.c - see tally.h. */
#include "infer/tally.h"

#include "base/memory.h"
#include "base/scaled.h"

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
      t->base = log_minus(t->base, log_of(t->weights[weight]));
      continue;
    }
    t->penalty_bit[t->penalties] = bit;
    t->penalty[t->penalties++] = log_of(t->weights[weight]);
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
  t->sum = memory_zero(layout->bits, sizeof *t->sum);
  t->count = memory_zero(layout->bits, sizeof *t->count);
  prepare_penalties(t, layout);
  prepare_evidence(t, layout);
}

Log tally_log_weight(const Tally *t, const uint8_t *model) {
  Log log_weight = t->base;
  for (size_t i = 0; i < t->penalties; i++)
    if (layout_bit(model, t->penalty_bit[i]))
      log_weight = log_minus(log_weight, t->penalty[i]);
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

/* Sums stay below 2^FAR times a number of models, so that they have room for any number. */
enum { FAR = 100 };

/* mantissa * 2^above, exactly. */
static long double placed(double mantissa, int64_t above) {
  assert(above <= FAR);
  if (above < -1000)
    return ldexpl(mantissa, (int)above);
  return above > 0 ? mantissa / scaled_power_down(above) : mantissa * scaled_power_down(-above);
}

static void add(TallySum *s, Scaled x) {
  int64_t above = x.exponent - s->exponent;
  if (s->digits == 0 || above > FAR) { /* what is there becomes the smaller part */
    s->digits = s->digits == 0 || above > 16000 ? 0 : ldexpl(s->digits, -(int)above);
    s->exponent = x.exponent, above = 0;
  }
  if (above >= -16000)
    s->digits += placed(x.mantissa, above);
}

void tally_add(Tally *t, const Layout *layout, const uint8_t *model) {
  assert(t->ready);
  Scaled weight = scaled_exp(tally_log_weight(t, model));
  t->models++;
  add(&t->all, weight);
  if (!tally_agrees(t, model))
    return;
  t->agreeing++;
  add(&t->with, weight);
  for (uint32_t byte = 0; byte < layout->bytes; byte++)
    for (unsigned rest = model[byte]; rest; rest &= rest - 1) {
      uint32_t b = 8 * byte + (uint32_t)__builtin_ctz(rest);
      if (b >= layout->bits) /* no worker in its right mind sets it */
        break;
      add(&t->sum[b], weight);
      t->count[b]++;
    }
}

static Scaled scaled_of(const TallySum *s) {
  int exponent;
  Scaled x = {(double)frexpl(s->digits, &exponent), s->exponent};
  x.exponent += exponent;
  x.mantissa = scaled_normalise(x.mantissa, &x.exponent);
  return x;
}

Log tally_log(const TallySum *s) {
  assert(s->digits > 0);
  return scaled_log(scaled_of(s));
}

Probability tally_probability(const Tally *t, uint32_t bit) {
  assert(t->agreeing && t->count[bit] <= t->agreeing);
  if (t->count[bit] == 0 || t->count[bit] == t->agreeing)
    return probability_known(t->count[bit] > 0);
  Scaled share = scaled_over(scaled_of(&t->sum[bit]), scaled_of(&t->with));
  return probability_open(log_double(scaled_log(share)));
}
