/* parser.c - tokens to statements: heads and bodies.
**
** Knows clingo's language only as far as statements go; what is inside of
** literals is checked by clingo itself.  Every error is reported with its
** place, and parsing goes on behind the next full stop. */
#include "language/parser.h"

#include "base/limits.h"
#include "base/memory.h"
#include "language/formula.h"
#include "language/weight.h"

#include <assert.h>
#include <stdlib.h>

/* The `:-` outside of all brackets, or the end. */
static uint32_t find_if(const Parser *p, Range r) {
  int depth = 0;
  uint32_t i = r.from;
  for (; i < r.to && (depth || p->t[i].kind != T_IF); i++)
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
  return i;
}

static HeadKind head_kind(const Parser *p, const Statement *s) {
  assert(s->head.from <= s->head.to);
  Parts parts = {0};
  HeadKind kind = HEAD_NONE;
  program_parts(p->program, s, s->head, &parts);
  if (parts.n == 1 && parts.at[0].braces && !parts.at[0].conditional) {
    Range r = parts.at[0].range;
    bool named = p->t[r.from].kind == T_DIRECTIVE;
    bool plain =
        (p->t[r.from].kind == T_OPEN_BRACE || named) && p->t[r.to - 1].kind == T_CLOSE_BRACE;
    kind = plain ? HEAD_CHOICE : HEAD_BOUNDED;
  } else if (parts.n == 1 && !parts.at[0].conditional) {
    kind = HEAD_LITERAL;
  } else if (parts.n) {
    kind = HEAD_DISJUNCTION;
  }
  vec_free(&parts);
  return kind;
}

static void warn_about_weight(Parser *p, const Statement *s) {
  if (s->weight_kind != WEIGHT_HARD && s->head_kind == HEAD_CHOICE)
    diagnose_warning(program_said(p->program), program_place(p->program, s, s->weight),
                     "a number without a colon, directly before the brace, is a bound",
                     "a choice without bounds can't be violated: the weight has no effect");
}

static void report_no_rule(Parser *p, const Statement *s, uint32_t stop) {
  if (s->weight_kind == WEIGHT_HARD)
    parser_error(p, stop,
                 p->t[stop + 1].kind == T_NUMBER ? "a number starts with a digit: 0.5"
                                                 : "a full stop ends a statement; is one too many?",
                 "an empty statement");
  else
    diagnose_error(program_said(p->program), program_place(p->program, s, s->weight),
                   "the full stop stands behind the rule: `2.5 head :- body.`",
                   "a weight without a rule");
}

/* Head and body between p->now and the stop. */
static bool parse_rule(Parser *p, Statement *s, uint32_t stop) {
  Range rest = {p->now, stop};
  uint32_t turn = find_if(p, rest);
  s->head = (Range){rest.from, turn};
  s->body = (Range){turn + 1 < stop ? turn + 1 : stop, stop};
  if (turn == stop && range_empty(s->head)) {
    report_no_rule(p, s, stop);
    return false;
  }
  s->head_kind = head_kind(p, s);
  if (!parser_check_inside(p, s->head) || !parser_check_inside(p, s->body))
    return false;
  warn_about_weight(p, s);
  parse_check_initial(p, s);
  s->formula = formula_found(p->program, s);
  return !s->formula || formula_check(p->program, s);
}

static bool refuse_start(Parser *p) {
  TokenKind kind = p->t[p->now].kind;
  if (kind == T_SCRIPT)
    parser_error(p, p->now, "scripts run code; compute such facts beforehand",
                 "#script is not available in lpmln");
  else if (kind == T_WEAK)
    parser_error(p, p->now, "optimisation has no meaning here: a soft constraint is `2 :- a.`",
                 "weak constraints are not available in lpmln");
  else if (kind == T_OPEN_BRACKET) /* clingo would take it for the end of the statement before */
    parser_error(p, p->now, "a weight stands in front of the rule, without brackets",
                 "a statement can't start with '['");
  else
    return false;
  return true;
}

/* Is there a comma between literals?  clingo reads it as or, a formula as and. */
static bool listed(const Parser *p, Range r) {
  int depth = 0;
  bool found = false;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    found |= !depth && (p->t[i].kind == T_COMMA || p->t[i].kind == T_COLON);
  }
  return found;
}

/* A statement of an observation: a constraint, or a literal or formula that was observed. */
static bool observed(Parser *p, Statement *s) {
  const char *wrong = NULL;
  if (s->weight_kind != WEIGHT_HARD)
    wrong = "observations have no weights";
  else if (s->head_kind == HEAD_LITERAL && p->t[s->head.to].kind == T_IF)
    wrong = "a rule with a head is no observation";
  else if (s->head_kind != HEAD_NONE && s->head_kind != HEAD_LITERAL &&
           (s->head_kind != HEAD_DISJUNCTION || p->t[s->head.to].kind == T_IF ||
            listed(p, s->head)))
    wrong = "this is no observation";
  if (wrong) {
    parser_error(p, s->whole.from,
                 "write literals (`a. not b.`), formulas (`a ; b.`) or constraints (`:- not a.`)",
                 "%s", wrong);
    return false;
  }
  if (s->head_kind != HEAD_NONE) {
    s->kind = S_LITERAL;
    s->body = s->head;
    s->head = (Range){0, 0};
    s->head_kind = HEAD_NONE;
    s->formula = formula_found(p->program, s);
  }
  return !s->formula || formula_check(p->program, s);
}

/* `?a.`: a closed world leaves it open.  Of texts that a dialect has made. */
static bool parse_unknown(Parser *p) {
  uint32_t stop;
  if (!p->observations || !parser_source(p)->derived || !parser_is(p, p->now, "?") ||
      !parser_find_stop(p, p->now, &stop))
    return false;
  vec_push(&p->program->unknown, (Statement){.kind = S_LITERAL,
                                             .unit = p->unit,
                                             .whole = {p->now, stop + 1},
                                             .body = {p->now + 1, stop},
                                             .block = p->block});
  p->now = stop + 1;
  return true;
}

void parse_statement(Parser *p) {
  assert(p->t[p->now].kind != T_END);
  limits_poll();
  Statement s = {.unit = p->unit, .block = p->observations ? p->block : PROGRAM_BLOCK};
  uint32_t start = p->now, stop;
  if (parse_unknown(p))
    return;
  if (parser_has_coins(p)) {
    parse_coins(p);
    return;
  }
  bool directive = p->t[start].kind == T_DIRECTIVE && !parser_starts_aggregate(p, start);
  bool utility = directive && !p->observations && parser_is(p, start, "#utility");
  if (refuse_start(p) || (utility && !parse_utility_value(p, &s)) ||
      (!directive && !parse_weight(p, &s)) || !parser_find_stop(p, p->now, &stop)) {
    vec_free(&s.expression);
    parser_skip(p);
    return;
  }
  s.whole = (Range){start, stop + 1};
  if (utility) {
    parse_utility(p, &s, stop);
  } else if (directive) {
    parse_directive(p, &s, stop);
  } else if (parse_rule(p, &s, stop) && (!p->observations || observed(p, &s))) {
    vec_push(&p->program->statements, s);
    s.expression = (WeightExpression){0}; /* the program's now */
  }
  vec_free(&s.expression);
  p->now = s.whole.to;
}

Parser parser_begin(Program *program, uint32_t source, const char *root, bool dashes) {
  assert(source < program->sources.list.n);
  vec_push(&program->units, (Unit){.source = source});
  Tokens *tokens = &program->units.at[program->units.n - 1].tokens;
  lex(program_said(program), source, dashes, tokens);
  assert(tokens->n && tokens->at[tokens->n - 1].kind == T_END);
  return (Parser){.program = program,
                  .root = root,
                  .unit = (uint32_t)(program->units.n - 1),
                  .source = source,
                  .t = tokens->at};
}

void program_read(Program *program, uint32_t source, const char *root) {
  char *real = root ? realpath(program->sources.list.at[source].name, NULL) : NULL;
  if (real)
    vec_push(&program->included, real);
  Parser p = parser_begin(program, source, root, false);
  parser_turn_arrows(&p);
  while (p.t[p.now].kind != T_END)
    parse_statement(&p);
}
