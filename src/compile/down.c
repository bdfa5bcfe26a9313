/* down.c - an order of inputs from what is asked down to what it depends on; see search.h.
**
** Where each atom is derived for one other, as people on a tree influence each other, what is
** asked is a tree of alternatives.  Depth first through it, what lies behind depends on
** nothing but whether it was derived so far. */
#include "compile/search.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const Residual *r;
  size_t *rules;  /* by head: 1 + where its rules begin in words; 0: none, or met */
  size_t end;     /* of the part */
  uint32_t *rank; /* by atom; UINT32_MAX: none yet */
  uint32_t next;
  size_t heads, reads; /* atoms with rules; derived atoms in their bodies */
  Words stack, body;   /* atoms to look at; those of one head */
} Down;

/* What the rules of one head read comes next, in the order of the rules. */
static void read_rules(Down *d, uint32_t head) {
  const uint32_t *words = d->r->words.at;
  size_t at = d->rules[head];
  d->rules[head] = 0;
  d->body.n = 0;
  for (size_t i = at - 1; i < d->end && words[i] == head; i += rule_words(words + i))
    for (uint32_t k = 0; k < rule_size(words + i); k++)
      vec_push(&d->body, words[i + 2 + k] >> 1);
  for (size_t i = 0; i < d->body.n; i++)
    d->reads += !d->r->theory->input.at[d->body.at[i]];
  while (d->body.n)
    vec_push(&d->stack, d->body.at[--d->body.n]);
}

static void visit(Down *d, uint32_t atom) {
  vec_push(&d->stack, atom);
  while (d->stack.n) {
    atom = d->stack.at[--d->stack.n];
    if (d->rank[atom] == UINT32_MAX)
      d->rank[atom] = d->next++;
    if (d->rules[atom])
      read_rules(d, atom);
  }
}

static void order_part(Down *d, const ResidualPart *part) {
  const Residual *r = d->r;
  const uint32_t *words = r->words.at;
  d->end = part->end;
  for (size_t i = part->begin; i < part->end; i += rule_words(words + i))
    if (words[i] != THEORY_NONE && !d->rules[words[i]])
      d->rules[words[i]] = i + 1, d->heads++;
  for (size_t i = part->begin; i < part->end; i += rule_words(words + i)) {
    const uint32_t *rule = words + i;
    if (rule[0] != THEORY_NONE && r->output[rule[0]])
      visit(d, rule[0]);
    for (uint32_t k = 0; rule[0] == THEORY_NONE && k < rule_size(rule); k++)
      visit(d, rule[2 + k] >> 1);
  }
}

bool search_order_down(Search *s) {
  const Residual *r = &s->residual;
  size_t atoms = s->theory->atoms;
  if (!s->down)
    s->down = memory_zero(atoms, sizeof *s->down);
  Down d = {.r = r, .rules = memory_zero(atoms, sizeof *d.rules), .rank = s->down};
  memset(d.rank, 0xff, atoms * sizeof *d.rank);
  for (size_t p = 0; p < r->parts.n; p++)
    order_part(&d, &r->parts.at[p]);
  assert(d.next <= atoms);
  s->residual.rank = s->down;
  free(d.rules);
  vec_free(&d.stack);
  vec_free(&d.body);
  return s->choice == CHOOSE_DOWN || residual_almost_tree(d.heads, d.reads);
}
