/* learned.c - see learned.h.
**
** All else stays as it was, comments and layout included.  A rule whose parameter
** has a name with variables has several weights: it gets a weight variable and a
** body literal that looks it up in facts, which stand at the end.  Several files
** become one; their #include are then comments. */
#include "write/learned.h"

#include "base/memory.h"
#include "base/source.h"
#include "ground/script.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"
#include "learn/parameters.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Replaces (or, with length 0, inserts before) bytes of a source. */
typedef struct {
  uint32_t offset, length;
  char *text;
} Change;

typedef VEC(Change) Changes;

typedef struct {
  const Program *program;
  const Parameters *parameters;
  const double *w;
  char *table, *variable; /* fresh names */
  Changes changes;        /* of the unit at hand */
  Text facts;
} Rewriting;

static int compare_changes(const void *a, const void *b) {
  const Change *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void change(Rewriting *r, uint32_t offset, uint32_t length, Text *text) {
  vec_push(&r->changes, (Change){offset, length, text_take(text)});
}

/* The parameters of a statement: how many, and the first. */
static uint32_t parameters_of(const Parameters *t, uint32_t statement, uint32_t *first) {
  uint32_t n = 0;
  for (uint32_t i = t->n; i-- > 0;)
    for (uint32_t k = t->rule_start[i]; k < t->rule_start[i + 1]; k++)
      if (t->rules[k] == statement)
        n++, *first = i;
  return n;
}

static void list_weights(Rewriting *r, uint32_t statement) {
  const Parameters *t = r->parameters;
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t k = t->rule_start[i]; k < t->rule_start[i + 1]; k++)
      if (t->rules[k] == statement) {
        Text fact = {0};
        text_printf(&fact, "%s(%s,\"", r->table, t->name[i]);
        weight_write(r->w[i], &fact);
        text_puts(&fact, "\").\n");
        if (!r->facts.n || !strstr(r->facts.at, fact.at))
          text_puts(&r->facts, fact.at);
        vec_free(&fact);
      }
}

/* `body; table(NAME, W)` */
static void look_up(Rewriting *r, const Statement *s) {
  const Token *t = program_tokens(r->program, s);
  Text text = {0};
  uint32_t last = range_empty(s->body) ? s->head.to - 1 : s->body.to - 1;
  bool arrow = range_empty(s->body) && t[s->head.to].kind == T_IF;
  last += arrow;
  text_printf(&text, "%s%s(", !range_empty(s->body) ? "; " : arrow ? " " : " :- ", r->table);
  program_write(r->program, s, s->name, &text);
  text_printf(&text, ",%s)", r->variable);
  change(r, t[last].offset + t[last].length, 0, &text);
}

/* The probability of a head, of what those before it in its rule leave. */
static double chance_of(const Rewriting *r, uint32_t statement) {
  const Statement *s = &r->program->statements.at[statement];
  double probability = r->program->chances.at[s->chance - 1].rest;
  for (uint32_t k = 0; k <= s->before; k++) {
    uint32_t first = 0;
    if (!r->program->statements.at[statement - k].chance ||
        !parameters_of(r->parameters, statement - k, &first))
      break;
    probability /= 1 + exp(k ? r->w[first] : -r->w[first]);
  }
  return probability;
}

static void rewrite_statement(Rewriting *r, uint32_t statement) {
  assert(r->program->statements.at[statement].weight_kind == WEIGHT_PARAMETER);
  const Statement *s = &r->program->statements.at[statement];
  const Token *t = program_tokens(r->program, s);
  uint32_t first = 0, n = parameters_of(r->parameters, statement, &first);
  bool several = n > 1;
  for (uint32_t i = s->name.from; i < s->name.to; i++)
    several |= t[i].kind == T_VARIABLE;
  if (!n)
    return;
  Text text = {0};
  if (several)
    text_printf(&text, "%s%s", r->variable, t[s->weight.to].kind == T_COLON ? "" : " :");
  else
    weight_write(s->chance ? chance_of(r, statement) : r->w[first], &text);
  const Token *from = &t[s->weight.from], *to = &t[s->weight.to - 1];
  change(r, from->offset, to->offset + to->length - from->offset, &text);
  if (several) {
    look_up(r, s);
    list_weights(r, statement);
  }
}

/* #include is a comment now: its text follows. */
static void silence_includes(Rewriting *r, const Unit *unit) {
  const Source *source = &r->program->sources.list.at[unit->source];
  for (size_t i = 0; i + 2 < unit->tokens.n; i++) {
    const Token *t = &unit->tokens.at[i];
    if (t->kind != T_DIRECTIVE || !token_is(source, t, "#include") || t[1].kind != T_STRING)
      continue;
    Text open = {0}, close = {0};
    text_puts(&open, "%* "), text_puts(&close, " *%");
    change(r, t->offset, 0, &open);
    change(r, t[2].offset + t[2].length, 0, &close);
  }
}

static void rewrite_unit(Rewriting *r, uint32_t unit, Text *out) {
  assert(!r->changes.n);
  const Program *program = r->program;
  const Source *source = &program->sources.list.at[program->units.at[unit].source];
  for (uint32_t i = 0; i < program->statements.n; i++)
    if (program->statements.at[i].unit == unit &&
        program->statements.at[i].weight_kind == WEIGHT_PARAMETER)
      rewrite_statement(r, i);
  silence_includes(r, &program->units.at[unit]);
  if (r->changes.n)
    qsort(r->changes.at, r->changes.n, sizeof *r->changes.at, compare_changes);
  size_t at = 0;
  for (size_t i = 0; i < r->changes.n; i++) {
    const Change *c = &r->changes.at[i];
    assert(at <= c->offset && c->offset + c->length <= source->length); /* none overlap */
    text_add(out, source->bytes + at, c->offset - at);
    text_puts(out, c->text);
    at = c->offset + c->length;
    free(c->text);
  }
  text_add(out, source->bytes + at, source->length - at);
  r->changes.n = 0;
}

static void end_line(Text *out, size_t start) {
  if (out->n > start && out->at[out->n - 1] != '\n')
    text_puts(out, "\n");
}

/* A text of the user's program, not of observations or of ours. */
static bool of_program(const Program *program, uint32_t unit) {
  const char *name = program->sources.list.at[program->units.at[unit].source].name;
  bool found = false;
  bool ours = !strcmp(name, "<-c>") || !strcmp(name, "<query>") || !strcmp(name, "<do>");
  for (size_t i = 0; !ours && !found && i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    found =
        s->unit == unit && s->block == PROGRAM_BLOCK && s->kind != S_QUERY && s->kind != S_COLUMN;
  }
  return found;
}

void write_learned(const Program *program, const Parameters *parameters, const double *w,
                   Text *out) {
  Rewriting r = {.program = program, .parameters = parameters, .w = w};
  size_t start = out->n;
  r.table = fresh_name(program, "learned", false);
  r.variable = fresh_name(program, "Learned", false);
  text_add(out, "", 0);
  for (uint32_t unit = 0; unit < program->units.n; unit++) {
    if (!of_program(program, unit))
      continue;
    end_line(out, start);
    rewrite_unit(&r, unit, out);
  }
  if (r.facts.n) {
    end_line(out, start);
    text_printf(out, "\n%s", r.facts.at);
  }
  vec_free(&r.changes);
  vec_free(&r.facts);
  free(r.table);
  free(r.variable);
}
