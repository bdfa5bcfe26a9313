/* counts.c - see counts.h: which instances are counted together, and what is said of them. */
#include "infer/counts.h"

#include "base/arena.h"
#include "base/memory.h"
#include "language/program.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  uint32_t soft, weight, instance;
} Key;

static int compare_keys(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->soft != y->soft)
    return x->soft < y->soft ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Is the rule of the user's, with a weight? */
static bool counted(const Task *t, uint32_t soft) {
  uint32_t statement = t->ground->soft.at[soft].statement;
  return t->program->statements.at[statement].weight_kind != WEIGHT_HARD;
}

/* A rule without instances has a row, too. */
static void add_row(Counts *c, const Key *k) {
  const CountRow *last = c->n ? &c->rows[c->n - 1] : NULL;
  if (last && last->soft == k->soft && (k->instance == NONE || last->weight == k->weight))
    return;
  c->rows[c->n++] = (CountRow){k->soft, k->weight};
}

static void find_rows(const Task *t, Counts *c) {
  const Ground *g = t->ground;
  size_t n = 0;
  Key *keys = memory_zero(g->instances.n + g->soft.n, sizeof *keys);
  for (uint32_t i = 0; i < g->instances.n; i++) {
    uint32_t weight = g->instances.at[i].weight;
    bool named = weight != NONE && g->weights.at[weight].name != NONE;
    if (weight != NONE && counted(t, g->instances.at[i].soft))
      keys[n++] = (Key){g->instances.at[i].soft, named ? weight : NONE, i};
  }
  for (uint32_t s = 0; s < g->soft.n; s++)
    if (counted(t, s))
      keys[n++] = (Key){s, NONE, NONE};
  if (n)
    qsort(keys, n, sizeof *keys, compare_keys);
  c->rows = memory_zero(n, sizeof *c->rows);
  c->of = memory_zero(g->instances.n, sizeof *c->of);
  for (uint32_t i = 0; i < g->instances.n; i++)
    c->of[i] = NONE;
  for (size_t i = 0; i < n; i++) {
    add_row(c, &keys[i]);
    if (keys[i].instance != NONE)
      c->of[keys[i].instance] = (uint32_t)(c->n - 1);
  }
  free(keys);
}

static void counts_begin(const Task *t, Counts *c) {
  *c = (Counts){0};
  find_rows(t, c);
  for (int given = 0; given < 2; given++) {
    c->value[given] = memory_zero(c->n, sizeof *c->value[given]);
    c->error[given] = memory_zero(c->n, sizeof *c->error[given]);
  }
}

static void counts_free(Counts *c) {
  for (int given = 0; given < 2; given++) {
    free(c->value[given]);
    free(c->error[given]);
  }
  free(c->rows);
  free(c->of);
}

/* Of a rule with one row also those that can't be violated, which the ground program knows
** only by number. */
static size_t instances_of(const Task *t, const Counts *c, size_t row) {
  size_t n = 0;
  uint32_t soft = c->rows[row].soft;
  bool alone = (row == 0 || c->rows[row - 1].soft != soft) &&
               (row + 1 == c->n || c->rows[row + 1].soft != soft);
  if (alone)
    return t->ground->soft.at[soft].instances;
  for (size_t i = 0; i < t->ground->instances.n; i++)
    n += c->of[i] == row;
  return n;
}

static void describe(const Task *t, const Counts *c, size_t row, lpmln_count *to) {
  const Ground *g = t->ground;
  const CountRow *r = &c->rows[row];
  Text text = {0};
  program_describe(t->program, &t->program->statements.at[g->soft.at[r->soft].statement], &to->file,
                   &to->line, &text);
  to->file = arena_text(t->answer, to->file);
  to->rule = arena_bytes(t->answer, text.at, text.n);
  vec_free(&text);
  if (r->weight != NONE)
    to->parameter = arena_text(t->answer, ground_text(g, g->weights.at[r->weight].name));
  to->instances = instances_of(t, c, row);
  to->expected = c->value[0][row], to->expected_error = c->error[0][row];
  to->given = c->value[1][row], to->given_error = c->error[1][row];
}

Status counts_infer(const Task *t, lpmln_inference *answer) {
  assert(t->ground->sealed && answer->about.method != LPMLN_AUTO);
  Counts c;
  counts_begin(t, &c);
  lpmln_method by = answer->about.method;
  Status status = by == LPMLN_EXACT       ? counts_exactly(t, &c)
                  : by == LPMLN_ENUMERATE ? counts_enumerate(t, &c)
                                          : counts_sample(t, &c);
  if (status == OK) {
    lpmln_count *list = arena_zero(t->answer, c.n, sizeof *list);
    for (size_t i = 0; i < c.n; i++)
      describe(t, &c, i, &list[i]);
    answer->rule_count = c.n;
    answer->counts = list;
  }
  answer->about.complete &= status == OK;
  counts_free(&c);
  return status;
}
