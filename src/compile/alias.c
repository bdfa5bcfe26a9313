/* alias.c - atoms that are literals of others; see theory.h.
**
** An atom that is no input and has one rule, plain and of one literal, is that
** literal in every model.  Where rules say the atom, they say the literal from
** then on, so that a rule whose body is nothing but inputs is told from one that
** waits for others.  The atom keeps its own rule, for those who ask for it. */
#include "compile/theory.h"

#include "base/memory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { MANY = UINT32_MAX - 1 }; /* THEORY_NONE: no rule yet; MANY: not one of one literal */

static void find_single(const Theory *t, uint32_t *alias) {
  for (uint32_t a = 0; a < t->atoms; a++)
    alias[a] = THEORY_NONE;
  for (size_t i = 0; i < t->rules.n; i += rule_words(t->rules.at + i)) {
    const uint32_t *rule = t->rules.at + i;
    if (rule[0] == THEORY_NONE)
      continue;
    bool one = alias[rule[0]] == THEORY_NONE && !rule_weighted(rule) && rule_size(rule) == 1;
    alias[rule[0]] = one ? rule[2] : MANY;
  }
}

/* Follows the chain of `atom` to its end and makes all of it point there; on a
** cycle nobody is an alias. */
static void resolve(uint32_t *alias, bool *done, uint32_t atom, Words *path) {
  path->n = 0;
  uint32_t end = atom;
  while (!done[end] && alias[end] < MANY) {
    done[end] = true; /* met: a second time it ends a cycle */
    vec_push(path, end);
    end = alias[end] >> 1;
  }
  bool cycle = false;
  for (size_t i = path->n; i-- > 0 && !cycle;)
    cycle = path->at[i] == end;
  for (size_t i = path->n; i-- > 0;) {
    uint32_t a = path->at[i], literal = alias[a], next = literal >> 1;
    if (cycle)
      alias[a] = MANY;
    else if (alias[next] < MANY)
      alias[a] = alias[next] ^ (literal & 1);
    cycle &= a != end;
  }
  done[end] = true;
}

static uint32_t renamed(const uint32_t *alias, uint32_t literal) {
  uint32_t to = alias[literal >> 1];
  return to < MANY ? to ^ (literal & 1) : literal;
}

/* Adds the plain rule with new names; nothing if its body can't hold, or says
** the head. */
static void add_plain(const uint32_t *rule, const uint32_t *alias, Words *to) {
  assert(!rule_weighted(rule));
  size_t start = to->n;
  vec_push(to, rule[0]);
  vec_push(to, 0);
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (!rule_add_literal(to, start, renamed(alias, rule[2 + k]))) {
      to->n = start;
      return;
    }
}

static void add_weighted(const uint32_t *rule, const uint32_t *alias, Words *to) {
  assert(rule_weighted(rule));
  size_t words = rule_words(rule);
  for (size_t k = 0; k < words; k++) {
    bool literal = k >= 2 && k < 2 + (size_t)rule_size(rule);
    vec_push(to, literal ? renamed(alias, rule[k]) : rule[k]);
  }
}

void theory_alias(Theory *t) {
  assert(theory_valid(t) && !t->mirror.n);
  uint32_t *alias = memory_zero(t->atoms, sizeof *alias);
  bool *done = memory_zero(t->atoms, 1);
  Words path = {0}, to = {0};
  find_single(t, alias);
  for (uint32_t a = 0; a < t->atoms; a++)
    resolve(alias, done, a, &path);
  vec_reserve(&to, t->rules.n);
  for (size_t i = 0; i < t->rules.n; i += rule_words(t->rules.at + i)) {
    const uint32_t *rule = t->rules.at + i;
    if (rule_weighted(rule))
      add_weighted(rule, alias, &to);
    else
      add_plain(rule, alias, &to);
  }
  vec_free(&t->rules);
  t->rules.at = to.at, t->rules.n = to.n, t->rules.room = to.room;
  vec_free(&path);
  free(done);
  free(alias);
  theory_seal(t);
}
