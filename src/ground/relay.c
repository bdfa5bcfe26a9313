/* relay.c - see relay.h. */
#include "ground/relay.h"

#include "base/memory.h"
#include "ground/script.h"
#include "language/lexer.h"

#include <assert.h>
#include <string.h>

enum { HEADS = 16, PAIRS = 20000 }; /* rules of an atom, and pairs, from which on it pays */

typedef struct {
  const Program *program;
  Names atoms;                      /* heads of hard rules and coins */
  VEC(uint32_t) derived, mentioned; /* by atom: how often */
} Finding;

/* A name and plain arguments, which mean nothing but themselves. */
static bool is_plain(const Token *t, Range r) {
  bool plain = r.to > r.from + 2 && t[r.from].kind == T_IDENTIFIER &&
               t[r.from + 1].kind == T_OPEN && t[r.to - 1].kind == T_CLOSE;
  for (uint32_t i = r.from; plain && i < r.to; i++)
    plain = t[i].kind == T_IDENTIFIER || t[i].kind == T_NUMBER || t[i].kind == T_STRING ||
            t[i].kind == T_COMMA || t[i].kind == T_OPEN || t[i].kind == T_CLOSE;
  return plain;
}

static bool may_relay(const Program *p, const Statement *s) {
  bool derives = s->kind == S_RULE && s->block == PROGRAM_BLOCK && s->head_kind == HEAD_LITERAL &&
                 (s->coin || s->weight_kind == WEIGHT_HARD);
  return derives && is_plain(program_tokens(p, s), s->head);
}

static uint32_t number_of(const Program *p, const Names *atoms, const Statement *s, Range r) {
  Text text = {0};
  program_write(p, s, r, &text);
  uint32_t number = names_find(atoms, text.at, text.n);
  vec_free(&text);
  return number;
}

static void count_head(Finding *f, const Statement *s) {
  Text text = {0};
  program_write(f->program, s, s->head, &text);
  uint32_t number = names_add(&f->atoms, text.at, text.n);
  vec_free(&text);
  if (number == f->derived.n) {
    vec_push(&f->derived, 0);
    vec_push(&f->mentioned, 0);
  }
  f->derived.at[number]++;
}

/* The end of a name and its arguments, from its parenthesis on. */
static uint32_t closing(const Token *t, uint32_t i, uint32_t end) {
  int depth = 0;
  for (; i < end; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    if (!depth)
      return i + 1;
  }
  return end;
}

static void count_body(Finding *f, const Statement *s) {
  const Token *t = program_tokens(f->program, s);
  for (uint32_t i = s->body.from; i + 1 < s->body.to; i++) {
    if (t[i].kind != T_IDENTIFIER || t[i + 1].kind != T_OPEN)
      continue;
    Range atom = {i, closing(t, i + 1, s->body.to)};
    uint32_t number = number_of(f->program, &f->atoms, s, atom);
    if (number != UINT32_MAX)
      f->mentioned.at[number]++;
  }
}

void relay_find(const Program *p, Names *to) {
  Finding f = {.program = p};
  bool some = false;
  for (size_t i = 0; i < p->statements.n; i++)
    if (may_relay(p, &p->statements.at[i]))
      count_head(&f, &p->statements.at[i]);
  for (size_t k = 0; k < f.derived.n; k++)
    some |= f.derived.at[k] >= HEADS;
  for (size_t i = 0; some && i < p->statements.n; i++)
    if (p->statements.at[i].kind == S_RULE)
      count_body(&f, &p->statements.at[i]);
  for (size_t k = 0; k < f.derived.n; k++)
    if (f.derived.at[k] >= HEADS && (uint64_t)f.derived.at[k] * f.mentioned.at[k] >= PAIRS)
      names_add(to, f.atoms.list.at[k], strlen(f.atoms.list.at[k]));
  names_free(&f.atoms);
  vec_free(&f.derived);
  vec_free(&f.mentioned);
}

bool relay_head(Writer *w, const Program *p, const Names *atoms, const char *prefix,
                const Statement *s) {
  if (!atoms->list.n || !may_relay(p, s) || number_of(p, atoms, s, s->head) == UINT32_MAX)
    return false;
  Shape plain = {.statement = s};
  text_printf(&w->text, "%s%c(", prefix, MARK_RELAY);
  writer_tokens(w, p, &plain, s->head);
  writer_puts(w, ")");
  return true;
}

void relay_rules(Writer *w, const Names *atoms, const char *prefix) {
  for (size_t k = 0; k < atoms->list.n; k++)
    text_printf(&w->text, "%s :- %s%c(%s).\n", atoms->list.at[k], prefix, MARK_RELAY,
                atoms->list.at[k]);
}

/* ---- the ground program -------------------------------------------------------------- */

void relay_atoms(Assembly *a) {
  assert(!a->g->rules.n || !a->g->sealed);
  for (size_t i = 0; i < a->raw->markers.n; i++) {
    const RawMarker *m = &a->raw->markers.at[i];
    if (m->letter != MARK_RELAY || m->fact)
      continue;
    Atom atom = assembly_named(a, text_at(a, a->raw->arguments.at[m->first].text));
    if (atom != NONE)
      a->atom_of[m->atom] = atom;
  }
}

bool relay_rule(const Assembly *a, const RawRule *r) {
  if (r->choice || r->weighted || r->heads != 1 || r->size != 1 || *raw_body(a, r) < 0)
    return false;
  uint32_t head = id_of(*raw_heads(a, r)), body = id_of(*raw_body(a, r));
  return head != body && a->atom_of[head] != NONE && a->atom_of[head] == a->atom_of[body];
}
