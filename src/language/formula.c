/* formula.c - see formula.h. */
#include "language/formula.h"

#include "base/diagnostic.h"
#include "language/lexer.h"

#include <assert.h>

void formula_free(Formula *f) {
  vec_free(&f->elements);
  vec_free(&f->groups);
}

/* ---- reading ------------------------------------------------------------------------ */

typedef struct {
  const Token *t;
  bool rule;  /* `;` is and in group 0 */
  bool bars;  /* `|` is or there */
  Formula *f; /* being filled */
  uint32_t group;
} Scan;

static bool opens(TokenKind kind) {
  return kind == T_OPEN || kind == T_OPEN_BRACE || kind == T_OPEN_BRACKET;
}

static bool closes(TokenKind kind) {
  return kind == T_CLOSE || kind == T_CLOSE_BRACE || kind == T_CLOSE_BRACKET;
}

static bool is_or(const Scan *s, TokenKind kind) {
  return kind == T_SEMICOLON || (kind == T_BAR && s->bars && !s->group);
}

static bool separates(const Scan *s, TokenKind kind) { return kind == T_COMMA || is_or(s, kind); }

static uint32_t closing(const Token *t, uint32_t open, uint32_t end) {
  int depth = 0;
  for (uint32_t i = open; i < end; i++) {
    depth += opens(t[i].kind) - closes(t[i].kind);
    if (!depth)
      return i;
  }
  return end;
}

static uint32_t group_end(const Scan *s) { return s->f->groups.at[s->group].range.to; }

/* Pushes the element at `from`.  Returns the token behind it, or of a group the first
** inside, which is then the group that is being read. */
static uint32_t read_element(Scan *s, uint32_t from) {
  uint32_t end = group_end(s), i = from;
  Element e = {.group = s->group, .inside = NO_GROUP};
  e.alternative = s->f->groups.at[s->group].alternatives - 1;
  for (; i < end && s->t[i].kind == T_NOT; i++)
    e.nots++;
  uint32_t close = i < end && s->t[i].kind == T_OPEN ? closing(s->t, i, end) : end;
  if (close < end && (close + 1 == end || separates(s, s->t[close + 1].kind))) {
    e.range = (Range){from, close + 1};
    e.inside = s->group = (uint32_t)s->f->groups.n;
    vec_push(&s->f->groups, (Group){{i + 1, close}, (uint32_t)s->f->elements.n, 1});
    vec_push(&s->f->elements, e);
    return i + 1;
  }
  int depth = 0;
  for (; i < end; i++) {
    TokenKind kind = s->t[i].kind;
    if (!depth && separates(s, kind) && !(kind == T_COMMA && e.conditional))
      break;
    e.conditional |= !depth && kind == T_COLON;
    depth += opens(kind) - closes(kind);
  }
  e.range = (Range){from, i};
  vec_push(&s->f->elements, e);
  return i;
}

/* Behind an element: out of the groups that end here.  True: all was read. */
static bool leave_groups(Scan *s, uint32_t *i) {
  while (s->group && *i == group_end(s)) {
    ++*i; /* the parenthesis */
    s->group = s->f->elements.at[s->f->groups.at[s->group].element].group;
  }
  return *i >= group_end(s);
}

void formula_read(const Program *p, const Statement *statement, Formula *f) {
  assert(!f->groups.n && !range_empty(statement->body));
  Scan s = {.t = program_tokens(p, statement), .f = f};
  s.rule = statement->kind == S_RULE, s.bars = statement->kind == S_LITERAL;
  vec_push(&f->groups, (Group){statement->body, UINT32_MAX, 1});
  for (uint32_t i = statement->body.from;;) {
    uint32_t elements = (uint32_t)f->elements.n;
    i = read_element(&s, i);
    if (f->elements.at[elements].inside != NO_GROUP)
      continue;
    if (leave_groups(&s, &i))
      return;
    if (is_or(&s, s.t[i].kind) && (s.group || !s.rule))
      f->groups.at[s.group].alternatives++;
    i++;
  }
}

bool formula_found(const Program *p, const Statement *s) {
  if (range_empty(s->body))
    return false;
  Formula f = {0};
  formula_read(p, s, &f);
  bool found = f.groups.n > 1 || f.groups.at[0].alternatives > 1;
  for (size_t i = 0; i < f.elements.n; i++)
    found |= f.elements.at[i].nots > 2;
  formula_free(&f);
  return found;
}

void formula_literals(const Program *p, const Statement *s, Parts *parts) {
  if (range_empty(s->body))
    return;
  Formula f = {0};
  formula_read(p, s, &f);
  for (size_t i = 0; i < f.elements.n; i++)
    if (f.elements.at[i].inside == NO_GROUP && !range_empty(f.elements.at[i].range))
      vec_push(parts, (Part){.range = f.elements.at[i].range,
                             .conditional = f.elements.at[i].conditional});
  formula_free(&f);
}

/* ---- checking ----------------------------------------------------------------------- */

/* A comparison, #true or #false: no atom. */
static bool has_atoms(const Token *t, Range r) {
  int depth = 0;
  bool braces = false, compared = false;
  for (uint32_t i = r.from; i < r.to; i++) {
    braces |= t[i].kind == T_OPEN_BRACE;
    compared |= !depth && t[i].kind == T_COMPARISON;
    depth += opens(t[i].kind) - closes(t[i].kind);
  }
  return braces || (!compared && t[r.from].kind != T_DIRECTIVE);
}

/* Is a `not` in front of the element or of a parenthesis around it? */
static bool negated(const Formula *f, const Element *e) {
  while (!e->nots && e->group)
    e = &f->elements.at[f->groups.at[e->group].element];
  return e->nots;
}

static const Token *token_near(const Token *t, Range r) {
  return range_empty(r) && r.from ? &t[r.from - 1] : &t[r.from];
}

bool formula_check(Program *p, const Statement *s) {
  assert(s->formula);
  const Token *t = program_tokens(p, s);
  bool negative = s->kind == S_RULE && s->head_kind != HEAD_NONE, good = true;
  Formula f = {0};
  formula_read(p, s, &f);
  for (size_t i = 0; i < f.elements.n && good; i++) {
    const Element *e = &f.elements.at[i];
    Range literal = {e->range.from + e->nots, e->range.to};
    Place place = program_place(p, s, e->range);
    if (range_empty(literal)) {
      const Token *near = token_near(t, e->range);
      place.offset = near->offset, place.length = near->length;
      diagnose_error(program_said(p), place, "write `not (a, b)`, `(not a ; not b)`",
                     "a part of the formula is missing here");
      good = false;
    } else if (negative && e->group && e->inside == NO_GROUP && has_atoms(t, literal) &&
               !negated(&f, e)) {
      diagnose_error(program_said(p), place,
                     "in the body of a rule with a head each atom of a formula is below a `not`: "
                     "`not (a, b)`, `(not a ; not b)`; for other alternatives write several rules",
                     "this formula is not negative: nothing negates this part of it");
      good = false;
    }
  }
  formula_free(&f);
  return good;
}
