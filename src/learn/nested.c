/* nested.c - see nested.h.
**
** Rules are compared as text without their weights, and paired in the order of the text.  Weights
** are compared instance by instance, so that @w(f(X)), a parameter for each X, is seen to contain
** @w(f). */
#include "learn/nested.h"

#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Something that has a name and, among equal names, a place in an order. */
typedef struct {
  char *text; /* owned */
  size_t place;
} Entry;

typedef VEC(Entry) Entries;

static void entries_free(Entries *e) {
  for (size_t i = 0; i < e->n; i++)
    free(e->at[i].text);
  vec_free(e);
}

static int by_text(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  int order = strcmp(x->text, y->text);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void add(Entries *to, Text *text, size_t place) {
  vec_reserve(to, 1);
  vec_push(to, (Entry){text_take(text), place});
}

static bool same_texts(const Entries *a, const Entries *b) {
  bool same = a->n == b->n;
  for (size_t i = 0; same && i < a->n; i++)
    same = !strcmp(a->at[i].text, b->at[i].text);
  return same;
}

static void sort(Entries *e) {
  if (e->n)
    qsort(e->at, e->n, sizeof *e->at, by_text);
}

/* ---- rules ------------------------------------------------------------------------------ */

static bool is_of_program(const Statement *s) {
  return s->block == PROGRAM_BLOCK && s->kind != S_QUERY && s->kind != S_COLUMN;
}

static void write_rule(const Program *p, const Statement *s, Text *to) {
  if (s->kind != S_RULE) {
    program_write(p, s, s->whole, to);
    return;
  }
  const char *weight = s->weight_kind == WEIGHT_HARD ? "" : s->coin ? ":: " : "@w ";
  text_printf(to, "%s%u ", weight, s->before);
  program_write(p, s, s->head, to);
  text_puts(to, " :- ");
  program_write(p, s, s->body, to);
}

static void list_rules(const Program *p, Entries *to) {
  for (size_t i = 0; i < p->statements.n; i++)
    if (is_of_program(&p->statements.at[i])) {
      Text text = {0};
      write_rule(p, &p->statements.at[i], &text);
      add(to, &text, i);
    }
  sort(to);
}

/* ---- instances -------------------------------------------------------------------------- */

/* Instances by the rank of their rule and their substitution. */
static void list_instances(Nestable n, const Entries *rules, Entries *to) {
  const Ground *g = n.ground;
  size_t *rank = memory_zero(n.program->statements.n, sizeof *rank);
  for (size_t i = 0; i < rules->n; i++)
    rank[rules->at[i].place] = i;
  for (size_t i = 0; i < g->instances.n; i++) {
    const Instance *is = &g->instances.at[i];
    if (is->weight == NONE)
      continue;
    Text text = {0};
    text_printf(&text, "%zu %s", rank[g->soft.at[is->soft].statement], ground_text(g, is->text));
    add(to, &text, i);
  }
  sort(to);
  free(rank);
}

static bool is_number(const Weight *w) { return w->name == NONE; }

static bool same_weight(const Ground *g, uint32_t a, uint32_t b) {
  const Weight *x = &g->weights.at[a], *y = &g->weights.at[b];
  return a == b || (is_number(x) && is_number(y) && x->value == y->value);
}

/* What each weight of the larger one is in the smaller one. */
static bool weights_fit(const Ground *small, const Entries *these, const Ground *large,
                        const Entries *those) {
  assert(these->n == those->n);
  bool fit = true;
  uint32_t *is = memory_zero(large->weights.n, sizeof *is); /* number + 1; 0: not seen */
  for (size_t i = 0; fit && i < these->n; i++) {
    uint32_t w = small->instances.at[these->at[i].place].weight;
    uint32_t of = large->instances.at[those->at[i].place].weight;
    const Weight *number = &large->weights.at[of];
    if (is_number(number))
      fit = is_number(&small->weights.at[w]) && small->weights.at[w].value == number->value;
    else
      fit = !is[of] || same_weight(small, is[of] - 1, w);
    is[of] = w + 1;
  }
  free(is);
  return fit;
}

bool nested_in(Nestable smaller, Nestable larger) {
  assert(smaller.ground->sealed && larger.ground->sealed);
  Entries rules[2] = {{0}}, instances[2] = {{0}};
  list_rules(smaller.program, &rules[0]);
  list_rules(larger.program, &rules[1]);
  bool nested = same_texts(&rules[0], &rules[1]);
  if (nested) {
    list_instances(smaller, &rules[0], &instances[0]);
    list_instances(larger, &rules[1], &instances[1]);
    nested = same_texts(&instances[0], &instances[1]) &&
             weights_fit(smaller.ground, &instances[0], larger.ground, &instances[1]);
  }
  for (int i = 0; i < 2; i++) {
    entries_free(&rules[i]);
    entries_free(&instances[i]);
  }
  return nested;
}
