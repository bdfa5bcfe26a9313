/* parse.c - Prolog tokens to terms, by operator precedence. */
#include "dialects/problog/problog.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/weight.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { XFX, XFY, YFX, FY } Kind;

static const struct {
  const char *name;
  int priority;
  Kind kind;
} operators[] = {
    {":-", 1200, XFX}, {"<-", 1200, XFX}, {"-->", 1200, XFX}, {":-", 1200, FY},
    {"?-", 1200, FY},  {";", 1100, XFY},  {"->", 1050, XFY},  {"=>", 1050, XFY},
    {",", 1000, XFY},  {"::", 999, XFX},  {"\\+", 900, FY},   {"not", 900, FY},
    {"=", 700, XFX},   {"\\=", 700, XFX}, {"==", 700, XFX},   {"\\==", 700, XFX},
    {"is", 700, XFX},  {"=:=", 700, XFX}, {"=\\=", 700, XFX}, {"<", 700, XFX},
    {"=<", 700, XFX},  {">", 700, XFX},   {">=", 700, XFX},   {"@<", 700, XFX},
    {"@=<", 700, XFX}, {"@>", 700, XFX},  {"@>=", 700, XFX},  {"=..", 700, XFX},
    {"+", 500, YFX},   {"-", 500, YFX},   {"/\\", 500, YFX},  {"\\/", 500, YFX},
    {"xor", 500, YFX}, {"*", 400, YFX},   {"/", 400, YFX},    {"//", 400, YFX},
    {"mod", 400, YFX}, {"rem", 400, YFX}, {"<<", 400, YFX},   {">>", 400, YFX},
    {"**", 200, XFX},  {"^", 200, XFY},   {":", 200, XFY},    {"-", 200, FY},
    {"+", 200, FY},    {"\\", 200, FY},
};

typedef struct {
  Problog *p;
  uint32_t source;
  const char *bytes;
  PTokens tokens;
  uint32_t now;
  Names variables; /* of the clause */
  Sentences *out;
  uint32_t variable_count;
  int depth;
  bool bad;
} Parser;

void sentences_free(Sentences *s) {
  vec_free(&s->list);
  vec_free(&s->variable_names);
}

uint32_t problog_name(Problog *p, const char *text) {
  return names_add(&p->names, text, strlen(text));
}

TermId problog_term(Problog *p, Term term, const TermId *arguments) {
  assert(arguments || !term.count);
  term.first = (uint32_t)p->arguments.n;
  term.depth = 1;
  for (uint32_t i = 0; i < term.count; i++) {
    uint32_t below = p->terms.at[arguments[i]].depth + 1;
    assert(arguments[i] < p->terms.n);
    term.depth = below > term.depth ? below : term.depth;
    vec_push(&p->arguments, arguments[i]);
  }
  if (term.depth > MOST_DEPTH && !p->failed)
    problog_error(p, term.place, NULL, "this is nested more than %d deep", MOST_DEPTH);
  vec_push(&p->terms, term);
  return (TermId)(p->terms.n - 1);
}

static const PToken *token(const Parser *x) { return &x->tokens.at[x->now]; }

static Place place_of(const Parser *x, const PToken *t) {
  return (Place){x->source, t->offset, t->length};
}

static bool is(const Parser *x, const PToken *t, const char *text) {
  return t->length == strlen(text) && !strncmp(x->bytes + t->offset, text, t->length) &&
         (t->kind == PT_ATOM || t->kind == PT_PUNCTUATION);
}

static TermId fail(Parser *x, const PToken *t, const char *what) {
  const char *text = t->kind == PT_END ? "the end" : x->bytes + t->offset;
  int length = t->kind == PT_END ? 7 : t->length > 40 ? 40 : (int)t->length;
  if (!x->bad)
    problog_error(x->p, place_of(x, t), NULL, "%s before '%.*s'", what, length, text);
  x->bad = true;
  return NO_TERM;
}

static uint32_t name_of(Parser *x, const PToken *t) {
  return names_add(&x->p->names, x->bytes + t->offset, t->length);
}

static int operator_at(const Parser *x, const PToken *t, bool prefix) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if ((operators[i].kind == FY) == prefix && is(x, t, operators[i].name))
      return (int)i;
  return -1;
}

/* From a token to the last one read. */
static Place span(const Parser *x, uint32_t from) {
  const PToken *a = &x->tokens.at[from], *b = &x->tokens.at[x->now > from ? x->now - 1 : from];
  return (Place){x->source, a->offset, b->offset + b->length - a->offset};
}

static TermId parse(Parser *x, int most);

static TermId parse_variable(Parser *x) {
  const PToken *t = token(x);
  uint32_t number;
  bool anonymous = t->length == 1 && x->bytes[t->offset] == '_';
  size_t known = x->variables.list.n;
  if (anonymous) { /* each is a variable of its own */
    char own[32];
    snprintf(own, sizeof own, "_ %u", x->variable_count);
    number = names_add(&x->variables, own, strlen(own));
  } else {
    number = names_add(&x->variables, x->bytes + t->offset, t->length);
  }
  if (number == known) {
    vec_push(&x->out->variable_names, name_of(x, t));
    x->variable_count++;
  }
  x->now++;
  return problog_term(x->p, (Term){.kind = P_VARIABLE, .name = number, .place = place_of(x, t)},
                      NULL);
}

static TermId parse_number(Parser *x, bool negative) {
  const PToken *t = token(x);
  char *text = memory_copy(x->bytes + t->offset, t->length);
  Term term = {.kind = t->kind == PT_FLOAT ? P_FLOAT : P_INTEGER, .place = place_of(x, t)};
  int base = text[0] == '0' && text[1] == 'x'   ? 16
             : text[0] == '0' && text[1] == 'o' ? 8
             : text[0] == '0' && text[1] == 'b' ? 2
                                                : 10;
  errno = 0;
  if (term.kind == P_FLOAT)
    term.real = weight_number(text, NULL);
  else
    term.integer = strtoll(text + (base == 10 ? 0 : 2), NULL, base);
  bool large = term.kind == P_INTEGER && (errno || term.integer > INT32_MAX);
  free(text);
  if (large)
    problog_error(x->p, term.place, "clingo's integers have 32 bits", "this number is too large");
  if (negative)
    term.integer = -term.integer, term.real = -term.real;
  x->now++;
  return problog_term(x->p, term, NULL);
}

/* Arguments up to a closing token, which is read, too. */
static bool parse_arguments(Parser *x, const char *close, TermId **list, uint32_t *count) {
  VEC(TermId) terms = {0};
  for (;;) {
    TermId term = parse(x, 999);
    vec_push(&terms, term);
    if (x->bad)
      break;
    bool bar = is(x, token(x), "|") && *close == ']';
    if (bar || is(x, token(x), close) || !is(x, token(x), ","))
      break;
    x->now++;
  }
  *list = terms.at;
  *count = (uint32_t)terms.n;
  if (!x->bad && !is(x, token(x), close) && !is(x, token(x), "|"))
    fail(x, token(x), *close == ')' ? "expected ',' or ')'" : "expected ',', '|' or ']'");
  return !x->bad;
}

static TermId parse_compound(Parser *x) {
  uint32_t from = x->now, count = 0;
  TermId *list = NULL, term = NO_TERM;
  uint32_t name = name_of(x, token(x));
  x->now += 2;
  if (parse_arguments(x, ")", &list, &count)) {
    if (is(x, token(x), ")"))
      x->now++;
    else
      fail(x, token(x), "expected ')'");
    term = problog_term(
        x->p, (Term){.kind = P_COMPOUND, .name = name, .count = count, .place = span(x, from)},
        list);
  }
  free(list);
  return term;
}

static TermId parse_list(Parser *x) {
  uint32_t from = x->now++, count = 0;
  VEC(TermId) all = {0};
  TermId *list = NULL, tail = NO_TERM, term = NO_TERM;
  if (is(x, token(x), "]")) {
    x->now++;
    return problog_term(
        x->p, (Term){.kind = P_ATOM, .name = problog_name(x->p, "[]"), .place = span(x, from)},
        NULL);
  }
  if (parse_arguments(x, "]", &list, &count)) {
    if (is(x, token(x), "|")) {
      x->now++;
      tail = parse(x, 999);
    } else {
      tail = problog_term(
          x->p,
          (Term){.kind = P_ATOM, .name = problog_name(x->p, "[]"), .place = place_of(x, token(x))},
          NULL);
    }
    if (!x->bad && !is(x, token(x), "]"))
      fail(x, token(x), "expected ']'");
  }
  for (uint32_t i = 0; !x->bad && i < count; i++)
    vec_push(&all, list[i]);
  vec_push(&all, tail);
  if (!x->bad) {
    x->now++;
    term = problog_term(x->p, (Term){.kind = P_LIST, .count = count + 1, .place = span(x, from)},
                        all.at);
  }
  free(list);
  vec_free(&all);
  return term;
}

static TermId parse_parenthesis(Parser *x) {
  x->now++;
  TermId term = parse(x, 1200);
  if (!x->bad && !is(x, token(x), ")"))
    return fail(x, token(x), "expected ')'");
  x->now += !x->bad;
  return term;
}

static TermId parse_prefix(Parser *x, int op, int *priority) {
  assert(operators[op].kind == FY);
  uint32_t from = x->now;
  uint32_t name = name_of(x, token(x));
  *priority = operators[op].priority;
  x->now++;
  TermId argument = parse(x, *priority);
  if (x->bad)
    return NO_TERM;
  return problog_term(x->p,
                      (Term){.kind = P_COMPOUND, .name = name, .count = 1, .place = span(x, from)},
                      &argument);
}

static bool starts_term(const Parser *x, const PToken *t) {
  if (t->kind == PT_END || t->kind == PT_STOP || t->kind == PT_DASHES)
    return false;
  if (t->kind == PT_PUNCTUATION)
    return is(x, t, "(") || is(x, t, "[");
  return operator_at(x, t, false) < 0 || operator_at(x, t, true) >= 0;
}

static TermId parse_primary(Parser *x, int most, int *priority) {
  const PToken *t = token(x), *next = t + (t->kind != PT_END);
  *priority = 0;
  if (t->kind == PT_VARIABLE)
    return parse_variable(x);
  if (t->kind == PT_INTEGER || t->kind == PT_FLOAT)
    return parse_number(x, false);
  if (is(x, t, "("))
    return parse_parenthesis(x);
  if (is(x, t, "["))
    return parse_list(x);
  if (t->kind == PT_STRING || (t->kind == PT_QUOTED && !t->functor)) {
    uint32_t name = name_of(x, t);
    x->now++;
    return problog_term(x->p, (Term){.kind = P_STRING, .name = name, .place = place_of(x, t)},
                        NULL);
  }
  if (t->kind != PT_ATOM && t->kind != PT_QUOTED)
    return fail(x, t, "expected a term");
  bool negation = is(x, t, "\\+") || is(x, t, "not"); /* \+(a, b) negates a conjunction */
  if (t->functor && !negation)
    return parse_compound(x);
  bool number = next->kind == PT_INTEGER || next->kind == PT_FLOAT;
  if (is(x, t, "-") && number && next->offset == t->offset + 1) {
    x->now++;
    return parse_number(x, true);
  }
  int op = operator_at(x, t, true);
  if (op >= 0 && operators[op].priority <= most && starts_term(x, next))
    return parse_prefix(x, op, priority);
  if (operator_at(x, t, false) >= 0)
    return fail(x, t, "expected a term");
  uint32_t name = name_of(x, t);
  x->now++;
  return problog_term(x->p, (Term){.kind = P_ATOM, .name = name, .place = place_of(x, t)}, NULL);
}

/* `a, b, c` and `a; b; c` become one term with many arguments. */
static TermId parse_chain(Parser *x, TermId left, int op, uint32_t from) {
  VEC(TermId) list = {0};
  uint32_t name = problog_name(x->p, operators[op].name);
  vec_push(&list, left);
  while (!x->bad && is(x, token(x), operators[op].name)) {
    x->now++;
    TermId next = parse(x, operators[op].priority - 1);
    vec_push(&list, next);
  }
  TermId term = x->bad ? NO_TERM
                       : problog_term(x->p,
                                      (Term){.kind = P_COMPOUND,
                                             .name = name,
                                             .count = (uint32_t)list.n,
                                             .place = span(x, from)},
                                      list.at);
  vec_free(&list);
  return term;
}

/* `s:a(X)` is an atom of the predicate s:a. */
static TermId scoped(Parser *x, TermId scope, TermId atom, uint32_t from) {
  Problog *p = x->p;
  Term t = *problog_at(p, atom);
  VEC(TermId) arguments = {0};
  Text name = {0};
  text_printf(&name, "%s:%s", problog_text(p, problog_at(p, scope)->name), problog_text(p, t.name));
  for (uint32_t i = 0; i < t.count; i++)
    vec_push(&arguments, problog_argument(p, atom, i));
  t.name = problog_name(p, name.at);
  t.place = span(x, from);
  TermId made = problog_term(p, t, arguments.at);
  vec_free(&arguments);
  vec_free(&name);
  return made;
}

static bool is_scoped(const Problog *p, uint32_t operator, TermId left, TermId right) {
  TermKind kind = problog_at(p, right)->kind;
  return !strcmp(problog_text(p, operator), ":") && problog_at(p, left)->kind == P_ATOM &&
         (kind == P_ATOM || kind == P_COMPOUND);
}

static TermId parse_infix(Parser *x, TermId left, int op, uint32_t from) {
  assert(operators[op].kind != FY && left != NO_TERM);
  int priority = operators[op].priority;
  uint32_t name = name_of(x, token(x));
  if (is(x, token(x), ",") || is(x, token(x), ";"))
    return parse_chain(x, left, op, from);
  x->now++;
  TermId right = parse(x, operators[op].kind == XFY ? priority : priority - 1);
  if (x->bad)
    return NO_TERM;
  TermId both[] = {left, right};
  if (is_scoped(x->p, name, left, right))
    return scoped(x, left, right, from);
  return problog_term(
      x->p, (Term){.kind = P_COMPOUND, .name = name, .count = 2, .place = span(x, from)}, both);
}

/* The longest term whose operators have at most this priority. */
static TermId parse(Parser *x, int most) {
  uint32_t from = x->now;
  int priority;
  if (x->bad)
    return NO_TERM;
  if (++x->depth > MOST_DEPTH)
    return fail(x, token(x), "too deeply nested");
  TermId left = parse_primary(x, most, &priority);
  while (!x->bad) {
    int op = operator_at(x, token(x), false);
    if (op < 0 || operators[op].priority > most)
      break;
    int left_most = operators[op].priority - (operators[op].kind != YFX);
    if (priority > left_most)
      break;
    left = parse_infix(x, left, op, from);
    priority = operators[op].priority;
  }
  x->depth--;
  return left;
}

static void parse_sentence(Parser *x) {
  Sentence s = {.first_name = (uint32_t)x->out->variable_names.n};
  limits_poll();
  uint32_t from = x->now;
  x->variable_count = 0;
  x->depth = 0;
  x->bad = false;
  s.term = parse(x, 1200);
  s.place = span(x, from);
  s.variables = x->variable_count;
  if (!x->bad && token(x)->kind != PT_STOP)
    fail(x, token(x), "expected an operator or a full stop");
  while (x->bad && token(x)->kind != PT_STOP && token(x)->kind != PT_END)
    x->now++;
  if (token(x)->kind == PT_STOP)
    x->now++;
  names_free(&x->variables);
  x->variables = (Names){0};
  if (!x->bad)
    vec_push(&x->out->list, s);
}

void problog_parse(Problog *p, uint32_t source, bool dashes, Sentences *out) {
  assert(source < p->sources->list.n);
  Parser x = {.p = p, .source = source, .out = out, .bytes = p->sources->list.at[source].bytes};
  problog_lex(p, source, dashes, &x.tokens);
  while (token(&x)->kind != PT_END) {
    if (token(&x)->kind == PT_DASHES) {
      vec_push(&out->list, (Sentence){.dashes = true, .place = place_of(&x, token(&x))});
      x.now++;
    } else {
      parse_sentence(&x);
    }
  }
  vec_free(&x.tokens);
}
