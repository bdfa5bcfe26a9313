/* problog_rules.c - rules with their variables.  Predicates without uncertain atoms
** are listed as facts; the other rules are written as they are, literals that give
** values to variables first. */
#include "write/problog.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "ground/ground.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_variable(const char *name, size_t length, Text *out) {
  for (size_t i = 0; i < length; i++)
    text_add(out, name[i] == '\'' ? "_p" : name + i, name[i] == '\'' ? 2 : 1);
}

static unsigned arity_of(const Token *t, Range atom) {
  unsigned arity = atom.to > atom.from + 1, depth = 0;
  for (uint32_t i = atom.from; i < atom.to; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    arity += t[i].kind == T_COMMA && depth == 1;
  }
  bool none = atom.to == atom.from + 3 && t[atom.from + 1].kind == T_OPEN &&
              t[atom.from + 2].kind == T_CLOSE;
  return none ? 0 : arity;
}

/* Names, variables, numbers, strings, and terms of them. */
bool prolog_tokens(const Program *p, const Statement *s, Range r, bool atom, Text *out) {
  const Token *t = program_tokens(p, s);
  const char *bytes = program_source(p, s)->bytes;
  for (uint32_t i = r.from; i < r.to; i++) {
    const char *text = bytes + t[i].offset;
    bool term = i == r.from || t[i - 1].kind == T_OPEN || t[i - 1].kind == T_COMMA ||
                t[i - 1].kind == T_MINUS;
    switch (t[i].kind) {
    case T_IDENTIFIER:
      if (!term || (i > r.from && t[i - 1].kind == T_MINUS))
        return false;
      if (atom && i == r.from)
        prolog_predicate(text, t[i].length, arity_of(t, r), out);
      else
        prolog_name(text, t[i].length, out);
      break;
    case T_VARIABLE: write_variable(text, t[i].length, out); break;
    case T_NUMBER:
      if (t[i].length > 1 && text[0] == '0')
        return false;
      text_add(out, text, t[i].length);
      break;
    case T_MINUS:
      if (!term || t[i + 1].kind != T_NUMBER)
        return false;
      text_puts(out, "-");
      break;
    case T_OPEN: /* a tuple would need a name */
      if (i == r.from || t[i - 1].kind != T_IDENTIFIER)
        return false;
      text_puts(out, "(");
      break;
    case T_CLOSE:
    case T_COMMA:
    case T_STRING:
    case T_ANONYMOUS: text_add(out, text, t[i].length); break;
    default: return false;
    }
  }
  return !range_empty(r);
}

/* ---- signatures -------------------------------------------------------------------- */

static void signature_of(const Program *p, const Statement *s, Range atom, Text *out) {
  program_write(p, s, (Range){atom.from, atom.from + 1}, out);
  text_printf(out, "/%u", arity_of(program_tokens(p, s), atom));
}

void problog_signature(ToProblog *to, const Program *p, const Statement *s, Range atom,
                       bool defines) {
  Text text = {0};
  signature_of(p, s, atom, &text);
  names_add(defines ? &to->defined : &to->used, text.at, text.n);
  vec_free(&text);
}

void prolog_signature(const char *atom, Text *out) {
  text_printf(out, "%.*s/%u", (int)strcspn(atom, "("), atom, ground_arity(atom));
}

/* ---- rules ---------------------------------------------------------------------------- */

typedef enum { POSITIVE, EQUAL, DIFFERENT, NEGATIVE, UNKNOWN } PartKind;

static PartKind part_kind(const Program *p, const Statement *s, const Part *part,
                          uint32_t *middle) {
  const Token *t = program_tokens(p, s);
  if (part->conditional || part->braces || s->formula)
    return UNKNOWN;
  for (uint32_t i = part->range.from; i < part->range.to; i++)
    if (t[i].kind == T_COMPARISON) {
      *middle = i;
      return token_is(program_source(p, s), &t[i], "=")    ? EQUAL
             : token_is(program_source(p, s), &t[i], "!=") ? DIFFERENT
                                                           : UNKNOWN;
    }
  bool negative = t[part->range.from].kind == T_NOT;
  return t[part->range.from + negative].kind != T_IDENTIFIER ? UNKNOWN
         : negative                                          ? NEGATIVE
                                                             : POSITIVE;
}

/* One conjunct, if it is of the wanted kind. */
static bool write_part(ToProblog *to, const Statement *s, const Part *part, PartKind wanted,
                       Text *out) {
  const Program *p = to->program;
  uint32_t middle = 0;
  PartKind kind = part_kind(p, s, part, &middle);
  if (kind == UNKNOWN)
    return false;
  if (kind != wanted)
    return true;
  text_puts(out, out->n ? ", " : "");
  if (kind == EQUAL || kind == DIFFERENT) {
    if (!prolog_tokens(p, s, (Range){part->range.from, middle}, false, out))
      return false;
    text_puts(out, kind == EQUAL ? " = " : " \\== ");
    return prolog_tokens(p, s, (Range){middle + 1, part->range.to}, false, out);
  }
  Range atom = {part->range.from + (kind == NEGATIVE), part->range.to};
  text_puts(out, kind == NEGATIVE ? "\\+" : "");
  problog_signature(to, p, s, atom, false);
  return prolog_tokens(p, s, atom, true, out);
}

static bool write_body(ToProblog *to, const Statement *s, const Shape *shape, Text *out) {
  const Program *p = to->program;
  Parts parts = {0};
  bool good = true;
  program_parts(p, s, s->body, &parts);
  for (size_t i = 0; good && i < shape->domains.n; i++) {
    const Statement *domain = &p->statements.at[shape->domains.at[i]];
    text_puts(out, out->n ? ", " : "");
    problog_signature(to, p, domain, domain->body, false);
    good = prolog_tokens(p, domain, domain->body, true, out);
  }
  for (int kind = POSITIVE; kind <= NEGATIVE; kind++)
    for (size_t i = 0; good && i < parts.n; i++)
      good = write_part(to, s, &parts.at[i], (PartKind)kind, out);
  vec_free(&parts);
  return good;
}

/* The weight that the statement's facts have: they differ (false), or it is a parameter's that
** was given no value (`learned`). */
static bool weight_of(const ToProblog *to, uint32_t index, double *value, bool *learned) {
  const Ground *g = to->ground;
  uint32_t facts = 0;
  *value = 0, *learned = true;
  for (Atom a = 0; a < g->atoms.n; a++) {
    const SoftAtom *soft = &to->soft[a];
    if (!soft->instances || soft->statement != index)
      continue;
    bool named = soft->parameter != NONE;
    double is = named ? g->weights.at[soft->parameter].value : soft->fixed;
    if (facts++ && (named != *learned || is != *value))
      return false;
    *learned = named, *value = is;
  }
  return true;
}

/* t(_, X) for @w(name(X)); the probability, if it was given one. */
static bool write_parameter(ToProblog *to, const Statement *s, uint32_t index, Text *out) {
  const Token *t = program_tokens(to->program, s);
  Text values = {0};
  double start;
  bool learned, good = weight_of(to, index, &start, &learned);
  text_puts(&values, "");
  for (uint32_t i = s->name.from; i < s->name.to; i++) {
    good &= t[i].kind != T_BAR && !(t[i].kind >= T_AT && t[i].kind <= T_OPERATOR);
    if (t[i].kind == T_VARIABLE) {
      text_puts(&values, ",");
      write_variable(program_source(to->program, s)->bytes + t[i].offset, t[i].length, &values);
    }
  }
  text_puts(out, learned ? "t(" : "");
  if (learned && (start == 0 || *values.at))
    text_puts(out, "_");
  else
    prolog_probability(start, out);
  text_printf(out, "%s%s::", learned ? values.at : "", learned ? ")" : "");
  vec_free(&values);
  return good;
}

static bool write_weight(ToProblog *to, const Statement *s, uint32_t index, Text *out) {
  if (s->weight_kind == WEIGHT_PARAMETER)
    return write_parameter(to, s, index, out);
  if (s->weight_kind == WEIGHT_NUMBER) {
    if (!weight_constant(&s->expression))
      return false;
    prolog_probability(weight_evaluate(&s->expression, NULL), out);
    text_puts(out, "::");
  }
  return true;
}

static bool write_rule(ToProblog *to, uint32_t index) {
  const Program *p = to->program;
  const Statement *s = &p->statements.at[index];
  Text rule = {0}, body = {0};
  Shape shape;
  shape_make(p, NULL, s, false, "V_", &shape);
  bool good = write_weight(to, s, index, &rule) && prolog_tokens(p, s, s->head, true, &rule) &&
              write_body(to, s, &shape, &body);
  if (good) {
    problog_signature(to, p, s, s->head, true);
    text_printf(to->out, "%s%s%s.\n", rule.at, body.n ? " :- " : "", body.n ? body.at : "");
  }
  shape_free(&shape);
  vec_free(&rule);
  vec_free(&body);
  return good;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* Is each soft atom one instance, and each parameter of one statement, the same
** for all or told by the statement's variables? */
static bool is_liftable(const ToProblog *to) {
  const Ground *g = to->ground;
  bool good = true;
  uint32_t *statement = memory_zero(g->weights.n, sizeof *statement);
  for (size_t w = 0; w < g->weights.n; w++)
    statement[w] = NONE;
  for (Atom a = 0; a < g->atoms.n; a++) {
    const SoftAtom *soft = &to->soft[a];
    good &= soft->instances <= 1;
    if (!soft->instances || soft->parameter == NONE)
      continue;
    uint32_t before = statement[soft->parameter];
    good &= before == NONE || before == soft->statement;
    statement[soft->parameter] = soft->statement;
  }
  free(statement);
  for (size_t i = 0; i < to->program->statements.n; i++) {
    const Statement *s = &to->program->statements.at[i];
    good &= !s->coin;
    if (s->kind == S_PASS)
      good &= !token_is(program_source(to->program, s),
                        &program_tokens(to->program, s)[s->whole.from], "#const");
  }
  return good;
}

static void write_certain(ToProblog *to, const Names *open) {
  const Ground *g = to->ground;
  for (Atom a = 0; a < g->atoms.n; a++) {
    if (g->atoms.at[a].truth != ATOM_CERTAIN || g->atoms.at[a].name == NONE)
      continue;
    Text signature = {0};
    const char *atom = ground_text(g, g->atoms.at[a].name);
    prolog_signature(atom, &signature);
    if (names_find(open, signature.at, signature.n) == UINT32_MAX) {
      prolog_ground(atom, to->out);
      text_puts(to->out, ".\n");
      names_add(&to->defined, signature.at, signature.n);
    }
    vec_free(&signature);
  }
}

/* ProbLog wants a clause for every predicate. */
void problog_write_undefined(ToProblog *to) {
  for (size_t i = 0; i < to->used.list.n; i++) {
    const char *signature = to->used.list.at[i], *slash = strrchr(signature, '/');
    if (names_find(&to->defined, signature, strlen(signature)) != UINT32_MAX)
      continue;
    long n = strtol(slash + 1, NULL, 10);
    prolog_predicate(signature, (size_t)(slash - signature), (unsigned)n, to->out);
    for (long k = 0; k < n; k++)
      text_printf(to->out, "%s_%s", k ? "," : "(", k + 1 == n ? ")" : "");
    text_puts(to->out, " :- fail.\n");
  }
}

static bool of_open_predicate(const ToProblog *to, const Statement *s, const Names *open) {
  Text signature = {0};
  signature_of(to->program, s, s->head, &signature);
  bool found = names_find(open, signature.at, signature.n) != UINT32_MAX;
  vec_free(&signature);
  return found;
}

bool problog_write_rules(ToProblog *to) {
  const Ground *g = to->ground;
  Names open = {0};
  if (!is_liftable(to))
    return false;
  for (Atom a = 0; a < g->atoms.n; a++)
    if (g->atoms.at[a].truth == ATOM_OPEN && g->atoms.at[a].name != NONE) {
      Text signature = {0};
      prolog_signature(ground_text(g, g->atoms.at[a].name), &signature);
      names_add(&open, signature.at, signature.n);
      vec_free(&signature);
    }
  bool good = true;
  write_certain(to, &open);
  for (uint32_t i = 0; good && i < to->program->statements.n; i++) {
    const Statement *s = &to->program->statements.at[i];
    if (s->kind != S_RULE || s->block != PROGRAM_BLOCK || s->head_kind == HEAD_NONE)
      continue;
    good = s->head_kind == HEAD_LITERAL &&
           program_tokens(to->program, s)[s->head.from].kind == T_IDENTIFIER;
    if (good && of_open_predicate(to, s, &open))
      good = write_rule(to, i);
  }
  names_free(&open);
  return good;
}
