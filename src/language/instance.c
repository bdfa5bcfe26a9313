/* instance.c - see instance.h. */
#include "language/instance.h"

#include "language/lexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void shape_free(Shape *shape) {
  for (size_t i = 0; i < shape->variables.n; i++)
    free(shape->variables.at[i].name);
  for (size_t i = 0; i < shape->replacements.n; i++)
    free(shape->replacements.at[i].text);
  for (size_t i = 0; i < shape->bindings.n; i++)
    free(shape->bindings.at[i].text);
  vec_free(&shape->variables);
  names_free(&shape->names);
  vec_free(&shape->domains);
  vec_free(&shape->replacements);
  vec_free(&shape->bindings);
  formula_free(&shape->formula);
}

/* Literals of the head or of the body, those inside of formulas, too. */
static void parts_of(const Program *p, const Statement *s, Range r, Parts *parts) {
  if (s->formula && r.from == s->body.from && r.to == s->body.to)
    formula_literals(p, s, parts);
  else
    program_parts(p, s, r, parts);
}

/* ---- variables and domains ------------------------------------------------ */

static void add_variable(const Program *p, const Statement *s, uint32_t token, Shape *shape) {
  assert(program_tokens(p, s)[token].kind == T_VARIABLE);
  const Token *t = &program_tokens(p, s)[token];
  const char *name = program_source(p, s)->bytes + t->offset;
  size_t known = shape->names.list.n;
  if (names_add(&shape->names, name, t->length) < known)
    return;
  Variable v = {
      memory_copy(name, t->length), {p->units.at[s->unit].source, t->offset, t->length}, false};
  vec_push(&shape->variables, v);
}

static void add_global(const Program *p, const Statement *s, Range r, Shape *shape) {
  const Token *t = program_tokens(p, s);
  Parts parts = {0};
  parts_of(p, s, r, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    int braces = 0;
    for (uint32_t k = parts.at[i].range.from; k < parts.at[i].range.to; k++) {
      braces += t[k].kind == T_OPEN_BRACE;
      braces -= t[k].kind == T_CLOSE_BRACE;
      if (t[k].kind == T_VARIABLE && !braces && !parts.at[i].conditional)
        add_variable(p, s, k, shape);
    }
  }
  vec_free(&parts);
}

static bool same_token(const Source *a, const Token *x, const Source *b, const Token *y) {
  return x->length == y->length && !memcmp(a->bytes + x->offset, b->bytes + y->offset, x->length);
}

/* Does a token range of one statement mention a variable of a #domain? */
static bool mentions(const Program *p, const Statement *s, Range r, const Statement *domain) {
  const Token *t = program_tokens(p, s), *d = program_tokens(p, domain);
  const Source *here = program_source(p, s), *there = program_source(p, domain);
  for (uint32_t i = r.from; i < r.to; i++)
    for (uint32_t k = domain->body.from; t[i].kind == T_VARIABLE && k < domain->body.to; k++)
      if (d[k].kind == T_VARIABLE && same_token(here, &t[i], there, &d[k]))
        return true;
  return false;
}

static bool joined(const Shape *shape, uint32_t domain) {
  for (size_t i = 0; i < shape->domains.n; i++)
    if (shape->domains.at[i] == domain)
      return true;
  return false;
}

/* Domain atoms of the rule's variables, and of the variables that these bring. */
static void add_domains(const Program *p, const Statement *s, Shape *shape) {
  bool grew;
  do {
    grew = false;
    for (size_t i = 0; i < p->domains.n; i++) {
      uint32_t d = p->domains.at[i];
      const Statement *domain = &p->statements.at[d];
      if (joined(shape, d))
        continue;
      bool used = mentions(p, s, s->whole, domain);
      for (size_t j = 0; !used && j < shape->domains.n; j++) {
        const Statement *other = &p->statements.at[shape->domains.at[j]];
        used = mentions(p, other, other->body, domain);
      }
      if (!used)
        continue;
      vec_push(&shape->domains, d);
      for (uint32_t k = domain->body.from; k < domain->body.to; k++)
        if (program_tokens(p, domain)[k].kind == T_VARIABLE)
          add_variable(p, domain, k, shape);
      grew = true;
    }
  } while (grew);
}

/* ---- intervals and pools ---------------------------------------------------- */

static void bind(const Program *p, const Statement *s, Range r, char *name, Shape *shape) {
  assert(!range_empty(r));
  vec_push(&shape->bindings, (Replacement){r, memory_copy(name, strlen(name))});
  Variable v = {memory_copy(name, strlen(name)), program_place(p, s, r), true};
  vec_push(&shape->variables, v);
  vec_push(&shape->replacements, (Replacement){r, name});
}

static char *fresh_name(const char *prefix, size_t number) {
  Text text = {0};
  text_printf(&text, "%s%zu", prefix, number);
  return text_take(&text);
}

/* A delimiter of terms at its own depth. */
static bool delimits(TokenKind kind) {
  return kind == T_OPEN || kind == T_CLOSE || kind == T_OPEN_BRACE || kind == T_CLOSE_BRACE ||
         kind == T_COMMA || kind == T_SEMICOLON || kind == T_COMPARISON || kind == T_NOT ||
         kind == T_BAR;
}

/* The interval around the `..` at token `dots`, within the part. */
static Range interval_at(const Token *t, Range part, uint32_t dots) {
  assert(t[dots].kind == T_DOTS && part.from <= dots && dots < part.to);
  Range r = {dots, dots + 1};
  for (int depth = 0; r.from > part.from; r.from--) {
    TokenKind kind = t[r.from - 1].kind;
    if (!depth && kind != T_CLOSE && delimits(kind))
      break;
    depth += kind == T_CLOSE;
    depth -= kind == T_OPEN;
  }
  for (int depth = 0; r.to < part.to; r.to++) {
    TokenKind kind = t[r.to].kind;
    if (!depth && kind != T_OPEN && delimits(kind))
      break;
    depth += kind == T_OPEN;
    depth -= kind == T_CLOSE;
  }
  return r;
}

static uint32_t matching(const Token *t, uint32_t open) {
  assert(t[open].kind == T_OPEN);
  int depth = 0;
  for (;; open++) {
    depth += t[open].kind == T_OPEN;
    depth -= t[open].kind == T_CLOSE;
    if (!depth)
      return open;
  }
}

/* Semicolons and commas of a parenthesis at its own level; `even` if all of its
** alternatives have the same number of terms. */
static uint32_t pool_size(const Token *t, uint32_t open, uint32_t close, bool *even,
                          uint32_t *terms) {
  uint32_t alternatives = 1, commas = 0, first = NONE_SOURCE;
  int depth = 0;
  *even = true;
  for (uint32_t i = open + 1; i <= close; i++) {
    if (!depth && (t[i].kind == T_SEMICOLON || i == close)) {
      *even &= first == NONE_SOURCE || first == commas;
      first = commas, commas = 0;
      alternatives += i < close;
    }
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE && i < close;
    commas += !depth && t[i].kind == T_COMMA;
  }
  *terms = first + 1;
  return alternatives;
}

/* p(1,2;3,4) becomes p(V,W) with (V,W)=(1,2;3,4). */
static void bind_tuple(const Program *p, const Statement *s, Range r, const char *fresh,
                       uint32_t terms, Shape *shape) {
  size_t number = shape->bindings.n + 1;
  Text list = {0}, tuple = {0};
  for (uint32_t k = 1; k <= terms; k++) {
    Text name = {0};
    text_printf(&name, "%s%zu_%u", fresh, number, k);
    text_printf(&list, "%s%s", k > 1 ? "," : "", name.at);
    vec_push(&shape->variables, (Variable){text_take(&name), program_place(p, s, r), true});
  }
  text_printf(&tuple, "(%s)", list.at);
  vec_push(&shape->bindings, (Replacement){r, text_take(&tuple)});
  vec_push(&shape->replacements, (Replacement){r, text_take(&list)});
}

/* p(1;2) becomes p(V) with V=(1;2).  Alternatives of different lengths are of different
** predicates. */
static void split_pool(const Program *p, Diagnostics *said, const Statement *s, uint32_t open,
                       const char *fresh, Shape *shape) {
  const Token *t = program_tokens(p, s);
  uint32_t close = matching(t, open), terms;
  bool even;
  if (pool_size(t, open, close, &even, &terms) < 2)
    return;
  if (!even) {
    if (said)
      diagnose_error(said, program_place(p, s, (Range){open, close + 1}),
                     "write a rule or a query for each alternative",
                     "the alternatives of this pool have different numbers of arguments");
    return;
  }
  Range inside = {open + 1, close};
  if (terms > 1)
    bind_tuple(p, s, inside, fresh, terms, shape);
  else
    bind(p, s, inside, fresh_name(fresh, shape->bindings.n + 1), shape);
}

static bool covered(const Shape *shape, uint32_t token) {
  for (size_t i = 0; i < shape->replacements.n; i++)
    if (token >= shape->replacements.at[i].range.from && token < shape->replacements.at[i].range.to)
      return true;
  return false;
}

static void split_part(const Program *p, Diagnostics *said, const Statement *s, Range part,
                       const char *fresh, Shape *shape) {
  const Token *t = program_tokens(p, s);
  for (int pools = 1; pools >= 0; pools--) { /* pools first: they may hold intervals */
    int braces = 0;
    for (uint32_t i = part.from; i < part.to; i++) {
      braces += t[i].kind == T_OPEN_BRACE;
      braces -= t[i].kind == T_CLOSE_BRACE;
      if (braces || covered(shape, i))
        continue;
      if (pools && t[i].kind == T_OPEN)
        split_pool(p, said, s, i, fresh, shape);
      else if (!pools && t[i].kind == T_DOTS)
        bind(p, s, interval_at(t, part, i), fresh_name(fresh, shape->bindings.n + 1), shape);
    }
  }
}

static void split_range(const Program *p, Diagnostics *said, const Statement *s, Range r,
                        const char *fresh, Shape *shape) {
  Parts parts = {0};
  parts_of(p, s, r, &parts);
  for (size_t i = 0; i < parts.n; i++)
    if (!parts.at[i].conditional)
      split_part(p, said, s, parts.at[i].range, fresh, shape);
  vec_free(&parts);
}

void shape_make(const Program *p, Diagnostics *said, const Statement *s, bool split,
                const char *fresh, Shape *shape) {
  assert(s->unit < p->units.n && (fresh || !split));
  const Token *t = program_tokens(p, s);
  *shape = (Shape){.statement = s};
  /* coins of one rule have their variables in one order: each names those before it */
  Range first = s->coin ? s->whole : s->weight;
  for (uint32_t i = first.from; i < first.to && (!s->coin || t[i].kind != T_IF); i++)
    if (t[i].kind == T_VARIABLE)
      add_variable(p, s, i, shape);
  add_global(p, s, s->head, shape);
  add_global(p, s, s->body, shape);
  if (!range_empty(s->given)) {
    Statement given = program_given(s);
    add_global(p, &given, given.body, shape);
  }
  if (s->kind != S_QUERY)
    add_domains(p, s, shape);
  if (split) {
    split_range(p, said, s, s->head, fresh, shape);
    split_range(p, said, s, s->body, fresh, shape);
  }
}

/* ---- writing ------------------------------------------------------------------ */

void writer_free(Writer *w) {
  vec_free(&w->text);
  vec_free(&w->map);
}

void writer_puts(Writer *w, const char *text) { text_puts(&w->text, text); }

void writer_place(Writer *w, Place place, const char *text) {
  assert(!w->map.n || w->map.at[w->map.n - 1].at <= w->text.n); /* pieces are sorted */
  vec_push(&w->map, (Piece){w->text.n, place});
  text_puts(&w->text, text);
}

static const Replacement *replacement_at(const Shape *shape, uint32_t token) {
  for (size_t i = 0; shape && i < shape->replacements.n; i++)
    if (shape->replacements.at[i].range.from == token)
      return &shape->replacements.at[i];
  return NULL;
}

static void write_token(Writer *w, const Program *p, const Statement *s, uint32_t i) {
  const Token *t = &program_tokens(p, s)[i];
  Place place = {p->units.at[s->unit].source, t->offset, t->length};
  vec_push(&w->map, (Piece){w->text.n, place});
  text_add(&w->text, program_source(p, s)->bytes + t->offset, t->length);
}

/* The token, or what is written instead of it and others; the one after that. */
static uint32_t write_at(Writer *w, const Program *p, const Statement *s, const Shape *shape,
                         uint32_t i) {
  const Replacement *other = replacement_at(shape, i);
  if (!other) {
    write_token(w, p, s, i);
    return i + 1;
  }
  writer_place(w, program_place(p, s, other->range), other->text);
  return other->range.to;
}

static void write_range(Writer *w, const Program *p, const Statement *s, const Shape *shape,
                        Range r) {
  const Token *t = program_tokens(p, s);
  for (uint32_t i = r.from; i < r.to;) {
    if (i > r.from && t[i - 1].offset + t[i - 1].length < t[i].offset)
      writer_puts(w, " ");
    i = write_at(w, p, s, shape, i);
  }
}

uint32_t writer_token(Writer *w, const Program *p, const Shape *shape, uint32_t token) {
  assert(shape->statement);
  return write_at(w, p, shape->statement, shape, token);
}

void writer_tokens(Writer *w, const Program *p, const Shape *shape, Range r) {
  assert(shape->statement);
  write_range(w, p, shape->statement, shape, r);
}

/* Has the head a local variable of a name that a local variable of the body has, too? */
static bool shares_local(const Program *p, const Shape *shape) {
  const Statement *s = shape->statement;
  const Token *t = program_tokens(p, s);
  const char *bytes = program_source(p, s)->bytes;
  Names local = {0};
  bool shares = false;
  for (uint32_t i = s->head.from; i < s->head.to; i++)
    if (t[i].kind == T_VARIABLE &&
        names_find(&shape->names, bytes + t[i].offset, t[i].length) == UINT32_MAX)
      names_add(&local, bytes + t[i].offset, t[i].length);
  for (uint32_t i = s->body.from; i < s->body.to && local.list.n && !shares; i++)
    shares = t[i].kind == T_VARIABLE &&
             names_find(&local, bytes + t[i].offset, t[i].length) != UINT32_MAX;
  names_free(&local);
  return shares;
}

void writer_head(Writer *w, const Program *p, const Shape *shape) {
  const Statement *s = shape->statement;
  assert(s->kind == S_RULE);
  /* gringo takes the condition of `{ a(X) : c(X) }` for a part of the body, and an X there for
  ** this one.  It does not if there is a bound. */
  if (s->head_kind == HEAD_CHOICE && program_tokens(p, s)[s->head.from].kind == T_OPEN_BRACE &&
      shares_local(p, shape))
    writer_puts(w, "0 ");
  writer_tokens(w, p, shape, s->head);
}

/* `#domain p(X;Y)` means p(X) and p(Y), as in lparse. */
static void write_domain(Writer *w, const Program *p, const Statement *domain) {
  const Token *t = program_tokens(p, domain);
  assert(domain->kind == S_DOMAIN);
  uint32_t open = domain->body.from + 1, close = domain->body.to - 1, from = open + 1;
  int depth = 0;
  for (uint32_t i = from; i <= close; i++) {
    if (i == close || (!depth && t[i].kind == T_SEMICOLON)) {
      if (from > open + 1)
        writer_puts(w, "; ");
      write_range(w, p, domain, NULL, (Range){domain->body.from, open + 1});
      write_range(w, p, domain, NULL, (Range){from, i});
      writer_puts(w, ")");
      from = i + 1;
    }
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
  }
}

void writer_body(Writer *w, const Program *p, const Shape *shape, const char *open) {
  const char *before = open;
  if (!range_empty(shape->statement->body)) {
    writer_puts(w, before), before = "; ";
    writer_tokens(w, p, shape, shape->statement->body);
  }
  for (size_t i = 0; i < shape->domains.n; i++, before = "; ") {
    writer_puts(w, before);
    write_domain(w, p, &p->statements.at[shape->domains.at[i]]);
  }
  for (size_t i = 0; i < shape->bindings.n; i++, before = "; ") {
    writer_puts(w, before);
    Range r = shape->bindings.at[i].range;
    writer_place(w, program_place(p, shape->statement, r), shape->bindings.at[i].text);
    writer_puts(w, "=(");
    write_range(w, p, shape->statement, NULL, r);
    writer_puts(w, ")");
  }
}
