/* residual.c - propagation, slicing and splitting; see residual.h.
**
** Everything is done by sweeps over contiguous words rather than by watches
** and queues: residuals are short, most decisions need two or three sweeps,
** and nothing has to be undone on backtracking.  Hot. */
#include "compile/residual.h"

#include "base/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = RESIDUAL_OPEN, TRUE = RESIDUAL_TRUE, FALSE = RESIDUAL_FALSE };
enum { DUPLICATES = 64 }; /* larger groups are not compared pairwise */

void residual_begin(Residual *r, const Theory *t) {
  size_t atoms = t->atoms;
  *r = (Residual){.theory = t};
  r->output = memory_zero(atoms, 1);
  r->value = memory_zero(atoms, 1);
  r->needed = memory_zero(atoms, 1);
  r->code = memory_zero(2 * atoms, sizeof *r->code);
  r->stamp = memory_zero(atoms, sizeof *r->stamp);
  r->literal_stamp = memory_zero(2 * atoms, sizeof *r->literal_stamp);
  r->parent = memory_zero(atoms, sizeof *r->parent);
  r->part = memory_zero(atoms, sizeof *r->part);
  r->tally = memory_zero(atoms, residual_tally_size());
  Random random = random_make(0x6c706d6c6e, 1);
  for (size_t i = 0; i < 2 * atoms; i++)
    for (int k = 0; k < 2; k++)
      r->code[i].word[k] = random_bits(&random);
}

void residual_free(Residual *r) {
  free(r->output);
  free(r->value);
  free(r->needed);
  free(r->code);
  free(r->stamp);
  free(r->literal_stamp);
  free(r->parent);
  free(r->part);
  free(r->tally);
  vec_free(&r->words);
  vec_free(&r->parts);
  vec_free(&r->told);
  vec_free(&r->touched);
  vec_free(&r->pending);
  vec_free(&r->weights);
  vec_free(&r->offsets);
  vec_free(&r->todo);
  vec_free(&r->queue);
  vec_free(&r->kept);
  vec_free(&r->made);
  *r = (Residual){0};
}

/* A new stamp that no atom has.  Both clocks start again long before they
** overflow; literal_clock moves by the number of rules at most per call. */
static void tick(Residual *r) {
  if (++r->clock < UINT32_MAX / 2 && r->literal_clock < UINT32_MAX / 2)
    return;
  memset(r->stamp, 0, r->theory->atoms * sizeof *r->stamp);
  memset(r->literal_stamp, 0, 2 * (size_t)r->theory->atoms * sizeof *r->literal_stamp);
  r->clock = r->literal_clock = 1;
}

static void set_value(Residual *r, uint32_t atom, uint8_t value) {
  assert(r->value[atom] == OPEN);
  r->value[atom] = value;
  r->changed = true;
  vec_push(&r->touched, atom);
  if (r->theory->input.at[atom] || (r->output[atom] && !r->needed[atom]))
    vec_push(&r->told, lit_of(atom, value == FALSE));
}

void residual_force(Residual *r, uint32_t literal) {
  uint32_t atom = literal >> 1;
  if (r->theory->input.at[atom] || literal & 1) {
    if (r->needed[atom])
      r->conflict = true;
    else if (r->value[atom] == OPEN)
      set_value(r, atom, literal & 1 ? FALSE : TRUE);
    else if ((r->value[atom] == FALSE) != (literal & 1))
      r->conflict = true;
  } else if (r->value[atom] == FALSE) {
    r->conflict = true;
  } else if (r->value[atom] == OPEN && !r->needed[atom]) {
    r->needed[atom] = true;
    r->changed = true;
    vec_push(&r->touched, atom);
    if (r->output[atom])
      vec_push(&r->told, literal);
  }
}

/* What a body literal of a rule for `head` is: TRUE, FALSE or OPEN.  A needed
** atom counts as true except where that could support itself: in its loop. */
static inline uint8_t literal_value(const Residual *r, uint32_t head, uint32_t literal) {
  uint32_t atom = literal >> 1;
  uint8_t value = r->value[atom];
  if (value != OPEN)
    return (value == TRUE) != (literal & 1) ? TRUE : FALSE;
  if (!r->needed[atom])
    return OPEN;
  if (literal & 1)
    return FALSE;
  uint32_t loop = r->theory->loop.at[atom];
  return head == THEORY_NONE || !loop || loop != r->theory->loop.at[head] ? TRUE : OPEN;
}

/* The rewritten rule stands at `to` with `size` literals; returns its words. */
static size_t finish_plain(Residual *r, uint32_t *to, uint32_t head, uint32_t size) {
  if (!size && head == THEORY_NONE)
    r->conflict = true;
  else if (!size && r->value[head] == OPEN)
    set_value(r, head, TRUE);
  else if (size == 1 && head == THEORY_NONE)
    residual_force(r, to[2] ^ 1);
  if (!size || (size == 1 && head == THEORY_NONE))
    return 0;
  to[0] = head, to[1] = 2 * size;
  return 2 + (size_t)size;
}

static size_t rewrite_plain(Residual *r, const uint32_t *rule, uint32_t head, uint32_t *to) {
  uint32_t size = rule_size(rule), kept = 0;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t literal = rule[2 + k];
    uint8_t value = literal_value(r, head, literal);
    if (value == FALSE)
      return 0;
    if (value == OPEN)
      to[2 + kept++] = literal;
  }
  return finish_plain(r, to, head, kept);
}

static size_t rewrite_weighted(Residual *r, const uint32_t *rule, uint32_t head,
                               uint32_t *to) {
  uint32_t size = rule_size(rule), kept = 0, least = UINT32_MAX;
  int64_t bound = rule[2 + 2 * (size_t)size], total = 0;
  r->weights.n = 0;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t literal = rule[2 + k], weight = rule[2 + size + k];
    uint8_t value = literal_value(r, head, literal);
    if (value == TRUE)
      bound -= weight;
    if (value != OPEN)
      continue;
    to[2 + kept++] = literal;
    vec_push(&r->weights, weight);
    total += weight;
    least = weight < least ? weight : least;
  }
  if (bound > total)
    return 0;
  if (bound <= 0 || total - least < bound)
    return finish_plain(r, to, head, bound <= 0 ? 0 : kept);
  for (uint32_t k = 0; k < kept && head == THEORY_NONE; k++)
    if (r->weights.at[k] >= bound)
      residual_force(r, to[2 + k] ^ 1);
  to[0] = head, to[1] = 2 * kept + 1;
  memcpy(to + 2 + kept, r->weights.at, kept * sizeof *to);
  to[2 + 2 * (size_t)kept] = (uint32_t)bound;
  return 3 + 2 * (size_t)kept;
}

/* One sweep: rewrites the rules of words[from .. end - 1] to words[to ..] and
** returns the new end.  `to` is at most `from`, or behind `end`. */
static size_t sweep(Residual *r, size_t from, size_t end, size_t to) {
  r->changed = false;
  while (from < end && !r->conflict) {
    const uint32_t *rule = r->words.at + from;
    uint32_t head = rule[0];
    bool weighted = rule_weighted(rule);
    from += rule_words(rule);
    if (head != THEORY_NONE && r->value[head] != OPEN) {
      if (r->value[head] == TRUE)
        continue;
      head = THEORY_NONE; /* must be false, so the body must */
    }
    to += weighted ? rewrite_weighted(r, rule, head, r->words.at + to)
                   : rewrite_plain(r, rule, head, r->words.at + to);
  }
  return to;
}

/* Needs that an earlier call left at the front.  Returns where the rules
** begin. */
static size_t read_needs(Residual *r, size_t begin, size_t end) {
  for (; begin < end; begin += 3) {
    const uint32_t *rule = r->words.at + begin;
    if (rule[0] != THEORY_NONE || rule[1] != 2)
      break;
    assert(rule[2] & 1 && !r->theory->input.at[rule[2] >> 1]);
    r->needed[rule[2] >> 1] = true;
    vec_push(&r->touched, rule[2] >> 1);
  }
  return begin;
}

/* Outputs that are open: at first all of them, even those without a rule;
** later an open one has rules. */
static void list_pending(Residual *r, size_t begin, size_t end, bool fresh) {
  r->pending.n = 0;
  for (uint32_t a = 0; fresh && a < r->theory->atoms; a++)
    if (r->output[a])
      vec_push(&r->pending, a);
  uint32_t last = THEORY_NONE;
  for (size_t i = begin; !fresh && i < end; i += rule_words(r->words.at + i)) {
    uint32_t head = r->words.at[i];
    if (head != THEORY_NONE && head != last && r->output[head] && !r->needed[head])
      vec_push(&r->pending, head);
    last = head;
  }
}

static void list_rules(Residual *r, size_t begin, size_t end) {
  r->offsets.n = 0;
  for (size_t i = begin; i < end; i += rule_words(r->words.at + i))
    vec_push(&r->offsets, i);
}

/* A literal that all rules of a needed atom share is needed too.  The rules
** are offsets[first .. last - 1], all plain. */
static void need_common(Residual *r, size_t first, size_t last) {
  uint32_t base = r->literal_clock + 1, n = (uint32_t)(last - first);
  r->literal_clock += n + 1;
  const uint32_t *rule = NULL;
  for (uint32_t i = 0; i < n; i++) {
    rule = r->words.at + r->offsets.at[first + i];
    for (uint32_t k = 0; k < rule_size(rule); k++) {
      uint32_t *stamp = &r->literal_stamp[rule[2 + k]];
      if (!i || *stamp == base + i - 1)
        *stamp = base + i;
    }
  }
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (r->literal_stamp[rule[2 + k]] == base + n - 1)
      residual_force(r, rule[2 + k]);
}

static void propagate_needs(Residual *r) {
  for (size_t i = 0, next; i < r->offsets.n; i = next) {
    uint32_t head = r->words.at[r->offsets.at[i]];
    bool plain = true;
    for (next = i; next < r->offsets.n; next++) {
      const uint32_t *rule = r->words.at + r->offsets.at[next];
      if (rule[0] != head)
        break;
      plain &= !rule_weighted(rule);
    }
    if (head != THEORY_NONE && r->needed[head] && r->value[head] == OPEN && plain)
      need_common(r, i, next);
  }
}

/* Whether the body can hold if the stamped atoms, inputs and all negative
** literals can. */
static bool body_possible(const Residual *r, const uint32_t *rule) {
  uint32_t size = rule_size(rule);
  int64_t missing = rule_weighted(rule) ? rule[2 + 2 * (size_t)size] : 0;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t literal = rule[2 + k], atom = literal >> 1;
    bool possible = literal & 1 || r->theory->input.at[atom] || r->stamp[atom] == r->clock;
    if (!rule_weighted(rule) && !possible)
      return false;
    if (rule_weighted(rule) && possible)
      missing -= rule[2 + size + k];
  }
  return missing <= 0;
}

/* Stamps every atom that the rules can still derive. */
static void stamp_possible(Residual *r) {
  tick(r);
  r->todo.n = 0;
  for (size_t i = 0; i < r->offsets.n; i++)
    if (r->words.at[r->offsets.at[i]] != THEORY_NONE)
      vec_push(&r->todo, r->offsets.at[i]);
  size_t before;
  do { /* rules that have not fired stay, in their order */
    before = r->todo.n;
    r->todo.n = 0;
    for (size_t i = 0; i < before; i++) {
      const uint32_t *rule = r->words.at + r->todo.at[i];
      if (r->stamp[rule[0]] == r->clock)
        continue;
      if (body_possible(r, rule))
        r->stamp[rule[0]] = r->clock;
      else
        r->todo.at[r->todo.n++] = r->todo.at[i];
    }
  } while (r->todo.n && r->todo.n < before);
}

/* An open atom that can't be derived is false, or needed in vain. */
static void refute(Residual *r, uint32_t atom) {
  if (r->theory->input.at[atom] || r->stamp[atom] == r->clock || r->value[atom] != OPEN)
    return;
  if (r->needed[atom])
    r->conflict = true;
  else
    set_value(r, atom, FALSE);
}

static void refute_unfounded(Residual *r) {
  stamp_possible(r);
  for (size_t i = 0; i < r->offsets.n; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    for (uint32_t k = 0; k < rule_size(rule); k++)
      refute(r, rule[2 + k] >> 1);
    if (rule[0] != THEORY_NONE)
      refute(r, rule[0]);
  }
  for (size_t i = 0; i < r->pending.n; i++)
    refute(r, r->pending.at[i]);
  for (size_t i = 0; i < r->touched.n && !r->conflict; i++)
    if (r->needed[r->touched.at[i]])
      refute(r, r->touched.at[i]);
}

/* Sweeps until nothing changes; returns the end of the rules at `to`. */
static size_t propagate(Residual *r, size_t from, size_t end, size_t to) {
  size_t start = to;
  to = sweep(r, from, end, to);
  do {
    while (r->changed && !r->conflict)
      to = sweep(r, start, to, start);
    if (r->conflict)
      break;
    list_rules(r, start, to);
    propagate_needs(r);
    if (!r->changed && !r->conflict)
      refute_unfounded(r);
    if (!r->changed && !r->conflict)
      to = residual_unfold(r, start, to);
  } while (r->changed && !r->conflict);
  return to;
}

static bool still_pending(const Residual *r, uint32_t atom) {
  return r->value[atom] == OPEN && !r->needed[atom];
}

static void mark_relevant(Residual *r, uint32_t atom) {
  if (r->stamp[atom] == r->clock)
    return;
  r->stamp[atom] = r->clock;
  if (!r->theory->input.at[atom])
    vec_push(&r->queue, atom);
}

static void mark_body(Residual *r, const uint32_t *rule) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    mark_relevant(r, rule[2 + k] >> 1);
}

/* Stamps the atoms that constraints, needs and outputs depend on.  An atom that
** is open and defined has rules; they stand together from its group on. */
static void stamp_relevant(Residual *r) {
  uint32_t *group = r->part; /* by head; parts are numbered later */
  tick(r);
  r->queue.n = 0;
  for (size_t i = r->offsets.n; i-- > 0;) {
    const uint32_t *rule = r->words.at + r->offsets.at[i];
    if (rule[0] == THEORY_NONE)
      mark_body(r, rule);
    else
      group[rule[0]] = (uint32_t)i;
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

/* Order-free: rules that became equal may list their literals differently. */
static ResidualKey rule_hash(const Residual *r, const uint32_t *rule) {
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
    ResidualKey hash = rule_hash(r, rule);
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
  return rule[0] == THEORY_NONE ? rule[2] >> 1 : rule[0];
}

static void join_rules(Residual *r) {
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
  }
}

static ResidualKey need_hash(const Residual *r, uint32_t atom) {
  ResidualKey key = {{0, 0}};
  residual_key_add(&key, 1, r->code[2 * (size_t)atom + 1].word[0]);
  return key;
}

static void key_join(ResidualKey *to, const ResidualKey *from) {
  to->word[0] += from->word[0];
  to->word[1] += from->word[1];
}

/* Numbers the parts, in the order of their first rules, and adds up their
** sizes (in end) and keys. */
static void number_parts(Residual *r) {
  tick(r);
  r->made.n = 0;
  for (size_t i = 0; i < r->kept.n; i++) {
    const uint32_t *rule = r->words.at + r->kept.at[i].at;
    uint32_t root = find(r->parent, rule_atom(rule));
    if (r->stamp[root] != r->clock) {
      r->stamp[root] = r->clock;
      r->part[root] = (uint32_t)r->made.n;
      vec_push(&r->made, (ResidualPart){0});
    }
    ResidualPart *part = &r->made.at[r->part[root]];
    r->kept.at[i].part = r->part[root];
    part->end += rule_words(rule);
    key_join(&part->key, &r->kept.at[i].hash);
  }
}

/* Needs and pending outputs have rules, so their parts exist. */
static void add_needs(Residual *r) {
  for (size_t i = 0; i < r->touched.n; i++) {
    uint32_t atom = r->touched.at[i];
    if (!r->needed[atom] || r->value[atom] != OPEN)
      continue;
    ResidualPart *part = &r->made.at[r->part[find(r->parent, atom)]];
    ResidualKey key = need_hash(r, atom);
    key_join(&part->key, &key);
    part->end += 3;
  }
  for (size_t i = 0; i < r->pending.n; i++) {
    uint32_t atom = r->pending.at[i];
    if (still_pending(r, atom))
      residual_key_add(&r->made.at[r->part[find(r->parent, atom)]].key, 2,
                       r->code[2 * (size_t)atom].word[0]);
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
    size_t *end = &r->made.at[r->part[find(r->parent, atom)]].end;
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
    vec_push(&r->parts, (ResidualPart){part.begin - used + start, part.end - used + start, part.key});
  }
}

static void forget(Residual *r) {
  for (size_t i = 0; i < r->touched.n; i++) {
    r->value[r->touched.at[i]] = OPEN;
    r->needed[r->touched.at[i]] = false;
  }
  r->touched.n = 0;
}

bool residual_simplify(Residual *r, size_t begin, size_t end, uint32_t decision,
                       bool fresh) {
  r->told.n = 0;
  r->conflict = false;
  size_t start = r->words.n;
  vec_reserve(&r->words, end - begin);
  if (!fresh)
    begin = read_needs(r, begin, end);
  list_pending(r, begin, end, fresh);
  if (decision != THEORY_NONE) {
    residual_force(r, decision);
    r->told.n = 0;
  }
  size_t used = propagate(r, begin, end, start);
  if (!r->conflict) {
    stamp_relevant(r);
    keep_rules(r);
    join_rules(r);
    number_parts(r);
    add_needs(r);
    write_parts(r, start, used);
  }
  forget(r);
  return !r->conflict;
}

uint32_t residual_choose(const Residual *r, const ResidualPart *part, bool ready_first) {
  const Theory *t = r->theory;
  uint32_t first = THEORY_NONE, ready = THEORY_NONE; /* lowest ranks */
  for (size_t i = part->begin; i < part->end; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    uint32_t least = THEORY_NONE, inputs = 0;
    for (uint32_t k = 0; k < rule_size(rule); k++) {
      uint32_t atom = rule[2 + k] >> 1;
      if (!t->input.at[atom])
        continue;
      inputs++;
      if (least == THEORY_NONE || t->rank.at[atom] < t->rank.at[least])
        least = atom;
    }
    if (least == THEORY_NONE)
      continue;
    if (first == THEORY_NONE || t->rank.at[least] < t->rank.at[first])
      first = least;
    if (inputs == rule_size(rule) &&
        (ready == THEORY_NONE || t->rank.at[least] < t->rank.at[ready]))
      ready = least;
  }
  assert(first != THEORY_NONE);
  return ready_first && ready != THEORY_NONE ? ready : first;
}
