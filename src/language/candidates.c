/* candidates.c - see candidates.h: a text cut into rules and declarations. */
#include "language/candidates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void candidates_free(Candidates *c) {
  for (size_t i = 0; i < c->list.n; i++)
    free(c->list.at[i].text);
  vec_free(&c->list);
}

void candidates_add(Candidates *c, char *text, Place place) {
  assert(text && *text);
  for (size_t i = 0; i < c->list.n; i++)
    if (!strcmp(c->list.at[i].text, text)) {
      free(text);
      return;
    }
  vec_push(&c->list, (Candidate){text, place});
}

/* The tokens of a statement with single spaces where there was some. */
static char *text_of(const Source *s, const Token *from, const Token *end) {
  Text text = {0};
  for (const Token *t = from; t < end; t++) {
    if (t > from && t[-1].offset + t[-1].length < t->offset)
      text_puts(&text, " ");
    text_printf(&text, "%.*s", (int)t->length, s->bytes + t->offset);
  }
  return text_take(&text);
}

/* Only what can have a weight: no directives, no weights of its own. */
static bool refuse(Diagnostics *said, const Source *s, const Token *from, Place place) {
  if (from->kind == T_DIRECTIVE)
    diagnose_error(said, place, "#modeh, #modeb, #maxbody and #maxvars are declarations",
                   "candidates are rules: no %.*s", (int)from->length, s->bytes + from->offset);
  else if (from->kind == T_AT || from->kind == T_NUMBER)
    diagnose_error(said, place, NULL, "a candidate has no weight: that is what is learned");
  else
    return false;
  return true;
}

static bool is_bound(const Source *s, const Token *t) {
  return token_is(s, t, "#maxbody") || token_is(s, t, "#maxvars");
}

static void take_bound(Modes *m, Diagnostics *said, const Source *s, const Token *from,
                       const Token *end, Place place) {
  unsigned long value = 0;
  if (end - from == 3 && from[1].kind == T_NUMBER && from[1].length <= 2)
    value = strtoul(s->bytes + from[1].offset, NULL, 10);
  if (!value || value > 9)
    diagnose_error(said, place, NULL, "this takes a number from 1 to 9");
  else if (token_is(s, from, "#maxbody"))
    m->most_literals = (uint32_t)value;
  else
    m->most_variables = (uint32_t)value;
}

static void take(Candidates *c, Modes *m, Diagnostics *said, uint32_t source, const Token *from,
                 const Token *end) {
  const Source *s = &said->sources->list.at[source];
  Place place = {source, from->offset, end[-1].offset + end[-1].length - from->offset};
  if (is_bound(s, from))
    take_bound(m, said, s, from, end, place);
  else if (token_is(s, from, "#modeh") || token_is(s, from, "#modeb"))
    (void)modes_add(m, said, s, from, end, place);
  else if (!refuse(said, s, from, place))
    candidates_add(c, text_of(s, from, end), place);
}

void candidates_read(Diagnostics *said, uint32_t source, Candidates *c) {
  assert(said->sources && source < said->sources->list.n);
  Tokens tokens = {0};
  Modes modes = {.most_literals = 2, .most_variables = 3};
  unsigned errors = said->errors;
  lex(said, source, false, &tokens);
  size_t from = 0;
  for (size_t i = 0; said->errors == errors && i < tokens.n; i++) {
    if (tokens.at[i].kind == T_DOT) {
      take(c, &modes, said, source, tokens.at + from, tokens.at + i + 1);
      from = i + 1;
    } else if (tokens.at[i].kind == T_END && i > from) {
      diagnose_error(said, ((Place){source, tokens.at[from].offset, tokens.at[from].length}), NULL,
                     "this has no full stop");
    }
  }
  if (said->errors == errors)
    modes_expand(&modes, said, c);
  if (said->errors == errors && !c->list.n)
    diagnose_error(said, NOWHERE, NULL, "there are no candidates");
  modes_free(&modes);
  vec_free(&tokens);
}
