/* leading.c - the weight in front of a rule: numbers, expressions, parameters,
** and what looks like one but is a bound. */
#include "language/parser.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* From behind `@w(`: the closing parenthesis, and the comma before the initial
** value (0: none).  False if it is not closed. */
static bool scan_parameter(const Parser *p, uint32_t from, uint32_t *comma, uint32_t *close) {
  uint32_t depth = 0, i = from;
  *comma = 0;
  for (; !parser_ends(p, i) && p->t[i].kind != T_IF; i++) {
    if (!depth && p->t[i].kind == T_CLOSE) {
      *close = i;
      return true;
    }
    depth += p->t[i].kind == T_OPEN;
    depth -= p->t[i].kind == T_CLOSE;
    if (p->t[i].kind == T_COMMA && !depth && !*comma)
      *comma = i;
  }
  return false;
}

/* The name of a parameter: one term, the same for a whole instance. */
static bool check_name(Parser *p, Range r) {
  for (uint32_t i = r.from; i < r.to; i++) {
    TokenKind kind = p->t[i].kind;
    bool part = kind == T_IDENTIFIER || kind == T_VARIABLE || kind == T_NUMBER ||
                kind == T_STRING || kind == T_OPEN || kind == T_CLOSE || kind == T_COMMA ||
                kind == T_BAR || (kind >= T_PLUS && kind <= T_OPERATOR);
    if (!part) {
      parser_error(p, i, "write @w(1), @w(name), @w(fail(X)) or plain @w",
                   "the name of a parameter is one term");
      return false;
    }
  }
  return parser_check_brackets(p, r) && parser_check_operators(p, r) && parser_check_terms(p, r);
}

static bool parse_initial(Parser *p, Statement *s, Range r) {
  WeightExpression e = {0};
  WeightParse found;
  bool good = weight_parse(parser_source(p), p->t, r.from, &e, &found) && found.end == r.to &&
              weight_constant(&e);
  s->initial = good ? weight_evaluate(&e, NULL) : 0;
  s->has_initial = good = good && isfinite(s->initial);
  vec_free(&e);
  if (!good)
    parser_error(p, r.from, "write a number: @w(1, 0.5)", "the initial value is not a number");
  return good;
}

/* `@w`, `@w(NAME)`, `@w(NAME, INITIAL)`, `@getWeight…` at p->now. */
static bool parse_parameter(Parser *p, Statement *s) {
  assert(p->t[p->now].kind == T_AT && p->t[p->now + 1].kind == T_IDENTIFIER);
  uint32_t from = p->now, comma, close;
  s->weight_kind = WEIGHT_PARAMETER;
  p->now += 2;
  if (p->t[p->now].kind == T_OPEN) {
    uint32_t start = ++p->now;
    if (!scan_parameter(p, start, &comma, &close)) {
      parser_error(p, start - 1, "write @w(NAME) or @w(NAME, 0.5)", "this is not closed");
      return false;
    }
    p->now = close + 1;
    s->name = (Range){start, comma ? comma : close};
    if (range_empty(s->name)) {
      parser_error(p, start - 1, "write @w(1), @w(name) or plain @w", "the parameter has no name");
      return false;
    }
    if (!check_name(p, s->name) || (comma && !parse_initial(p, s, (Range){comma + 1, close})))
      return false;
  }
  s->weight = (Range){from, p->now};
  return true;
}

static bool bound_follows(const Parser *p, uint32_t i) {
  static const char *const aggregates[] = {"#count", "#sum", "#min", "#max"};
  if (p->t[i].kind == T_OPEN_BRACE || p->t[i].kind == T_COMPARISON)
    return true;
  for (size_t k = 0; k < sizeof aggregates / sizeof *aggregates; k++)
    if (p->t[i].kind == T_DIRECTIVE && parser_is(p, i, aggregates[k]))
      return true;
  return false;
}

/* Older LPMLN tools read the number in `1 {a} 1` as a weight: said once. */
static void note_bound(Parser *p, uint32_t from, uint32_t to) {
  const Diagnostics *said = &p->program->said;
  static const char message[] = "this is a bound, as in clingo, not a weight";
  for (size_t i = 0; i < said->list.n; i++)
    if (!strcmp(said->list.at[i].message, message))
      return;
  diagnose_note(program_said(p->program), parser_place(p, from, to),
                "for a weight write a colon behind it: `1 : { a } 1.`", "%s", message);
}

/* An expression at the start of a statement: a weight, or the bound of a head
** that clingo can read (then nothing is consumed). */
static bool parse_expression(Parser *p, Statement *s) {
  WeightParse found;
  uint32_t from = p->now;
  if (p->t[from].kind == T_NUMBER && p->t[from + 1].kind == T_COMMA &&
      p->t[from + 2].kind == T_NUMBER &&
      p->t[from + 2].offset == p->t[from].offset + p->t[from].length + 1) {
    diagnose_error(program_said(p->program), parser_place(p, from, from + 2), "write 1.5 for 1,5",
                   "a decimal number has a point, not a comma");
    return false;
  }
  if (p->t[from].kind == T_VARIABLE && p->t[from + 1].kind == T_OPEN &&
      p->t[from + 1].offset == p->t[from].offset + p->t[from].length) {
    parser_error(p, from, "names of atoms start with a small letter",
                 "%.*s is a variable, and no atom", (int)p->t[from].length,
                 parser_source(p)->bytes + p->t[from].offset);
    return false;
  }
  bool good = weight_parse(parser_source(p), p->t, from, &s->expression, &found);
  TokenKind next = good ? p->t[found.end].kind : T_END;
  bool bound = good && found.clingo_term && bound_follows(p, found.end);
  if (!good && p->t[found.bad].kind == T_AT) {
    const Token *name = &p->t[found.bad + 1];
    bool known = parser_is(p, found.bad + 1, "log") || parser_is(p, found.bad + 1, "exp") ||
                 parser_is(p, found.bad + 1, "logit");
    diagnose_error(program_said(p->program), parser_place(p, found.bad, found.bad + 1),
                   "a weight knows @log, @exp, @logit, @w and @getWeight",
                   known ? "@%.*s takes a number in parentheses"
                         : "there is no function @%.*s for weights",
                   (int)name->length, parser_source(p)->bytes + name->offset);
    return false;
  }
  if (!good || bound || next == T_OPERATOR || next == T_DOTS) {
    if (bound)
      note_bound(p, from, found.end - 1);
    vec_free(&s->expression);
    return true; /* a hard rule; clingo will say if it is wrong */
  }
  s->weight_kind = WEIGHT_NUMBER;
  s->weight = (Range){from, found.end};
  p->now = found.end;
  if (weight_constant(&s->expression) && !isfinite(weight_evaluate(&s->expression, NULL))) {
    diagnose_error(program_said(p->program), parser_place(p, from, found.end - 1),
                   "what always holds is a rule without a weight, what never does a constraint",
                   "the weight is not a finite number");
    return false;
  }
  return true;
}

/* `w1 : head <- body.` of the paper; clingo's conditional literal looks the same. */
static bool check_letter(Parser *p) {
  const Token *t = &p->t[p->now];
  const char *text = parser_source(p)->bytes + t->offset;
  uint32_t turn = p->now;
  if (t->kind != T_IDENTIFIER || t[1].kind != T_COLON || t->length < 2 || text[0] != 'w' ||
      strspn(text + 1, "0123456789") != t->length - 1)
    return true;
  while (!parser_ends(p, turn) && p->t[turn].kind != T_IF)
    turn++;
  bool arrow = p->t[turn].kind == T_IF && parser_is(p, turn, "<-");
  Text hint = {0};
  text_printf(&hint, "a weight to learn is written `@w(%.*s) :`", (int)t->length - 1, text + 1);
  diagnose_hinted(program_said(p->program), arrow ? LPMLN_ERROR : LPMLN_WARNING,
                  parser_place(p, p->now, p->now), text_take(&hint),
                  "this is an atom with a condition, not a weight");
  return !arrow;
}

static bool is_alpha(const Parser *p) {
  return p->t[p->now].kind == T_IDENTIFIER && p->t[p->now + 1].kind == T_COLON &&
         (parser_is(p, p->now, "alpha") || parser_is(p, p->now, "\xce\xb1"));
}

bool parse_weight(Parser *p, Statement *s) {
  TokenKind kind = p->t[p->now].kind;
  bool alpha = is_alpha(p);
  bool parameter =
      kind == T_AT && (parser_is(p, p->now + 1, "w") || parser_is(p, p->now + 1, "getWeight"));
  bool good = alpha || check_letter(p);
  if (!good)
    return false;
  if (alpha)
    p->now++;
  else if (parameter)
    good = parse_parameter(p, s);
  else if (kind == T_NUMBER || kind == T_VARIABLE || kind == T_OPEN || kind == T_MINUS ||
           kind == T_PLUS || kind == T_AT)
    good = parse_expression(p, s);
  if (good && p->t[p->now].kind == T_COLON && (alpha || s->weight_kind != WEIGHT_HARD))
    p->now++;
  return good;
}

/* Two different explicit initial values of one parameter. */
void parse_check_initial(Parser *p, const Statement *s) {
  Program *program = p->program;
  Text name = {0};
  if (!s->has_initial)
    return;
  program_write(program, s, s->name, &name);
  Place here = program_place(program, s, s->weight);
  uint32_t number = names_add(&program->parameters, name.at, name.n);
  assert(isfinite(s->initial) && number <= program->initials.n);
  if (number == program->initials.n)
    vec_push(&program->initials, (Initial){s->initial, here});
  Initial first = program->initials.at[number];
  if (first.value != s->initial) {
    diagnose_error(program_said(program), here,
                   "give the initial value once; the other rules may write @w(NAME) alone",
                   "parameter %s has two initial values: %g here, %g before", name.at, s->initial,
                   first.value);
    diagnose_note(program_said(program), first.place, NULL, "the first initial value of %s",
                  name.at);
  }
  vec_free(&name);
}
