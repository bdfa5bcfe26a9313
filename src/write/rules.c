/* rules.c - see rules.h. */
#include "write/rules.h"

#include "base/memory.h"
#include "language/lexer.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- heads in bodies ------------------------------------------------------------- */

/* `t : a : c` of a head aggregate is `t : a, c` in a body. */
static void write_set(Writer *w, const Program *p, const Shape *shape, Range r) {
  const Token *t = program_tokens(p, shape->statement);
  int depth = 0;
  unsigned colons = 0;
  bool named = false;
  for (uint32_t i = r.from; i < r.to;) {
    named |= t[i].kind == T_DIRECTIVE;
    depth += t[i].kind == T_OPEN || t[i].kind == T_OPEN_BRACE;
    depth -= t[i].kind == T_CLOSE || t[i].kind == T_CLOSE_BRACE;
    if (depth == 1 && t[i].kind == T_SEMICOLON)
      colons = 0;
    bool second = depth == 1 && t[i].kind == T_COLON && ++colons == 2 && named;
    if (i > r.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
      writer_puts(w, " ");
    if (second)
      writer_puts(w, ","), i++;
    else
      i = writer_token(w, p, shape, i);
  }
}

static void write_negated(Writer *w, const Program *p, const Shape *shape, const Part *part) {
  const Token *t = program_tokens(p, shape->statement);
  Range r = part->range;
  unsigned nots = 0;
  for (; t[r.from].kind == T_NOT; r.from++)
    nots++;
  writer_puts(w, nots == 1 ? "not not " : "not ");
  if (part->braces)
    write_set(w, p, shape, r);
  else
    writer_tokens(w, p, shape, r);
}

void rules_head_false(Writer *w, const Program *p, const Shape *shape, const char *before) {
  Parts parts = {0};
  program_parts(p, shape->statement, shape->statement->head, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    writer_puts(w, before);
    write_negated(w, p, shape, &parts.at[i]);
    before = "; ";
  }
  vec_free(&parts);
}

/* ---- soft rules ------------------------------------------------------------------- */

bool rules_has_body(const Shape *shape) {
  return !range_empty(shape->statement->body) || shape->domains.n || shape->bindings.n;
}

void rules_variables(Writer *w, const Shape *shape) {
  for (size_t i = 0; i < shape->variables.n; i++)
    text_printf(&w->text, ",%s", shape->variables.at[i].name);
}

bool rules_weight(const Ground *g, uint32_t number, double *value) {
  bool found = false;
  *value = 0;
  for (size_t i = 0; i < g->instances.n; i++) {
    if (g->instances.at[i].soft != number)
      continue;
    double weight = g->weights.at[g->instances.at[i].weight].value;
    if (found && weight != *value)
      return false;
    *value = weight, found = true;
  }
  return true;
}

/* ---- the rest ---------------------------------------------------------------------- */

void rules_comment(Writer *w, const Program *p, const Statement *s) {
  const char *file;
  unsigned line;
  Text text = {0};
  program_describe(p, s, &file, &line, &text);
  text_printf(&w->text, "\n%% %s:%u: %s\n", file, line, text.at);
  vec_free(&text);
}

char *rules_shape(Writer *w, const Program *p, const Statement *s, bool split, const char *fresh,
                  Shape *shape) {
  shape_make(p, NULL, s, split || (s->formula && s->kind != S_QUERY), fresh, shape);
  if (!s->formula)
    return NULL;
  char *prefix = fresh_name(p, "formula", true);
  shape_formulas(p, prefix, shape);
  writer_definitions(w, p, shape, prefix);
  return prefix;
}

void rules_hard(Writer *w, const Program *p, const Statement *s, const char *fresh) {
  Shape shape;
  free(rules_shape(w, p, s, false, fresh, &shape));
  writer_head(w, p, &shape);
  writer_body(w, p, &shape, range_empty(s->head) ? ":- " : " :- ");
  if (range_empty(s->head) && !rules_has_body(&shape))
    writer_puts(w, ":-");
  writer_puts(w, ".\n");
  shape_free(&shape);
}

void rules_pass(Writer *w, const Program *p, const Statement *s) {
  program_write(p, s, s->whole, &w->text);
  writer_puts(w, "\n");
}

/* An observed formula: its auxiliary atom holds. */
static void observed_formula(Writer *w, const Program *p, const Statement *s, const char *fresh) {
  Shape shape;
  Statement bare = *s;
  char *prefix = rules_shape(w, p, s, false, fresh, &shape);
  writer_define_whole(w, p, &shape, prefix);
  writer_puts(w, ":- not ");
  writer_whole(w, p, &shape, prefix);
  bare.body = (Range){0, 0};
  shape.statement = &bare;
  writer_body(w, p, &shape, "; ");
  writer_puts(w, ".\n");
  shape_free(&shape);
  free(prefix);
}

void rules_observed(Writer *w, const Program *p, const Statement *s, const char *fresh) {
  if (s->formula) {
    observed_formula(w, p, s, fresh);
    return;
  }
  Shape shape;
  Statement rest = *s;
  bool negated = program_tokens(p, s)[s->body.from].kind == T_NOT;
  rest.body.from += negated;
  shape_make(p, NULL, &rest, false, fresh, &shape);
  writer_body(w, p, &shape, negated != s->denied ? ":- " : ":- not ");
  writer_puts(w, ".\n");
  shape_free(&shape);
}
