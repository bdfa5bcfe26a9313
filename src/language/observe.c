/* observe.c - observations, evidence and queries. */
#include "language/parser.h"

#include "base/memory.h"
#include "base/source.h"
#include "language/formula.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* `--- 25`: the block above was seen 25 times. */
static double separator_count(Parser *p) {
  const Token *t = &p->t[p->now];
  assert(t->kind == T_DASHES && t->length >= 3);
  char *text = memory_copy(parser_source(p)->bytes + t->offset + 3, t->length - 3);
  text[strcspn(text, "%")] = 0;
  char *rest = NULL, *number = strtok_r(text, " \t\r", &rest),
       *more = number ? strtok_r(NULL, " \t\r", &rest) : NULL;
  bool digits = !number || (!more && number[strspn(number, "0123456789")] == 0);
  double count = number && digits ? weight_number(number, NULL) : 1;
  free(text);
  if (!digits || count < 1 || count > 9007199254740992.0) {
    parser_error(p, p->now, "write --- or --- 25",
                 "behind '---' stands how often the block above it was seen");
    return 1;
  }
  return count;
}

static void start_block(Parser *p) {
  p->block = program_add_block(p->program, parser_place(p, p->now, p->now))->number;
}

static bool may_separate(Parser *p) {
  if (!p->blocks) {
    parser_error(p, p->now, "evidence holds at once; several observations are for learning",
                 parser_source(p)->derived /* no line of the user's separates answer sets */
                     ? "there are several observations, but this is evidence"
                     : "'%s' separates observations, but this is evidence",
                 p->t[p->now].kind == T_DASHES ? "---" : "#evidence");
    p->now++;
  }
  return p->blocks;
}

/* `#evidence`, of lpmln-learn, stands before or between blocks. */
static void parse_mark(Parser *p) {
  const Program *program = p->program;
  if (!may_separate(p))
    return;
  p->now++;
  size_t n = program->statements.n;
  bool something = n && program->statements.at[n - 1].block == p->block;
  if (something && p->t[p->now].kind != T_END)
    start_block(p);
}

static void parse_separator(Parser *p) {
  if (!may_separate(p))
    return;
  Block *last = &p->program->blocks.at[p->program->blocks.n - 1];
  assert(last->number == p->block);
  last->count = separator_count(p);
  p->now++;
  if (p->t[p->now].kind != T_END) /* a trailing --- opens no block */
    start_block(p);
}

void program_read_observations(Program *program, uint32_t source, bool blocks) {
  Parser p = parser_begin(program, source, NULL, true);
  parser_turn_arrows(&p);
  p.observations = true, p.blocks = blocks;
  if (blocks || !program->block_count) {
    if (p.t[p.now].kind == T_END && blocks)
      return;
    start_block(&p);
  }
  while (p.t[p.now].kind != T_END)
    if (p.t[p.now].kind == T_DASHES)
      parse_separator(&p);
    else if (p.t[p.now].kind == T_DIRECTIVE &&
             token_is(parser_source(&p), &p.t[p.now], "#evidence"))
      parse_mark(&p);
    else
      parse_statement(&p);
}

/* Says what of the tokens before `end` no query has. */
static bool check_query(Parser *p, uint32_t end) {
  static const char *const hint =
      "an atom, p/2, an atom with variables, a formula '(a ; b), not c', or 'a | b' for a given b";
  uint32_t slash = 1 + (p->t[0].kind == T_MINUS), wrong = end;
  if (!end) {
    parser_error(p, 0, hint, "an empty query");
    return false;
  }
  for (uint32_t i = end; i--;)
    if (p->t[i].kind == T_DOT || (p->t[i].kind == T_IF && !parser_source(p)->derived) ||
        (p->t[i].kind == T_DIRECTIVE && !parser_starts_aggregate(p, i)))
      wrong = i;
  bool signature =
      end > slash && p->t[slash - 1].kind == T_IDENTIFIER && p->t[slash].kind == T_SLASH;
  if (wrong < end)
    parser_error(p, wrong, hint, "this is no query");
  else if (signature && (p->t[slash + 1].kind != T_NUMBER || end != slash + 2))
    parser_error(p, slash, "write p/2 for all atoms p(X,Y)", "a number of arguments must follow");
  else
    return true;
  return false;
}

/* The last `|` outside of all brackets, or the end. */
static uint32_t find_given(const Parser *p, uint32_t end) {
  uint32_t found = end;
  int depth = 0;
  for (uint32_t i = 0; i < end; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    if (!depth && p->t[i].kind == T_BAR)
      found = i;
  }
  return found;
}

/* Conditions and absolute values would be taken for something else. */
static bool check_outside(Parser *p, Range r) {
  int depth = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    if (depth || (p->t[i].kind != T_COLON && p->t[i].kind != T_BAR))
      continue;
    if (p->t[i].kind == T_COLON)
      parser_error(p, i, "put it into parentheses: '(a : b)'",
                   "':' in a query stands inside of parentheses or braces");
    else
      parser_error(p, i, "'or' is `;`, and |X| stands inside of parentheses: '(|X| < 2)'",
                   "a query has one '|', which is 'given'");
    return false;
  }
  return true;
}

/* A query of the user's is a formula, or one given another. */
static bool parse_query(Parser *p, Statement *s) {
  uint32_t bar = find_given(p, s->body.to);
  if (bar < s->body.to) {
    s->given = (Range){bar + 1, s->body.to};
    s->body.to = bar;
  }
  if (range_empty(s->body) || (bar < s->whole.to && range_empty(s->given))) {
    parser_error(p, bar, "write 'a | b' for the probability of a given b",
                 "a part of the query is missing");
    return false;
  }
  if (!check_outside(p, s->body) || !check_outside(p, s->given))
    return false;
  bool given = !range_empty(s->given);
  s->formula = given || formula_found(p->program, s);
  if (s->formula && !formula_check(p->program, s))
    return false;
  Statement condition = given ? program_given(s) : *s;
  return !given || formula_check(p->program, &condition);
}

void program_read_query(Program *program, uint32_t source) {
  Parser p = parser_begin(program, source, NULL, false);
  uint32_t end = (uint32_t)program->units.at[p.unit].tokens.n - 1;
  if (end && p.t[end - 1].kind == T_DOT)
    end--;
  Statement s = {
      .kind = S_QUERY, .unit = p.unit, .whole = {0, end}, .body = {0, end}, .block = PROGRAM_BLOCK};
  if (!check_query(&p, end))
    return;
  for (uint32_t i = 0; i < end; i++)
    if (p.t[i].kind == T_IF)
      s.head = (Range){0, i}, s.body.from = i + 1;
  if (parser_check_brackets(&p, s.body) && parser_check_operators(&p, s.body) &&
      parser_check_inside(&p, s.body) &&
      (program->sources.list.at[source].derived || parse_query(&p, &s)))
    vec_push(&program->statements, s);
}

/* ---- interventions ----------------------------------------------------------------------- */

/* [not] atom, without variables. */
static void parse_set(Parser *p, Range r) {
  static const char *const hint = "write ground literals: 'a, not b(1)'";
  Statement s = {.kind = S_DO, .unit = p->unit, .whole = r, .block = PROGRAM_BLOCK};
  s.denied = !range_empty(r) && p->t[r.from].kind == T_NOT;
  s.body = (Range){r.from + s.denied, r.to};
  uint32_t name = s.body.from + (!range_empty(s.body) && p->t[s.body.from].kind == T_MINUS);
  bool good =
      name < r.to && p->t[name].kind == T_IDENTIFIER &&
      (name + 1 == r.to || (p->t[name + 1].kind == T_OPEN && p->t[r.to - 1].kind == T_CLOSE));
  for (uint32_t i = r.from; i < r.to; i++)
    if (p->t[i].kind == T_VARIABLE || p->t[i].kind == T_ANONYMOUS) {
      parser_error(p, i, hint, "what is set has no variables");
      return;
    }
  int depth = 0;
  for (uint32_t i = name + 1; good && i < r.to; i++) {
    depth += parser_opens(p->t[i].kind) - parser_closes(p->t[i].kind);
    good = depth > 0 || i + 1 == r.to;
  }
  if (good)
    vec_push(&p->program->statements, s);
  else
    parser_error(p, r.from < r.to ? r.from : r.to, hint, "an atom was expected here");
}

void program_read_do(Program *program, uint32_t source) {
  Parser p = parser_begin(program, source, NULL, false);
  uint32_t end = (uint32_t)program->units.at[p.unit].tokens.n - 1;
  if (end && p.t[end - 1].kind == T_DOT)
    end--;
  Range whole = {0, end};
  if (!parser_check_decimals(&p, whole) || !parser_check_brackets(&p, whole) ||
      !parser_check_operators(&p, whole) || !parser_check_inside(&p, whole))
    return;
  int depth = 0;
  uint32_t from = 0;
  for (uint32_t i = 0; i <= end; i++) {
    if (i == end || (!depth && p.t[i].kind == T_COMMA)) {
      parse_set(&p, (Range){from, i});
      from = i + 1;
    }
    depth += i < end ? parser_opens(p.t[i].kind) - parser_closes(p.t[i].kind) : 0;
  }
}
