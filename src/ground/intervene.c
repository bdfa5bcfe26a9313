/* intervene.c - see intervene.h. */
#include "ground/intervene.h"

#include "base/diagnostic.h"
#include "base/edit.h"
#include "base/names.h"
#include "ground/script.h"
#include "language/lexer.h"

#include <assert.h>
#include <string.h>

/* ---- heads ---------------------------------------------------------------------------- */

/* An element of a head: `atom : condition`. */
typedef struct {
  Range atom, condition;
  uint32_t predicate; /* in the list of those that are set; NONE: not there */
} HeadElement;

typedef VEC(HeadElement) HeadElements;
typedef VEC(uint32_t) StatementNumbers;

static bool opens(TokenKind kind) { return kind == T_OPEN || kind == T_OPEN_BRACE; }
static bool closes(TokenKind kind) { return kind == T_CLOSE || kind == T_CLOSE_BRACE; }

/* The first token of a kind outside of all brackets, or the end. */
static uint32_t find_token(const Token *t, Range r, TokenKind kind) {
  int depth = 0;
  uint32_t i = r.from;
  for (; i < r.to && (depth || t[i].kind != kind); i++)
    depth += opens(t[i].kind) - closes(t[i].kind);
  return i;
}

/* The name of the atom and its number of arguments; false: this is no atom. */
static bool atom_name(const Token *t, Range r, uint32_t *name, uint32_t *arity) {
  *name = r.from + (!range_empty(r) && t[r.from].kind == T_MINUS), *arity = 0;
  if (*name >= r.to || t[*name].kind != T_IDENTIFIER)
    return false;
  if (*name + 1 == r.to)
    return true;
  if (t[*name + 1].kind != T_OPEN || t[r.to - 1].kind != T_CLOSE)
    return false;
  Range inside = {*name + 2, r.to - 1};
  inside.to = find_token(t, inside, T_SEMICOLON); /* the first of a pool */
  *arity = !range_empty(inside);
  for (uint32_t i = find_token(t, inside, T_COMMA); i < inside.to; ++*arity)
    i = find_token(t, (Range){i + 1, inside.to}, T_COMMA);
  return true;
}

/* Are the atoms, with their signs, of the same predicate but for their numbers of arguments? */
static bool same_name(const Program *p, const Statement *a, uint32_t i, const Statement *b,
                      uint32_t k) {
  const Token *x = &program_tokens(p, a)[i], *y = &program_tokens(p, b)[k];
  bool minus = i > 0 && x[-1].kind == T_MINUS, other = k > 0 && y[-1].kind == T_MINUS;
  return minus == other && x->length == y->length &&
         !memcmp(program_source(p, a)->bytes + x->offset, program_source(p, b)->bytes + y->offset,
                 x->length);
}

static uint32_t predicate_of(const Program *p, const SetPredicates *set, const Statement *s,
                             Range atom) {
  uint32_t name, arity, other, none;
  if (!atom_name(program_tokens(p, s), atom, &name, &arity))
    return NONE;
  for (uint32_t i = 0; i < set->n; i++) {
    const Statement *first = &p->statements.at[set->at[i].statement];
    (void)atom_name(program_tokens(p, first), first->body, &other, &none);
    if (set->at[i].arity == arity && same_name(p, s, name, first, other))
      return i;
  }
  return NONE;
}

/* `atom : condition`, or `terms : atom : condition` of an aggregate. */
static void add_element(const Program *p, const SetPredicates *set, const Statement *s, Range r,
                        bool terms, HeadElements *to) {
  const Token *t = program_tokens(p, s);
  if (terms)
    r.from = find_token(t, r, T_COLON) + 1;
  if (range_empty(r))
    return;
  uint32_t colon = find_token(t, r, T_COLON);
  HeadElement e = {.atom = {r.from, colon}, .condition = {colon + 1, r.to}};
  e.predicate = predicate_of(p, set, s, e.atom);
  uint32_t name, arity;
  if (atom_name(t, e.atom, &name, &arity))
    vec_push(to, e);
}

/* What is between the braces of a choice or aggregate. */
static void add_braces(const Program *p, const SetPredicates *set, const Statement *s,
                       HeadElements *to) {
  const Token *t = program_tokens(p, s);
  uint32_t open = find_token(t, s->head, T_OPEN_BRACE);
  assert(open < s->head.to);
  bool terms = open > s->head.from && t[open - 1].kind == T_DIRECTIVE;
  uint32_t close = find_token(t, (Range){open + 1, s->head.to}, T_CLOSE_BRACE);
  for (uint32_t from = open + 1; from < close;) {
    uint32_t end = find_token(t, (Range){from, close}, T_SEMICOLON);
    add_element(p, set, s, (Range){from, end}, terms, to);
    from = end + 1;
  }
}

static void head_elements(const Program *p, const SetPredicates *set, const Statement *s,
                          HeadElements *to) {
  if ((s->kind != S_RULE && s->kind != S_DECISION) || s->head_kind == HEAD_NONE || !set->n)
    return;
  if (s->head_kind == HEAD_CHOICE || s->head_kind == HEAD_BOUNDED) {
    add_braces(p, set, s, to);
    return;
  }
  Parts parts = {0};
  program_parts(p, s, s->head, &parts);
  for (size_t i = 0; i < parts.n; i++)
    add_element(p, set, s, parts.at[i].range, false, to);
  vec_free(&parts);
}

bool intervene_concerns(const Program *p, const SetPredicates *set, const Statement *s) {
  HeadElements elements = {0};
  head_elements(p, set, s, &elements);
  bool concerned = false;
  for (size_t i = 0; i < elements.n; i++)
    concerned |= elements.at[i].predicate != NONE;
  vec_free(&elements);
  return concerned;
}

/* ---- writing --------------------------------------------------------------------------- */

void intervene_find(const Program *p, SetPredicates *set) {
  assert(!set->n);
  for (uint32_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    SetPredicate new = {.statement = i};
    uint32_t name;
    if (s->kind == S_DO && predicate_of(p, set, s, s->body) == NONE &&
        atom_name(program_tokens(p, s), s->body, &name, &new.arity))
      vec_push(set, new);
  }
}

/* `d(3,p(X))`: the predicate's number, and the atom as a term unless it is a name alone, for
** which #const might have another value. */
static void write_set(Writer *w, const Program *p, const Shape *shape, const char *mark,
                      uint32_t predicate, Range atom) {
  const Token *t = program_tokens(p, shape->statement);
  Text open = {0};
  uint32_t name = atom.from + (t[atom.from].kind == T_MINUS);
  text_printf(&open, "%s%u", mark, predicate);
  writer_place(w, program_place(p, shape->statement, atom), open.at);
  vec_free(&open);
  if (name + 1 < atom.to) {
    writer_puts(w, ",");
    writer_tokens(w, p, shape, (Range){name, atom.to});
  }
  writer_puts(w, ")");
}

static char *mark_of(const char *prefix, char letter) {
  Text text = {0};
  text_printf(&text, "%s%c(", prefix, letter);
  return text_take(&text);
}

void intervene_facts(Writer *w, const Program *p, const SetPredicates *set, const char *prefix) {
  char *d = mark_of(prefix, MARK_SET);
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind != S_DO)
      continue;
    Shape shape = {.statement = s};
    Text told = {0};
    uint32_t predicate = predicate_of(p, set, s, s->body);
    assert(predicate != NONE);
    write_set(w, p, &shape, d, predicate, s->body);
    writer_puts(w, ".\n");
    text_printf(&told, "%s%c(%zu,", prefix, MARK_WANTED, i);
    write_set(w, p, &shape, told.at, predicate, s->body);
    writer_puts(w, ".\n");
    writer_puts(w, s->denied ? "{" : "");
    writer_tokens(w, p, &shape, s->body);
    if (s->denied) /* what depends on it is to be ground, to know what could be derived */
      text_printf(&w->text, "} :- %s%c", prefix, MARK_NEVER);
    writer_puts(w, ".\n");
    vec_free(&told);
  }
  free(d);
}

static bool has_body(const Shape *shape) {
  return !range_empty(shape->statement->body) || shape->domains.n || shape->bindings.n;
}

/* `not d(…) : condition`: none of the elements is set.  A single atom is one literal, which the
** grounder decides. */
void intervene_guard(Writer *w, const Program *p, const SetPredicates *set, const char *prefix,
                     const Shape *shape, const char *open) {
  HeadElements elements = {0};
  const Statement *s = shape->statement;
  if (s->head_kind != HEAD_CHOICE)
    head_elements(p, set, s, &elements);
  char *d = mark_of(prefix, MARK_SET);
  const char *before = has_body(shape) ? "; " : open;
  for (size_t i = 0; i < elements.n; i++) {
    if (elements.at[i].predicate == NONE)
      continue;
    writer_puts(w, before), before = "; ";
    writer_puts(w, "not ");
    write_set(w, p, shape, d, elements.at[i].predicate, elements.at[i].atom);
    if (s->head_kind == HEAD_LITERAL)
      continue;
    writer_puts(w, " : ");
    writer_tokens(w, p, shape, elements.at[i].condition);
    writer_puts(w, range_empty(elements.at[i].condition) ? "#true" : "");
  }
  free(d);
  vec_free(&elements);
}

/* `[not] d(…), condition, body.`: what is of another predicate is not set. */
static void write_told_body(Writer *w, const Program *p, const char *prefix, const Shape *shape,
                            const HeadElement *e, bool negated) {
  char *d = mark_of(prefix, MARK_SET);
  assert(negated || e->predicate != NONE);
  writer_puts(w, negated ? "not " : "");
  if (e->predicate == NONE)
    writer_puts(w, "#false");
  else
    write_set(w, p, shape, d, e->predicate, e->atom);
  free(d);
  if (!range_empty(e->condition)) {
    writer_puts(w, ", ");
    writer_tokens(w, p, shape, e->condition);
  }
  writer_body(w, p, shape, "; ");
  writer_puts(w, ".\n");
}

/* h(rule,X…): an instance whose head has an atom that is set. */
static void write_instance(Writer *w, const char *prefix, const Shape *shape, uint32_t group) {
  text_printf(&w->text, "%s%c(%u", prefix, MARK_HEAD, group);
  for (size_t i = 0; i < shape->variables.n; i++)
    text_printf(&w->text, ",%s", shape->variables.at[i].name);
  writer_puts(w, ")");
}

/* The element is an atom that the rule could derive. */
static void write_derived(Writer *w, const Program *p, const char *prefix, const Shape *shape,
                          const HeadElement *e) {
  char *mark = mark_of(prefix, MARK_DERIVED);
  write_set(w, p, shape, mark, e->predicate, e->atom);
  writer_puts(w, " :- ");
  write_told_body(w, p, prefix, shape, e, false);
  free(mark);
}

/* If the element is set the instance is one that has such an atom; if it is not, and the
** instance is one, the head is set in part. */
static void write_part(Writer *w, const Program *p, const char *prefix, const Shape *shape,
                       const HeadElement *e, uint32_t group) {
  if (e->predicate != NONE) {
    write_instance(w, prefix, shape, group);
    writer_puts(w, " :- ");
    write_told_body(w, p, prefix, shape, e, false);
  }
  text_printf(&w->text, "%s%c(%u) :- ", prefix, MARK_PARTLY, group);
  write_instance(w, prefix, shape, group);
  writer_puts(w, ", ");
  write_told_body(w, p, prefix, shape, e, true);
}

/* The statements whose heads are one: [from, to).  Coins of one rule are several. */
static Range group_of(const Program *p, const Statement *s) {
  uint32_t at = (uint32_t)(s - p->statements.at);
  Range group = {s->coin ? at - s->before : at, at + 1};
  while (s->coin && group.to < p->statements.n && p->statements.at[group.to].coin &&
         p->statements.at[group.to].before == group.to - group.from)
    group.to++;
  return group;
}

void intervene_tell(Writer *w, const Program *p, const SetPredicates *set, const char *prefix,
                    const Shape *shape) {
  const Statement *s = shape->statement;
  Range group = group_of(p, s);
  bool concerned = false, several = group.to > group.from + 1 || s->head_kind == HEAD_DISJUNCTION ||
                                    s->head_kind == HEAD_BOUNDED;
  for (uint32_t i = group.from; i < group.to; i++)
    concerned |= intervene_concerns(p, set, &p->statements.at[i]);
  HeadElements elements = {0};
  if (concerned)
    head_elements(p, set, s, &elements);
  for (size_t i = 0; i < elements.n; i++) {
    if (elements.at[i].predicate != NONE)
      write_derived(w, p, prefix, shape, &elements.at[i]);
    if (several)
      write_part(w, p, prefix, shape, &elements.at[i], group.from);
  }
  vec_free(&elements);
}

/* ---- what the grounder says -------------------------------------------------------------- */

/* The atom of a marker whose arguments from `first` on are those of write_set. */
static void write_atom(const Assembly *a, const RawMarker *m, uint32_t first, Text *to) {
  uint32_t number = argument_number(a, m, first), name, arity;
  const Statement *s = &a->program->statements.at[a->script->set.at[number].statement];
  (void)atom_name(program_tokens(a->program, s), s->body, &name, &arity);
  to->n = 0;
  text_puts(to, name > s->body.from ? "-" : "");
  if (arity)
    text_puts(to, text_at(a, a->raw->arguments.at[m->first + first + 1].text));
  else
    program_write(a->program, s, (Range){name, name + 1}, to);
}

static void find_derived(const Assembly *a, Names *derived) {
  Text atom = {0};
  for (size_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter != MARK_DERIVED)
      continue;
    write_atom(a, m, 0, &atom);
    names_add(derived, atom.at, atom.n);
  }
  vec_free(&atom);
}

static void refuse_part(Assembly *a, const RawMarker *m) {
  const Statement *s = &a->program->statements.at[argument_number(a, m, 0)];
  diagnose_error(a->said, program_place(a->program, s, s->whole),
                 "set all atoms of this head, or none",
                 "a head of several atoms can't be set in part");
}

/* Is there an #external of the predicate? */
static bool is_external(const Program *p, const Statement *set) {
  uint32_t name, arity;
  (void)atom_name(program_tokens(p, set), set->body, &name, &arity);
  for (size_t i = 0; i < p->statements.n; i++) {
    const Statement *s = &p->statements.at[i];
    if (s->kind != S_PASS ||
        !token_is(program_source(p, s), &program_tokens(p, s)[s->whole.from], "#external"))
      continue;
    for (uint32_t k = s->whole.from; k < s->whole.to; k++)
      if (same_name(p, s, k, set, name))
        return true;
  }
  return false;
}

/* The atom that was meant, if one is near; the caller frees it. */
static char *near_hint(const Assembly *a, const char *atom) {
  size_t length = strlen(atom);
  unsigned least = edit_slips(length) + 1;
  const char *nearest = NULL;
  for (size_t i = 0; i < a->raw->atoms.n; i++) {
    const char *other = text_at(a, a->raw->atoms.at[i].name);
    unsigned d = edit_distance(atom, length, other, strlen(other));
    if (d && d < least)
      least = d, nearest = other;
  }
  Text hint = {0};
  if (nearest)
    text_printf(&hint, "did you mean %s?", nearest);
  else
    text_puts(&hint, "it is set all the same, and nothing of the program changes");
  return text_take(&hint);
}

/* One atom that is set; `first`: by the number of its name, the statement that did it. */
static void add_wanted(Assembly *a, const RawMarker *m, const Names *derived, Names *names,
                       StatementNumbers *first) {
  uint32_t statement = argument_number(a, m, 0);
  const Statement *s = &a->program->statements.at[statement];
  Place place = program_place(a->program, s, s->whole);
  Text atom = {0};
  write_atom(a, m, 1, &atom);
  uint32_t number = names_add(names, atom.at, atom.n);
  if (number == first->n)
    vec_push(first, statement);
  assert(number < first->n);
  if (a->program->statements.at[first->at[number]].denied != s->denied)
    diagnose_error(a->said, place, NULL, "%s can't be set to true and to false", atom.at);
  else if (names_find(derived, atom.at, atom.n) == UINT32_MAX && !is_external(a->program, s))
    diagnose_hinted(a->said, LPMLN_WARNING, place, near_hint(a, atom.at),
                    "no rule of the program can derive %s", atom.at);
  vec_free(&atom);
}

/* By clingo's atom. */
static void mark_set(Assembly *a, const Names *names) {
  a->set = memory_zero(a->ids, sizeof *a->set);
  for (size_t i = 0; i < a->raw->atoms.n; i++) {
    const char *name = text_at(a, a->raw->atoms.at[i].name);
    if (names_find(names, name, strlen(name)) != UINT32_MAX)
      a->set[a->raw->atoms.at[i].atom] = !a->raw->atoms.at[i].fact;
  }
}

void intervene_check(Assembly *a) {
  assert(!a->set);
  if (!a->script->set.n)
    return;
  Names derived = {0}, names = {0};
  StatementNumbers first = {0};
  find_derived(a, &derived);
  for (size_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter == MARK_PARTLY)
      refuse_part(a, m);
    if (m->letter == MARK_WANTED)
      add_wanted(a, m, &derived, &names, &first);
  }
  mark_set(a, &names);
  names_free(&derived);
  names_free(&names);
  vec_free(&first);
}
