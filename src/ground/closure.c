/* closure.c - see closure.h. */
#include "ground/closure.h"

#include "base/names.h"
#include "base/source.h"
#include "language/lexer.h"

#include <assert.h>
#include <string.h>

enum { MOST_ARGUMENTS = 16 };

/* An atom p(a,b,…) in a token range: its name and the ranges of its arguments. */
typedef struct {
  uint32_t name, count;
  Range argument[MOST_ARGUMENTS];
} AtomTokens;

/* False if the range is anything else, or has a pool at that level. */
static bool atom_tokens(const Token *t, Range r, AtomTokens *atom) {
  *atom = (AtomTokens){.name = r.from};
  if (range_empty(r) || t[r.from].kind != T_IDENTIFIER)
    return false;
  if (r.to == r.from + 1)
    return true;
  if (t[r.from + 1].kind != T_OPEN || t[r.to - 1].kind != T_CLOSE)
    return false;
  int depth = 0;
  uint32_t start = r.from + 2;
  for (uint32_t i = start; i < r.to; i++) {
    bool ends = i + 1 == r.to;
    if (depth < 0 || (!depth && t[i].kind == T_SEMICOLON))
      return false;
    if (!depth && (ends || t[i].kind == T_COMMA)) {
      if (atom->count == MOST_ARGUMENTS)
        return false;
      atom->argument[atom->count++] = (Range){start, i};
      start = i + 1;
    }
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
  }
  return true;
}

static bool head_tokens(const Program *p, const Statement *s, AtomTokens *atom) {
  return s->head_kind == HEAD_LITERAL && atom_tokens(program_tokens(p, s), s->head, atom);
}

/* Token `a` of one statement and `b` of another have the same text. */
static bool same(const Program *p, const Statement *s, uint32_t a, const Statement *other,
                 uint32_t b) {
  assert(a < p->units.at[s->unit].tokens.n && b < p->units.at[other->unit].tokens.n);
  const Token *x = &program_tokens(p, s)[a], *y = &program_tokens(p, other)[b];
  return x->length == y->length && !memcmp(program_source(p, s)->bytes + x->offset,
                                           program_source(p, other)->bytes + y->offset, x->length);
}

/* Every argument is one variable. */
static bool all_variables(const Token *t, const AtomTokens *atom) {
  for (uint32_t i = 0; i < atom->count; i++)
    if (atom->argument[i].to != atom->argument[i].from + 1 ||
        t[atom->argument[i].from].kind != T_VARIABLE)
      return false;
  return true;
}

static bool same_argument(const Program *p, const Statement *s, const AtomTokens *a, uint32_t i,
                          const AtomTokens *b, uint32_t j) {
  return same(p, s, a->argument[i].from, s, b->argument[j].from);
}

static bool distinct(const Program *p, const Statement *s, const AtomTokens *a) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (same_argument(p, s, a, i, a, j))
        return false;
  return true;
}

/* head p(…X…Y…), near p(…X…Z…), far p(…Z…Y…): near differs from the head in place
** y, far in place x, and there they have the same new variable. */
static bool composes(const Program *p, const Statement *s, const AtomTokens *head,
                     const AtomTokens *near, const AtomTokens *far, Closure *closure) {
  uint32_t y = MOST_ARGUMENTS, x = MOST_ARGUMENTS, differences = 0;
  for (uint32_t i = 0; i < head->count; i++) {
    if (!same_argument(p, s, head, i, near, i))
      y = i, differences++;
    if (!same_argument(p, s, head, i, far, i))
      x = i, differences++;
  }
  *closure = (Closure){.statement = closure->statement,
                       .near = near->name,
                       .far = far->name,
                       .source = x,
                       .target = y};
  return differences == 2 && x != y && x < MOST_ARGUMENTS && y < MOST_ARGUMENTS &&
         same_argument(p, s, near, y, far, x) && distinct(p, s, near) && distinct(p, s, head);
}

/* #domain atoms may only restrict the arguments that all three atoms share. */
static bool domains_shared(const Program *p, const Statement *s, const AtomTokens *near,
                           const AtomTokens *far) {
  for (size_t d = 0; d < p->domains.n; d++) {
    const Statement *domain = &p->statements.at[p->domains.at[d]];
    for (uint32_t i = 0; i < near->count; i++) {
      bool shared = same_argument(p, s, near, i, far, i), named = false;
      for (uint32_t k = domain->body.from; k < domain->body.to; k++)
        named |= same(p, s, near->argument[i].from, domain, k) ||
                 same(p, s, far->argument[i].from, domain, k);
      if (named && !shared)
        return false;
    }
  }
  return true;
}

static bool is_closure(const Program *p, const Statement *s, Closure *closure) {
  const Token *t = program_tokens(p, s);
  AtomTokens head, one, two;
  Parts parts = {0};
  if (s->kind != S_RULE || s->block != PROGRAM_BLOCK || s->weight_kind != WEIGHT_HARD ||
      !head_tokens(p, s, &head) || range_empty(s->body))
    return false;
  program_parts(p, s, s->body, &parts);
  bool good = parts.n == 2 && !parts.at[0].conditional && !parts.at[1].conditional &&
              atom_tokens(t, parts.at[0].range, &one) && atom_tokens(t, parts.at[1].range, &two) &&
              same(p, s, head.name, s, one.name) && same(p, s, head.name, s, two.name) &&
              head.count >= 2 && one.count == head.count && two.count == head.count &&
              all_variables(t, &head) && all_variables(t, &one) && all_variables(t, &two);
  vec_free(&parts);
  if (!good)
    return false;
  return (composes(p, s, &head, &one, &two, closure) ||
          composes(p, s, &head, &two, &one, closure)) &&
         domains_shared(p, s, &one, &two);
}

/* Does the statement's head derive the predicate in any other way than as its
** one plain head?  Then the rewriting would be wrong. */
static bool spoils(const Program *p, const Statement *s, const Statement *rule) {
  AtomTokens head;
  bool hard = s->kind == S_RULE && s->weight_kind == WEIGHT_HARD;
  if (hard && head_tokens(p, s, &head))
    return false;
  Range r = s->kind == S_PASS ? s->whole : s->kind == S_DO ? s->body : s->head; /* #external … */
  for (uint32_t i = r.from; i < r.to; i++)
    if (same(p, s, i, rule, rule->head.from) &&
        (s->kind != S_PASS ||
         token_is(program_source(p, s), &program_tokens(p, s)[r.from], "#external")))
      return true;
  return false;
}

/* The end of the atom that starts at token i. */
static uint32_t atom_end(const Token *t, uint32_t i, uint32_t end) {
  int depth = 0;
  while (++i < end) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    if (!depth)
      break;
  }
  return i < end ? i + 1 : end;
}

static bool asked(const Statement *s) {
  return s->kind == S_LITERAL || s->kind == S_COLUMN || s->kind == S_QUERY ||
         (s->kind == S_RULE && s->block != PROGRAM_BLOCK);
}

/* Adds the values that observations and queries have at an argument of the
** predicate; true if one of these is not fixed. */
static bool add_values(const Program *p, const Statement *s, const Statement *rule,
                       uint32_t argument, Names *values) {
  assert(argument < MOST_ARGUMENTS);
  const Token *t = program_tokens(p, s);
  bool open = false;
  for (uint32_t i = s->body.from; i < s->body.to; i++) {
    AtomTokens atom;
    if (!same(p, s, i, rule, rule->head.from) ||
        !atom_tokens(t, (Range){i, atom_end(t, i, s->body.to)}, &atom) || atom.count <= argument)
      continue;
    Text text = {0};
    program_write(p, s, atom.argument[argument], &text);
    names_add(values, text.at, text.n);
    open |= t[atom.argument[argument].from].kind == T_VARIABLE;
    vec_free(&text);
  }
  return open;
}

/* How many different values are asked for; a variable asks for all. */
static size_t variety(const Program *p, const Statement *rule, uint32_t argument) {
  Names values = {0};
  bool open = false;
  for (size_t i = 0; i < p->statements.n; i++)
    if (asked(&p->statements.at[i]))
      open |= add_values(p, &p->statements.at[i], rule, argument, &values);
  size_t many = open ? SIZE_MAX : values.list.n;
  names_free(&values);
  return many;
}

void closures_find(const Program *p, Closures *closures) {
  assert(!closures->n);
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *rule = &p->statements.at[i];
    Closure closure = {.statement = i};
    if (!is_closure(p, rule, &closure) || closure_of(p, closures, rule))
      continue;
    bool spoilt = false;
    for (size_t k = 0; !spoilt && k < p->statements.n; k++)
      spoilt = spoils(p, &p->statements.at[k], rule);
    closure.right = !spoilt && variety(p, rule, closure.target) < variety(p, rule, closure.source);
    if (!spoilt)
      vec_push(closures, closure);
  }
}

const Closure *closure_of(const Program *p, const Closures *closures, const Statement *s) {
  AtomTokens head, other;
  if (!closures->n || s->kind != S_RULE || !head_tokens(p, s, &head))
    return NULL;
  for (size_t i = 0; i < closures->n; i++) {
    const Statement *rule = &p->statements.at[closures->at[i].statement];
    assert(rule->kind == S_RULE && rule->weight_kind == WEIGHT_HARD);
    if (same(p, s, head.name, rule, rule->head.from) && head_tokens(p, rule, &other) &&
        other.count == head.count)
      return &closures->at[i];
  }
  return NULL;
}
