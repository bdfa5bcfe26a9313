/* plingo.c - see plingo.h.  plingo's reading of
**
**   a :- B, &weight(w).       is the soft rule      w : a :- B.
**   { … } = 1 :- B, &weight(w).                     { … } :- B.   w : :- B, not { … } = 1.
**   :~ B. [w@0,t]             (of its own mode)     tuple(t) :- B.  -w : :- tuple(t).
**
** where equal tuples of weak constraints count once, as in clingo. */
#include "language/plingo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- theory atoms -------------------------------------------------------------------- */

/* Does a literal start at this token? */
static bool starts_literal(const Foreign *f, uint32_t i) {
  if (i == f->whole.from)
    return true;
  TokenKind before = foreign_tokens(f)[i - 1].kind;
  return before == T_COMMA || before == T_SEMICOLON || before == T_IF || before == T_WEAK ||
         before == T_NOT;
}

/* The first theory atom of the range; false if there is none. */
static bool find_theory_atom(const Foreign *f, Range r, TheoryAtom *atom) {
  const Token *t = foreign_tokens(f);
  uint32_t i = r.from;
  while (i < r.to && !(t[i].kind == T_OPERATOR && foreign_is(f, i, "&") && starts_literal(f, i) &&
                       t[i + 1].kind == T_IDENTIFIER))
    i++;
  if (i >= r.to)
    return false;
  *atom = (TheoryAtom){.name = i + 1, .whole = {i, i + 2}};
  uint32_t next = i + 2;
  if (t[next].kind == T_OPEN) {
    uint32_t close = foreign_matching(f, next);
    atom->arguments = (Range){next + 1, close};
    next = close + 1;
  }
  if (t[next].kind == T_OPEN_BRACE) {
    uint32_t close = foreign_matching(f, next);
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

/* Arguments, or elements, of which there must be one. */
static bool single(const Foreign *f, Range r) {
  return !range_empty(r) && foreign_find(f, r, T_COMMA) == r.to && foreign_find(f, r, T_SEMICOLON) == r.to;
}

/* ---- queries and evidence --------------------------------------------------------------- */

static void read_query(Plingo *p, const TheoryAtom *atom) {
  Foreign *f = &p->f;
  if (!single(f, atom->arguments)) {
    foreign_error(f, atom->whole, "what is known goes to &evidence", "a query is one atom");
    return;
  }
  if (!range_empty(f->body))
    report_note(&f->import->program->sources, foreign_place(f, f->body), NULL,
                "the body is not used: all atoms of this form are asked for");
  foreign_write(f, import_query(f->import), atom->arguments);
}

static void read_evidence(Plingo *p, const TheoryAtom *atom) {
  Foreign *f = &p->f;
  Range r = atom->arguments;
  uint32_t comma = foreign_find(f, r, T_COMMA);
  Range value = {comma < r.to ? comma + 1 : comma, r.to}, observed = {r.from, comma};
  bool denied = !range_empty(value) && foreign_is(f, value.from, "false");
  bool good = range_empty(value) || (value.to == value.from + 1 && (denied || foreign_is(f, value.from, "true")));
  if (range_empty(observed) || !good || comma + 1 == r.to) {
    foreign_error(f, atom->whole, "write &evidence(a) or &evidence(a, false)", "this is no evidence");
    return;
  }
  if (!range_empty(f->body)) {
    foreign_error(f, f->body, "write a constraint, `:- not a, body.`", "evidence has no body in plingo");
    return;
  }
  Writer *w = &f->import->evidence;
  foreign_start(f, w, denied ? "not " : "");
  foreign_write(f, w, observed);
  writer_puts(w, ".\n");
}

/* ---- weights ------------------------------------------------------------------------------ */

/* The weight as an expression of ours. */
static bool weight_of(Plingo *p, const TheoryAtom *atom, Text *out) {
  Foreign *f = &p->f;
  double value;
  bool logarithm = foreign_is(f, atom->name, "log"), chance = foreign_is(f, atom->name, "problog");
  if (!single(f, atom->arguments)) {
    foreign_error(f, atom->whole, NULL, "one weight must stand in parentheses");
    return false;
  }
  if (!foreign_number(f, atom->arguments, &value))
    return false;
  if ((logarithm && !(value > 0)) || (chance && !(value > 0 && value < 1))) {
    foreign_error(f, atom->arguments, chance ? "what is certain needs no weight" : NULL,
                  chance ? "a probability between 0 and 1 is needed" : "a positive number is needed");
    return false;
  }
  Text text = {0};
  foreign_expression(f, atom->arguments, &text);
  if (logarithm)
    text_printf(out, "@log(%s)", text.at);
  else if (chance)
    text_printf(out, "@logit(%s)", text.at);
  else
    text_printf(out, "%s", text.at);
  vec_free(&text);
  return true;
}

/* ---- weighted rules -------------------------------------------------------------------------- */

/* The body without the weight: two pieces, as separators allow. */
typedef struct {
  Range first, second;
} Rest;

static Rest without(const Foreign *f, const TheoryAtom *atom) {
  Rest rest = {{f->body.from, atom->whole.from}, {atom->whole.to, f->body.to}};
  if (!range_empty(rest.first))
    rest.first.to--; /* the separator before it */
  else if (!range_empty(rest.second))
    rest.second.from++;
  return rest;
}

static bool rest_empty(const Rest *rest) { return range_empty(rest->first) && range_empty(rest->second); }

static void write_rest(const Foreign *f, Writer *w, const Rest *rest) {
  foreign_write(f, w, rest->first);
  if (!range_empty(rest->first) && !range_empty(rest->second))
    writer_puts(w, " ");
  foreign_write(f, w, rest->second);
}

static void write_body(const Foreign *f, Writer *w, const Rest *rest, const char *before) {
  if (!rest_empty(rest)) {
    writer_puts(w, before);
    write_rest(f, w, rest);
  }
}

static bool has_kind(const Foreign *f, Range r, TokenKind kind) {
  for (uint32_t i = r.from; i < r.to; i++)
    if (foreign_tokens(f)[i].kind == kind)
      return true;
  return false;
}

/* An interval or pool outside of braces: plingo counts all its values as one. */
static bool spreads(const Foreign *f, Range r) {
  const Token *t = foreign_tokens(f);
  int depth = 0, braces = 0;
  for (uint32_t i = r.from; i < r.to; i++) {
    depth += (t[i].kind == T_OPEN) - (t[i].kind == T_CLOSE);
    braces += (t[i].kind == T_OPEN_BRACE) - (t[i].kind == T_CLOSE_BRACE);
    if (!braces && depth && (t[i].kind == T_DOTS || t[i].kind == T_SEMICOLON))
      return true;
  }
  return false;
}

/* `{ … } = 1` as the head: the choice is there even where the bound is violated. */
static bool bounded_choice(const Foreign *f) {
  uint32_t brace = foreign_find(f, f->head, T_OPEN_BRACE);
  if (brace == f->head.to || has_kind(f, (Range){f->head.from, brace}, T_DIRECTIVE))
    return false;
  return brace > f->head.from || foreign_matching(f, brace) + 1 < f->head.to;
}

static void write_bounded(Plingo *p, const Text *weight, const Rest *rest) {
  Foreign *f = &p->f;
  Writer *w = &f->import->rules;
  uint32_t brace = foreign_find(f, f->head, T_OPEN_BRACE);
  foreign_start(f, w, "");
  foreign_write(f, w, (Range){brace, foreign_matching(f, brace) + 1});
  write_body(f, w, rest, " :- ");
  writer_puts(w, ".\n");
  foreign_start(f, w, weight->at);
  writer_puts(w, " : :- ");
  write_body(f, w, rest, "");
  writer_puts(w, rest_empty(rest) ? "not " : "; not ");
  foreign_write(f, w, f->head);
  writer_puts(w, ".\n");
}

/* { a } :- B.   lost(i,x) :- B, not a.   w : :- lost(i,x). */
static void write_spread(Plingo *p, const Text *weight, const Rest *rest) {
  Foreign *f = &p->f;
  Writer *w = &f->import->rules;
  Range parts[] = {f->head, rest->first, rest->second};
  Text lost = {0};
  text_printf(&lost, "%slost(%u", p->prefix, ++p->rules);
  foreign_variables(f, parts, 3, ",", &lost);
  text_puts(&lost, ")");
  if (!range_empty(f->head)) {
    foreign_start(f, w, "{ ");
    foreign_write(f, w, f->head);
    writer_puts(w, " }");
    write_body(f, w, rest, " :- ");
    writer_puts(w, ".\n");
  }
  foreign_start(f, w, lost.at);
  writer_puts(w, " :- ");
  write_body(f, w, rest, "");
  if (!range_empty(f->head)) {
    writer_puts(w, rest_empty(rest) ? "not " : "; not ");
    foreign_write(f, w, f->head);
  }
  writer_puts(w, ".\n");
  foreign_start(f, w, weight->at);
  foreign_printf(w, " : :- %s.\n", lost.at);
  vec_free(&lost);
}

static void write_soft(Plingo *p, const Text *weight, const Rest *rest) {
  Foreign *f = &p->f;
  Writer *w = &f->import->rules;
  if (bounded_choice(f)) {
    write_bounded(p, weight, rest);
  } else if (spreads(f, f->head) || spreads(f, rest->first) || spreads(f, rest->second)) {
    write_spread(p, weight, rest);
  } else {
    foreign_start(f, w, weight->at);
    writer_puts(w, " : ");
    foreign_write(f, w, f->head);
    write_body(f, w, rest, range_empty(f->head) ? ":- " : " :- ");
    writer_puts(w, ".\n");
  }
}

/* ProbLog's reading: a fresh fact for each instance,
**   { fact(i,x) } :- B.   a :- fact(i,x).
**   -ln p : :- fact(i,x).   -ln(1-p) : :- B, not fact(i,x). */
static void write_clause(Plingo *p, const TheoryAtom *atom, const Rest *rest) {
  Foreign *f = &p->f;
  Writer *w = &f->import->rules;
  Range rule = {f->whole.from, f->stop}, parts[] = {f->head, rest->first, rest->second};
  if (has_kind(f, rule, T_ANONYMOUS) || has_kind(f, rule, T_OPEN_BRACE) || has_kind(f, rule, T_COLON)) {
    foreign_error(f, rule, "name anonymous variables; put conditions and braces into rules of their own",
                  "--problog-clauses needs to know each variable of the clause");
    return;
  }
  Text fact = {0}, chance = {0};
  text_printf(&fact, "%sfact(%u", p->prefix, ++p->rules);
  foreign_variables(f, parts, 3, ",", &fact);
  text_puts(&fact, ")");
  foreign_expression(f, atom->arguments, &chance);
  foreign_start(f, w, "{ ");
  foreign_printf(w, "%s }", fact.at);
  write_body(f, w, rest, " :- ");
  writer_puts(w, ".\n");
  foreign_write(f, w, f->head);
  foreign_printf(w, " :- %s.\n", fact.at);
  foreign_start(f, w, "-@log(");
  foreign_printf(w, "%s) : :- %s.\n", chance.at, fact.at);
  foreign_start(f, w, "-@log(1-(");
  foreign_printf(w, "%s)) : :- ", chance.at);
  write_body(f, w, rest, "");
  foreign_printf(w, "%snot %s.\n", rest_empty(rest) ? "" : "; ", fact.at);
  vec_free(&fact);
  vec_free(&chance);
}

static void warn_clause(Plingo *p, const TheoryAtom *atom) {
  report_warning(&p->f.import->program->sources, foreign_place(&p->f, atom->whole),
                 "--problog-clauses reads it as ProbLog does",
                 "as in plingo this is a soft rule: not the probability of the head given the body");
}

static void read_weighted(Plingo *p, const TheoryAtom *atom) {
  Foreign *f = &p->f;
  TheoryAtom second;
  Text weight = {0};
  Rest rest = without(f, atom);
  if (atom->whole.from > f->body.from && foreign_tokens(f)[atom->whole.from - 1].kind == T_NOT)
    foreign_error(f, atom->whole, NULL, "a weight can't be negated");
  else if (find_theory_atom(f, (Range){atom->whole.to, f->body.to}, &second))
    foreign_error(f, second.whole, NULL, "a rule has one weight");
  else if (weight_of(p, atom, &weight)) {
    bool clause = foreign_is(f, atom->name, "problog") && !rest_empty(&rest) && !range_empty(f->head);
    bool asked = f->import->options->problog_clauses;
    if (clause && !asked)
      warn_clause(p, atom);
    if (clause && asked)
      write_clause(p, atom, &rest);
    else
      write_soft(p, &weight, &rest);
  }
  vec_free(&weight);
}

/* ---- weak constraints --------------------------------------------------------------------------- */

static size_t weak_number(Plingo *p, double weight, uint32_t terms) {
  size_t i = 0;
  while (i < p->weak.n && (p->weak.at[i].weight != weight || p->weak.at[i].terms != terms))
    i++;
  if (i == p->weak.n)
    vec_push(&p->weak, (WeakTuple){weight, terms, foreign_place(&p->f, p->f.whole)});
  return i;
}

static uint32_t count_terms(const Foreign *f, Range r) {
  uint32_t n = !range_empty(r);
  for (uint32_t comma; (comma = foreign_find(f, r, T_COMMA)) < r.to; n++)
    r.from = comma + 1;
  return n;
}

static void read_weak(Plingo *p) {
  Foreign *f = &p->f;
  Writer *w = &f->import->rules;
  uint32_t comma = foreign_find(f, f->brackets, T_COMMA);
  Range weight = {f->brackets.from, comma}, terms = {comma < f->brackets.to ? comma + 1 : comma, f->brackets.to};
  uint32_t at = foreign_find(f, weight, T_AT);
  double value, priority = 0;
  if (range_empty(weight) || at == weight.from) {
    foreign_error(f, f->whole, "write `:~ body. [\"1.5\"@0,terms]`", "a weak constraint needs a weight in brackets");
    return;
  }
  if (at < weight.to && !foreign_number(f, (Range){at + 1, weight.to}, &priority))
    return;
  if (!foreign_number(f, (Range){weight.from, at}, &value))
    return;
  if (priority != 0) {
    foreign_error(f, (Range){at, weight.to}, NULL, "only priority 0 is about probabilities");
    return;
  }
  uint32_t count = count_terms(f, terms);
  Text tuple = {0};
  text_printf(&tuple, "%stuple%zu(%u", p->prefix, weak_number(p, value, count) + 1, count);
  foreign_start(f, w, tuple.at);
  writer_puts(w, count ? "," : "");
  foreign_write(f, w, terms);
  writer_puts(w, ") :- ");
  foreign_write(f, w, (Range){f->whole.from + 1, f->stop});
  writer_puts(w, ".\n");
  vec_free(&tuple);
}

static void finish_weak(Plingo *p) {
  Writer *w = &p->f.import->rules;
  for (size_t i = 0; i < p->weak.n; i++) {
    const WeakTuple *tuple = &p->weak.at[i];
    Text name = {0};
    text_printf(&name, "%stuple%zu", p->prefix, i + 1);
    writer_place(w, tuple->place, "");
    foreign_printf(w, "%.17g : :- %s(%u", -tuple->weight, name.at, tuple->terms);
    for (uint32_t k = 0; k < tuple->terms; k++)
      foreign_printf(w, ",T%u", k + 1);
    writer_puts(w, ").\n");
    import_hide(p->f.import, name.at);
    vec_free(&name);
  }
}

/* ---- statements ------------------------------------------------------------------------------------ */

static void read_theory(Plingo *p, const TheoryAtom *atom, bool in_head) {
  static const char *const weights[] = {"weight", "log", "problog"};
  static const char *const plog[] = {"random", "pr", "obs", "do"};
  Foreign *f = &p->f;
  bool weighs = false, chances = false;
  for (size_t i = 0; i < 3; i++)
    weighs |= foreign_is(f, atom->name, weights[i]);
  for (size_t i = 0; i < 4; i++)
    chances |= foreign_is(f, atom->name, plog[i]);
  if (weighs && !in_head)
    read_weighted(p, atom);
  else if (in_head && chances)
    plog_statement(p, atom);
  else if (in_head && foreign_is(f, atom->name, "query"))
    read_query(p, atom);
  else if (in_head && foreign_is(f, atom->name, "evidence"))
    read_evidence(p, atom);
  else
    foreign_error(f, atom->whole,
                  "in the body: &weight, &log, &problog; as the head: &query, &evidence, &random, &pr, &obs, &do",
                  weighs ? "a weight stands in the body" : chances ? "this stands in the head"
                                                                   : "plingo has no such atom");
}

static void copy(Plingo *p, Writer *w) {
  foreign_write(&p->f, w, p->f.whole);
  writer_puts(w, "\n");
}

static void read_statement(Plingo *p) {
  Foreign *f = &p->f;
  TheoryAtom atom;
  bool evidence = f->text->role != LPMLN_PROGRAM;
  bool constraint = range_empty(f->head) && !range_empty(f->body);
  if (foreign_tokens(f)[f->whole.from].kind == T_WEAK)
    read_weak(p);
  else if (find_theory_atom(f, f->head, &atom))
    read_theory(p, &atom, true);
  else if (find_theory_atom(f, f->body, &atom))
    read_theory(p, &atom, false);
  else
    copy(p, evidence && constraint ? &f->import->evidence : &f->import->rules);
}

/* Observations to learn from are not plingo's: they are as ours. */
static Writer *observations(Plingo *p) {
  Import *import = p->f.import;
  lpmln_role role = p->f.text->role;
  return role == LPMLN_TEST ? &import->tests : role == LPMLN_EVIDENCE && import->blocks ? &import->observations : NULL;
}

static void hide(Plingo *p) {
  static const char *const names[] = {"lost", "fact"};
  for (size_t i = 0; i < 2; i++) {
    Text name = {0};
    text_printf(&name, "%s%s", p->prefix, names[i]);
    import_hide(p->f.import, name.at);
    vec_free(&name);
  }
}

void import_plingo(Import *import) {
  Plingo p = {0};
  bool good = foreign_begin(&p.f, import);
  p.prefix = foreign_fresh(&p.f, "plingo");
  for (size_t i = 0; good && i < p.f.texts.n; i++) {
    p.f.text = &p.f.texts.at[i];
    p.f.whole = (Range){0, 0};
    Writer *block = observations(&p);
    while (foreign_next(&p.f))
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
  foreign_free(&p.f);
}
