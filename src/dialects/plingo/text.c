/* text.c - see text.h. */
#include "dialects/plingo/text.h"

#include "base/diagnostic.h"
#include "base/names.h"
#include "language/weight.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool plingo_begin(PlingoText *f, Dialect *dialect) {
  assert(dialect->program);
  Diagnostics *said = program_said(dialect->program);
  unsigned errors = said->errors;
  *f = (PlingoText){.dialect = dialect};
  for (size_t i = 0; i < dialect->inputs.n; i++) {
    PlingoSource text = {dialect->inputs.at[i].role, dialect->inputs.at[i].source, {0}};
    lex(said, text.source, text.role != LPMLN_PROGRAM, &text.tokens);
    vec_push(&f->texts, text);
  }
  return said->errors == errors;
}

void plingo_free(PlingoText *f) {
  for (size_t i = 0; i < f->texts.n; i++)
    vec_free(&f->texts.at[i].tokens);
  vec_free(&f->texts);
}

/* ---- tokens ------------------------------------------------------------------------ */

static const Source *source_of(const PlingoText *f) {
  return &f->dialect->program->sources.list.at[f->text->source];
}

bool plingo_is(const PlingoText *f, uint32_t token, const char *text) {
  return token_is(source_of(f), &plingo_tokens(f)[token], text);
}

Place plingo_place(const PlingoText *f, Range r) {
  assert(r.from < f->text->tokens.n && r.to <= f->text->tokens.n);
  const Token *t = plingo_tokens(f);
  uint32_t last = r.to > r.from ? r.to - 1 : r.from;
  return (Place){f->text->source, t[r.from].offset,
                 t[last].offset + t[last].length - t[r.from].offset};
}

void plingo_error(PlingoText *f, Range r, const char *hint, const char *format, ...) {
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  diagnose_error(program_said(f->dialect->program), plingo_place(f, r), hint, "%s", text.at);
  vec_free(&text);
}

static int nesting(TokenKind kind) {
  bool opens = kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
  bool closes = kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
  return opens - closes;
}

uint32_t plingo_matching(const PlingoText *f, uint32_t open) {
  assert(nesting(plingo_tokens(f)[open].kind) > 0);
  const Token *t = plingo_tokens(f);
  int depth = 0;
  for (;; open++) {
    depth += nesting(t[open].kind);
    if (depth <= 0)
      return open;
  }
}

uint32_t plingo_find(const PlingoText *f, Range r, TokenKind kind) {
  const Token *t = plingo_tokens(f);
  int depth = 0;
  for (; r.from < r.to; r.from++) {
    if (!depth && t[r.from].kind == kind)
      break;
    depth += nesting(t[r.from].kind);
  }
  return r.from;
}

/* ---- statements ---------------------------------------------------------------------- */

/* The full stop, or T_END; brackets that are not balanced are reported. */
static uint32_t find_stop(PlingoText *f, uint32_t i) {
  const Token *t = plingo_tokens(f);
  TokenKind open[64];
  unsigned depth = 0;
  for (; t[i].kind != T_END && (depth || t[i].kind != T_DOT); i++) {
    int change = nesting(t[i].kind);
    if (change > 0 && depth == 64) {
      plingo_error(f, (Range){i, i + 1}, NULL, "more than 64 brackets inside of each other");
      return i;
    }
    if (change > 0)
      open[depth++] = t[i].kind;
    if (change < 0 && (!depth || open[depth - 1] + 1 != t[i].kind)) {
      plingo_error(f, (Range){i, i + 1}, NULL, "this bracket closes nothing");
      return i;
    }
    depth -= change < 0;
  }
  if (t[i].kind == T_END)
    plingo_error(f, (Range){f->whole.from, f->whole.from + 1}, NULL, "this statement does not end");
  return i;
}

static void cut(PlingoText *f) {
  Range rule = {f->whole.from, f->stop};
  uint32_t at = plingo_find(f, rule, T_IF);
  f->head = (Range){rule.from, at};
  f->body = (Range){at < rule.to ? at + 1 : at, rule.to};
}

bool plingo_next(PlingoText *f) {
  assert(f->text && f->whole.to < f->text->tokens.n);
  const Token *t = plingo_tokens(f);
  unsigned errors = f->dialect->program->said.errors;
  f->whole.from = f->whole.to;
  if (t[f->whole.from].kind == T_END)
    return false;
  if (t[f->whole.from].kind == T_SCRIPT || t[f->whole.from].kind == T_DASHES) {
    f->stop = f->whole.to = f->whole.from + 1;
    f->head = f->body = (Range){f->stop, f->stop};
    return true;
  }
  f->stop = find_stop(f, f->whole.from);
  if (f->dialect->program->said.errors > errors)
    return false;
  f->whole.to = f->stop + 1;
  f->brackets = (Range){f->whole.to, f->whole.to};
  if (t[f->whole.to].kind == T_OPEN_BRACKET) {
    uint32_t close = f->whole.to;
    while (t[close].kind != T_CLOSE_BRACKET && t[close].kind != T_END)
      close++;
    f->brackets = (Range){f->whole.to + 1, close};
    f->whole.to = close + (t[close].kind != T_END);
  }
  cut(f);
  return true;
}

/* ---- writing --------------------------------------------------------------------------- */

void plingo_start(const PlingoText *f, Writer *w, const char *text) {
  writer_place(w, plingo_place(f, f->whole), text);
}

void plingo_write(const PlingoText *f, Writer *w, Range r) {
  assert(range_empty(r) || r.to <= f->text->tokens.n);
  const Token *t = plingo_tokens(f);
  for (uint32_t i = r.from; i < r.to; i++) {
    if (i > r.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
      writer_puts(w, " ");
    Range one = {i, i + 1};
    vec_push(&w->map, (Piece){w->text.n, plingo_place(f, i == f->whole.from ? f->whole : one)});
    text_add(&w->text, source_of(f)->bytes + t[i].offset, t[i].length);
  }
}

void plingo_printf(Writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&w->text, format, arguments);
  va_end(arguments);
}

void plingo_variables(const PlingoText *f, const Range *ranges, size_t count, const char *before,
                      Text *out) {
  const Token *t = plingo_tokens(f);
  Names seen = {0};
  for (size_t k = 0; k < count; k++)
    for (uint32_t i = ranges[k].from, braces = 0; i < ranges[k].to; i++) {
      braces += t[i].kind == T_OPEN_BRACE;
      braces -= t[i].kind == T_CLOSE_BRACE;
      const char *name = source_of(f)->bytes + t[i].offset;
      size_t known = seen.list.n;
      if (t[i].kind != T_VARIABLE || braces || names_add(&seen, name, t[i].length) < known)
        continue;
      text_puts(out, before), before = ",";
      text_add(out, name, t[i].length);
    }
  names_free(&seen);
}

static bool starts_with(const Source *source, const Tokens *tokens, const char *prefix) {
  size_t n = strlen(prefix);
  for (size_t i = 0; i < tokens->n; i++) {
    const Token *t = &tokens->at[i];
    if (t->kind == T_IDENTIFIER && t->length >= n && !strncmp(source->bytes + t->offset, prefix, n))
      return true;
  }
  return false;
}

static bool prefix_used(const PlingoText *f, const char *prefix) {
  const Program *p = f->dialect->program;
  for (size_t i = 0; i < f->texts.n; i++)
    if (starts_with(&p->sources.list.at[f->texts.at[i].source], &f->texts.at[i].tokens, prefix))
      return true;
  for (size_t i = 0; i < p->units.n; i++)
    if (starts_with(&p->sources.list.at[p->units.at[i].source], &p->units.at[i].tokens, prefix))
      return true;
  return false;
}

char *plingo_fresh(const PlingoText *f, const char *stem) {
  Text text = {0};
  text_printf(&text, "%s_", stem);
  for (unsigned k = 1; prefix_used(f, text.at); k++) {
    text.n = 0;
    text_printf(&text, "%s%u_", stem, k);
  }
  return text_take(&text);
}

/* ---- numbers ---------------------------------------------------------------------------- */

void plingo_expression(const PlingoText *f, Range r, Text *out) {
  const Token *t = plingo_tokens(f);
  for (uint32_t i = r.from; i < r.to; i++) {
    bool quoted = t[i].kind == T_STRING;
    text_add(out, source_of(f)->bytes + t[i].offset + quoted, t[i].length - 2 * quoted);
  }
}

bool plingo_number(PlingoText *f, Range r, double *value) {
  Text text = {0};
  Sources aside = {0};
  Diagnostics unsaid = {.sources = &aside};
  Tokens tokens = {0};
  WeightExpression expression = {0};
  WeightParse parse = {0};
  plingo_expression(f, r, &text);
  text_add(&text, "", 0);
  size_t length = text.n;
  uint32_t source = source_add(&aside, "", text_take(&text), length);
  lex(&unsaid, source, false, &tokens);
  bool good = !unsaid.errors &&
              weight_parse(&aside.list.at[source], tokens.at, 0, &expression, &parse) &&
              tokens.at[parse.end].kind == T_END && weight_constant(&expression);
  double *none = memory_zero(expression.n, sizeof *none);
  *value = good ? weight_evaluate(&expression, none) : NAN;
  free(none);
  vec_free(&expression);
  vec_free(&tokens);
  diagnostics_free(&unsaid);
  sources_free(&aside);
  if (!isfinite(*value))
    plingo_error(f, r, "a number, or a string such as \"0.3\" or \"2/3\"", "this is no number");
  return isfinite(*value);
}
