/* term.c - Prolog terms and literals as clingo's.
**
** Lists are pairs that end in (); quoted atoms, strings and decimals are strings,
** which display.c turns back.  A string that looks like a decimal is refused, so
** that different terms stay different. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/number.h"
#include "language/weight.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool problog_plain_name(const char *s) {
  if (!islower((unsigned char)*s) || !strcmp(s, "not"))
    return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_')
      return false;
  return true;
}

/* A variable of clingo: underscores, then a capital. */
static bool plain_variable(const char *s) {
  s += strspn(s, "_");
  return isupper((unsigned char)*s);
}

static void write_variable(Problog *p, const Clause *c, uint32_t number, Text *out) {
  assert(c);
  const char *name = number < c->names.n ? problog_text(p, c->names.at[number]) : "_";
  if (plain_variable(name)) {
    text_puts(out, name);
    return;
  }
  char own[32];
  bool taken = true;
  for (unsigned k = 0; taken; k++) {
    snprintf(own, sizeof own, k ? "V%u_%u" : "V%u", number, k);
    taken = false;
    for (size_t i = 0; i < c->names.n; i++)
      taken |= !strcmp(problog_text(p, c->names.at[i]), own);
  }
  text_puts(out, own);
}

static void write_quoted(const char *text, Text *out) {
  text_puts(out, "\"");
  for (; *text; text++)
    if (*text == '\\' || *text == '"')
      text_printf(out, "\\%c", *text);
    else if (*text == '\n')
      text_puts(out, "\\n");
    else
      text_add(out, text, 1);
  text_puts(out, "\"");
}

/* As Python writes it: the shortest decimal that reads back the same. */
static void write_float(double value, Text *out) {
  NumberText digits = number_close(value, 1, 0);
  text_printf(out, "\"%s%s\"", digits.text, strpbrk(digits.text, ".e") ? "" : ".0");
}

/* "abc" keeps its quotes out of the way: the text inside is the string. */
static void write_string(Problog *p, const Term *t, Text *out) {
  const char *name = problog_text(p, t->name);
  size_t n = strlen(name);
  double value;
  if (*name == '\'') {
    write_quoted(name, out);
    return;
  }
  char *inside = memory_copy(name + 1, n - 2);
  if (weight_from_text(inside, &value) || *inside == '\'')
    problog_error(p, t->place,
                  "a string that looks like a number or like a quoted atom can't be told from it",
                  "this string is not supported");
  write_quoted(inside, out);
  free(inside);
}

static void write_list(Problog *p, const Clause *c, TermId t, Text *out) {
  assert(problog_at(p, t)->kind == P_LIST && problog_at(p, t)->count);
  uint32_t n = problog_at(p, t)->count - 1;
  for (uint32_t i = 0; i < n; i++) {
    text_puts(out, "(");
    problog_write_term(p, c, problog_argument(p, t, i), out);
    text_puts(out, ",");
  }
  problog_write_term(p, c, problog_argument(p, t, n), out);
  for (uint32_t i = 0; i < n; i++)
    text_puts(out, ")");
}

void problog_write_term(Problog *p, const Clause *c, TermId id, Text *out) {
  Term t = *problog_at(p, id);
  switch (t.kind) {
  case P_VARIABLE: write_variable(p, c, t.name, out); return;
  case P_INTEGER: text_printf(out, "%lld", (long long)t.integer); return;
  case P_FLOAT: write_float(t.real, out); return;
  case P_STRING: write_string(p, &t, out); return;
  case P_LIST: write_list(p, c, id, out); return;
  default: break;
  }
  const char *name = problog_text(p, t.name);
  if (!strcmp(name, "[]") && !t.count) {
    text_puts(out, "()");
    return;
  }
  if (!problog_plain_name(name))
    problog_error(p, t.place, "values are computed by `is`; other terms have plain names",
                  "the term '%s' is not supported", name);
  problog_write_atom(p, c, name, id, out);
}

void problog_write_atom(Problog *p, const Clause *c, const char *predicate, TermId atom,
                        Text *out) {
  uint32_t n = problog_at(p, atom)->count;
  text_puts(out, predicate);
  for (uint32_t i = 0; i < n; i++) {
    text_puts(out, i ? "," : "(");
    problog_write_term(p, c, problog_argument(p, atom, i), out);
  }
  text_puts(out, n ? ")" : "");
}

void problog_write_variables(Problog *p, const Clause *c, const Variables *v, Text *out) {
  for (size_t i = 0; i < v->n; i++) {
    text_puts(out, i ? "," : "(");
    write_variable(p, c, v->at[i], out);
  }
  text_puts(out, v->n ? ")" : "");
}

/* ---- arithmetic --------------------------------------------------------------------- */

static void write_operation(Problog *p, const Clause *c, TermId t, const char *operator,
                            void (*write)(Problog *, const Clause *, TermId, Text *), Text *out) {
  assert(problog_at(p, t)->count == 2);
  text_puts(out, "(");
  write(p, c, problog_argument(p, t, 0), out);
  text_puts(out, operator);
  write(p, c, problog_argument(p, t, 1), out);
  text_puts(out, ")");
}

/* Python's remainder has the sign of the divisor, clingo's that of the dividend. */
static void write_modulo(Problog *p, const Clause *c, TermId t, Text *out) {
  Text divisor = {0};
  problog_write_expression(p, c, problog_argument(p, t, 1), &divisor);
  text_puts(out, "(((");
  problog_write_expression(p, c, problog_argument(p, t, 0), out);
  text_printf(out, ")\\%s+%s)\\%s)", divisor.at, divisor.at, divisor.at);
  vec_free(&divisor);
}

/* a // b rounds down: (a - a mod b) / b. */
static void write_whole(Problog *p, const Clause *c, TermId t, Text *out) {
  text_puts(out, "((");
  problog_write_expression(p, c, problog_argument(p, t, 0), out);
  text_puts(out, "-");
  write_modulo(p, c, t, out);
  text_puts(out, ")/");
  problog_write_expression(p, c, problog_argument(p, t, 1), out);
  text_puts(out, ")");
}

void problog_write_expression(Problog *p, const Clause *c, TermId t, Text *out) {
  const Term *term = problog_at(p, t);
  if (term->kind == P_VARIABLE || term->kind == P_INTEGER) {
    problog_write_term(p, c, t, out);
  } else if (problog_is(p, t, "//", 2)) {
    write_whole(p, c, t, out);
  } else if (problog_is(p, t, "mod", 2)) {
    write_modulo(p, c, t, out);
  } else if (term->count == 2) {
    write_operation(p, c, t, problog_text(p, term->name), problog_write_expression, out);
  } else if (term->count == 1) {
    bool absolute = problog_is(p, t, "abs", 1);
    text_puts(out, absolute ? "|" : problog_is(p, t, "-", 1) ? "(-" : "(");
    problog_write_expression(p, c, problog_argument(p, t, 0), out);
    text_puts(out, absolute ? "|" : ")");
  }
}

void problog_write_weight(Problog *p, const Clause *c, TermId t, Text *out) {
  const Term *term = problog_at(p, t);
  if (term->kind == P_FLOAT)
    text_printf(out, "%s", NUMBER_SHORT(term->real, 17));
  else if (term->kind == P_VARIABLE || term->kind == P_INTEGER)
    problog_write_term(p, c, t, out);
  else if (term->count == 2)
    write_operation(p, c, t, problog_text(p, term->name), problog_write_weight, out);
  else if (term->count == 1) {
    text_puts(out, problog_is(p, t, "-", 1) ? "(-" : "(");
    problog_write_weight(p, c, problog_argument(p, t, 0), out);
    text_puts(out, ")");
  }
}

/* ---- literals ------------------------------------------------------------------------- */

static void write_operand(Problog *p, const Clause *c, const Literal *l, TermId t, Text *out) {
  if (!l->arithmetic)
    problog_write_term(p, c, t, out);
  else if (problog_check_expression(p, t, false))
    problog_write_expression(p, c, t, out);
}

/* A variable of this literal alone: any value will do. */
static bool is_local(const Problog *p, const Clause *c, const Literal *literal, uint32_t variable) {
  Variables v = {0};
  for (size_t i = 0; i < c->heads.n; i++)
    problog_variables(p, c->heads.at[i].head, &v);
  for (size_t i = 0; i < c->body.n; i++)
    if (&c->body.at[i] != literal)
      literal_variables(p, &c->body.at[i], &v);
  bool local = !variables_have(&v, variable);
  vec_free(&v);
  return local;
}

static void write_negated(Problog *p, const Clause *c, const Literal *l, const char *predicate,
                          Text *out) {
  const Term *atom = problog_at(p, l->left);
  text_printf(out, "not %s", predicate);
  uint32_t n = atom->count;
  for (uint32_t i = 0; i < n; i++) {
    TermId t = problog_argument(p, l->left, i);
    bool variable = problog_at(p, t)->kind == P_VARIABLE;
    text_puts(out, i ? "," : "(");
    if (variable && is_local(p, c, l, problog_at(p, t)->name))
      text_puts(out, "_");
    else
      problog_write_term(p, c, t, out);
  }
  text_puts(out, n ? ")" : "");
}

static bool write_user(Problog *p, const Clause *c, const Literal *l, bool possible, Text *out) {
  Predicate *q = problog_predicate_at(p, l->left);
  bool certain = q->exact; /* what is possible holds */
  q->wanted |= possible && !certain && q->plain && l->kind == L_ATOM;
  if (l->kind == L_NEGATED && possible && !(certain && q->plain))
    return false;
  if (l->kind == L_NEGATED)
    write_negated(p, c, l, q->text, out);
  else
    problog_write_atom(p, c, possible && !certain ? q->possible : q->text, l->left, out);
  return true;
}

bool problog_write_literal(Problog *p, const Clause *c, const Literal *l, bool possible,
                           Text *out) {
  switch (l->kind) {
  case L_COMPARE:
    write_operand(p, c, l, l->left, out);
    text_puts(out, l->relation);
    write_operand(p, c, l, l->right, out);
    return true;
  case L_IS:
    problog_write_term(p, c, l->left, out);
    text_puts(out, "=");
    if (problog_check_expression(p, l->right, false))
      problog_write_expression(p, c, l->right, out);
    return true;
  case L_BETWEEN:
    problog_write_term(p, c, l->left, out);
    text_puts(out, "=");
    if (problog_check_expression(p, l->right, false) &&
        problog_check_expression(p, l->more, false)) {
      problog_write_expression(p, c, l->right, out);
      text_puts(out, "..");
      problog_write_expression(p, c, l->more, out);
    }
    return true;
  default: return write_user(p, c, l, possible, out);
  }
}
