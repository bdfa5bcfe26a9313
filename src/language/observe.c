/* observe.c - observations, evidence and queries. */
#include "language/parser.h"

#include "base/memory.h"
#include "base/source.h"
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
  p->block = (uint32_t)p->program->blocks.n;
  vec_push(&p->program->blocks, (Block){1, parser_place(p, p->now, p->now)});
}

static bool may_separate(Parser *p) {
  if (!p->blocks) {
    parser_error(p, p->now, "evidence holds at once; several observations are for learning",
                 "'%s' separates observations, but this is evidence",
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
  p->program->blocks.at[p->block].count = separator_count(p);
  p->now++;
  if (p->t[p->now].kind != T_END) /* a trailing --- opens no block */
    start_block(p);
}

void program_read_observations(Program *program, uint32_t source, bool blocks) {
  Parser p = parser_begin(program, source, NULL, true);
  p.observations = true, p.blocks = blocks;
  if (blocks || !program->blocks.n) {
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
      "an atom, p/2, an atom with variables, or a conjunction 'a, not b'";
  uint32_t slash = 1 + (p->t[0].kind == T_MINUS), wrong = end;
  if (!end) {
    parser_error(p, 0, hint, "an empty query");
    return false;
  }
  for (uint32_t i = end; i--;)
    if (p->t[i].kind == T_DOT || (p->t[i].kind == T_IF && !parser_source(p)->derived) ||
        p->t[i].kind == T_DIRECTIVE)
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
      parser_check_inside(&p, s.body))
    vec_push(&program->statements, s);
}
