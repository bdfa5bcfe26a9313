/* choose.c - which input to branch on; see residual.h. */
#include "compile/residual.h"

#include "compile/theory.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t low;   /* lowest rank of any atom */
  uint32_t first; /* input of lowest rank; THEORY_NONE: none yet */
  uint32_t ready; /* the same, in rules with nothing but inputs */
} Choice;

static bool lower(const Theory *t, uint32_t a, uint32_t b) {
  return a != THEORY_NONE && (b == THEORY_NONE || t->rank.at[a] < t->rank.at[b]);
}

static void consider(const Theory *t, const uint32_t *rule, Choice *c) {
  uint32_t least = THEORY_NONE, inputs = 0;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t atom = rule[2 + k] >> 1;
    if (t->rank.at[atom] < c->low)
      c->low = t->rank.at[atom];
    if (!t->input.at[atom])
      continue;
    inputs++;
    if (lower(t, atom, least))
      least = atom;
  }
  if (lower(t, least, c->first))
    c->first = least;
  if (inputs == rule_size(rule) && lower(t, least, c->ready))
    c->ready = least;
}

static void consider_all(const Theory *t, const Words *words, size_t begin, size_t end, Choice *c) {
  for (size_t i = begin; i < end; i += rule_words(words->at + i))
    consider(t, words->at + i, c);
}

uint32_t residual_choose_far(const Residual *r, const ResidualPart *part) {
  Choice c = {UINT32_MAX, THEORY_NONE, THEORY_NONE};
  assert(part->next == part->limit);
  consider_all(r->theory, &r->words, part->begin, part->end, &c);
  assert(c.first != THEORY_NONE);
  return c.ready != THEORY_NONE ? c.ready : c.first;
}

uint32_t residual_choose_near(const Residual *r, const ResidualPart *part) {
  const Theory *t = r->theory;
  Choice c = {UINT32_MAX, THEORY_NONE, THEORY_NONE};
  consider_all(t, &r->words, part->begin, part->end, &c);
  for (uint32_t i = part->next; i < part->limit; i++) {
    const ResidualGroup *group = &r->groups.at[i];
    if (group->low < c.low)
      c.low = group->low;
    if (c.first != THEORY_NONE && group->low > c.low + r->reach)
      break; /* groups stand in the order of their lowest ranks */
    consider_all(t, &r->rest, group->at, group[1].at, &c);
  }
  assert(c.first != THEORY_NONE);
  bool near = c.ready != THEORY_NONE && t->rank.at[c.ready] <= c.low + r->reach;
  return near ? c.ready : c.first;
}
