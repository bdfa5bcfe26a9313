/* plingo.c - see plingo.h.  A weak constraint `:~ B. [w@0,t]` of plingo's own mode is
**
**   tuple(t) :- B.   -w : :- tuple(t).
**
** Equal tuples count once, as in clingo. */
#include "dialects/plingo/plingo.h"

#include "base/diagnostic.h"
#include "base/number.h"
#include "dialects/dialect.h"
#include "dialects/plingo/read.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- theory atoms -------------------------------------------------------------------- */

/* Does a literal start at this token? */
static bool starts_literal(const PlingoText *f, uint32_t i) {
  if (i == f->whole.from)
    return true;
  TokenKind before = plingo_tokens(f)[i - 1].kind;
  return before == T_COMMA || before == T_SEMICOLON || before == T_IF || before == T_WEAK ||
         before == T_NOT;
}

bool plingo_theory_atom(const PlingoText *f, Range r, TheoryAtom *atom) {
  const Token *t = plingo_tokens(f);
  uint32_t i = r.from;
  while (i < r.to && !(t[i].kind == T_OPERATOR && plingo_is(f, i, "&") && starts_literal(f, i) &&
                       t[i + 1].kind == T_IDENTIFIER))
    i++;
  if (i >= r.to)
    return false;
  *atom = (TheoryAtom){.name = i + 1, .whole = {i, i + 2}};
  uint32_t next = i + 2;
  if (t[next].kind == T_OPEN) {
    uint32_t close = plingo_matching(f, next);
    atom->arguments = (Range){next + 1, close};
    next = close + 1;
  }
  if (t[next].kind == T_OPEN_BRACE) {
    uint32_t close = plingo_matching(f, next);
    atom->elements = (Range){next + 1, close};
    next = close + 1;
    if (t[next].kind == T_COMPARISON) {
      atom->guard = (Range){next + 1, r.to};
      next = r.to;
    }
  }
  atom->whole.to = next;
  return true;
}

bool plingo_single(const PlingoText *f, Range r) {
  return !range_empty(r) && plingo_find(f, r, T_COMMA) == r.to &&
         plingo_find(f, r, T_SEMICOLON) == r.to;
}

/* ---- queries and evidence --------------------------------------------------------------- */

static void read_query(Plingo *p, const TheoryAtom *atom) {
  PlingoText *f = &p->f;
  if (!plingo_single(f, atom->arguments)) {
    plingo_error(f, atom->whole, "what is known goes to &evidence", "a query is one atom");
    return;
  }
  if (!range_empty(f->body))
    diagnose_note(program_said(f->dialect->program), plingo_place(f, f->body), NULL,
                  "the body is not used: all atoms of this form are asked for");
  plingo_write(f, dialect_query(f->dialect), atom->arguments);
}

static void read_evidence(Plingo *p, const TheoryAtom *atom) {
  PlingoText *f = &p->f;
  Range r = atom->arguments;
  uint32_t comma = plingo_find(f, r, T_COMMA);
  Range value = {comma < r.to ? comma + 1 : comma, r.to}, observed = {r.from, comma};
  bool denied = !range_empty(value) && plingo_is(f, value.from, "false");
  bool good = range_empty(value) ||
              (value.to == value.from + 1 && (denied || plingo_is(f, value.from, "true")));
  if (range_empty(observed) || !good || comma + 1 == r.to) {
    plingo_error(f, atom->whole, "write &evidence(a) or &evidence(a, false)",
                 "this is no evidence");
    return;
  }
  if (!range_empty(f->body)) {
    plingo_error(f, f->body, "write a constraint, `:- not a, body.`",
                 "evidence has no body in plingo");
    return;
  }
  Writer *w = &f->dialect->evidence;
  plingo_start(f, w, denied ? "not " : "");
  plingo_write(f, w, observed);
  writer_puts(w, ".\n");
}

/* ---- weak constraints ------------------------------------------------------------ */

static size_t weak_number(Plingo *p, double weight, uint32_t terms) {
  assert(isfinite(weight));
  size_t i = 0;
  while (i < p->weak.n && (p->weak.at[i].weight != weight || p->weak.at[i].terms != terms))
    i++;
  if (i == p->weak.n)
    vec_push(&p->weak, (WeakTuple){weight, terms, plingo_place(&p->f, p->f.whole)});
  return i;
}

static uint32_t count_terms(const PlingoText *f, Range r) {
  uint32_t n = !range_empty(r);
  for (uint32_t comma; (comma = plingo_find(f, r, T_COMMA)) < r.to; n++)
    r.from = comma + 1;
  return n;
}

static void read_weak(Plingo *p) {
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  uint32_t comma = plingo_find(f, f->brackets, T_COMMA);
  Range weight = {f->brackets.from, comma},
        terms = {comma < f->brackets.to ? comma + 1 : comma, f->brackets.to};
  uint32_t at = plingo_find(f, weight, T_AT);
  double value, priority = 0;
  if (range_empty(weight) || at == weight.from) {
    plingo_error(f, f->whole, "write `:~ body. [\"1.5\"@0,terms]`",
                 "a weak constraint needs a weight in brackets");
    return;
  }
  if (at < weight.to && !plingo_number(f, (Range){at + 1, weight.to}, &priority))
    return;
  if (!plingo_number(f, (Range){weight.from, at}, &value))
    return;
  if (priority != 0) {
    plingo_error(f, (Range){at, weight.to}, NULL, "only priority 0 is about probabilities");
    return;
  }
  uint32_t count = count_terms(f, terms);
  Text tuple = {0};
  text_printf(&tuple, "%stuple%zu(%u", p->prefix, weak_number(p, value, count) + 1, count);
  plingo_start(f, w, tuple.at);
  writer_puts(w, count ? "," : "");
  plingo_write(f, w, terms);
  writer_puts(w, ") :- ");
  plingo_write(f, w, (Range){f->whole.from + 1, f->stop});
  writer_puts(w, ".\n");
  vec_free(&tuple);
}

static void finish_weak(Plingo *p) {
  Writer *w = &p->f.dialect->rules;
  for (size_t i = 0; i < p->weak.n; i++) {
    const WeakTuple *tuple = &p->weak.at[i];
    Text name = {0};
    text_printf(&name, "%stuple%zu", p->prefix, i + 1);
    writer_place(w, tuple->place, "");
    plingo_printf(w, "%s : :- %s(%u", NUMBER_SHORT(-tuple->weight, 17), name.at, tuple->terms);
    for (uint32_t k = 0; k < tuple->terms; k++)
      plingo_printf(w, ",T%u", k + 1);
    writer_puts(w, ").\n");
    dialect_hide(p->f.dialect, name.at);
    vec_free(&name);
  }
}

/* ---- statements ------------------------------------------------------------------ */

static void read_theory(Plingo *p, const TheoryAtom *atom, bool in_head) {
  static const char *const weights[] = {"weight", "log", "problog"};
  static const char *const plog[] = {"random", "pr", "obs", "do"};
  PlingoText *f = &p->f;
  bool weighs = false, chances = false;
  for (size_t i = 0; i < 3; i++)
    weighs |= plingo_is(f, atom->name, weights[i]);
  for (size_t i = 0; i < 4; i++)
    chances |= plingo_is(f, atom->name, plog[i]);
  if (weighs && !in_head)
    plingo_weighted(p, atom);
  else if (in_head && chances)
    plog_statement(p, atom);
  else if (in_head && plingo_is(f, atom->name, "query"))
    read_query(p, atom);
  else if (in_head && plingo_is(f, atom->name, "evidence"))
    read_evidence(p, atom);
  else
    plingo_error(f, atom->whole,
                 "in the body: &weight, &log, &problog; as the head: &query, &evidence, &random, "
                 "&pr, &obs, &do",
                 weighs    ? "a weight stands in the body"
                 : chances ? "this stands in the head"
                           : "plingo has no such atom");
}

static void copy(Plingo *p, Writer *w) {
  plingo_write(&p->f, w, p->f.whole);
  writer_puts(w, "\n");
}

static void read_statement(Plingo *p) {
  PlingoText *f = &p->f;
  TheoryAtom atom;
  bool evidence = f->text->role != LPMLN_PROGRAM;
  bool constraint = range_empty(f->head) && !range_empty(f->body);
  if (plingo_tokens(f)[f->whole.from].kind == T_WEAK)
    read_weak(p);
  else if (plingo_theory_atom(f, f->head, &atom))
    read_theory(p, &atom, true);
  else if (plingo_theory_atom(f, f->body, &atom))
    read_theory(p, &atom, false);
  else
    copy(p, evidence && constraint ? &f->dialect->evidence : &f->dialect->rules);
}

/* Observations to learn from are not plingo's: they are as ours. */
static Writer *observations(Plingo *p) {
  Dialect *dialect = p->f.dialect;
  lpmln_role role = p->f.text->role;
  return role == LPMLN_TEST                          ? &dialect->tests
         : role == LPMLN_EVIDENCE && dialect->blocks ? &dialect->observations
                                                     : NULL;
}

static void hide(Plingo *p) {
  static const char *const names[] = {"lost", "fact"};
  for (size_t i = 0; i < 2; i++) {
    Text name = {0};
    text_printf(&name, "%s%s", p->prefix, names[i]);
    dialect_hide(p->f.dialect, name.at);
    vec_free(&name);
  }
}

void plingo_read(Dialect *dialect) {
  assert(dialect->program && dialect->inputs.n);
  Plingo p = {0};
  bool good = plingo_begin(&p.f, dialect);
  p.prefix = plingo_fresh(&p.f, "plingo");
  for (size_t i = 0; good && i < p.f.texts.n; i++) {
    p.f.text = &p.f.texts.at[i];
    p.f.whole = (Range){0, 0};
    Writer *block = observations(&p);
    while (plingo_next(&p.f))
      if (block)
        copy(&p, block);
      else
        read_statement(&p);
  }
  finish_weak(&p);
  plog_finish(&p);
  hide(&p);
  plog_free(&p);
  vec_free(&p.weak);
  free(p.prefix);
  plingo_free(&p.f);
}
