/* chase.c - values that follow from each other in a long row; see residual.h.
**
** A sweep over the rules finds what follows from the values there are; where each value
** has one more as its consequence, as along a chain, there would be as many sweeps as
** links.  Here the rules that mention an atom are looked up, and only those are looked
** at again when it gets a value.  Nothing is rewritten: the next sweep does that, and
** finds what this leaves (sums, long bodies, unfounded loops). */
#include "compile/residual.h"

#include "base/memory.h"
#include "compile/theory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { OPEN = RESIDUAL_OPEN, TRUE = RESIDUAL_TRUE, FALSE = RESIDUAL_FALSE };
enum { LONG = 32 }; /* bodies that are left to the sweeps */

static bool short_body(const uint32_t *rule) {
  return !rule_weighted(rule) && rule_size(rule) <= LONG;
}

static ResidualUse *use_of(Residual *r, uint32_t atom) {
  if (r->stamp[atom] != r->clock) {
    r->stamp[atom] = r->clock;
    r->use[atom] = (ResidualUse){0};
    vec_push(&r->queue, atom);
  }
  return &r->use[atom];
}

/* The atom at place k of a rule: of its body, then its head. */
static uint32_t atom_at(const uint32_t *rule, uint32_t k) {
  return k < rule_size(rule) ? rule[2 + k] >> 1 : rule[0];
}

/* By atom: the rules that mention it. */
static void list_uses(Residual *r) {
  residual_tick(r);
  r->queue.n = 0;
  for (size_t i = 0; i < r->offsets.n; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    for (uint32_t k = 0; k <= rule_size(rule); k++)
      if (atom_at(rule, k) != THEORY_NONE)
        use_of(r, atom_at(rule, k))->count++;
    if (rule[0] != THEORY_NONE)
      use_of(r, rule[0])->live++;
  }
  uint32_t sum = 0;
  for (size_t i = 0; i < r->queue.n; i++) {
    ResidualUse *use = &r->use[r->queue.at[i]];
    use->first = sum, sum += use->count, use->count = 0;
  }
  r->uses.n = 0;
  vec_reserve(&r->uses, sum);
  r->uses.n = sum;
  for (size_t i = 0; i < r->offsets.n; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    for (uint32_t k = 0; k <= rule_size(rule); k++)
      if (atom_at(rule, k) != THEORY_NONE) {
        ResidualUse *use = &r->use[atom_at(rule, k)];
        r->uses.at[use->first + use->count++] = (uint32_t)i;
      }
  }
}

/* An atom without rules can't be derived. */
static void refute(Residual *r, uint32_t atom) {
  if (!r->theory->input.at[atom] && !use_of(r, atom)->live && r->value[atom] == OPEN &&
      !residual_rules_rest(r, atom))
    residual_force(r, 2 * atom + 1);
}

/* A rule that can't fire; an atom that is needed has to be derived by what is left. */
static void drop(Residual *r, size_t number) {
  uint32_t head = r->words.at[r->offsets.at[number]];
  if (r->dropped.at[number] || head == THEORY_NONE)
    return;
  r->dropped.at[number] = true;
  r->use[head].live--;
  refute(r, head);
  if (r->needed[head] && r->use[head].live == 1 && r->value[head] == OPEN)
    vec_push(&r->touched, head); /* to be looked at again */
}

/* What the rule says about its head and its last open literal. */
static void conclude(Residual *r, uint32_t head, uint32_t open, uint32_t last) {
  if (!open && head == THEORY_NONE)
    r->conflict = true;
  else if (!open)
    residual_derive(r, head);
  else if (open == 1 && head == THEORY_NONE)
    residual_force(r, last ^ 1);
}

static void look(Residual *r, size_t number) {
  const uint32_t *rule = r->words.at + r->offsets.at[number];
  uint32_t head = rule[0], open = 0, last = 0;
  if (!short_body(rule) || r->dropped.at[number] || (head != THEORY_NONE && r->value[head] == TRUE))
    return;
  uint32_t reader = head != THEORY_NONE && r->value[head] == FALSE ? THEORY_NONE : head;
  for (uint32_t k = 0; k < rule_size(rule); k++) {
    refute(r, rule[2 + k] >> 1);
    uint8_t value = residual_literal(r, reader, rule[2 + k]);
    if (value == FALSE) {
      drop(r, number);
      return;
    }
    if (value == OPEN)
      open++, last = rule[2 + k];
  }
  conclude(r, reader, open, last);
  if (reader == THEORY_NONE || r->conflict || !r->needed[head] || r->value[head] != OPEN ||
      r->use[head].live != 1 || residual_rules_rest(r, head))
    return;
  for (uint32_t k = 0; k < rule_size(rule); k++) /* the only way to derive it */
    residual_force(r, rule[2 + k]);
}

void residual_chase(Residual *r, size_t start, size_t end) {
  assert(start <= end);
  r->offsets.n = 0;
  for (size_t i = start; i < end; i += rule_words(r->words.at + i))
    vec_push(&r->offsets, i);
  list_uses(r);
  r->dropped.n = 0;
  for (size_t i = 0; i < r->offsets.n; i++)
    vec_push(&r->dropped, false);
  size_t seen = r->touched.n;
  for (size_t i = 0; i < r->offsets.n && !r->conflict; i++)
    look(r, i);
  for (; seen < r->touched.n && !r->conflict; seen++) {
    ResidualUse use = *use_of(r, r->touched.at[seen]);
    for (uint32_t i = use.first; i < use.first + use.count && !r->conflict; i++)
      look(r, r->uses.at[i]);
  }
}
