/* arrow.c - the paper's arrow between head and body, `head <- body`, becomes the token
** of `:-` before anything else looks at the tokens.
**
** `<-` is also less than a negative number.  It is the arrow where no `:-` turns the
** statement, outside of all brackets, at its first occurrence, unless a number or a
** variable follows the minus at once (`X <-1`). */
#include "language/parser.h"

#include <assert.h>

static bool adjacent(const Token *t) { return t->offset + t->length == t[1].offset; }

static bool is_arrow(const Parser *p, uint32_t i) {
  const Token *t = &p->t[i];
  if (t->kind != T_COMPARISON || !parser_is(p, i, "<") || t[1].kind != T_MINUS || !adjacent(t))
    return false;
  return !adjacent(&t[1]) || (t[2].kind != T_NUMBER && t[2].kind != T_VARIABLE);
}

#define NO_ARROW (UINT32_MAX - 1) /* and the token behind it is none, either */

/* The token of the statement's arrow. */
static uint32_t find_arrow(const Parser *p, uint32_t from, uint32_t end) {
  uint32_t arrow = NO_ARROW;
  int depth = 0;
  if (p->t[from].kind == T_DIRECTIVE && !parser_starts_aggregate(p, from))
    return NO_ARROW;
  for (uint32_t i = from; i < end; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    if (depth)
      continue;
    if (p->t[i].kind == T_IF || p->t[i].kind == T_WEAK)
      return NO_ARROW;
    if (arrow == NO_ARROW && is_arrow(p, i))
      arrow = i;
  }
  return arrow;
}

void parser_turn_arrows(Parser *p) {
  Tokens *tokens = &p->program->units.at[p->unit].tokens;
  uint32_t kept = 0, from = 0, n = (uint32_t)tokens->n;
  assert(n && tokens->at == p->t && p->t[n - 1].kind == T_END);
  while (from < n) {
    uint32_t end = from;
    while (!parser_ends(p, end))
      end++;
    uint32_t arrow = find_arrow(p, from, end), next = end + 1 < n ? end + 1 : n;
    for (uint32_t i = from; i < next; i++) {
      Token t = tokens->at[i];
      if (i == arrow)
        t = (Token){T_IF, t.offset, 2};
      if (i != arrow + 1)
        tokens->at[kept++] = t;
    }
    from = next;
  }
  tokens->n = kept;
}
