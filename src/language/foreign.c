/* foreign.c - see foreign.h. */
#include "language/foreign.h"

#include "language/lexer.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char negation[] = "negation is written `not`";
static const char conjunction[] = "'and' is written as a comma";
static const char alternative[] =
    "'or' is `;` in queries, observations and heads; for 'or' in a body write several rules";
static const char implication[] =
    "a rule is written `head :- body.`, and b given a is the query 'b | a'";
static const char formula[] = "a rule is written `head :- body.`; Markov logic is read from .mln "
                              "files, or with option dialect=mln";
static const char quantifier[] =
    "a rule is about all values of its variables: `1 a(X) :- b(X).`; `_` in a body is some value";
static const char comment[] = "comments start with %";

/* Of one or two tokens, which stand side by side. */
static const struct {
  const char *first, *second, *hint;
} signs[] = {
    {"&", "&", conjunction},
    {"&", NULL, conjunction},
    {"and", NULL, conjunction},
    {"AND", NULL, conjunction},
    {"|", "|", alternative},
    {"or", NULL, alternative},
    {"OR", NULL, alternative},
    {"\\", "+", negation},
    {"~", NULL, negation},
    {"NOT", NULL, negation},
    {"-", ">", implication},
    {"=", ">", formula},
    {"<=", ">", formula},
    {"if", NULL, implication},
    {"v", NULL, alternative},
    {"/", "/", comment},
    {"/", "*", comment},
    {"/", "**", comment},
    {"is", NULL, "a value is computed by `X = Y+1`"},
    {"=", ":", "equality is written `=`"},
    {"\\", "=", "inequality is written `!=`"},
    {"=", "\\", "inequality is written `!=`"},
    {"[", NULL,
     "there are no lists; a pool `p(1;2;3)` or an interval `p(1..3)` makes several atoms"},
    {"forall", NULL, quantifier},
    {"exist", NULL, quantifier},
    {"exists", NULL, quantifier},
    {"-", "-", "a line `---` separates observations, which are given with option evidence"},
};

/* Does a literal or a term end with it, or begin? */
static bool is_operand(const Token *t, TokenKind bracket) {
  return t->kind == T_IDENTIFIER || t->kind == T_VARIABLE || t->kind == T_NUMBER ||
         t->kind == T_STRING || t->kind == bracket;
}

/* A word is foreign where nothing connects it with what is before or behind it. */
static bool loose(const Token *t, uint32_t i, Range r) {
  return (i > r.from && is_operand(&t[i - 1], T_CLOSE)) ||
         (i + 1 < r.to && is_operand(&t[i + 1], T_NOT));
}

static bool beside(const Token *a, const Token *b) { return a->offset + a->length == b->offset; }

/* The sign at token i; NULL: there is none. */
static const char *hint_at(const Source *s, const Token *t, uint32_t i, Range r, Range *to) {
  bool named = t[i].kind == T_IDENTIFIER || t[i].kind == T_VARIABLE;
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    bool second = signs[k].second;
    if (!token_is(s, &t[i], signs[k].first) || (named && !loose(t, i, r)) ||
        (i > r.from && t[i - 1].kind == T_DOT)) /* brackets behind the full stop */
      continue;
    if (second &&
        (i + 1 >= r.to || !beside(&t[i], &t[i + 1]) || !token_is(s, &t[i + 1], signs[k].second)))
      continue;
    *to = (Range){i, i + 1 + second};
    return signs[k].hint;
  }
  return NULL;
}

bool foreign_find(const Source *s, const Token *t, Range r, Range *where, const char **hint) {
  assert(r.from <= r.to);
  for (uint32_t i = r.from; i < r.to; i++)
    if ((*hint = hint_at(s, t, i, r, where)))
      return true;
  return false;
}
