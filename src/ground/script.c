/* script.c - see script.h. */
#include "ground/script.h"

#include "base/source.h"
#include "ground/closure.h"
#include "language/lexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void script_free(Script *script) {
  for (size_t i = 0; i < script->rules.n; i++) {
    for (uint32_t k = 0; k < script->rules.at[i].count; k++)
      free(script->rules.at[i].variables[k]);
    free(script->rules.at[i].variables);
  }
  for (size_t i = 0; i < script->queries.n; i++) {
    for (uint32_t k = 0; k < script->queries.at[i].count; k++)
      free(script->queries.at[i].variables[k]);
    free(script->queries.at[i].variables);
  }
  vec_free(&script->rules);
  vec_free(&script->queries);
  writer_free(&script->writer);
  free(script->prefix);
}

/* ---- fresh names ---------------------------------------------------------- */

static bool name_used(const Program *p, const char *prefix) {
  assert(*prefix);
  size_t n = strlen(prefix);
  for (size_t u = 0; u < p->units.n; u++) {
    const Unit *unit = &p->units.at[u];
    const char *bytes = p->sources.list.at[unit->source].bytes;
    for (size_t i = 0; i < unit->tokens.n; i++) {
      const Token *t = &unit->tokens.at[i];
      if ((t->kind == T_IDENTIFIER || t->kind == T_VARIABLE) && t->length >= n &&
          !strncmp(bytes + t->offset, prefix, n))
        return true;
    }
  }
  return false;
}

char *fresh_name(const Program *p, const char *stem, bool prefix) {
  Text text = {0};
  text_printf(&text, "%s%s", stem, prefix ? "_" : "");
  for (unsigned k = 1; name_used(p, text.at); k++) {
    text.n = 0;
    text_printf(&text, "%s_%u%s", stem, k, prefix ? "_" : "");
  }
  return text_take(&text);
}

/* ---- statements -------------------------------------------------------------- */

typedef struct {
  const Program *program;
  Diagnostics *said;
  Script *script;
  ScriptOptions options;
  char *fresh; /* prefix of fresh variables */
  Closures closures;
} Making;

static Marked marked_of(const Making *m, const Shape *shape) {
  Marked marked = {.count = (uint32_t)shape->variables.n};
  marked.statement = (uint32_t)(shape->statement - m->program->statements.at);
  assert(marked.statement < m->program->statements.n);
  marked.variables = memory_zero(marked.count, sizeof *marked.variables);
  for (uint32_t i = 0; i < marked.count; i++) {
    const Variable *v = &shape->variables.at[i];
    const char *text = m->program->sources.list.at[v->place.source].bytes + v->place.offset;
    marked.variables[i] = v->fresh ? memory_copy(text, v->place.length) /* as in `1..3=2` */
                                   : memory_copy(v->name, strlen(v->name));
  }
  return marked;
}

static void write_variables(Writer *w, const Shape *shape) {
  for (size_t i = 0; i < shape->variables.n; i++) {
    writer_puts(w, ",");
    writer_place(w, shape->variables.at[i].place, shape->variables.at[i].name);
  }
  writer_puts(w, ")");
}

static void write_marker(Making *m, const Shape *shape, char letter, size_t number) {
  assert(letter == MARK_SOFT || letter == MARK_HARD);
  Writer *w = &m->script->writer;
  const Statement *s = shape->statement;
  Text open = {0};
  text_printf(&open, "%s%c(%zu,", m->script->prefix, letter, number);
  writer_place(w, program_place(m->program, s, s->whole), open.at);
  vec_free(&open);
  if (range_empty(s->name))
    writer_puts(w, "0");
  else
    writer_tokens(w, m->program, shape, s->name);
  write_variables(w, shape);
}

/* Where is a literal with a condition, a pool or an interval in the head? */
static bool needs_companion(Making *m, const Statement *s, const Parts *parts) {
  const Token *t = program_tokens(m->program, s);
  bool needs = false;
  for (size_t i = 0; i < parts->n; i++)
    needs |= parts->at[i].conditional;
  for (uint32_t i = s->head.from; i < s->head.to; i++)
    needs |= t[i].kind == T_DOTS || t[i].kind == T_SEMICOLON;
  return needs && s->head_kind == HEAD_DISJUNCTION;
}

static bool starts_atom(const Token *t, Range r) {
  return t[r.from + (t[r.from].kind == T_MINUS)].kind == T_IDENTIFIER;
}

/* gringo 5.4.1 loses instances of recursive rules that have an atom of such a
** disjunction in their bodies (`u : c | q :- h.` where h depends on u).  A choice
** over the same atoms, with a body that never holds, makes it find them. */
static void write_companion(Making *m, const Shape *shape, char letter, size_t number) {
  assert(shape->statement->kind == S_RULE);
  Writer *w = &m->script->writer;
  const Statement *s = shape->statement;
  Parts parts = {0};
  program_parts(m->program, s, s->head, &parts);
  bool some = false, needed = needs_companion(m, s, &parts);
  for (size_t i = 0; needed && i < parts.n; i++) {
    if (!starts_atom(program_tokens(m->program, s), parts.at[i].range))
      continue;
    writer_puts(w, some ? "; " : "{"), some = true;
    writer_tokens(w, m->program, shape, parts.at[i].range);
  }
  vec_free(&parts);
  if (!some)
    return;
  text_printf(&w->text, "} :- %s%c", m->script->prefix, MARK_NEVER);
  if (letter) {
    writer_puts(w, "; ");
    write_marker(m, shape, letter, number);
  } else {
    writer_body(w, m->program, shape, "; ");
  }
  writer_puts(w, ".\n");
}

/* A parameter without variables is there even if its rule has no instance. */
static void write_parameter(Making *m, const Shape *shape, size_t number) {
  assert(number < m->script->rules.n && !range_empty(shape->statement->name));
  Writer *w = &m->script->writer;
  const Statement *s = shape->statement;
  for (uint32_t i = s->name.from; i < s->name.to; i++)
    if (program_tokens(m->program, s)[i].kind == T_VARIABLE)
      return;
  Text open = {0};
  text_printf(&open, "%s%c(%zu,", m->script->prefix, MARK_PARAMETER, number);
  writer_place(w, program_place(m->program, s, s->name), open.at);
  vec_free(&open);
  writer_tokens(w, m->program, shape, s->name);
  writer_puts(w, ").\n");
}

/* The full stop: where clingo finds that something is missing. */
static void write_stop(Making *m, const Statement *s) {
  Range stop = {s->whole.to - 1, s->whole.to};
  writer_place(&m->script->writer, program_place(m->program, s, stop), ".\n");
}

static void write_marked_rule(Making *m, const Statement *s, char letter) {
  Writer *w = &m->script->writer;
  Shape shape;
  shape_make(m->program, m->said, s, true, m->fresh, &shape);
  size_t number = m->script->rules.n;
  vec_push(&m->script->rules, marked_of(m, &shape));
  writer_puts(w, "{");
  write_marker(m, &shape, letter, number);
  writer_puts(w, "}");
  writer_body(w, m->program, &shape, " :- ");
  write_stop(m, s);
  if (!range_empty(s->name))
    write_parameter(m, &shape, number);
  if (s->head_kind != HEAD_NONE) {
    writer_tokens(w, m->program, &shape, s->head);
    writer_puts(w, " :- ");
    write_marker(m, &shape, letter, number);
    writer_puts(w, ".\n");
    write_companion(m, &shape, letter, number);
  }
  shape_free(&shape);
}

/* Writes token `name`, a predicate, as the base predicate of the closure. */
static void use_base(Making *m, const Closure *closure, uint32_t name, Shape *shape) {
  assert(m->closures.at <= closure && closure < m->closures.at + m->closures.n);
  Text base = {0};
  text_printf(&base, "%s%c%zu", m->script->prefix, MARK_BASE, (size_t)(closure - m->closures.at));
  vec_push(&shape->replacements, (Replacement){{name, name + 1}, text_take(&base)});
}

static void write_hard_rule(Making *m, const Statement *s, const Closure *closure) {
  Writer *w = &m->script->writer;
  Shape shape;
  shape_make(m->program, m->said, s, false, m->fresh, &shape);
  if (closure)
    use_base(m, closure, s->head.from, &shape);
  writer_tokens(w, m->program, &shape, s->head);
  writer_body(w, m->program, &shape, range_empty(s->head) ? ":- " : " :- ");
  if (range_empty(s->head) && range_empty(s->body) && !shape.domains.n)
    writer_place(w, program_place(m->program, s, s->whole), ":-");
  write_stop(m, s);
  write_companion(m, &shape, 0, 0);
  shape_free(&shape);
}

/* p(X,Y) :- b(X,Y).  p(X,Y) :- p(X,Z), b(Z,Y).  The shape's replacement of the
** head's name is kept out of the heads. */
static void write_closure(Making *m, const Statement *s, const Closure *closure) {
  assert(closure->source != closure->target);
  Writer *w = &m->script->writer;
  Shape shape, base = {.statement = s};
  shape_make(m->program, m->said, s, false, m->fresh, &shape);
  use_base(m, closure, s->head.from, &base);
  writer_tokens(w, m->program, &shape, s->head);
  writer_puts(w, " :- ");
  writer_tokens(w, m->program, &base, s->head);
  writer_puts(w, ".\n");
  use_base(m, closure, closure->right ? closure->near : closure->far, &shape);
  writer_tokens(w, m->program, &shape, s->head);
  writer_body(w, m->program, &shape, " :- ");
  writer_puts(w, ".\n");
  shape_free(&shape);
  shape_free(&base);
}

static void write_rule(Making *m, const Statement *s) {
  if (s->weight_kind != WEIGHT_HARD)
    write_marked_rule(m, s, MARK_SOFT);
  else if (m->options.violable && s->head_kind != HEAD_CHOICE)
    write_marked_rule(m, s, MARK_HARD);
  else {
    const Closure *closure = closure_of(m->program, &m->closures, s);
    bool recursive = closure && s == &m->program->statements.at[closure->statement];
    if (recursive)
      write_closure(m, s, closure);
    else
      write_hard_rule(m, s, closure);
  }
}

/* ---- observations -------------------------------------------------------------- */

bool script_observed(const Program *p, const Statement *s, Range *atom, bool *negated) {
  assert(s->block != PROGRAM_BLOCK);
  const Token *t = program_tokens(p, s);
  Parts parts = {0};
  program_parts(p, s, s->body, &parts);
  bool single = parts.n == 1 && !parts.at[0].conditional && !parts.at[0].braces;
  *atom = s->body;
  *negated = s->kind == S_RULE || s->denied;
  for (; single && atom->from < atom->to && t[atom->from].kind == T_NOT; atom->from++)
    *negated = !*negated;
  vec_free(&parts);
  return single && t[atom->from + (t[atom->from].kind == T_MINUS)].kind == T_IDENTIFIER;
}

static void write_listed(Making *m, const Shape *shape) {
  Writer *w = &m->script->writer;
  Range atom;
  bool negated;
  if (!script_observed(m->program, shape->statement, &atom, &negated) || negated)
    return;
  Text open = {0};
  text_printf(&open, "%s%c(%u,", m->script->prefix, MARK_LISTED, shape->statement->block);
  writer_puts(w, open.at);
  vec_free(&open);
  writer_tokens(w, m->program, shape, atom);
  writer_puts(w, ")");
  Statement bare = *shape->statement;
  bare.body = (Range){0, 0};
  Shape domains = *shape;
  domains.statement = &bare;
  writer_body(w, m->program, &domains, " :- ");
  writer_puts(w, ".\n");
}

/* An observed literal is violated if its opposite holds. */
static void write_opposite(Making *m, const Shape *shape) {
  assert(shape->statement->kind == S_LITERAL);
  Writer *w = &m->script->writer;
  const Statement *s = shape->statement;
  bool negated = program_tokens(m->program, s)[s->body.from].kind == T_NOT;
  Statement rest = *s;
  rest.body.from += negated;
  negated ^= s->denied;
  Shape opposite = *shape;
  opposite.statement = &rest;
  writer_puts(w, negated ? " :- " : " :- not ");
  writer_body(w, m->program, &opposite, "");
}

static void write_observation(Making *m, const Statement *s) {
  assert(s->block < m->program->blocks.n);
  Writer *w = &m->script->writer;
  Shape shape;
  shape_make(m->program, m->said, s, false, m->fresh, &shape);
  Text head = {0};
  text_printf(&head, "%s%c(%u,%zu)", m->script->prefix, MARK_VIOLATION, s->block,
              (size_t)(s - m->program->statements.at));
  writer_place(w, program_place(m->program, s, s->whole), head.at);
  vec_free(&head);
  if (s->kind == S_LITERAL)
    write_opposite(m, &shape);
  else
    writer_body(w, m->program, &shape, " :- ");
  write_stop(m, s);
  if (m->options.closed_world)
    write_listed(m, &shape);
  shape_free(&shape);
}

/* ---- queries --------------------------------------------------------------------- */

/* The tokens that say what is asked for. */
static Range asked(const Statement *s) { return range_empty(s->head) ? s->body : s->head; }

bool query_is_signature(const Program *p, const Statement *s) {
  assert(s->kind == S_QUERY);
  const Token *t = program_tokens(p, s);
  uint32_t i = s->body.from + (t[s->body.from].kind == T_MINUS);
  return t[i].kind == T_IDENTIFIER && t[i + 1].kind == T_SLASH && t[i + 2].kind == T_NUMBER &&
         s->body.to == i + 3;
}

bool query_is_atom(const Program *p, const Statement *s) {
  assert(s->kind == S_QUERY);
  const Token *t = program_tokens(p, s);
  Range r = asked(s);
  uint32_t i = r.from + (t[r.from].kind == T_MINUS);
  if (t[i].kind != T_IDENTIFIER)
    return false;
  if (i + 1 == r.to)
    return true;
  int depth = 0;
  for (i++; i < r.to; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    if (!depth)
      break;
  }
  return i + 1 == r.to && t[i].kind == T_CLOSE;
}

/* `_` in a query asks for each value: a fresh variable of its own. */
static void name_anonymous(Making *m, const Statement *s, Shape *shape) {
  for (uint32_t i = asked(s).from; i < asked(s).to; i++) {
    if (program_tokens(m->program, s)[i].kind != T_ANONYMOUS)
      continue;
    Text name = {0};
    text_printf(&name, "%sA%u", m->fresh, i);
    Range r = {i, i + 1};
    Variable v = {memory_copy(name.at, name.n), program_place(m->program, s, r), true};
    vec_push(&shape->variables, v);
    vec_push(&shape->replacements, (Replacement){r, text_take(&name)});
  }
}

static void write_query(Making *m, const Statement *s) {
  Writer *w = &m->script->writer;
  Shape shape;
  bool atom = query_is_atom(m->program, s);
  shape_make(m->program, m->said, s, atom, m->fresh, &shape); /* p(1..3) asks for three atoms */
  if (atom)
    name_anonymous(m, s, &shape);
  size_t number = m->script->queries.n;
  vec_push(&m->script->queries, marked_of(m, &shape));
  if (!query_is_signature(m->program, s)) {
    Text head = {0};
    text_printf(&head, "%s%c(%zu", m->script->prefix, MARK_QUERY, number);
    writer_place(w, program_place(m->program, s, s->whole), head.at);
    vec_free(&head);
    if (atom) {
      writer_puts(w, ",");
      writer_tokens(w, m->program, &shape, asked(s));
      writer_puts(w, ")");
    } else {
      write_variables(w, &shape);
    }
    writer_puts(w, " :- ");
    writer_tokens(w, m->program, &shape, s->head);
    writer_body(w, m->program, &shape, range_empty(s->head) ? "" : "; ");
    writer_puts(w, ".\n");
  }
  shape_free(&shape);
}

static void write_pass(Making *m, const Statement *s) {
  Shape shape = {.statement = s};
  writer_tokens(&m->script->writer, m->program, &shape, s->whole);
  writer_puts(&m->script->writer, "\n");
}

/* A variable of #domain that no rule uses is a slip of the pen. */
static void warn_unused_domain(Making *m, const Statement *domain) {
  const Program *p = m->program;
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind != S_RULE && s->kind != S_LITERAL)
      continue;
    Shape shape;
    shape_make(m->program, m->said, s, false, m->fresh, &shape);
    bool used = false;
    for (size_t k = 0; k < shape.domains.n; k++)
      used |= &p->statements.at[shape.domains.at[k]] == domain;
    shape_free(&shape);
    if (used)
      return;
  }
  diagnose_warning(m->said, program_place(p, domain, domain->body),
                   "variables start with a capital letter; is it spelt alike in the rules?",
                   "no rule uses the variables of this #domain");
}

void script_make(const Program *program, Diagnostics *said, ScriptOptions options, Script *script) {
  *script = (Script){.prefix = fresh_name(program, "lpmln", true)};
  Making m = {program, said, script, options, fresh_name(program, "Lpmln", true), {0}};
  if (!options.violable)
    closures_find(program, &m.closures);
  text_printf(&script->writer.text, "#external %s%c.\n", script->prefix, MARK_NEVER);
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    switch (s->kind) {
    case S_RULE:
      if (s->block == PROGRAM_BLOCK)
        write_rule(&m, s);
      else
        write_observation(&m, s);
      break;
    case S_LITERAL: write_observation(&m, s); break;
    case S_QUERY: write_query(&m, s); break;
    case S_PASS: write_pass(&m, s); break;
    case S_DOMAIN: warn_unused_domain(&m, s); break;
    }
  }
  text_add(&script->writer.text, "", 0);
  free(m.fresh);
  vec_free(&m.closures);
}
