/* unfold.c - eliminating definitions from a residual; see residual.h.
**
** Behind the inputs that are decided, definitions are left that only connect
** other definitions: x <- y, y <- x, y <- z.  Different decisions leave
** different tangles with the same meaning.  Replacing a positive x by the
** bodies of its rules keeps the least model (and h <- h, ... is no support), so
** the tangles become equal and are compiled once.  Without this, chains of
** people who influence each other need exponentially many states.
**
** An atom is eliminated if its rules are plain and the number of rules does not
** grow; where it is negated, its bodies must be single literals.  With inputs in
** its rules it must have one rule and no negation: such atoms are steps of one
** derivation (a <- p, b where b <- not c, not d), and only without them one sees
** how far derivations have come.  A single input is left: it is such a mark; and so is what
** many rules read that would all become long, such as the values of a table without rows. */
#include "compile/residual.h"

#include "base/memory.h"
#include "compile/theory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LEAST = 4, EFFORT = 1000000 }; /* eliminations; words for more */
enum { GROWTH = 256 };                /* literals that a step of derivations may become */

/* What is known about an atom, in one sweep. */
typedef struct {
  uint32_t stamp;
  uint32_t rules, uses, negations; /* uses: positive */
  uint32_t size;                   /* literals of its bodies */
  bool fixed;                      /* has a rule that forbids elimination */
  bool inputs;                     /* has a rule that mentions an input */
  bool single;                     /* all bodies are one literal */
  bool weighted;                   /* occurs in a weighted body */
} Tally;

static Tally *tally_of(Residual *r, uint32_t atom) {
  Tally *t = (Tally *)r->tally + atom;
  if (t->stamp != r->tally_clock)
    *t = (Tally){.stamp = r->tally_clock, .single = true};
  return t;
}

size_t residual_tally_size(void) { return sizeof(Tally); }

static void tally_rule(Residual *r, const uint32_t *rule) {
  uint32_t head = rule[0], size = rule_size(rule);
  bool fixed = rule_weighted(rule), inputs = false;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t atom = rule[2 + k] >> 1;
    fixed |= atom == head;
    inputs |= r->theory->input.at[atom];
    if (r->theory->input.at[atom])
      continue;
    Tally *t = tally_of(r, atom);
    t->uses += !(rule[2 + k] & 1);
    t->negations += rule[2 + k] & 1;
    t->weighted |= rule_weighted(rule);
  }
  if (head == THEORY_NONE)
    return;
  Tally *t = tally_of(r, head);
  t->rules++;
  t->size += size;
  t->fixed |= fixed;
  t->inputs |= inputs;
  t->single &= size == 1;
}

static bool qualifies(Residual *r, uint32_t atom) {
  const Tally *t = tally_of(r, atom);
  if (r->value[atom] != RESIDUAL_OPEN) /* a victim forced it: its rules are constraints now */
    return false;
  if (t->fixed || !t->rules || (r->output[atom] && !r->needed[atom]) || residual_in_rest(r, atom))
    return false;
  if (t->inputs && (t->rules > 1 || t->single || t->negations || r->needed[atom]))
    return false;
  if (t->inputs && (uint64_t)t->size * t->uses > GROWTH)
    return false;
  if (t->weighted && (t->rules > 1 || !t->single))
    return false;
  if ((t->negations || (r->needed[atom] && t->rules > 1)) && !t->single)
    return false;
  return t->rules * t->uses <= t->rules + t->uses;
}

/* The first atom that can go, its rules being offsets[*first .. *last - 1]. */
static uint32_t find_victim(Residual *r, size_t *first, size_t *last) {
  for (size_t i = 0; i < r->offsets.n; i = *last) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    for (*first = i, *last = i + 1; *last < r->offsets.n; ++*last)
      if (r->words.at[r->offsets.at[*last]] != head)
        break;
    if (head != THEORY_NONE && qualifies(r, head))
      return head;
  }
  return THEORY_NONE;
}

/* Starts a rule: the one at `from` without `literal`.  Returns where it is. */
static size_t begin_without(Words *to, size_t from, uint32_t literal, bool *dead) {
  assert(!rule_weighted(to->at + from));
  size_t start = to->n;
  vec_push(to, to->at[from]);
  vec_push(to, 0);
  for (uint32_t k = 0; k < rule_size(to->at + from); k++)
    if (to->at[from + 2 + k] != literal)
      *dead |= !rule_add_literal(to, start, to->at[from + 2 + k]);
  return start;
}

/* The rule at `from` with the victim's body at `body` in place of `literal`. */
static void add_resolvent(Residual *r, size_t from, uint32_t literal, size_t body) {
  Words *to = &r->words;
  bool dead = false;
  size_t start = begin_without(to, from, literal, &dead);
  for (uint32_t k = 0; k < rule_size(to->at + body); k++)
    dead |= !rule_add_literal(to, start, to->at[body + 2 + k]);
  if (dead)
    to->n = start;
}

/* The rule at `from` with the negations of all the victim's bodies. */
static void add_negations(Residual *r, size_t from, uint32_t literal, size_t first, size_t last) {
  Words *to = &r->words;
  bool dead = false;
  size_t start = begin_without(to, from, literal, &dead);
  for (size_t i = first; i < last; i++)
    dead |= !rule_add_literal(to, start, to->at[r->offsets.at[i] + 2] ^ 1);
  if (dead)
    to->n = start;
}

static void copy_rule(Residual *r, size_t from) {
  size_t words = rule_words(r->words.at + from);
  vec_reserve(&r->words, words);
  memcpy(r->words.at + r->words.n, r->words.at + from, words * sizeof *r->words.at);
  r->words.n += words;
}

/* A weighted body takes the one literal of the one rule, whatever its sign. */
static void rename_literals(Residual *r, size_t from, uint32_t victim, uint32_t literal) {
  assert(rule_weighted(r->words.at + from));
  size_t start = r->words.n;
  copy_rule(r, from);
  uint32_t *rule = r->words.at + start;
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (rule[2 + k] >> 1 == victim)
      rule[2 + k] = literal ^ (rule[2 + k] & 1);
}

static void rewrite_rule(Residual *r, size_t from, uint32_t victim, size_t first, size_t last) {
  const uint32_t *rule = r->words.at + from;
  bool used = rule_mentions(rule, lit_of(victim, false));
  bool negated = rule_mentions(rule, lit_of(victim, true));
  if (!used && !negated)
    copy_rule(r, from);
  else if (rule_weighted(rule))
    rename_literals(r, from, victim, r->words.at[r->offsets.at[first] + 2]);
  else if (used && !negated)
    for (size_t i = first; i < last; i++)
      add_resolvent(r, from, lit_of(victim, false), r->offsets.at[i]);
  else if (!used)
    add_negations(r, from, lit_of(victim, true), first, last);
}

/* A needed victim with one rule hands its need on; with more, one of the
** bodies, which are single literals, must hold. */
static void pass_need(Residual *r, uint32_t victim, size_t first, size_t last) {
  if (!r->needed[victim])
    return;
  r->value[victim] = RESIDUAL_TRUE; /* told already, and mentioned no more */
  if (last - first == 1) {
    const uint32_t *rule = r->words.at + r->offsets.at[first];
    for (uint32_t k = 0; k < rule_size(rule); k++)
      residual_force(r, rule[2 + k]);
    return;
  }
  vec_push(&r->words, THEORY_NONE);
  vec_push(&r->words, 0);
  size_t start = r->words.n - 2;
  bool dead = false;
  for (size_t i = first; i < last; i++)
    dead |= !rule_add_literal(&r->words, start, r->words.at[r->offsets.at[i] + 2] ^ 1);
  if (dead) /* a or not a */
    r->words.n = start;
}

static size_t eliminate(Residual *r, size_t start, size_t used, uint32_t victim, size_t first,
                        size_t last) {
  assert(first < last && last <= r->offsets.n);
  r->words.n = used;
  for (size_t i = 0; i < r->offsets.n; i++)
    if (i < first || i >= last)
      rewrite_rule(r, r->offsets.at[i], victim, first, last);
  pass_need(r, victim, first, last);
  size_t size = r->words.n - used;
  memmove(r->words.at + start, r->words.at + used, size * sizeof *r->words.at);
  r->words.n = start;
  return start + size;
}

/* Each elimination looks at all rules, so large residuals get few: it is never
** wrong to leave a definition. */
size_t residual_unfold(Residual *r, size_t start, size_t used) {
  assert(r->words.n == start && start <= used);
  size_t most = LEAST + EFFORT / (used - start + 1);
  for (; r->unfolded < most; r->unfolded++) {
    r->offsets.n = 0;
    r->tally_clock++;
    for (size_t at = start; at < used; at += rule_words(r->words.at + at)) {
      vec_push(&r->offsets, at);
      tally_rule(r, r->words.at + at);
    }
    size_t first, last;
    uint32_t victim = find_victim(r, &first, &last);
    if (victim == THEORY_NONE)
      break;
    used = eliminate(r, start, used, victim, first, last);
    r->changed = true;
  }
  return used;
}
