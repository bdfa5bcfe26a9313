/* script.c - see script.h. */
#include "ground/script.h"

#include "base/limits.h"
#include "base/source.h"
#include "ground/closure.h"
#include "ground/intervene.h"
#include "ground/relay.h"
#include "language/lexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void marked_free(Marked *marked) {
  for (uint32_t k = 0; k < marked->count; k++)
    free(marked->variables[k]);
  free(marked->variables);
}

void script_free(Script *script) {
  for (size_t i = 0; i < script->rules.n; i++)
    marked_free(&script->rules.at[i]);
  for (size_t i = 0; i < script->queries.n; i++)
    marked_free(&script->queries.at[i]);
  for (size_t i = 0; i < script->utilities.n; i++)
    marked_free(&script->utilities.at[i]);
  vec_free(&script->utilities);
  vec_free(&script->rules);
  vec_free(&script->queries);
  vec_free(&script->looked);
  vec_free(&script->columns);
  vec_free(&script->set);
  names_free(&script->atoms);
  writer_free(&script->writer);
  free(script->prefix);
}

/* ---- statements -------------------------------------------------------------- */

typedef struct {
  const Program *program;
  Diagnostics *said;
  Script *script;
  ScriptOptions options;
  char *fresh; /* prefix of fresh variables */
  Closures closures;
  Names relayed; /* see relay.h */
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
  assert(letter == MARK_SOFT || letter == MARK_HARD || letter == MARK_COIN);
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

/* The shape of a statement whose formulas are written as auxiliary atoms, with their
** rules before it. */
static void shape_of(Making *m, const Statement *s, bool split, char letter, Shape *shape) {
  shape_make(m->program, m->said, s, split || (s->formula && s->kind != S_QUERY), m->fresh, shape);
  if (!s->formula)
    return;
  Text prefix = {0};
  text_printf(&prefix, "%s%c", m->script->prefix, letter);
  shape_formulas(m->program, prefix.at, shape);
  writer_definitions(&m->script->writer, m->program, shape, prefix.at);
  vec_free(&prefix);
}

/* The body of a rule, and what keeps the atoms that are set out of its heads. */
static void write_rule_body(Making *m, const Shape *shape, const char *open) {
  writer_body(&m->script->writer, m->program, shape, open);
  intervene_guard(&m->script->writer, m->program, &m->script->set, m->script->prefix, shape, open);
}

static void tell_set(Making *m, const Shape *shape) {
  intervene_tell(&m->script->writer, m->program, &m->script->set, m->script->prefix, shape);
}

static void write_marked_rule(Making *m, const Statement *s, char letter) {
  Writer *w = &m->script->writer;
  Shape shape;
  shape_of(m, s, true, MARK_FORMULA, &shape);
  size_t number = m->script->rules.n;
  vec_push(&m->script->rules, marked_of(m, &shape));
  writer_puts(w, "{");
  write_marker(m, &shape, letter, number);
  writer_puts(w, "}");
  write_rule_body(m, &shape, " :- ");
  write_stop(m, s);
  tell_set(m, &shape);
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

/* The head, or what stands for it. */
static void write_head(Making *m, const Shape *shape) {
  Writer *w = &m->script->writer;
  if (!relay_head(w, m->program, &m->relayed, m->script->prefix, shape->statement))
    writer_head(w, m->program, shape);
}

/* {c(i,0,X)} :- Body.  Head :- c(i,0,X), not c(i-1,0,X)…, Body: whether a coin comes up
** does not depend on its body. */
static void write_coin(Making *m, const Statement *s) {
  assert(s->coin && s->before <= m->script->rules.n);
  Writer *w = &m->script->writer;
  Shape shape;
  shape_of(m, s, true, MARK_FORMULA, &shape);
  size_t number = m->script->rules.n;
  vec_push(&m->script->rules, marked_of(m, &shape));
  writer_puts(w, "{");
  write_marker(m, &shape, MARK_COIN, number);
  writer_puts(w, "}");
  writer_body(w, m->program, &shape, " :- ");
  write_stop(m, s);
  write_head(m, &shape);
  writer_puts(w, " :- ");
  for (uint32_t k = 0; k <= s->before; k++) {
    writer_puts(w, k ? "; not " : "");
    write_marker(m, &shape, MARK_COIN, number - k);
  }
  write_rule_body(m, &shape, "; ");
  write_stop(m, s);
  tell_set(m, &shape);
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
  bool set = s->head_kind == HEAD_LITERAL && intervene_concerns(m->program, &m->script->set, s);
  shape_of(m, s, set, MARK_FORMULA, &shape);
  if (closure)
    use_base(m, closure, s->head.from, &shape);
  write_head(m, &shape);
  write_rule_body(m, &shape, range_empty(s->head) ? ":- " : " :- ");
  if (range_empty(s->head) && range_empty(s->body) && !shape.domains.n)
    writer_place(w, program_place(m->program, s, s->whole), ":-");
  write_stop(m, s);
  tell_set(m, &shape);
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
  if (s->coin)
    write_coin(m, s);
  else if (s->weight_kind != WEIGHT_HARD)
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

/* ---- decisions ------------------------------------------------------------------ */

/* {a(X)} :- Body.  y(statement,a(X)) :- Body.  A name alone might be a constant. */
static void write_decision(Making *m, const Statement *s) {
  Writer *w = &m->script->writer;
  Shape shape;
  shape_make(m->program, m->said, s, true, m->fresh, &shape);
  writer_puts(w, "{");
  writer_tokens(w, m->program, &shape, s->head);
  writer_puts(w, "}");
  writer_body(w, m->program, &shape, " :- ");
  write_stop(m, s);
  tell_set(m, &shape);
  uint32_t name = s->head.from + (program_tokens(m->program, s)[s->head.from].kind == T_MINUS);
  text_printf(&w->text, "%s%c(%zu", m->script->prefix, MARK_DECISION,
              (size_t)(s - m->program->statements.at));
  if (name + 1 < s->head.to) {
    writer_puts(w, ",");
    writer_tokens(w, m->program, &shape, (Range){name, s->head.to});
  }
  writer_puts(w, ")");
  writer_body(w, m->program, &shape, " :- ");
  write_stop(m, s);
  shape_free(&shape);
}

/* m(utility,0,X) :- Literals, Body. */
static void write_utility(Making *m, const Statement *s) {
  Writer *w = &m->script->writer;
  Shape shape;
  shape_make(m->program, m->said, s, true, m->fresh, &shape);
  text_printf(&w->text, "%s%c(%zu,0", m->script->prefix, MARK_UTILITY, m->script->utilities.n);
  vec_push(&m->script->utilities, marked_of(m, &shape));
  write_variables(w, &shape);
  writer_body(w, m->program, &shape, " :- ");
  if (!range_empty(s->head)) {
    writer_puts(w, "; ");
    writer_tokens(w, m->program, &shape, s->head);
  }
  write_stop(m, s);
  shape_free(&shape);
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

static void write_listed_atom(Making *m, const Shape *shape, Range atom) {
  Writer *w = &m->script->writer;
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

/* A closed world leaves the atoms of an observed formula open. */
static void write_listed(Making *m, const Shape *shape) {
  const Statement *s = shape->statement;
  Range atom;
  bool negated;
  if (script_observed(m->program, s, &atom, &negated) && !negated)
    write_listed_atom(m, shape, atom);
  for (size_t i = 0; i < shape->formula.elements.n; i++) {
    const Element *e = &shape->formula.elements.at[i];
    const Token *t = program_tokens(m->program, s) + e->range.from + e->nots;
    if (e->inside == NO_GROUP && !e->conditional && t[t->kind == T_MINUS].kind == T_IDENTIFIER)
      write_listed_atom(m, shape, (Range){e->range.from + e->nots, e->range.to});
  }
}

static void write_unknown(Making *m) {
  for (size_t i = 0; m->options.closed_world && i < m->program->unknown.n; i++) {
    const Statement *s = &m->program->unknown.at[i];
    write_listed_atom(m, &(Shape){.statement = s}, s->body);
  }
}

/* An observed formula is violated if it does not hold. */
static void write_observed_formula(Making *m, const Shape *shape) {
  Writer *w = &m->script->writer;
  Statement bare = *shape->statement;
  Shape domains = *shape;
  Text prefix = {0};
  text_printf(&prefix, "%s%c", m->script->prefix, MARK_SEEN);
  bare.body = (Range){0, 0};
  domains.statement = &bare;
  writer_puts(w, " :- not ");
  writer_whole(w, m->program, shape, prefix.at);
  writer_body(w, m->program, &domains, "; ");
  writer_puts(w, ".\n");
  writer_define_whole(w, m->program, shape, prefix.at);
  vec_free(&prefix);
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

/* Nothing but a name and plain arguments: the grounder has no more to do than to find it. */
static bool plain_atom(const Token *t, Range r) {
  for (uint32_t i = r.from; i < r.to; i++) {
    bool sign = t[i].kind == T_MINUS && (i == r.from || t[i + 1].kind == T_NUMBER);
    if (t[i].kind != T_IDENTIFIER && t[i].kind != T_NUMBER && t[i].kind != T_STRING &&
        t[i].kind != T_COMMA && t[i].kind != T_OPEN && t[i].kind != T_CLOSE && !sign)
      return false;
  }
  return true;
}

/* The atom's number; a new one is written for the grounder. */
static uint32_t look_up(Making *m, const Statement *s, Range atom) {
  Writer *w = &m->script->writer;
  Names *atoms = &m->script->atoms;
  Text text = {0};
  size_t known = atoms->list.n;
  program_write(m->program, s, atom, &text);
  uint32_t number = names_add(atoms, text.at, text.n);
  if (number == known) {
    Shape shape = {.statement = s};
    text.n = 0;
    text_printf(&text, "%s%c(%u)", m->script->prefix, MARK_OBSERVED, number);
    writer_place(w, program_place(m->program, s, s->whole), text.at);
    writer_puts(w, " :- ");
    writer_tokens(w, m->program, &shape, atom);
    write_stop(m, s);
  }
  vec_free(&text);
  return number;
}

static bool write_looked_up(Making *m, const Statement *s) {
  Looked looked = {.statement = (uint32_t)(s - m->program->statements.at)};
  Range atom;
  if (!script_observed(m->program, s, &atom, &looked.negated) ||
      !plain_atom(program_tokens(m->program, s), atom))
    return false;
  looked.atom = look_up(m, s, atom);
  vec_push(&m->script->looked, looked);
  return true;
}

static void write_observation(Making *m, const Statement *s) {
  assert(s->block < m->program->block_count);
  if (write_looked_up(m, s))
    return;
  Writer *w = &m->script->writer;
  Shape shape;
  shape_of(m, s, false, MARK_SEEN, &shape);
  Text head = {0};
  text_printf(&head, "%s%c(%u,%zu)", m->script->prefix, MARK_VIOLATION, s->block,
              (size_t)(s - m->program->statements.at));
  writer_place(w, program_place(m->program, s, s->whole), head.at);
  vec_free(&head);
  bool whole = s->kind == S_LITERAL && s->formula;
  if (whole)
    write_observed_formula(m, &shape);
  else if (s->kind == S_LITERAL)
    write_opposite(m, &shape);
  else
    writer_body(w, m->program, &shape, " :- ");
  if (!whole)
    write_stop(m, s);
  if (m->options.closed_world || program_block_complete(m->program, s->block))
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
  if (t[i].kind != T_IDENTIFIER || s->formula)
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

bool query_conditioned(const Program *p, const Statement *s, const Marked *marked, uint32_t k) {
  const Token *t = program_tokens(p, s);
  bool found = false;
  for (uint32_t i = s->given.from; i < s->given.to; i++)
    found |= t[i].kind == T_VARIABLE && token_is(program_source(p, s), &t[i], marked->variables[k]);
  return found;
}

/* `g(query,X,0)`: the variables of the condition, 0 for the others. */
static void write_given_marker(Making *m, const Statement *s, size_t number) {
  Writer *w = &m->script->writer;
  const Marked *marked = &m->script->queries.at[number];
  text_printf(&w->text, "%s%c(%zu", m->script->prefix, MARK_GIVEN, number);
  for (uint32_t k = 0; k < marked->count; k++)
    text_printf(&w->text, ",%s",
                query_conditioned(m->program, s, marked, k) ? marked->variables[k] : "0");
  writer_puts(w, ")");
}

/* A rule for each alternative; of `A | B` the query is A and B, its condition B. */
static void write_asked_formula(Making *m, const Shape *shape, size_t number, bool condition) {
  Writer *w = &m->script->writer;
  const Statement *s = shape->statement;
  for (uint32_t k = 0; k < shape->formula.groups.at[0].alternatives; k++) {
    if (condition) {
      write_given_marker(m, s, number);
    } else {
      Text head = {0};
      text_printf(&head, "%s%c(%zu", m->script->prefix, MARK_QUERY, number);
      writer_place(w, program_place(m->program, s, s->whole), head.at);
      vec_free(&head);
      write_variables(w, shape);
    }
    writer_puts(w, " :- ");
    writer_alternative(w, m->program, shape, 0, k);
    if (!range_empty(s->given) && !condition) {
      writer_puts(w, "; ");
      write_given_marker(m, s, number);
    }
    writer_puts(w, ".\n");
  }
}

static void write_formula_query(Making *m, const Statement *s) {
  Shape shape;
  size_t number = m->script->queries.n;
  shape_of(m, s, false, MARK_ASKED, &shape);
  vec_push(&m->script->queries, marked_of(m, &shape));
  write_asked_formula(m, &shape, number, false);
  shape_free(&shape);
  if (range_empty(s->given))
    return;
  Statement given = program_given(s);
  shape_of(m, &given, false, MARK_ASKED, &shape);
  given.given = s->given; /* for its marker */
  write_asked_formula(m, &shape, number, true);
  shape_free(&shape);
}

static void write_query(Making *m, const Statement *s) {
  if (s->formula) {
    write_formula_query(m, s);
    return;
  }
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
  Making m = {.program = program, .said = said, .script = script, .options = options};
  m.fresh = fresh_name(program, "Lpmln", true);
  if (!options.violable)
    closures_find(program, &m.closures);
  intervene_find(program, &script->set);
  text_printf(&script->writer.text, "#external %s%c.\n", script->prefix, MARK_NEVER);
  intervene_facts(&script->writer, program, &script->set, script->prefix);
  if (!options.violable && !script->set.n && !m.closures.n)
    relay_find(program, &m.relayed);
  relay_rules(&script->writer, &m.relayed, script->prefix);
  for (size_t i = 0; i < program->statements.n; i++) {
    const Statement *s = &program->statements.at[i];
    limits_poll();
    switch (s->kind) {
    case S_RULE:
      if (s->block == PROGRAM_BLOCK)
        write_rule(&m, s);
      else
        write_observation(&m, s);
      break;
    case S_LITERAL: write_observation(&m, s); break;
    case S_COLUMN: vec_push(&script->columns, look_up(&m, s, s->body)); break;
    case S_QUERY: write_query(&m, s); break;
    case S_PASS: write_pass(&m, s); break;
    case S_DOMAIN: warn_unused_domain(&m, s); break;
    case S_DO: break; /* written before */
    case S_DECISION: write_decision(&m, s); break;
    case S_UTILITY:
      if (options.utilities)
        write_utility(&m, s);
      break;
    }
  }
  write_unknown(&m);
  text_add(&script->writer.text, "", 0);
  free(m.fresh);
  names_free(&m.relayed);
  vec_free(&m.closures);
}
