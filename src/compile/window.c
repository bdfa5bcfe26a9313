/* window.c - the untouched rest of a residual; see residual.h. */
#include "compile/residual.h"

#include "base/memory.h"
#include "compile/theory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A group on its way into the order. */
typedef struct {
  uint32_t low;
  size_t begin, end; /* in words */
} Sorted;

typedef VEC(Sorted) Order;

static int compare_sorted(const void *a, const void *b) {
  const Sorted *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Widens the rule's range of ranks; returns its width. */
static uint32_t rule_low(const Residual *r, const uint32_t *rule, uint32_t *low) {
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t k = 0; k <= rule_size(rule); k++) {
    uint32_t atom = k < rule_size(rule) ? rule[2 + k] >> 1 : rule[0];
    if (atom == THEORY_NONE)
      continue;
    least = r->rank[atom] < least ? r->rank[atom] : least;
    most = r->rank[atom] > most ? r->rank[atom] : most;
  }
  *low = least < *low ? least : *low;
  return most - least;
}

/* Groups of words[begin .. end - 1] in their order; adds up the widths. */
static void list_groups(const Residual *r, size_t begin, size_t end, Order *order, uint64_t *width,
                        uint64_t *rules) {
  while (begin < end) {
    Sorted s = {UINT32_MAX, begin, begin};
    uint32_t head = r->words.at[begin];
    do {
      const uint32_t *rule = r->words.at + s.end;
      *width += rule_low(r, rule, &s.low);
      ++*rules;
      s.end += rule_words(rule);
    } while (head != THEORY_NONE && s.end < end && r->words.at[s.end] == head);
    vec_push(order, s);
    begin = s.end;
  }
}

static void note_atoms(Residual *r, const uint32_t *rule, uint32_t number) {
  if (rule[0] != THEORY_NONE)
    r->group[rule[0]] = r->last[rule[0]] = number;
  for (uint32_t k = 0; k < rule_size(rule); k++)
    r->last[rule[2 + k] >> 1] = number;
}

/* The need of a derived atom, told already, is a group of its own, with its atom's rules
** and before them: those are never looked at without it. */
static void list_needs(Residual *r, size_t begin, size_t end, Order *order) {
  uint32_t *low = r->part; /* by head; parts are numbered later */
  for (size_t i = 0; begin < end && i < order->n; i++) {
    uint32_t head = r->words.at[order->at[i].begin];
    if (head != THEORY_NONE)
      low[head] = order->at[i].low;
  }
  for (; begin < end; begin += 3) {
    uint32_t atom = r->words.at[begin + 2] >> 1;
    r->output[atom] = false;
    vec_push(order, (Sorted){low[atom], begin, begin + 3});
  }
}

static ResidualKey group_hash(const Residual *r, const uint32_t *rule) {
  bool need = rule[0] == THEORY_NONE && rule[1] == 2;
  return need ? residual_need_hash(r, rule[2] >> 1) : residual_rule_hash(r, rule);
}

/* Moves one group to the end of the rest. */
static void add_group(Residual *r, const Sorted *s, ResidualKey *sum, uint32_t *inputs) {
  assert(s->begin < s->end && s->end <= r->words.n);
  vec_push(&r->groups, (ResidualGroup){r->rest.n, s->low, *inputs, *sum});
  for (size_t i = s->begin; i < s->end; i += rule_words(r->words.at + i)) {
    const uint32_t *rule = r->words.at + i;
    size_t words = rule_words(rule);
    ResidualKey hash = group_hash(r, rule);
    residual_key_join(sum, &hash);
    note_atoms(r, rule, (uint32_t)r->groups.n);
    for (uint32_t k = 0; k < rule_size(rule); k++)
      *inputs += r->theory->input.at[rule[2 + k] >> 1];
    vec_reserve(&r->rest, words);
    memcpy(r->rest.at + r->rest.n, rule, words * sizeof *rule);
    r->rest.n += words;
  }
  uint32_t head = r->words.at[s->begin];
  if (head != THEORY_NONE && r->output[head])
    residual_key_code(sum, 2, &r->code[2 * (size_t)head]);
}

void residual_unwindow(Residual *r) {
  size_t atoms = r->theory->atoms;
  memset(r->group, 0, atoms * sizeof *r->group);
  memset(r->last, 0, atoms * sizeof *r->last);
  r->rest.n = r->groups.n = 0;
  r->parts.n = 0;
}

void residual_window(Residual *r) {
  assert(!r->groups.n && !r->rest.n);
  ResidualKey sum = {{0, 0}};
  uint64_t width = 0, rules = 0;
  uint32_t inputs = 0;
  for (size_t p = 0; p < r->parts.n; p++) {
    ResidualPart *part = &r->parts.at[p];
    size_t front = part->begin;
    while (front < part->end && r->words.at[front] == THEORY_NONE && r->words.at[front + 1] == 2)
      front += 3;
    Order order = {0};
    list_groups(r, front, part->end, &order, &width, &rules);
    list_needs(r, part->begin, front, &order);
    if (order.n)
      qsort(order.at, order.n, sizeof *order.at, compare_sorted);
    part->next = (uint32_t)r->groups.n;
    for (size_t i = 0; i < order.n; i++)
      add_group(r, &order.at[i], &sum, &inputs);
    part->limit = (uint32_t)r->groups.n;
    part->end = part->begin;
    vec_free(&order);
  }
  vec_push(&r->groups, (ResidualGroup){r->rest.n, UINT32_MAX, inputs, sum});
  r->groups.n--; /* the end is there but does not count */
  r->reach = rules ? (uint32_t)(2 * width / rules) : 0;
}

ResidualKey residual_rest_key(const Residual *r, uint32_t next, uint32_t limit) {
  assert(next <= limit && limit <= r->groups.n);
  const ResidualKey *a = &r->groups.at[next].before, *b = &r->groups.at[limit].before;
  return (ResidualKey){{b->word[0] - a->word[0], b->word[1] - a->word[1]}};
}

/* Appends the groups up to number `end`; their open outputs are pending now. */
static size_t append(Residual *r, uint32_t end, size_t to) {
  assert(r->next < end && end <= r->limit && to >= r->words.n);
  for (uint32_t i = r->next; i < end; i++) {
    uint32_t head = r->rest.at[r->groups.at[i].at];
    if (head != THEORY_NONE && r->output[head] && !r->needed[head] &&
        r->value[head] == RESIDUAL_OPEN)
      vec_push(&r->pending, head);
  }
  size_t from = r->groups.at[r->next].at, words = r->groups.at[end].at - from;
  vec_reserve(&r->words, to - r->words.n + words);
  memcpy(r->words.at + to, r->rest.at + from, words * sizeof *r->words.at);
  r->next = end;
  r->changed = true;
  return to + words;
}

size_t residual_pull(Residual *r, size_t to) {
  for (; r->pulled < r->touched.n; r->pulled++) {
    uint32_t atom = r->touched.at[r->pulled];
    if (r->value[atom] != RESIDUAL_OPEN && residual_in_rest(r, atom))
      to = append(r, r->last[atom], to);
  }
  if (r->next < r->limit && r->groups.at[r->next].inputs == r->groups.at[r->limit].inputs)
    to = append(r, r->limit, to); /* nothing to decide in it: it follows */
  return to;
}
