/* decision.c - atoms to decide and what the outcome is worth: `#decision atom : body.` and
** `#utility(V) literals : body.` */
#include "language/parser.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static const char *const utility_hint = "write #utility(5) a, not b : body.";
static const char *const decision_hint = "write #decision a : body.";

/* The colon outside of all brackets, or the end. */
static uint32_t find_colon(const Parser *p, Range r) {
  int depth = 0;
  uint32_t i = r.from;
  for (; i < r.to && (depth || p->t[i].kind != T_COLON); i++)
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
  return i;
}

bool parse_utility_value(Parser *p, Statement *s) {
  assert(p->t[p->now].kind == T_DIRECTIVE);
  WeightParse found = {.bad = p->now + 1};
  uint32_t from = p->now + 2;
  bool good = p->t[p->now + 1].kind == T_OPEN &&
              weight_parse(parser_source(p), p->t, from, &s->expression, &found) &&
              p->t[found.end].kind == T_CLOSE;
  if (!good) {
    parser_error(p, p->now + 1, utility_hint, "the value of the utility was expected here");
    return false;
  }
  s->weight = (Range){from, found.end};
  p->now = found.end + 1;
  if (!weight_constant(&s->expression) || isfinite(weight_evaluate(&s->expression, NULL)))
    return true;
  diagnose_error(program_said(p->program), parser_place(p, from, found.end - 1), NULL,
                 "the utility is not a finite number");
  return false;
}

/* `what : condition` up to the stop; false after an error. */
static bool parse_parts(Parser *p, uint32_t from, uint32_t stop, const char *hint, Range *what,
                        Range *condition) {
  uint32_t colon = find_colon(p, (Range){from, stop});
  *what = (Range){from, colon};
  *condition = (Range){colon + 1 < stop ? colon + 1 : stop, stop};
  if (range_empty(*what) || (colon < stop && range_empty(*condition))) {
    parser_error(p, range_empty(*what) ? from : stop, hint, "something is missing here");
    return false;
  }
  return parser_check_inside(p, *what) && parser_check_inside(p, *condition);
}

void parse_utility(Parser *p, Statement *s, uint32_t stop) {
  s->kind = S_UTILITY;
  if (!parse_parts(p, p->now, stop, utility_hint, &s->body, &s->head))
    return;
  vec_push(&p->program->statements, *s);
  s->expression = (WeightExpression){0}; /* the program's now */
}

void parse_decision(Parser *p, Statement *s, uint32_t stop) {
  s->kind = S_DECISION;
  s->head_kind = HEAD_LITERAL;
  if (!parse_parts(p, p->now + 1, stop, decision_hint, &s->head, &s->body))
    return;
  uint32_t name = s->head.from + (p->t[s->head.from].kind == T_MINUS);
  int depth = 0;
  bool good = name < s->head.to && p->t[name].kind == T_IDENTIFIER;
  for (uint32_t i = name + 1; good && i < s->head.to; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    good = depth > 0 || (p->t[i].kind == T_CLOSE && i + 1 == s->head.to);
  }
  if (good)
    vec_push(&p->program->statements, *s);
  else
    parser_error(p, s->head.from, decision_hint, "#decision takes one atom");
}
