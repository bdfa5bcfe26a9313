/* batch_lanes.c - steps with plain numbers; see batch_kernels.h.
**
** Hot.  Steps with the same literal come together; its lanes stay in registers
** meanwhile, upwards its factors and downwards its mass as well.  What goes up or
** down over such a run returns where it ends.  Every slot is a pair of halves. */
#include "circuit/batch_kernels.h"

typedef struct {
  BatchHalf a, b;
} Pair;

BATCH_INLINE const BatchStep *products_up(const BatchStep *s, const BatchStep *end, Pair *value) {
  for (; s < end && !s->literal; s++) {
    const Pair *first = &value[batch_slot(s->first)], *second = &value[batch_slot(s->second)];
    BatchHalf a = first->a * second->a, b = first->b * second->b;
    value[s->to].a = a, value[s->to].b = b;
  }
  return s;
}

BATCH_INLINE const BatchStep *one_ways_up(const BatchStep *s, const BatchStep *end, Pair *value) {
  uint32_t literal = s->literal;
  BatchHalf a = value[literal & ~BATCH_ONE_WAY].a, b = value[literal & ~BATCH_ONE_WAY].b;
  for (; s < end && s->literal == literal; s++) {
    const Pair *first = &value[batch_slot(s->first)];
    BatchHalf to_a = a * first->a, to_b = b * first->b;
    value[s->to].a = to_a, value[s->to].b = to_b;
  }
  return s;
}

BATCH_INLINE const BatchStep *decisions_up(const BatchStep *s, const BatchStep *end, Pair *value) {
  uint32_t literal = s->literal;
  BatchHalf high_a = value[literal].a, low_a = value[literal + 1].a;
  BatchHalf high_b = value[literal].b, low_b = value[literal + 1].b;
  for (; s < end && s->literal == literal; s++) {
    const Pair *first = &value[batch_slot(s->first)], *second = &value[batch_slot(s->second)];
    BatchHalf a = high_a * first->a + low_a * second->a;
    BatchHalf b = high_b * first->b + low_b * second->b;
    value[s->to].a = a, value[s->to].b = b;
  }
  return s;
}

BATCH_CLONES static void lanes_up(const BatchStep *steps, size_t n, Pair *value) {
  for (const BatchStep *s = steps, *end = steps + n; s < end;)
    if (!s->literal)
      s = products_up(s, end, value);
    else if (s->literal & BATCH_ONE_WAY)
      s = one_ways_up(s, end, value);
    else
      s = decisions_up(s, end, value);
}

/* Adds what flows times the factor.  Two operands may be the same slot: one is
** written before the other is read. */
BATCH_INLINE void give(Pair *adjoint, uint32_t operand, const Pair *flow, const Pair *factor) {
  const Pair *before = &adjoint[batch_before(operand)];
  BatchHalf a = before->a + flow->a * factor->a, b = before->b + flow->b * factor->b;
  adjoint[batch_slot(operand)].a = a, adjoint[batch_slot(operand)].b = b;
}

BATCH_INLINE const BatchStep *products_down(const BatchStep *start, const BatchStep *s,
                                            const Pair *value, Pair *adjoint) {
  for (; s > start && !s[-1].literal; s--) {
    Pair flow = adjoint[s[-1].to];
    give(adjoint, s[-1].first, &flow, &value[batch_slot(s[-1].second)]);
    give(adjoint, s[-1].second, &flow, &value[batch_slot(s[-1].first)]);
  }
  return s;
}

/* The literal's mass is added in the end: it may be an operand as well. */
BATCH_INLINE const BatchStep *one_ways_down(const BatchStep *start, const BatchStep *s,
                                            const Pair *value, Pair *adjoint) {
  uint32_t literal = s[-1].literal, slot = literal & ~BATCH_ONE_WAY;
  Pair factor = value[slot], mass = {{0}, {0}};
  for (; s > start && s[-1].literal == literal; s--) {
    const Pair *first = &value[batch_slot(s[-1].first)];
    Pair flow = adjoint[s[-1].to];
    mass.a += flow.a * first->a, mass.b += flow.b * first->b;
    give(adjoint, s[-1].first, &flow, &factor);
  }
  adjoint[slot].a += mass.a, adjoint[slot].b += mass.b;
  return s;
}

BATCH_INLINE const BatchStep *decisions_down(const BatchStep *start, const BatchStep *s,
                                             const Pair *value, Pair *adjoint) {
  uint32_t literal = s[-1].literal;
  Pair high = value[literal], low = value[literal + 1];
  Pair high_mass = {{0}, {0}}, low_mass = {{0}, {0}};
  for (; s > start && s[-1].literal == literal; s--) {
    const Pair *first = &value[batch_slot(s[-1].first)], *second = &value[batch_slot(s[-1].second)];
    Pair flow = adjoint[s[-1].to];
    high_mass.a += flow.a * first->a, high_mass.b += flow.b * first->b;
    low_mass.a += flow.a * second->a, low_mass.b += flow.b * second->b;
    give(adjoint, s[-1].first, &flow, &high);
    give(adjoint, s[-1].second, &flow, &low);
  }
  adjoint[literal].a += high_mass.a, adjoint[literal].b += high_mass.b;
  adjoint[literal + 1].a += low_mass.a, adjoint[literal + 1].b += low_mass.b;
  return s;
}

BATCH_CLONES static void lanes_down(const BatchStep *steps, size_t n, const Pair *value,
                                    Pair *adjoint) {
  for (const BatchStep *s = steps + n; s > steps;)
    if (!s[-1].literal)
      s = products_down(steps, s, value, adjoint);
    else if (s[-1].literal & BATCH_ONE_WAY)
      s = one_ways_down(steps, s, value, adjoint);
    else
      s = decisions_down(steps, s, value, adjoint);
}

void batch_lanes_up(const BatchStep *steps, size_t n, BatchLanes *value) {
  lanes_up(steps, n, (Pair *)value);
}

void batch_lanes_down(const BatchStep *steps, size_t n, const BatchLanes *value,
                      BatchLanes *adjoint) {
  lanes_down(steps, n, (const Pair *)value, (Pair *)adjoint);
}
