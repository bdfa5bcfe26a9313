/* unbounded.c - see unbounded.h.
**
** An atom `p(X+1) :- p(X), q(Y).` has a number that nothing bounds.  That alone does not make
** grounding endless: along a chain `next(S,T)` the rule `at(T,N+1) :- at(S,N), next(S,T).` ends
** with the chain.  But once N is larger than the number of things that the other atoms can tell
** apart, one of them has come again, and then it does so for ever. */
#include "ground/unbounded.h"

#include "base/names.h"
#include "language/lexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  FAR = 1 << 16, /* people count to less, or say where it ends */
  APART = 8      /* times as far as there are other atoms, which may have several arguments */
};

void growths_free(Growths *g) {
  for (size_t i = 0; i < g->n; i++)
    free(g->at[i].name);
  vec_free(g);
}

/* ---- words -------------------------------------------------------------------------- */

typedef struct {
  const Program *program;
  const Statement *rule;
  const Token *t;
  Names loop;  /* names that depend on the head's */
  Names bound; /* variables that something else gives a value */
} Looking;

static bool has_name(const Program *p, const Statement *s, uint32_t token, const Names *names) {
  const Token *t = &program_tokens(p, s)[token];
  return names_find(names, program_source(p, s)->bytes + t->offset, t->length) != UINT32_MAX;
}

static void add_name(const Program *p, const Statement *s, uint32_t token, Names *names) {
  const Token *t = &program_tokens(p, s)[token];
  names_add(names, program_source(p, s)->bytes + t->offset, t->length);
}

static bool is_rule(const Statement *s) {
  return s->kind == S_RULE && s->block == PROGRAM_BLOCK && !range_empty(s->body);
}

static bool mentions(const Program *p, const Statement *s, Range r, const Names *names) {
  bool found = false;
  for (uint32_t i = r.from; i < r.to && !found; i++)
    found = program_tokens(p, s)[i].kind == T_IDENTIFIER && has_name(p, s, i, names);
  return found;
}

/* All names of heads whose rules come to depend on those that are there. */
static void close_names(const Program *p, Names *names) {
  for (size_t before = 0; before < names->list.n;) {
    before = names->list.n;
    for (size_t i = 0; i < p->statements.n; i++) {
      const Statement *s = &p->statements.at[i];
      if (!is_rule(s) || !mentions(p, s, s->body, names))
        continue;
      for (uint32_t k = s->head.from; k < s->head.to; k++)
        if (program_tokens(p, s)[k].kind == T_IDENTIFIER)
          add_name(p, s, k, names);
    }
  }
}

/* ---- one rule ----------------------------------------------------------------------- */

static bool has_kind(const Looking *l, Range r, TokenKind kind) {
  bool found = false;
  for (uint32_t i = r.from; i < r.to && !found; i++)
    found = l->t[i].kind == kind;
  return found;
}

static void bind_all(Looking *l, const Statement *s, Range r) {
  const Token *t = program_tokens(l->program, s);
  for (uint32_t i = r.from; i < r.to; i++)
    if (t[i].kind == T_VARIABLE)
      add_name(l->program, s, i, &l->bound);
}

/* `(X+1) \ 10` has an end, and so may what has other operators than + - *. */
static bool may_wrap(const Looking *l, Range r) {
  return has_kind(l, r, T_OPERATOR) || has_kind(l, r, T_SLASH) || has_kind(l, r, T_BAR);
}

/* `Y = X+1` gives a value and bounds nothing. */
static bool is_assignment(const Looking *l, Range r) {
  unsigned others = 0, equal = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    bool is = token_is(program_source(l->program, l->rule), &l->t[i], "=");
    equal += is, others += l->t[i].kind == T_COMPARISON && !is;
  }
  return equal == 1 && !others && !may_wrap(l, r) && !has_kind(l, r, T_DOTS) &&
         !has_kind(l, r, T_SEMICOLON);
}

/* False: this part of the body may end it. */
static bool lets_go_on(Looking *l, const Part *part) {
  Range r = part->range;
  if (part->conditional || part->braces)
    return false;
  if (has_kind(l, r, T_COMPARISON))
    return is_assignment(l, r);
  if (l->t[r.from].kind != T_IDENTIFIER) /* `not p`, `-p`, #true */
    return !has_kind(l, r, T_VARIABLE);
  if (!has_name(l->program, l->rule, r.from, &l->loop))
    bind_all(l, l->rule, r);
  return true;
}

static bool is_free(const Looking *l, uint32_t token) {
  return l->t[token].kind == T_VARIABLE && !has_name(l->program, l->rule, token, &l->bound);
}

/* `X+1`, of an X that nothing bounds. */
static bool counts(const Looking *l, Range r) {
  bool found = false;
  for (uint32_t i = r.from + 1; i + 1 < r.to && !found; i++)
    found = (l->t[i].kind == T_PLUS || l->t[i].kind == T_MINUS || l->t[i].kind == T_STAR) &&
            (is_free(l, i - 1) || is_free(l, i + 1));
  return found && !may_wrap(l, r);
}

static bool all_go_on(Looking *l) {
  Parts parts = {0};
  program_parts(l->program, l->rule, l->rule->body, &parts);
  bool on = !has_kind(l, l->rule->head, T_COLON), counted = counts(l, l->rule->head);
  for (size_t i = 0; i < parts.n && on; i++)
    on = lets_go_on(l, &parts.at[i]);
  for (size_t i = 0; i < parts.n && on; i++)
    counted |= has_kind(l, parts.at[i].range, T_COMPARISON) && counts(l, parts.at[i].range);
  vec_free(&parts);
  return on && counted;
}

static bool is_unbounded(Looking *l, const Growths *growths, const Growth *g) {
  if (!is_rule(l->rule) || !mentions(l->program, l->rule, l->rule->body, &l->loop))
    return false;
  for (size_t i = 0; i < l->program->domains.n; i++) {
    const Statement *domain = &l->program->statements.at[l->program->domains.at[i]];
    bind_all(l, domain, domain->body);
  }
  size_t others = 0;
  for (size_t i = 0; i < growths->n; i++)
    if (names_find(&l->loop, growths->at[i].name, strlen(growths->at[i].name)) == UINT32_MAX)
      others += growths->at[i].atoms;
  return g->counted / APART > others && all_go_on(l);
}

const Statement *unbounded_rule(const Program *p, const Growths *growths, const Growth **which) {
  const Statement *found = NULL;
  for (size_t i = 0; i < growths->n && !found; i++) {
    const Growth *g = &growths->at[i];
    Looking l = {.program = p};
    Names own = {0};
    if (g->counted <= FAR || g->atoms <= FAR / 2)
      continue;
    names_add(&l.loop, g->name, strlen(g->name));
    names_add(&own, g->name, strlen(g->name));
    close_names(p, &l.loop);
    for (size_t k = 0; k < p->statements.n && !found; k++) {
      l.rule = &p->statements.at[k], l.t = program_tokens(p, l.rule);
      if (mentions(p, l.rule, l.rule->head, &own) && is_unbounded(&l, growths, g))
        found = l.rule, *which = g;
      names_free(&l.bound);
    }
    names_free(&l.loop);
    names_free(&own);
  }
  return found;
}
