/* rule.c - rules with a weight.  plingo's reading of
**
**   a :- B, &weight(w).                is      w : a :- B.
**   { … } = 1 :- B, &weight(w).                { … } :- B.   w : :- B, not { … } = 1.
**
** An interval or pool does not make several instances: they are violated as one. */
#include "dialects/plingo/plingo.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "dialects/dialect.h"
#include "dialects/plingo/text.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- weights ------------------------------------------------------------------------------ */

/* The weight as an expression of ours. */
static bool weight_of(Plingo *p, const TheoryAtom *atom, Text *out) {
  PlingoText *f = &p->f;
  double value;
  bool logarithm = plingo_is(f, atom->name, "log"), chance = plingo_is(f, atom->name, "problog");
  if (!plingo_single(f, atom->arguments)) {
    plingo_error(f, atom->whole, NULL, "one weight must stand in parentheses");
    return false;
  }
  if (!plingo_number(f, atom->arguments, &value))
    return false;
  if ((logarithm && !(value > 0)) || (chance && !(value > 0 && value < 1))) {
    plingo_error(f, atom->arguments, chance ? "what is certain needs no weight" : NULL,
                 chance ? "a probability between 0 and 1 is needed"
                        : "a positive number is needed");
    return false;
  }
  Text text = {0};
  plingo_expression(f, atom->arguments, &text);
  if (logarithm)
    text_printf(out, "@log(%s)", text.at);
  else if (chance)
    text_printf(out, "@logit(%s)", text.at);
  else
    text_printf(out, "%s", text.at);
  vec_free(&text);
  return true;
}

/* ---- weighted rules -------------------------------------------------------------------------- */

/* The body without the weight: two pieces, as separators allow. */
typedef struct {
  Range first, second;
} Rest;

static Rest without(const PlingoText *f, const TheoryAtom *atom) {
  assert(f->body.from <= atom->whole.from && atom->whole.to <= f->body.to);
  Rest rest = {{f->body.from, atom->whole.from}, {atom->whole.to, f->body.to}};
  if (!range_empty(rest.first))
    rest.first.to--; /* the separator before it */
  else if (!range_empty(rest.second))
    rest.second.from++;
  return rest;
}

static bool rest_empty(const Rest *rest) {
  return range_empty(rest->first) && range_empty(rest->second);
}

static void write_rest(const PlingoText *f, Writer *w, const Rest *rest) {
  plingo_write(f, w, rest->first);
  if (!range_empty(rest->first) && !range_empty(rest->second))
    writer_puts(w, " ");
  plingo_write(f, w, rest->second);
}

static void write_body(const PlingoText *f, Writer *w, const Rest *rest, const char *before) {
  if (!rest_empty(rest)) {
    writer_puts(w, before);
    write_rest(f, w, rest);
  }
}

static bool has_kind(const PlingoText *f, Range r, TokenKind kind) {
  for (uint32_t i = r.from; i < r.to; i++)
    if (plingo_tokens(f)[i].kind == kind)
      return true;
  return false;
}

/* An interval or pool outside of braces: plingo counts all its values as one. */
static bool spreads(const PlingoText *f, Range r) {
  const Token *t = plingo_tokens(f);
  int depth = 0, braces = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += (t[i].kind == T_OPEN) - (t[i].kind == T_CLOSE);
    braces += (t[i].kind == T_OPEN_BRACE) - (t[i].kind == T_CLOSE_BRACE);
    if (!braces && depth && (t[i].kind == T_DOTS || t[i].kind == T_SEMICOLON))
      return true;
  }
  return false;
}

/* `{ … } = 1` as the head: the choice is there even where the bound is violated. */
static bool bounded_choice(const PlingoText *f) {
  uint32_t brace = plingo_find(f, f->head, T_OPEN_BRACE);
  if (brace == f->head.to || has_kind(f, (Range){f->head.from, brace}, T_DIRECTIVE))
    return false;
  return brace > f->head.from || plingo_matching(f, brace) + 1 < f->head.to;
}

static void write_bounded(Plingo *p, const Text *weight, const Rest *rest) {
  assert(bounded_choice(&p->f) && weight->n);
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  uint32_t brace = plingo_find(f, f->head, T_OPEN_BRACE);
  plingo_start(f, w, "");
  plingo_write(f, w, (Range){brace, plingo_matching(f, brace) + 1});
  write_body(f, w, rest, " :- ");
  writer_puts(w, ".\n");
  plingo_start(f, w, weight->at);
  writer_puts(w, " : :- ");
  write_body(f, w, rest, "");
  writer_puts(w, rest_empty(rest) ? "not " : "; not ");
  plingo_write(f, w, f->head);
  writer_puts(w, ".\n");
}

/* { a } :- B.   lost(i,x) :- B, not a.   w : :- lost(i,x). */
static void write_spread(Plingo *p, const Text *weight, const Rest *rest) {
  assert(weight->n);
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  Range parts[] = {f->head, rest->first, rest->second};
  Text lost = {0};
  text_printf(&lost, "%slost(%u", p->prefix, ++p->rules);
  plingo_variables(f, parts, 3, ",", &lost);
  text_puts(&lost, ")");
  if (!range_empty(f->head)) {
    plingo_start(f, w, "{ ");
    plingo_write(f, w, f->head);
    writer_puts(w, " }");
    write_body(f, w, rest, " :- ");
    writer_puts(w, ".\n");
  }
  plingo_start(f, w, lost.at);
  writer_puts(w, " :- ");
  write_body(f, w, rest, "");
  if (!range_empty(f->head)) {
    writer_puts(w, rest_empty(rest) ? "not " : "; not ");
    plingo_write(f, w, f->head);
  }
  writer_puts(w, ".\n");
  plingo_start(f, w, weight->at);
  plingo_printf(w, " : :- %s.\n", lost.at);
  vec_free(&lost);
}

static void write_soft(Plingo *p, const Text *weight, const Rest *rest) {
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  if (bounded_choice(f)) {
    write_bounded(p, weight, rest);
  } else if (spreads(f, f->head) || spreads(f, rest->first) || spreads(f, rest->second)) {
    write_spread(p, weight, rest);
  } else {
    plingo_start(f, w, weight->at);
    writer_puts(w, " : ");
    plingo_write(f, w, f->head);
    write_body(f, w, rest, range_empty(f->head) ? ":- " : " :- ");
    writer_puts(w, ".\n");
  }
}

/* ProbLog's reading: a fresh fact for each instance,
**   { fact(i,x) } :- B.   a :- fact(i,x).
**   -ln p : :- fact(i,x).   -ln(1-p) : :- B, not fact(i,x). */
static void write_clause(Plingo *p, const TheoryAtom *atom, const Rest *rest) {
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  Range rule = {f->whole.from, f->stop}, parts[] = {f->head, rest->first, rest->second};
  if (has_kind(f, rule, T_ANONYMOUS) || has_kind(f, rule, T_OPEN_BRACE) ||
      has_kind(f, rule, T_COLON)) {
    plingo_error(f, rule,
                 "name anonymous variables; put conditions and braces into rules of their own",
                 "option problog_clauses needs to know each variable of the clause");
    return;
  }
  Text fact = {0}, chance = {0};
  text_printf(&fact, "%sfact(%u", p->prefix, ++p->rules);
  plingo_variables(f, parts, 3, ",", &fact);
  text_puts(&fact, ")");
  plingo_expression(f, atom->arguments, &chance);
  plingo_start(f, w, "{ ");
  plingo_printf(w, "%s }", fact.at);
  write_body(f, w, rest, " :- ");
  writer_puts(w, ".\n");
  plingo_write(f, w, f->head);
  plingo_printf(w, " :- %s.\n", fact.at);
  plingo_start(f, w, "-@log(");
  plingo_printf(w, "%s) : :- %s.\n", chance.at, fact.at);
  plingo_start(f, w, "-@log(1-(");
  plingo_printf(w, "%s)) : :- ", chance.at);
  write_body(f, w, rest, "");
  plingo_printf(w, "%snot %s.\n", rest_empty(rest) ? "" : "; ", fact.at);
  vec_free(&fact);
  vec_free(&chance);
}

static void warn_clause(Plingo *p, const TheoryAtom *atom) {
  diagnose_warning(
      program_said(p->f.dialect->program), plingo_place(&p->f, atom->whole),
      "option problog_clauses reads it as ProbLog does",
      "as in plingo this is a soft rule: not the probability of the head given the body");
}

void plingo_weighted(Plingo *p, const TheoryAtom *atom) {
  PlingoText *f = &p->f;
  TheoryAtom second;
  Text weight = {0};
  Rest rest = without(f, atom);
  if (atom->whole.from > f->body.from && plingo_tokens(f)[atom->whole.from - 1].kind == T_NOT)
    plingo_error(f, atom->whole, NULL, "a weight can't be negated");
  else if (plingo_theory_atom(f, (Range){atom->whole.to, f->body.to}, &second))
    plingo_error(f, second.whole, NULL, "a rule has one weight");
  else if (weight_of(p, atom, &weight)) {
    bool clause =
        plingo_is(f, atom->name, "problog") && !rest_empty(&rest) && !range_empty(f->head);
    bool asked = f->dialect->problog_clauses;
    if (clause && !asked)
      warn_clause(p, atom);
    if (clause && asked)
      write_clause(p, atom, &rest);
    else
      write_soft(p, &weight, &rest);
  }
  vec_free(&weight);
}
