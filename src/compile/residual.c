/* residual.c - propagating a decision; see residual.h.
**
** Everything is done by sweeps over contiguous words rather than by watches
** and queues: residuals are short, most decisions need two or three sweeps,
** and nothing has to be undone on backtracking.  Hot. */
#include "compile/residual.h"

#include "base/digest.h"
#include "base/random.h"
#include "ground/ground.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { OVERHEAD = 50 }; /* of a call, in words */
enum { PATIENCE = 4 };  /* sweeps, after which values are chased one by one */
enum { OPEN = RESIDUAL_OPEN, TRUE = RESIDUAL_TRUE, FALSE = RESIDUAL_FALSE };

/* Keys of parts are sums of codes, so whoever knew the codes beforehand could write a program
** whose parts collide.  They are drawn from a digest of the theory itself: another program
** has other codes, and the same one the same. */
static Random random_of(const Theory *t) {
  Digest d = digest_begin();
  Random random;
  uint32_t words[8];
  digest_add(&d, &t->atoms, sizeof t->atoms);
  digest_add(&d, t->rules.at, t->rules.n * sizeof *t->rules.at);
  digest_end(&d, words);
  for (size_t i = 0; i < 4; i++)
    random.state[i] = (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
  return random;
}

void residual_begin(Residual *r, const Theory *t) {
  size_t atoms = t->atoms;
  *r = (Residual){.theory = t};
  r->output = memory_zero(atoms, 1);
  r->value = memory_zero(atoms, 1);
  r->needed = memory_zero(atoms, 1);
  r->code = memory_zero(2 * atoms, sizeof *r->code);
  r->stamp = memory_zero(atoms + 1, sizeof *r->stamp);
  r->literal_stamp = memory_zero(2 * atoms, sizeof *r->literal_stamp);
  r->parent = memory_zero(atoms + 1, sizeof *r->parent);
  r->part = memory_zero(atoms + 1, sizeof *r->part);
  r->use = memory_zero(atoms, sizeof *r->use);
  r->loop = memory_zero(atoms, sizeof *r->loop);
  r->group = memory_zero(atoms, sizeof *r->group);
  r->last = memory_zero(atoms, sizeof *r->last);
  r->tally = memory_zero(atoms, residual_tally_size());
  Random random = random_of(t);
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
  free(r->use);
  free(r->loop);
  free(r->group);
  free(r->last);
  free(r->tally);
  vec_free(&r->vertices);
  vec_free(&r->edges);
  vec_free(&r->words);
  vec_free(&r->parts);
  vec_free(&r->told);
  vec_free(&r->uses);
  vec_free(&r->dropped);
  vec_free(&r->touched);
  vec_free(&r->pending);
  vec_free(&r->weights);
  vec_free(&r->offsets);
  vec_free(&r->todo);
  vec_free(&r->queue);
  vec_free(&r->kept);
  vec_free(&r->made);
  vec_free(&r->rest);
  vec_free(&r->groups);
  *r = (Residual){0};
}

/* A new stamp that no atom has.  Both clocks start again long before they
** overflow; literal_clock moves by the number of rules at most per call. */
void residual_tick(Residual *r) {
  if (++r->clock < UINT32_MAX / 2 && r->literal_clock < UINT32_MAX / 2)
    return;
  memset(r->stamp, 0, (r->theory->atoms + (size_t)1) * sizeof *r->stamp);
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
  assert(literal < 2 * r->theory->atoms);
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
  uint32_t loop = r->loop[atom];
  return head == THEORY_NONE || !loop || loop != r->loop[head] ? TRUE : OPEN;
}

uint8_t residual_literal(const Residual *r, uint32_t head, uint32_t literal) {
  return literal_value(r, head, literal);
}

void residual_derive(Residual *r, uint32_t atom) {
  if (r->value[atom] == OPEN)
    set_value(r, atom, TRUE);
}

/* The rewritten rule stands at `to` with `size` literals; returns its words. */
static size_t finish_plain(Residual *r, uint32_t *to, uint32_t head, uint32_t size) {
  if (!size && head == THEORY_NONE)
    r->conflict = true;
  else if (!size)
    residual_derive(r, head);
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

static size_t rewrite_weighted(Residual *r, const uint32_t *rule, uint32_t head, uint32_t *to) {
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
  assert(to <= from || to >= end);
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
  assert(first < last && last <= r->offsets.n);
  uint32_t base = r->literal_clock + 1, n = (uint32_t)(last - first);
  r->literal_clock += n + 1;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t *rule = r->words.at + r->offsets.at[first + i];
    for (uint32_t k = 0; k < rule_size(rule); k++) {
      uint32_t *stamp = &r->literal_stamp[rule[2 + k]];
      if (!i || *stamp == base + i - 1)
        *stamp = base + i;
    }
  }
  const uint32_t *rule = r->words.at + r->offsets.at[last - 1];
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (r->literal_stamp[rule[2 + k]] == base + n - 1)
      residual_force(r, rule[2 + k]);
}

/* From uses to definitions, so that a chain of needs is one round. */
static void propagate_needs(Residual *r) {
  for (size_t last = r->offsets.n, first; last; last = first) {
    uint32_t head = r->words.at[r->offsets.at[last - 1]];
    bool plain = true;
    for (first = last; first; first--) {
      const uint32_t *rule = r->words.at + r->offsets.at[first - 1];
      if (rule[0] != head)
        break;
      plain &= !rule_weighted(rule);
    }
    if (head != THEORY_NONE && r->needed[head] && r->value[head] == OPEN && plain)
      need_common(r, first, last);
  }
}

/* Whether the body can hold if the stamped atoms, inputs and all negative
** literals can. */
static bool body_possible(const Residual *r, const uint32_t *rule) {
  uint32_t size = rule_size(rule);
  int64_t missing = rule_weighted(rule) ? rule[2 + 2 * (size_t)size] : 0;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t literal = rule[2 + k], atom = literal >> 1;
    bool possible = literal & 1 || r->theory->input.at[atom] || r->stamp[atom] == r->clock ||
                    residual_rules_rest(r, atom);
    if (!rule_weighted(rule) && !possible)
      return false;
    if (rule_weighted(rule) && possible)
      missing -= rule[2 + size + k];
  }
  return missing <= 0;
}

/* Stamps every atom that the rules can still derive. */
static void stamp_possible(Residual *r) {
  residual_tick(r);
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
  if (r->theory->input.at[atom] || r->stamp[atom] == r->clock || r->value[atom] != OPEN ||
      residual_rules_rest(r, atom))
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

/* Sweeps until nothing changes; returns the end of the rules at `start`. */
static size_t settle(Residual *r, size_t start, size_t to) {
  for (;;) {
    to = residual_pull(r, to);
    if (!r->changed || r->conflict)
      return to;
    if (++r->sweeps > PATIENCE) {
      residual_chase(r, start, to);
      r->sweeps = 0;
    }
    to = sweep(r, start, to, start);
  }
}

/* The rules of words[from .. end - 1], rewritten at `start`; returns their end. */
static size_t propagate(Residual *r, size_t from, size_t end, size_t start) {
  size_t to = sweep(r, from, end, start);
  do {
    to = settle(r, start, to);
    if (r->conflict)
      break;
    list_rules(r, start, to);
    propagate_needs(r);
    if (!r->changed && !r->conflict)
      refute_unfounded(r);
    if (!r->changed && !r->conflict)
      to = residual_unfold(r, start, to);
    if (!r->changed && !r->conflict)
      to = residual_merge(r, start, to);
  } while (r->changed && !r->conflict);
  return to;
}

static void forget(Residual *r) {
  for (size_t i = 0; i < r->touched.n; i++) {
    r->value[r->touched.at[i]] = OPEN;
    r->needed[r->touched.at[i]] = false;
  }
  r->touched.n = 0;
}

bool residual_simplify(Residual *r, const ResidualPart *part, uint32_t decision, bool fresh) {
  assert(part->begin <= part->end && part->end <= r->words.n && part->next <= part->limit);
  if (fresh)
    forget(r); /* memory may have run out anywhere */
  assert(!r->touched.n && (decision == THEORY_NONE || r->theory->input.at[decision >> 1]));
  size_t start = r->words.n, begin = part->begin, end = part->end;
  r->told.n = r->pulled = r->unfolded = r->sweeps = 0;
  r->conflict = false;
  r->next = part->next, r->limit = part->limit;
  vec_reserve(&r->words, end - begin);
  if (!fresh)
    begin = read_needs(r, begin, end);
  list_pending(r, begin, end, fresh);
  if (decision != THEORY_NONE) {
    residual_force(r, decision);
    r->told.n = 0;
  }
  if (fresh && r->theory->atoms)
    memcpy(r->loop, r->theory->loop.at, r->theory->atoms * sizeof *r->loop);
  r->reduced &= !fresh;
  size_t used = propagate(r, begin, end, start);
  if (fresh && !r->conflict) {
    size_t fewer = residual_dominate(r, start, used);
    used = fewer < used ? propagate(r, start, fewer, start) : used;
  }
  assert(used >= start && r->words.n == start);
  r->work += OVERHEAD + (end - begin) + (used - start);
  if (!r->conflict)
    residual_split(r, start, used);
  forget(r);
  return !r->conflict;
}
