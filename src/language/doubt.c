/* doubt.c - what is right by the letter and probably meant otherwise. */
#include "language/doubt.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/number.h"
#include "language/formula.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 3 };  /* weights that all look like probabilities are no accident… */
#define LEAST 0.001 /* …and nobody writes smaller ones */

/* A weight that is written as a number, of a rule of the user's for an atom. */
static bool written(const Program *p, const Statement *s) {
  return s->kind == S_RULE && s->head_kind == HEAD_LITERAL && s->block == PROGRAM_BLOCK &&
         !s->coin && s->weight_kind == WEIGHT_NUMBER && s->expression.n == 1 &&
         weight_constant(&s->expression) && !program_source(p, s)->derived;
}

static void note_weights(const Program *p, const Statement *s, Diagnostics *said) {
  double w = weight_evaluate(&s->expression, NULL);
  Text hint = {0};
  text_printf(&hint, "for a probability write `%s :: …`; a fact of weight %s has %s",
              NUMBER_SHORT(w, 6), NUMBER_SHORT(w, 6), NUMBER_SHORT(1 / (1 + exp(-w)), 3));
  diagnose_hinted(said, LPMLN_NOTE, program_place(p, s, s->weight), text_take(&hint),
                  "all weights are between 0 and 1; weights are no probabilities");
}

static void doubt_weights(const Program *p, Diagnostics *said) {
  const Statement *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (!written(p, s))
      continue;
    double w = weight_evaluate(&s->expression, NULL);
    if (!(w >= LEAST && w < 1))
      return;
    first = first ? first : s;
    count++;
  }
  if (count >= MANY)
    note_weights(p, first, said);
}

/* ---- literals ------------------------------------------------------------------------- */

static bool opens(TokenKind kind) { return kind == T_OPEN || kind == T_OPEN_BRACE; }

static bool closes(TokenKind kind) { return kind == T_CLOSE || kind == T_CLOSE_BRACE; }

/* The sign outside of all brackets; the end if there is none. */
static uint32_t find_outside(const Token *t, Range r, TokenKind kind) {
  int depth = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += opens(t[i].kind) - closes(t[i].kind);
    if (!depth && t[i].kind == kind)
      return i;
  }
  return r.to;
}

/* `a = 1`, `p(X) = true`, `a = b`, `a <- b`: nobody compares such terms. */
static bool compares_atoms(const Source *s, const Token *t, Range r) {
  static const char *const values[] = {"0", "1", "true", "false", "yes", "no"};
  uint32_t i = find_outside(t, r, T_COMPARISON);
  if (i + 1 >= r.to || r.from == i || t[r.from].kind != T_IDENTIFIER)
    return false;
  if (token_is(s, &t[i], "<") && i + 2 < r.to && t[i + 1].kind == T_MINUS &&
      t[i].offset + 1 == t[i + 1].offset)
    return t[i + 2].kind == T_IDENTIFIER;
  bool equal = token_is(s, &t[i], "=") || token_is(s, &t[i], "==");
  if (equal && i + 2 == r.to && i == r.from + 1 && t[i + 1].kind == T_IDENTIFIER)
    return true; /* two names, which are equal or not */
  for (size_t k = 0; equal && i + 2 == r.to && k < sizeof values / sizeof *values; k++)
    if (token_is(s, &t[i + 1], values[k]))
      return true;
  return false;
}

static void doubt_literal(const Program *p, const Statement *s, Range r, Diagnostics *said) {
  const Token *t = program_tokens(p, s);
  while (r.from < r.to && t[r.from].kind == T_NOT)
    r.from++;
  if (compares_atoms(program_source(p, s), t, r))
    diagnose_warning(said, program_place(p, s, r),
                     "an atom is true where it is written alone, and false behind `not`",
                     "this compares terms, and says nothing of an atom");
}

/* Of a query, and of what was observed. */
static void doubt_literals(const Program *p, const Statement *s, Diagnostics *said) {
  const Token *t = program_tokens(p, s);
  Parts parts = {0};
  bool compared = false;
  for (uint32_t i = s->body.from; !compared && i < s->body.to; i++)
    compared = t[i].kind == T_COMPARISON;
  if (compared)
    formula_literals(p, s, &parts);
  for (size_t i = 0; i < parts.n; i++)
    doubt_literal(p, s, parts.at[i].range, said);
  vec_free(&parts);
}

static void doubt_query(const Program *p, const Statement *s, Diagnostics *said) {
  const Token *t = program_tokens(p, s);
  if (!range_empty(s->body) && t[s->body.from].kind == T_OPEN_BRACE &&
      t[s->body.to - 1].kind == T_CLOSE_BRACE && range_empty(s->given))
    diagnose_warning(said, program_place(p, s, s->body),
                     "'1 { a; b }' asks whether one of them holds at least",
                     "braces without a bound say nothing: this always holds");
  doubt_literals(p, s, said);
  if (range_empty(s->given))
    return;
  Statement given = program_given(s);
  doubt_literals(p, &given, said);
}

/* `a, b.`, where the comma is or; `a : - b.` */
static void doubt_head(const Program *p, const Statement *s, Diagnostics *said) {
  const Token *t = program_tokens(p, s);
  uint32_t comma = find_outside(t, s->head, T_COMMA), colon = find_outside(t, s->head, T_COLON);
  if (colon + 1 < s->head.to && t[colon + 1].kind == T_MINUS &&
      t[colon].offset + 1 < t[colon + 1].offset && t[colon + 1].offset + 1 < t[colon + 2].offset)
    diagnose_warning(said, program_place(p, s, (Range){colon, colon + 2}),
                     "write `:-` without a blank between", "this is a condition, and no arrow");
  else if (s->head_kind == HEAD_LITERAL)
    doubt_literal(p, s, s->head, said);
  else if (s->head_kind == HEAD_DISJUNCTION && comma < s->head.to && colon == s->head.to)
    diagnose_warning(said, program_place(p, s, (Range){comma, comma + 1}),
                     "write `;` for 'or'; for 'and' write two rules",
                     "a comma in a head is 'or', as in clingo");
}

static bool mentions(const Program *p, const char *name, size_t length) {
  for (size_t i = 0; i < p->units.n; i++) {
    const Unit *unit = &p->units.at[i];
    const Source *source = &p->sources.list.at[unit->source];
    for (size_t k = 0; k < unit->tokens.n && strcmp(source->name, OPTION_CONSTANT); k++)
      if (unit->tokens.at[k].kind == T_IDENTIFIER && unit->tokens.at[k].length == length &&
          !memcmp(source->bytes + unit->tokens.at[k].offset, name, length))
        return true;
  }
  return false;
}

/* `-c n=3` where there is no n. */
static void doubt_constant(const Program *p, const Statement *s, Diagnostics *said) {
  const Source *source = program_source(p, s);
  const Token *name = program_tokens(p, s) + s->whole.from + 1;
  if (name->kind == T_IDENTIFIER && !mentions(p, source->bytes + name->offset, name->length))
    diagnose_warning(said, NOWHERE, "in the text it is `#const name = value.`",
                     "the program has no constant '%.*s'", (int)name->length,
                     source->bytes + name->offset);
}

/* A block that says nothing, before a `---`: the first of them. */
static void doubt_blocks(const Program *p, Diagnostics *said) {
  bool *says = memory_zero((size_t)p->block_count + 1, sizeof *says);
  for (size_t i = 0; i < p->statements.n; i++)
    if (p->statements.at[i].block < p->block_count)
      says[p->statements.at[i].block] = true;
  for (size_t i = 0; i < p->blocks.n; i++) {
    Place place = p->blocks.at[i].place;
    const Source *s = place.source == NONE_SOURCE ? NULL : &p->sources.list.at[place.source];
    if (says[p->blocks.at[i].number] || !s || s->derived ||
        strncmp(s->bytes + place.offset, "---", 3) != 0)
      continue;
    diagnose_warning(said, place,
                     "`---` stands between observations, and `--- 25` behind the one that was "
                     "seen 25 times",
                     "nothing was observed before this line");
    break;
  }
  free(says);
}

void program_doubts(const Program *p, bool closed, Diagnostics *said) {
  doubt_weights(p, said);
  program_habits(p, said);
  if (!closed)
    doubt_blocks(p, said);
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (program_source(p, s)->derived)
      continue;
    if (s->kind == S_QUERY)
      doubt_query(p, s, said);
    else if (s->kind == S_LITERAL)
      doubt_literals(p, s, said);
    else if (s->kind == S_RULE)
      doubt_head(p, s, said);
    else if (s->kind == S_PASS && !strcmp(program_source(p, s)->name, OPTION_CONSTANT))
      doubt_constant(p, s, said);
  }
}
