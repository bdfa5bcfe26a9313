/* split.c - slicing a residual and splitting it into parts; see residual.h. */
#include "compile/residual.h"

#include "base/memory.h"
#include "compile/theory.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = RESIDUAL_OPEN };
enum { DUPLICATES = 64 }; /* larger groups are not compared pairwise */

static bool still_pending(const Residual *r, uint32_t atom) {
  return r->value[atom] == OPEN && !r->needed[atom];
}

static void mark_relevant(Residual *r, uint32_t atom) {
  if (r->stamp[atom] == r->clock)
    return;
  r->stamp[atom] = r->clock;
  if (!r->theory->input.at[atom] && !residual_rules_rest(r, atom))
    vec_push(&r->queue, atom);
}

static void mark_body(Residual *r, const uint32_t *rule) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    mark_relevant(r, rule[2 + k] >> 1);
}

/* Stamps the atoms that constraints, needs, outputs and the rest depend on.  An
** atom that is open and defined has rules; they stand together from its group
** on. */
static void stamp_relevant(Residual *r) {
  uint32_t *group = r->part; /* by head; parts are numbered later */
  residual_tick(r);
  r->queue.n = 0;
  for (size_t i = r->offsets.n; i-- > 0;) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    if (rule[0] == THEORY_NONE)
      mark_body(r, rule);
    else
      group[rule[0]] = (uint32_t)i;
  }
  for (size_t i = 0; i < r->offsets.n; i++) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    if (head != THEORY_NONE && residual_in_rest(r, head))
      mark_relevant(r, head);
  }
  for (size_t i = 0; i < r->pending.n; i++)
    if (still_pending(r, r->pending.at[i]))
      mark_relevant(r, r->pending.at[i]);
  for (size_t i = 0; i < r->touched.n; i++)
    if (r->needed[r->touched.at[i]] && r->value[r->touched.at[i]] == OPEN)
      mark_relevant(r, r->touched.at[i]);
  while (r->queue.n) {
    uint32_t head = r->queue.at[--r->queue.n];
    for (size_t i = group[head]; i < r->offsets.n; i++) {
      const uint32_t *rule = r->words.at + r->offsets.at[i];
      if (rule[0] != head)
        break;
      mark_body(r, rule);
    }
  }
}

static inline uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

void residual_key_add(ResidualKey *key, uint64_t salt, uint64_t number) {
  key->word[0] += scramble(scramble(number + 0x9e3779b97f4a7c15u) + salt);
  key->word[1] += scramble(scramble(number + 0xd1b54a32d192ed03u) ^ (salt * 0xda942042e4dd58b5u));
}

void residual_key_code(ResidualKey *key, uint64_t salt, const ResidualKey *code) {
  key->word[0] += scramble(code->word[0] + salt * 0x9e3779b97f4a7c15u);
  key->word[1] += scramble(code->word[1] ^ salt * 0xda942042e4dd58b5u);
}

/* Order-free: rules that became equal may list their literals differently. */
ResidualKey residual_rule_hash(const Residual *r, const uint32_t *rule) {
  static const ResidualKey none = {{0x2545f4914f6cdd1du, 0x9fb21c651e98df25u}};
  ResidualKey head = rule[0] == THEORY_NONE ? none : r->code[2 * (size_t)rule[0]];
  ResidualKey sum = {{0, 0}};
  uint32_t size = rule_size(rule);
  for (uint32_t k = 0; k < size; k++) {
    const ResidualKey *code = &r->code[rule[2 + k]];
    uint64_t weight = rule_weighted(rule) ? rule[2 + size + k] : 0;
    if (weight) {
      sum.word[0] += scramble(code->word[0] + weight);
      sum.word[1] += scramble(code->word[1] + weight);
    } else {
      sum.word[0] += code->word[0];
      sum.word[1] += code->word[1];
    }
  }
  uint64_t bound = rule_weighted(rule) ? rule[2 + 2 * (size_t)size] : 0;
  return (ResidualKey){{scramble(sum.word[0] + scramble(head.word[0] + bound)),
                        scramble(sum.word[1] + scramble(head.word[1] ^ bound))}};
}

static bool key_equal(const ResidualKey *a, const ResidualKey *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* A rule is not kept if a kept one of its group has the same hash, or if its
** body contains the only literal of another body (those are stamped). */
static bool subsumed(const Residual *r, const uint32_t *rule, const ResidualKey *hash,
                     size_t group) {
  if (!rule_weighted(rule) && rule_size(rule) > 1)
    for (uint32_t k = 0; k < rule_size(rule); k++)
      if (r->literal_stamp[rule[2 + k]] == r->literal_clock)
        return true;
  if (r->kept.n - group > DUPLICATES)
    return false;
  for (size_t i = group; i < r->kept.n; i++)
    if (key_equal(&r->kept.at[i].hash, hash))
      return true;
  return false;
}

/* Keeps what is needed of the rules offsets[first .. last - 1] of one head. */
static void keep_group(Residual *r, size_t first, size_t last) {
  assert(first < last && last <= r->offsets.n);
  size_t group = r->kept.n;
  uint32_t head = r->words.at[r->offsets.at[first]];
  uint32_t relevant = r->clock;
  if (head != THEORY_NONE && r->stamp[head] != relevant)
    return;
  r->literal_clock++;
  for (size_t i = first; i < last; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    if (!rule_weighted(rule) && rule_size(rule) == 1)
      r->literal_stamp[rule[2]] = r->literal_clock;
  }
  for (size_t i = first; i < last; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    ResidualKey hash = residual_rule_hash(r, rule);
    if (!subsumed(r, rule, &hash, group))
      vec_push(&r->kept, (ResidualRule){r->offsets.at[i], hash, 0});
  }
}

static void keep_rules(Residual *r) {
  r->kept.n = 0;
  for (size_t i = 0, next; i < r->offsets.n; i = next) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    for (next = i + 1; next < r->offsets.n; next++)
      if (r->words.at[r->offsets.at[next]] != head)
        break;
    keep_group(r, i, next);
  }
}

static uint32_t find(uint32_t *parent, uint32_t a) {
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}

static void join(Residual *r, uint32_t a, uint32_t b) {
  a = find(r->parent, a), b = find(r->parent, b);
  r->parent[a < b ? b : a] = a < b ? a : b;
}

static uint32_t rule_atom(const uint32_t *rule) {
  assert(rule[0] != THEORY_NONE || rule_size(rule));
  return rule[0] == THEORY_NONE ? rule[2] >> 1 : rule[0];
}

/* Atom number theory->atoms stands for the rest. */
static void join_rules(Residual *r) {
  uint32_t rest = r->theory->atoms;
  r->parent[rest] = rest;
  for (size_t i = 0; i < r->kept.n; i++) {
    const uint32_t *rule = r->words.at + r->kept.at[i].at;
    r->parent[rule_atom(rule)] = rule_atom(rule);
    for (uint32_t k = 0; k < rule_size(rule); k++)
      r->parent[rule[2 + k] >> 1] = rule[2 + k] >> 1;
  }
  for (size_t i = 0; i < r->kept.n; i++) {
    const uint32_t *rule = r->words.at + r->kept.at[i].at;
    for (uint32_t k = 0; k < rule_size(rule); k++)
      join(r, rule_atom(rule), rule[2 + k] >> 1);
    if (r->next == r->limit)
      continue;
    if (residual_in_rest(r, rule_atom(rule)))
      join(r, rule_atom(rule), rest);
    for (uint32_t k = 0; k < rule_size(rule); k++)
      if (residual_in_rest(r, rule[2 + k] >> 1))
        join(r, rule[2 + k] >> 1, rest);
  }
}

/* The number of the part that an atom with rules belongs to. */
static uint32_t part_of(Residual *r, uint32_t atom) {
  bool rest = residual_rules_rest(r, atom);
  uint32_t number = r->part[find(r->parent, rest ? r->theory->atoms : atom)];
  assert(number < r->made.n);
  return number;
}

static uint32_t number_part(Residual *r, uint32_t root) {
  if (r->stamp[root] != r->clock) {
    r->stamp[root] = r->clock;
    r->part[root] = (uint32_t)r->made.n;
    vec_push(&r->made, (ResidualPart){.next = r->limit, .limit = r->limit});
  }
  return r->part[root];
}

ResidualKey residual_need_hash(const Residual *r, uint32_t atom) {
  ResidualKey key = {{0, 0}};
  residual_key_code(&key, 1, &r->code[2 * (size_t)atom + 1]);
  return key;
}

void residual_key_join(ResidualKey *to, const ResidualKey *from) {
  to->word[0] += from->word[0];
  to->word[1] += from->word[1];
}

/* Numbers the parts, in the order of their first rules, and adds up their
** sizes (in end) and keys. */
static void number_parts(Residual *r) {
  residual_tick(r);
  r->made.n = 0;
  for (size_t i = 0; i < r->kept.n; i++) {
    const uint32_t *rule = r->words.at + r->kept.at[i].at;
    uint32_t number = number_part(r, find(r->parent, rule_atom(rule)));
    ResidualPart *part = &r->made.at[number];
    r->kept.at[i].part = number;
    part->end += rule_words(rule);
    residual_key_join(&part->key, &r->kept.at[i].hash);
  }
  if (r->next < r->limit) {
    uint32_t number = number_part(r, find(r->parent, r->theory->atoms)); /* made may move */
    ResidualPart *part = &r->made.at[number];
    ResidualKey key = residual_rest_key(r, r->next, r->limit);
    residual_key_join(&part->key, &key);
    part->next = r->next;
  }
}

/* Needs and pending outputs have rules, so their parts exist. */
static void add_needs(Residual *r) {
  for (size_t i = 0; i < r->touched.n; i++) {
    uint32_t atom = r->touched.at[i];
    if (!r->needed[atom] || r->value[atom] != OPEN)
      continue;
    ResidualPart *part = &r->made.at[part_of(r, atom)];
    ResidualKey key = residual_need_hash(r, atom);
    residual_key_join(&part->key, &key);
    part->end += 3;
  }
  for (size_t i = 0; i < r->pending.n; i++) {
    uint32_t atom = r->pending.at[i];
    if (still_pending(r, atom))
      residual_key_code(&r->made.at[part_of(r, atom)].key, 2, &r->code[2 * (size_t)atom]);
  }
}

/* Copies needs and rules to their parts, behind all else on the stack. */
static void write_parts(Residual *r, size_t start, size_t used) {
  size_t at = used;
  for (size_t i = 0; i < r->made.n; i++) {
    size_t size = r->made.at[i].end;
    r->made.at[i].begin = r->made.at[i].end = at;
    at += size;
  }
  r->words.n = used;
  vec_reserve(&r->words, at - used);
  for (size_t i = 0; i < r->touched.n; i++) {
    uint32_t atom = r->touched.at[i];
    if (!r->needed[atom] || r->value[atom] != OPEN)
      continue;
    size_t *end = &r->made.at[part_of(r, atom)].end;
    uint32_t *to = r->words.at + *end;
    to[0] = THEORY_NONE, to[1] = 2, to[2] = lit_of(atom, true);
    *end += 3;
  }
  for (size_t i = 0; i < r->kept.n; i++) {
    const uint32_t *rule = r->words.at + r->kept.at[i].at;
    size_t *end = &r->made.at[r->kept.at[i].part].end;
    memcpy(r->words.at + *end, rule, rule_words(rule) * sizeof *rule);
    *end += rule_words(rule);
  }
  if (at > used)
    memmove(r->words.at + start, r->words.at + used, (at - used) * sizeof *r->words.at);
  r->words.n = start + at - used;
  for (size_t i = 0; i < r->made.n; i++) {
    ResidualPart part = r->made.at[i];
    part.begin = part.begin - used + start, part.end = part.end - used + start;
    assert(part.begin <= part.end && part.end <= r->words.n);
    vec_push(&r->parts, part);
  }
}

void residual_split(Residual *r, size_t start, size_t used) {
  assert(!r->conflict && start <= used);
  stamp_relevant(r);
  keep_rules(r);
  join_rules(r);
  number_parts(r);
  add_needs(r);
  write_parts(r, start, used);
}
