/* fuzz_parser.c - any bytes through lexer, parser and script, for libFuzzer.
**
** An input is up to four texts between lines `%%%%`: a program, observations, a
** query and a message as clingo's.  Nothing may crash, and what comes out must
** be whole: places inside of their sources, ranges inside of their statements,
** and a script that holds nothing that clingo must not see.  No worker runs. */
#include "fuzz/must.h"
#include "ground/messages.h"
#include "ground/script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* ---- what must hold ----------------------------------------------------------- */

static void check_tokens(const Source *source, const Tokens *tokens) {
  size_t end = 0;
  must(tokens->n && tokens->at[tokens->n - 1].kind == T_END);
  for (size_t i = 0; i < tokens->n; i++) {
    const Token *t = &tokens->at[i];
    must(t->offset >= end && t->length <= source->length);
    end = (size_t)t->offset + t->length;
    must(end <= source->length);
    must((t->kind == T_END) == (i + 1 == tokens->n));
    must(t->length || t->kind == T_END);
  }
}

static void check_within(Range r, Range whole) {
  must(range_empty(r) || (r.from >= whole.from && r.to <= whole.to));
}

static void check_expression(const Program *p, const Statement *s) {
  const WeightExpression *e = &s->expression;
  must((e->n > 0) == (s->weight_kind == WEIGHT_NUMBER));
  for (size_t i = 0; i < e->n; i++)
    if (e->at[i].operation == W_VARIABLE) {
      must(e->at[i].variable >= s->weight.from && e->at[i].variable < s->weight.to);
      must(program_tokens(p, s)[e->at[i].variable].kind == T_VARIABLE);
    }
  double weight = e->n && weight_constant(e) ? weight_evaluate(e, NULL) : 0;
  must(s->coin ? !isnan(weight) : isfinite(weight)); /* a coin may be certain */
}

static void check_parts(const Program *p, const Statement *s, Range r) {
  Parts parts = {0};
  program_parts(p, s, r, &parts);
  uint32_t end = r.from;
  for (size_t i = 0; i < parts.n; i++) {
    must(!range_empty(parts.at[i].range));
    must(parts.at[i].range.from >= end && parts.at[i].range.to <= r.to);
    end = parts.at[i].range.to;
  }
  vec_free(&parts);
}

static void check_statement(const Program *p, const Statement *s) {
  Text text = {0};
  must(s->unit < p->units.n);
  must(!range_empty(s->whole) && s->whole.to <= p->units.at[s->unit].tokens.n);
  check_within(s->head, s->whole);
  check_within(s->body, s->whole);
  check_within(s->weight, s->whole);
  check_within(s->name, s->weight);
  must(range_empty(s->weight) == (s->weight_kind == WEIGHT_HARD));
  must(isfinite(s->initial));
  must(s->block == PROGRAM_BLOCK || s->block < p->blocks.n);
  check_place(&p->sources, program_place(p, s, s->whole));
  check_expression(p, s);
  check_parts(p, s, s->head);
  check_parts(p, s, s->body);
  program_write(p, s, s->whole, &text);
  must(text.n && !memchr(text.at, '\n', text.n));
  vec_free(&text);
}

static void check_program(const Program *p) {
  for (size_t i = 0; i < p->units.n; i++)
    check_tokens(&p->sources.list.at[p->units.at[i].source], &p->units.at[i].tokens);
  for (size_t i = 0; i < p->statements.n; i++)
    check_statement(p, &p->statements.at[i]);
  for (size_t i = 0; i < p->domains.n; i++)
    must(p->statements.at[p->domains.at[i]].kind == S_DOMAIN);
  for (size_t i = 0; i < p->blocks.n; i++)
    must(p->blocks.at[i].count >= 1);
  check_diagnostics(&p->said, &p->sources);
}

/* clingo opens files, runs scripts and dies of deep terms: it must get none. */
static void check_harmless(const Script *script) {
  const Text *text = &script->writer.text;
  Sources sources = {0};
  Diagnostics said = {.sources = &sources};
  Tokens tokens = {0};
  int depth = 0;
  uint32_t source = source_add(&sources, "script", memory_copy(text->at, text->n), text->n);
  lex(&said, source, false, &tokens);
  must(!said.errors);
  for (size_t i = 0; i < tokens.n; i++) {
    TokenKind kind = tokens.at[i].kind;
    depth += kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
    depth -= kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
    must(depth >= 0 && depth < 510);
    must(kind != T_SCRIPT && kind != T_AT && kind != T_WEAK);
    must(!token_is(&sources.list.at[source], &tokens.at[i], "#include"));
  }
  must(depth == 0);
  vec_free(&tokens);
  diagnostics_free(&said);
  sources_free(&sources);
}

static void check_script(const Program *p, const Script *script) {
  const Writer *w = &script->writer;
  size_t before = 0;
  must(strlen(w->text.at) == w->text.n);
  for (size_t i = 0; i < w->map.n; i++) {
    must(w->map.at[i].at >= before && w->map.at[i].at <= w->text.n);
    before = w->map.at[i].at;
    check_place(&p->sources, w->map.at[i].place);
  }
  for (size_t i = 0; i < script->rules.n; i++)
    must(script->rules.at[i].statement < p->statements.n);
  for (size_t i = 0; i < script->queries.n; i++)
    must(p->statements.at[script->queries.at[i].statement].kind == S_QUERY);
  check_harmless(script);
}

/* ---- one input ------------------------------------------------------------------ */

enum { PROGRAM, OBSERVATIONS, QUERY, MESSAGE, TEXTS };

typedef struct {
  const char *at;
  size_t n;
} Slice; /* one of the four texts */

static void cut(const char *bytes, size_t size, Slice texts[TEXTS]) {
  static const char mark[] = "%%%%\n";
  for (int i = 0; i < TEXTS; i++) {
    const char *end = i + 1 < TEXTS && size ? memmem(bytes, size, mark, sizeof mark - 1) : NULL;
    size_t n = end ? (size_t)(end - bytes) : size;
    texts[i] = (Slice){bytes, n};
    n += end ? sizeof mark - 1 : 0;
    bytes += n, size -= n;
  }
}

static uint32_t add(Program *p, const char *name, Slice text) {
  return source_add(&p->sources, name, memory_copy(text.at, text.n), text.n);
}

static void run(Program *p, Script *script, const Slice texts[TEXTS], size_t options) {
  program_read(p, add(p, "program", texts[PROGRAM]), NULL);
  if (texts[OBSERVATIONS].n)
    program_read_observations(p, add(p, "observations", texts[OBSERVATIONS]), options & 1);
  if (texts[QUERY].n)
    program_read_query(p, add(p, "query", texts[QUERY]));
  check_program(p);
  script_make(p, program_said(p),
              (ScriptOptions){.violable = options & 2, .closed_world = options & 4}, script);
  check_script(p, script);
  char *message = memory_copy(texts[MESSAGE].at, texts[MESSAGE].n);
  Places underived = {0};
  if (*message)
    messages_say(p, program_said(p), script, message, &underived);
  vec_free(&underived);
  free(message);
  check_diagnostics(&p->said, &p->sources);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Program program = {0};
  Script script = {0};
  Slice texts[TEXTS];
  MemoryGuard guard;
  cut((const char *)bytes, size, texts);
  if (!memory_guard(&guard))
    run(&program, &script, texts, size);
  memory_unguard(&guard);
  script_free(&script);
  program_free(&program);
  return 0;
}
