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
  uint32_t head;  /* of lowest rank with such rules */
  uint32_t own;   /* the same, in such rules of that head */
} Choice;

static const Choice none_yet = {UINT32_MAX, THEORY_NONE, THEORY_NONE, THEORY_NONE, THEORY_NONE};

static bool lower(const Residual *r, uint32_t a, uint32_t b) {
  return a != THEORY_NONE && (b == THEORY_NONE || r->rank[a] < r->rank[b]);
}

static void consider_head(const Residual *r, uint32_t head, uint32_t least, Choice *c) {
  if (head == THEORY_NONE)
    return;
  if (lower(r, head, c->head))
    c->head = head, c->own = least;
  else if (head == c->head && lower(r, least, c->own))
    c->own = least;
}

static void consider(const Residual *r, const uint32_t *rule, Choice *c) {
  uint32_t least = THEORY_NONE, inputs = 0;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    uint32_t atom = rule[2 + k] >> 1;
    if (r->rank[atom] < c->low)
      c->low = r->rank[atom];
    if (!r->theory->input.at[atom])
      continue;
    inputs++;
    if (lower(r, atom, least))
      least = atom;
  }
  if (lower(r, least, c->first))
    c->first = least;
  if (inputs != rule_size(rule))
    return;
  if (lower(r, least, c->ready))
    c->ready = least;
  consider_head(r, rule[0], least, c);
}

static void consider_all(const Residual *r, const Words *words, size_t begin, size_t end,
                         Choice *c) {
  for (size_t i = begin; i < end; i += rule_words(words->at + i))
    consider(r, words->at + i, c);
}

static Choice consider_part(const Residual *r, const ResidualPart *part) {
  Choice c = none_yet;
  assert(part->next == part->limit);
  consider_all(r, &r->words, part->begin, part->end, &c);
  assert(c.first != THEORY_NONE);
  return c;
}

uint32_t residual_choose_far(const Residual *r, const ResidualPart *part) {
  Choice c = consider_part(r, part);
  return c.ready != THEORY_NONE ? c.ready : c.first;
}

uint32_t residual_choose_head(const Residual *r, const ResidualPart *part) {
  Choice c = consider_part(r, part);
  if (c.head != THEORY_NONE)
    return c.own;
  return c.ready != THEORY_NONE ? c.ready : c.first;
}

uint32_t residual_choose_first(const Residual *r, const ResidualPart *part) {
  return consider_part(r, part).first;
}

uint32_t residual_choose_next(const Residual *r, const ResidualPart *part) {
  Choice c = none_yet;
  consider_all(r, &r->words, part->begin, part->end, &c);
  for (uint32_t i = part->next; i < part->limit; i++) {
    const ResidualGroup *group = &r->groups.at[i];
    if (c.first != THEORY_NONE && group->low > r->rank[c.first])
      break; /* groups stand in the order of their lowest ranks */
    consider_all(r, &r->rest, group->at, group[1].at, &c);
  }
  assert(c.first != THEORY_NONE);
  return c.first;
}

uint32_t residual_choose_near(const Residual *r, const ResidualPart *part) {
  Choice c = none_yet;
  consider_all(r, &r->words, part->begin, part->end, &c);
  for (uint32_t i = part->next; i < part->limit; i++) {
    const ResidualGroup *group = &r->groups.at[i];
    if (group->low < c.low)
      c.low = group->low;
    if (c.first != THEORY_NONE && group->low > c.low + r->reach)
      break; /* groups stand in the order of their lowest ranks */
    consider_all(r, &r->rest, group->at, group[1].at, &c);
  }
  assert(c.first != THEORY_NONE);
  bool near = c.ready != THEORY_NONE && r->rank[c.ready] <= c.low + r->reach;
  return near ? c.ready : c.first;
}

uint32_t residual_choose_of(const Residual *r, const ResidualPart *part, const bool *marked) {
  uint32_t best = THEORY_NONE;
  assert(part->next == part->limit); /* all of its rules are here */
  for (size_t i = part->begin; i < part->end; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    for (uint32_t k = 0; k < rule_size(rule); k++) {
      uint32_t atom = rule[2 + k] >> 1;
      if (marked[atom] && r->theory->input.at[atom] && lower(r, atom, best))
        best = atom;
    }
  }
  return best;
}
