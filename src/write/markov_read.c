/* markov_read.c - see to_markov_rules.h. */
#include "write/markov_rules.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "ground/ground.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"
#include "write/markov.h"
#include "write/markov_names.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void rule_free(ToMarkovRule *r) {
  for (size_t i = 0; i < r->variables.n; i++)
    free(r->variables.at[i].written);
  vec_free(&r->literals);
  vec_free(&r->terms);
  vec_free(&r->variables);
  names_free(&r->names);
}

void to_markov_rules_free(ToMarkovRules *rules) {
  for (size_t i = 0; i < rules->rules.n; i++)
    rule_free(&rules->rules.at[i]);
  vec_free(&rules->rules);
  names_free(&rules->facts);
}

/* ---- terms and literals -------------------------------------------------------------- */

/* What is being read: tokens of a statement, which may be a #domain's. */
typedef struct {
  ToMarkov *m;
  ToMarkovRule *rule;
  const Statement *from;
  const Token *t;
  const char *bytes;
} Reading;

static Reading reading(ToMarkov *m, ToMarkovRule *rule, const Statement *s) {
  return (Reading){m, rule, s, program_tokens(m->program, s), program_source(m->program, s)->bytes};
}

/* `X` is x; a second one of the same name has a number. */
static char *variable_name(const ToMarkovRule *r, const char *name, size_t length) {
  Text text = {0};
  for (size_t i = 0; i < length; i++)
    if (isalnum((unsigned char)name[i]) || (name[i] == '_' && text.n)) {
      char c = text.n ? name[i] : (char)tolower((unsigned char)name[i]);
      text_add(&text, &c, 1);
    }
  bool taken = !text.n || !strcmp(text.at, "v") || !strcmp(text.at, "exist") ||
               !strcmp(text.at, "forall") || !strncmp(text.at, "arg", 3) ||
               !strncmp(text.at, "funcVar", 7);
  for (size_t i = 0; i < r->variables.n; i++)
    taken |= text.n && !strcmp(r->variables.at[i].written, text.at);
  if (taken)
    text_printf(&text, "x_%zu", r->variables.n + 1);
  return text_take(&text);
}

static ToMarkovTerm add_variable(Reading *x, const char *name, size_t length, bool anonymous) {
  ToMarkovRule *r = x->rule;
  uint32_t known = anonymous ? UINT32_MAX : names_find(&r->names, name, length);
  if (known != UINT32_MAX)
    return (ToMarkovTerm){true, known};
  Text own = {0};
  text_printf(&own, "_%zu", r->names.list.n); /* no variable of the program is called so */
  names_add(&r->names, anonymous ? own.at : name, anonymous ? own.n : length);
  vec_free(&own);
  ToMarkovVariable v = {.written = variable_name(r, anonymous ? "X" : name, anonymous ? 1 : length),
                        .slot = to_markov_slot(&x->m->names)};
  vec_push(&r->variables, v);
  return (ToMarkovTerm){true, (uint32_t)r->variables.n - 1};
}

/* One token, or a minus and a number. */
static bool read_term(Reading *x, Range range, ToMarkovTerm *term) {
  const Token *t = &x->t[range.from];
  const char *text = x->bytes + t->offset;
  uint32_t tokens = range.to - range.from;
  bool minus = tokens == 2 && t[0].kind == T_MINUS && t[1].kind == T_NUMBER;
  if (tokens != 1 && !minus)
    return false;
  switch (t->kind) {
  case T_VARIABLE: *term = add_variable(x, text, t->length, false); return true;
  case T_ANONYMOUS:
    *term = add_variable(x, NULL, 0, true);
    return !x->rule->soft; /* in a soft rule it must not make more instances */
  case T_IDENTIFIER:
  case T_STRING:
  case T_NUMBER:
  case T_MINUS: {
    Text constant = {0};
    for (uint32_t i = 0; i < tokens; i++)
      text_add(&constant, x->bytes + t[i].offset, t[i].length);
    *term = (ToMarkovTerm){false, to_markov_constant(&x->m->names, constant.at, constant.n)};
    vec_free(&constant);
    return true;
  }
  default: return false;
  }
}

static uint32_t slot_of(const Reading *x, ToMarkovTerm t) {
  return t.variable ? x->rule->variables.at[t.id].slot : x->m->names.slot.at[t.id];
}

static bool read_comparison(Reading *x, Range r, uint32_t sign) {
  const Token *t = &x->t[sign];
  const char *text = x->bytes + t->offset;
  bool equal = (t->length == 1 && *text == '=') || (t->length == 2 && !strncmp(text, "==", 2));
  bool different = t->length == 2 && !strncmp(text, "!=", 2);
  ToMarkovTerm left, right;
  if ((!equal && !different) || !read_term(x, (Range){r.from, sign}, &left) ||
      !read_term(x, (Range){sign + 1, r.to}, &right))
    return false;
  to_markov_same(&x->m->names, slot_of(x, left), slot_of(x, right));
  ToMarkovLiteral l = {equal ? MLN_EQUAL : MLN_DIFFERENT, false, 0, (uint32_t)x->rule->terms.n, 2};
  vec_push(&x->rule->terms, left);
  vec_push(&x->rule->terms, right);
  vec_push(&x->rule->literals, l);
  return true;
}

/* The arguments in parentheses, `open` to the end of the range. */
static bool read_arguments(Reading *x, uint32_t open, uint32_t end, uint32_t *count) {
  uint32_t from = open + 1;
  if (end < open + 3 || x->t[end - 1].kind != T_CLOSE)
    return false;
  for (uint32_t i = from; i < end; i++) {
    ToMarkovTerm term;
    if (x->t[i].kind != T_COMMA && i != end - 1)
      continue;
    if (!read_term(x, (Range){from, i}, &term))
      return false;
    vec_push(&x->rule->terms, term);
    ++*count;
    from = i + 1;
  }
  return true;
}

static bool anonymous(const ToMarkovRule *r, ToMarkovTerm t) {
  return t.variable && r->names.list.at[t.id][0] == '_' &&
         isdigit((unsigned char)r->names.list.at[t.id][1]);
}

static bool read_atom(Reading *x, Range r, bool negated) {
  const Token *name = &x->t[r.from];
  uint32_t count = 0, first = (uint32_t)x->rule->terms.n;
  if (name->kind != T_IDENTIFIER)
    return false;
  if (r.from + 1 < r.to && (name[1].kind != T_OPEN || !read_arguments(x, r.from + 1, r.to, &count)))
    return false;
  for (uint32_t k = 0; k < count && negated;
       k++) /* `not p(_)` is no literal of first-order logic */
    if (anonymous(x->rule, x->rule->terms.at[first + k]))
      return false;
  uint32_t p = to_markov_predicate(&x->m->names, x->bytes + name->offset, name->length, count);
  for (uint32_t k = 0; k < count; k++)
    to_markov_same(&x->m->names, x->m->names.predicates.at[p].first + k,
                   slot_of(x, x->rule->terms.at[first + k]));
  vec_push(&x->rule->literals, (ToMarkovLiteral){MLN_ATOM, negated, p, first, count});
  return true;
}

static bool read_literal(Reading *x, Range r) {
  bool negated = x->t[r.from].kind == T_NOT;
  for (uint32_t i = r.from; i < r.to; i++)
    if (x->t[i].kind == T_COMPARISON)
      return !negated && read_comparison(x, r, i);
  if (negated)
    r.from++;
  return !range_empty(r) && x->t[r.from].kind != T_NOT && read_atom(x, r, negated);
}

static bool read_body(Reading *x, Range range) {
  Parts parts = {0};
  bool good = true;
  program_parts(x->m->program, x->from, range, &parts);
  for (size_t i = 0; i < parts.n && good; i++)
    good = !parts.at[i].braces && !parts.at[i].conditional && read_literal(x, parts.at[i].range);
  vec_free(&parts);
  return good;
}

/* ---- rules ------------------------------------------------------------------------------ */

/* The weight of the rule's instances; false if they differ. */
static bool find_weight(const ToMarkov *m, const Statement *s, double *weight) {
  const Ground *g = m->named;
  bool found = false;
  if (s->weight_kind == WEIGHT_NUMBER && !weight_constant(&s->expression))
    return false;
  *weight = s->weight_kind == WEIGHT_NUMBER ? weight_evaluate(&s->expression, NULL) : s->initial;
  for (size_t i = 0; i < g->instances.n; i++) {
    if (&m->program->statements.at[g->soft.at[g->instances.at[i].soft].statement] != s)
      continue;
    double value = g->weights.at[g->instances.at[i].weight].value;
    if (found && value != *weight)
      return false;
    *weight = value, found = true;
  }
  return true;
}

static bool in_plain_name(TokenKind kind) {
  return kind == T_IDENTIFIER || kind == T_NUMBER || kind == T_STRING || kind == T_OPEN ||
         kind == T_CLOSE || kind == T_COMMA || kind == T_VARIABLE;
}

/* Variables of a parameter's name have a weight for each value; false: arithmetic may give
** several values one name. */
static bool mark_counted(Reading *x, const Statement *s) {
  bool plain = true, counted = false;
  for (uint32_t i = s->name.from; i < s->name.to && s->weight_kind == WEIGHT_PARAMETER; i++) {
    plain &= in_plain_name(x->t[i].kind);
    if (x->t[i].kind != T_VARIABLE)
      continue;
    counted = true;
    uint32_t v = names_find(&x->rule->names, x->bytes + x->t[i].offset, x->t[i].length);
    assert(v == UINT32_MAX || (x->rule->variables.at && v < x->rule->variables.n));
    if (v != UINT32_MAX)
      x->rule->variables.at[v].counted = true;
  }
  return plain || !counted;
}

/* One rule: the head (none if empty), conditions of a choice, the body, domains. */
static bool read_rule(ToMarkov *m, ToMarkovRules *rules, const Statement *s, Range head,
                      Range condition) {
  ToMarkovRule rule = {.statement = s,
                       .soft = s->weight_kind != WEIGHT_HARD,
                       .head = !range_empty(head),
                       .choice = s->head_kind == HEAD_CHOICE};
  Shape shape;
  shape_make(m->program, NULL, s, false, "", &shape);
  Reading x = reading(m, &rule, s);
  bool good = !s->formula && (!rule.soft || find_weight(m, s, &rule.weight)) &&
              (!rule.head || read_atom(&x, head, false)) &&
              (range_empty(condition) || read_body(&x, condition)) &&
              (range_empty(s->body) || read_body(&x, s->body)) && mark_counted(&x, s);
  for (size_t i = 0; i < shape.domains.n && good; i++) {
    const Statement *d = &m->program->statements.at[shape.domains.at[i]];
    Reading y = reading(m, &rule, d);
    good = read_body(&y, d->body);
  }
  shape_free(&shape);
  vec_push(&rules->rules, rule);
  return good;
}

/* `{a : b, c; d}`: a rule for each element. */
static bool read_choice(ToMarkov *m, ToMarkovRules *rules, const Statement *s) {
  const Token *t = program_tokens(m->program, s);
  Range inside = {s->head.from + 1, s->head.to - 1};
  if (s->head.to < s->head.from + 3 || t[s->head.from].kind != T_OPEN_BRACE ||
      t[s->head.to - 1].kind != T_CLOSE_BRACE)
    return false;
  Parts parts = {0};
  bool good = true;
  program_parts(m->program, s, inside, &parts);
  for (size_t i = 0; i < parts.n && good; i++) {
    Range head = parts.at[i].range, condition = {0, 0};
    for (uint32_t k = head.from; k < head.to && range_empty(condition); k++)
      if (t[k].kind == T_COLON)
        condition = (Range){k + 1, head.to}, head.to = k;
    good = !parts.at[i].braces && !range_empty(head) && read_rule(m, rules, s, head, condition);
  }
  vec_free(&parts);
  return good;
}

static bool read_statement(ToMarkov *m, ToMarkovRules *rules, const Statement *s) {
  switch (s->head_kind) {
  case HEAD_NONE: return read_rule(m, rules, s, (Range){0, 0}, (Range){0, 0});
  case HEAD_LITERAL: return read_rule(m, rules, s, s->head, (Range){0, 0});
  case HEAD_CHOICE: return read_choice(m, rules, s);
  default: return false;
  }
}

/* ---- facts ------------------------------------------------------------------------------- */

static bool is_fact(const ToMarkov *m, const Statement *s) {
  const Token *t = program_tokens(m->program, s);
  if (s->weight_kind != WEIGHT_HARD || s->head_kind != HEAD_LITERAL || !range_empty(s->body))
    return false;
  for (uint32_t i = s->head.from; i < s->head.to; i++)
    if (t[i].kind == T_VARIABLE)
      return false;
  return true;
}

/* The name of a literal head. */
static void head_name(const ToMarkov *m, const Statement *s, Text *name) {
  name->n = 0;
  program_write(m->program, s, (Range){s->head.from, s->head.from + 1}, name);
}

/* Names in a head, except in the conditions of its elements. */
static void add_head_names(const ToMarkov *m, const Statement *s, Names *names) {
  const Token *t = program_tokens(m->program, s);
  bool condition = false;
  int depth = 0;
  for (uint32_t k = s->head.from; k < s->head.to; k++) {
    depth += t[k].kind == T_OPEN;
    depth -= t[k].kind == T_CLOSE;
    condition = t[k].kind == T_COLON || (condition && (depth || t[k].kind != T_SEMICOLON));
    if (t[k].kind == T_IDENTIFIER && !condition)
      names_add(names, program_source(m->program, s)->bytes + t[k].offset, t[k].length);
  }
}

/* A predicate has facts only unless another head mentions it. */
static void find_facts(const ToMarkov *m, ToMarkovRules *rules) {
  Names others = {0};
  Text name = {0};
  for (int second = 0; second < 2; second++)
    for (size_t i = 0; i < m->program->statements.n; i++) {
      const Statement *s = &m->program->statements.at[i];
      if (s->kind != S_RULE || s->block != PROGRAM_BLOCK || s->head_kind == HEAD_NONE ||
          is_fact(m, s) != second)
        continue;
      if (!second) {
        add_head_names(m, s, &others);
        continue;
      }
      head_name(m, s, &name);
      if (names_find(&others, name.at, name.n) == UINT32_MAX)
        names_add(&rules->facts, name.at, name.n);
    }
  vec_free(&name);
  names_free(&others);
}

static bool listed_fact(const ToMarkov *m, const ToMarkovRules *rules, const Statement *s) {
  if (!is_fact(m, s))
    return false;
  Text name = {0};
  head_name(m, s, &name);
  bool listed = names_find(&rules->facts, name.at, name.n) != UINT32_MAX;
  vec_free(&name);
  return listed;
}

/* #const changes what names mean, #external makes atoms free. */
static bool harmless(const ToMarkov *m, const Statement *s) {
  const Token *t = &program_tokens(m->program, s)[s->whole.from];
  return token_is(program_source(m->program, s), t, "#show") ||
         token_is(program_source(m->program, s), t, "#defined");
}

bool to_markov_read_rules(ToMarkov *m, ToMarkovRules *rules) {
  bool good = true;
  find_facts(m, rules);
  for (size_t i = 0; i < m->program->statements.n && good; i++) {
    const Statement *s = &m->program->statements.at[i];
    if (s->kind == S_PASS)
      good = harmless(m, s);
    else if (s->kind == S_RULE && s->block == PROGRAM_BLOCK && !listed_fact(m, rules, s))
      good = read_statement(m, rules, s);
  }
  return good;
}

/* ---- one soft rule ------------------------------------------------------------------------- */

/* Tuffy knows neither `+x` nor, in a clause, `x = y`. */
static bool is_liftable(const ToMarkov *m, const ToMarkovRule *r) {
  bool good = r->variables.n && r->literals.n;
  for (size_t i = 0; i < r->variables.n && m->tuffy; i++)
    good &= !r->variables.at[i].counted;
  for (size_t i = 0; i < r->literals.n && m->tuffy; i++)
    good &= r->literals.at[i].kind == MLN_ATOM;
  return good;
}

static bool is_harmless(const ToMarkov *m) {
  for (size_t i = 0; i < m->program->statements.n; i++)
    if (m->program->statements.at[i].kind == S_PASS && !harmless(m, &m->program->statements.at[i]))
      return false;
  return true;
}

bool to_markov_read_soft(ToMarkov *m, ToMarkovRules *rules, const Statement *s) {
  if ((s->head_kind != HEAD_NONE && s->head_kind != HEAD_LITERAL) || !is_harmless(m))
    return false;
  ToMarkov trial = *m; /* its names are forgotten */
  ToMarkovRules tried = {0};
  trial.names = (ToMarkovNames){0};
  bool good = read_statement(&trial, &tried, s) && is_liftable(m, &tried.rules.at[0]);
  to_markov_rules_free(&tried);
  to_markov_names_free(&trial.names);
  return good && read_statement(m, rules, s);
}
