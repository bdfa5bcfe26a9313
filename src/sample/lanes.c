/* lanes.c - see lanes.h. */
#include "sample/lanes.h"

#include <assert.h>

void lanes_random_make(LanesRandom *random, Random *from) {
  for (int i = 0; i < 4; i++)
    for (int w = 0; w < LANE_WORDS; w++)
      random->state[i].word[w] = random_bits(from);
}

/* Sums of weights in binary, a plane for each digit. */
enum { PLANES = 64 };

static void add_weight(Lanes *planes, uint64_t weight, Lanes where) {
  for (int digit = 0; weight >> digit; digit++) {
    if (!(weight >> digit & 1))
      continue;
    Lanes carry = where;
    for (int k = digit; k < PLANES && lanes_any(&carry); k++) {
      Lanes both = carry;
      lanes_and(&both, &planes[k], false);
      for (int w = 0; w < LANE_WORDS; w++)
        planes[k].word[w] ^= carry.word[w];
      carry = both;
    }
  }
}

/* Where the sum is at least the bound. */
static Lanes reaches(const Lanes *planes, uint64_t bound) {
  Lanes above = lanes_all(false), equal = lanes_all(true);
  for (int k = PLANES; k-- > 0;) {
    bool one = bound >> k & 1;
    Lanes more = equal;
    lanes_and(&more, &planes[k], false);
    if (!one)
      lanes_or(&above, &more);
    lanes_and(&equal, &planes[k], !one);
  }
  lanes_or(&above, &equal);
  return above;
}

static void sum_holds(const Ground *g, const Rule *r, const Lanes *atoms, Lanes *holds) {
  assert(r->weighted);
  Lanes planes[PLANES] = {{{0}}};
  uint64_t bound = r->bound > 0 ? (uint64_t)r->bound : 0;
  const Lit *body = rule_body(g, r);
  for (uint32_t k = 0; k < r->size; k++) {
    uint64_t weight = rule_weights(g, r)[k];
    Lanes where = lanes_all(true);
    lanes_and(&where, &atoms[lit_atom(body[k])], lit_negated(body[k]));
    add_weight(planes, weight < bound ? weight : bound, where);
  }
  *holds = reaches(planes, bound);
}

void lanes_body(const Ground *g, const Rule *r, const Lanes *atoms, Lanes *holds) {
  if (r->weighted) {
    sum_holds(g, r, atoms, holds);
    return;
  }
  const Lit *body = rule_body(g, r);
  *holds = lanes_all(true);
  for (uint32_t k = 0; k < r->size; k++)
    lanes_and(holds, &atoms[lit_atom(body[k])], lit_negated(body[k]));
}

void lanes_violated(const Ground *g, const Rule *r, const Lanes *atoms, Atom but, Lanes *violated) {
  lanes_body(g, r, atoms, violated);
  for (uint32_t h = 0; h < r->heads; h++)
    if (rule_heads(g, r)[h] != but)
      lanes_and(violated, &atoms[rule_heads(g, r)[h]], true);
}

/* From below; without a loop one round is enough. */
uint64_t lanes_stratum(const Ground *g, const Strata *s, const Analysis *an, size_t group,
                       Lanes *atoms) {
  assert(group < s->group_count);
  uint32_t first = s->groups[group], end = s->groups[group + 1];
  bool looping = an->looping[an->scc[rule_heads(g, &g->rules.at[s->rules[first]])[0]]];
  uint64_t work = 0;
  Lanes holds, changed;
  for (uint32_t i = first; i < end; i++)
    atoms[rule_heads(g, &g->rules.at[s->rules[i]])[0]] = lanes_all(false);
  do {
    changed = lanes_all(false);
    for (uint32_t i = first; i < end; i++) {
      const Rule *r = &g->rules.at[s->rules[i]];
      Lanes *head = &atoms[rule_heads(g, r)[0]];
      lanes_body(g, r, atoms, &holds);
      lanes_and(&holds, head, true);
      lanes_or(head, &holds);
      lanes_or(&changed, &holds);
      work += 1 + r->size;
    }
  } while (looping && lanes_any(&changed));
  return work;
}
