/* plog.c - P-log.  An attribute a(D,Y) of &random { a(D,Y) : range(Y) } :- B.
** is an experiment E with outcomes A = (a,(D),Y):
**
**   random(E,A) :- range(Y), B.     { h(A) : random(E,A) } = 1 :- random(E,_).
**
** An outcome with &pr has its probability.  The others share what is left: with
** shares N of 1/D each, Y of them taken, and M outcomes left, each has
** (1 - Y/D) / M.  D is a common denominator, so that clingo's integers are exact.
** An intervention &do sets an outcome and takes its experiment out of account. */
#include "dialects/plingo/plingo.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "dialects/plingo/text.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_SHARES = 100000000 }; /* sums of 21 of them fit into 32 bits */

void plog_free(Plingo *p) {
  for (size_t i = 0; i < p->chances.n; i++)
    free(p->chances.at[i].text);
  vec_free(&p->chances);
}

/* ---- attributes ------------------------------------------------------------------------- */

typedef struct {
  Range whole;     /* a(D,Y) */
  Range arguments; /* D,Y */
  uint32_t last;   /* where Y starts */
  Range condition; /* range(Y) */
} Attribute;

static bool read_attribute(Plingo *p, const TheoryAtom *atom, Attribute *a) {
  PlingoText *f = &p->f;
  const Token *t = plingo_tokens(f);
  Range r = atom->elements;
  uint32_t colon = plingo_find(f, r, T_COLON);
  *a = (Attribute){.whole = {r.from, colon}, .condition = {colon < r.to ? colon + 1 : colon, r.to}};
  bool good = colon >= r.from + 4 && t[r.from].kind == T_IDENTIFIER &&
              t[r.from + 1].kind == T_OPEN && plingo_matching(f, r.from + 1) + 1 == colon &&
              plingo_find(f, r, T_SEMICOLON) == r.to;
  if (!good) {
    plingo_error(f, atom->whole, "write &random { a(X,Y) : range(Y) }, &pr { a(X,Y) } = \"1/6\"",
                 "an attribute with its value must stand in braces");
    return false;
  }
  a->arguments = (Range){r.from + 2, colon - 1};
  a->last = a->arguments.from;
  for (uint32_t comma;
       (comma = plingo_find(f, (Range){a->last, a->arguments.to}, T_COMMA)) < a->arguments.to;)
    a->last = comma + 1;
  return true;
}

/* (D), as a tuple. */
static void write_domain(const PlingoText *f, Writer *w, const Attribute *a) {
  assert(a->arguments.from <= a->last && a->last <= a->arguments.to);
  Range domain = {a->arguments.from, a->last};
  writer_puts(w, "(");
  if (!range_empty(domain)) {
    domain.to--;
    plingo_write(f, w, domain);
    writer_puts(w, plingo_find(f, domain, T_COMMA) == domain.to ? "," : "");
  }
  writer_puts(w, ")");
}

/* (a,(D),Y) */
static void write_outcome(const PlingoText *f, Writer *w, const Attribute *a) {
  writer_puts(w, "(");
  plingo_write(f, w, (Range){a->whole.from, a->whole.from + 1});
  writer_puts(w, ",");
  write_domain(f, w, a);
  writer_puts(w, ",");
  plingo_write(f, w, (Range){a->last, a->arguments.to});
  writer_puts(w, ")");
}

/* The name in parentheses, or a((D)). */
static void write_experiment(const PlingoText *f, Writer *w, const TheoryAtom *atom,
                             const Attribute *a) {
  if (!range_empty(atom->arguments)) {
    plingo_write(f, w, atom->arguments);
    return;
  }
  plingo_write(f, w, (Range){a->whole.from, a->whole.from + 1});
  writer_puts(w, "(");
  write_domain(f, w, a);
  writer_puts(w, ")");
}

static void start(Plingo *p, const char *name) {
  Text text = {0};
  text_printf(&text, "%s%s(", p->prefix, name);
  plingo_start(&p->f, &p->f.dialect->rules, text.at);
  vec_free(&text);
}

static void write_body(Plingo *p) {
  Writer *w = &p->f.dialect->rules;
  if (!range_empty(p->f.body)) {
    writer_puts(w, " :- ");
    plingo_write(&p->f, w, p->f.body);
  }
  writer_puts(w, ".\n");
}

/* ---- statements ---------------------------------------------------------------------------- */

static void read_random(Plingo *p, const TheoryAtom *atom, const Attribute *a) {
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  if (range_empty(a->condition)) {
    plingo_error(f, atom->whole, "write &random { a(X,Y) : range(Y) }",
                 "the attribute has no range");
    return;
  }
  if (!p->random)
    p->first_random = plingo_place(f, f->whole);
  p->random = true;
  start(p, "random");
  write_experiment(f, w, atom, a);
  writer_puts(w, ",");
  write_outcome(f, w, a);
  writer_puts(w, ") :- ");
  plingo_write(f, w, a->condition);
  if (!range_empty(f->body)) {
    writer_puts(w, "; ");
    plingo_write(f, w, f->body);
  }
  writer_puts(w, ".\n");
  start(p, "h");
  write_outcome(f, w, a);
  writer_puts(w, ") :- ");
  plingo_write(f, w, a->whole);
  writer_puts(w, ".\n");
  plingo_write(f, w, a->whole);
  plingo_printf(w, " :- %sh(", p->prefix);
  write_outcome(f, w, a);
  writer_puts(w, ").\n");
}

static int64_t common_divisor(int64_t a, int64_t b) {
  assert(a >= 0 && b >= 0);
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* `12`, `0.25`: digits over a power of ten; false if it is neither, or long. */
static bool read_decimal(const char **at, int64_t *numerator, int64_t *denominator) {
  bool digits = false, point = false;
  *numerator = 0, *denominator = 1;
  for (;; ++*at) {
    if (**at == '.' && !point) {
      point = true;
      continue;
    }
    if (**at < '0' || **at > '9')
      return digits;
    digits = true;
    *numerator = 10 * *numerator + (**at - '0');
    *denominator *= point ? 10 : 1;
    if (*numerator > MOST_SHARES || *denominator > MOST_SHARES)
      return false;
  }
}

/* The text as a fraction in lowest terms, 0/0 if it is none. */
static void read_fraction(const char *text, Chances *to) {
  int64_t n, d, over = 1, under = 1;
  bool good = read_decimal(&text, &n, &d);
  if (good && *text == '/') {
    text++;
    good = read_decimal(&text, &over, &under) && over;
  }
  if (!good || *text)
    return;
  n *= under, d *= over; /* at most 1e16 each */
  int64_t divisor = common_divisor(n, d);
  assert(divisor > 0);
  to->numerator = n / divisor, to->denominator = d / divisor;
}

/* The number of this probability, from 1 on; 0: it is wrong. */
static size_t read_chance(Plingo *p, const TheoryAtom *atom) {
  PlingoText *f = &p->f;
  Chances new = {0};
  if (range_empty(atom->guard)) {
    plingo_error(f, atom->whole, "write &pr { a(X,Y) } = \"1/6\"", "the probability is missing");
    return 0;
  }
  if (!plingo_number(f, atom->guard, &new.value))
    return 0;
  if (new.value < 0 || new.value > 1) {
    plingo_error(f, atom->guard, NULL, "this is no probability: it must be from 0 to 1");
    return 0;
  }
  for (size_t i = 0; i < p->chances.n; i++)
    if (p->chances.at[i].value == new.value)
      return i + 1;
  Text text = {0};
  plingo_expression(f, atom->guard, &text);
  new.text = text_take(&text);
  read_fraction(new.text, &new);
  new.place = plingo_place(f, f->whole);
  vec_push(&p->chances, new);
  return p->chances.n;
}

static void read_pr(Plingo *p, const TheoryAtom *atom, const Attribute *a) {
  Writer *w = &p->f.dialect->rules;
  size_t number = read_chance(p, atom);
  if (!number)
    return;
  start(p, "pr");
  write_experiment(&p->f, w, atom, a);
  writer_puts(w, ",");
  write_outcome(&p->f, w, a);
  plingo_printf(w, ",%zu)", number);
  write_body(p);
}

static void read_observation(Plingo *p, const TheoryAtom *atom, const Attribute *a) {
  PlingoText *f = &p->f;
  Writer *w = &f->dialect->rules;
  Range guard = atom->guard;
  bool denied = !range_empty(guard) && plingo_is(f, guard.from, "false");
  if (!range_empty(guard) &&
      (guard.to != guard.from + 1 || (!denied && !plingo_is(f, guard.from, "true")))) {
    plingo_error(f, guard, NULL, "an attribute is observed to be true or false");
    return;
  }
  if (!p->observed)
    p->first_observed = plingo_place(f, f->whole);
  p->observed = true;
  start(p, "obs");
  write_outcome(f, w, a);
  writer_puts(w, denied ? ",false)" : ",true)");
  write_body(p);
}

static void read_do(Plingo *p, const Attribute *a) {
  p->done = true;
  start(p, "do");
  write_outcome(&p->f, &p->f.dialect->rules, a);
  writer_puts(&p->f.dialect->rules, ")");
  write_body(p);
}

void plog_statement(Plingo *p, const TheoryAtom *atom) {
  Attribute a;
  if (!read_attribute(p, atom, &a))
    return;
  if (plingo_find(&p->f, atom->arguments, T_COMMA) < atom->arguments.to)
    plingo_error(&p->f, atom->arguments, NULL, "an experiment has one name");
  else if (plingo_is(&p->f, atom->name, "random"))
    read_random(p, atom, &a);
  else if (plingo_is(&p->f, atom->name, "pr"))
    read_pr(p, atom, &a);
  else if (plingo_is(&p->f, atom->name, "obs"))
    read_observation(p, atom, &a);
  else
    read_do(p, &a);
}

/* ---- what they mean -------------------------------------------------------------- */

/* The least common denominator, or a large one and a warning. */
static int64_t common_denominator(Plingo *p) {
  int64_t shares = 1;
  for (size_t i = 0; i < p->chances.n && shares <= MOST_SHARES; i++) {
    int64_t d = p->chances.at[i].denominator;
    bool fits = d && d <= MOST_SHARES;
    shares = fits ? shares / common_divisor(shares, d) * d : INT64_MAX;
  }
  if (shares <= MOST_SHARES)
    return shares;
  diagnose_warning(
      program_said(p->f.dialect->program), NOWHERE, "fractions with small denominators are exact",
      "what &pr leaves to other outcomes is rounded to multiples of 1/%d", MOST_SHARES);
  return MOST_SHARES;
}

/* Rules, a line each, about a place; $ is the prefix. */
static void put(Plingo *p, Writer *w, Place place, const char *rules) {
  for (bool starts = true; *rules; starts = *rules++ == '\n') {
    if (starts)
      writer_place(w, place, "");
    if (*rules == '$')
      writer_puts(w, p->prefix);
    else
      text_add(&w->text, rules, 1);
  }
}

__attribute__((format(printf, 3, 4))) static void put_rules(Plingo *p, Place place,
                                                            const char *format, ...) {
  Text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  put(p, &p->f.dialect->rules, place, text.at);
  vec_free(&text);
}

static void put_chances(Plingo *p, int64_t shares) {
  assert(shares > 0 && shares <= MOST_SHARES);
  for (size_t i = 0; i < p->chances.n; i++) {
    const Chances *c = &p->chances.at[i];
    put_rules(p, c->place, "$share(%zu,%.0f).\n", i + 1, round(c->value * (double)shares));
    if (c->value > 0)
      put_rules(p, c->place, "-@log(%s) : :- $chosen(E,%zu), $active(E).\n", c->text, i + 1);
    else
      put_rules(p, c->place, ":- $chosen(E,%zu), $active(E).\n", i + 1);
  }
}

static void put_default(Plingo *p) {
  int64_t shares = common_denominator(p);
  put_rules(
      p, p->first_random,
      "$default(E) :- $active(E), not $chosen(E,_).\n"
      "$chosen(E,K) :- $random(E,A), $h(A), $pr(E,A,K).\n"
      "$taken(E,Y) :- $default(E), Y = #sum { N,A,K : $random(E,A), $pr(E,A,K), $share(K,N) }.\n"
      "$left(E,M) :- $default(E), M = #count { A : $random(E,A), not $pr(E,A,_) }.\n"
      "-@log((%" PRId64 "-Y)/%" PRId64 ") : :- $taken(E,Y), Y < %" PRId64 ".\n"
      ":- $taken(E,Y), Y >= %" PRId64 ".\n",
      shares, shares, shares, shares);
  put_chances(p, shares);
}

static void hide(Plingo *p) {
  static const char *const names[] = {"random", "h",      "pr",      "obs",   "do",   "set",
                                      "active", "chosen", "default", "taken", "left", "share"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Text name = {0};
    text_printf(&name, "%s%s", p->prefix, names[i]);
    dialect_hide(p->f.dialect, name.at);
    vec_free(&name);
  }
}

static void put_experiments(Plingo *p) {
  Place place = p->first_random;
  put_rules(p, place, "{ $h(A) : $random(E,A) } = 1 :- $random(E,_).\n");
  if (p->done)
    put_rules(p, place,
              "$h(A) :- $do(A).\n$set(P,X) :- $do((P,X,_)).\n"
              "$active(E) :- $random(E,(P,X,_)), not $set(P,X).\n");
  else
    put_rules(p, place, "$active(E) :- $random(E,_).\n");
  if (p->chances.n)
    put_default(p);
  else
    put_rules(p, place, "$left(E,M) :- $active(E), M = #count { A : $random(E,A) }.\n");
  put_rules(p, place, "@log(M) : :- $left(E,M), M > 0.\n:- $left(_,0).\n");
}

void plog_finish(Plingo *p) {
  if (p->random)
    put_experiments(p);
  else if (p->chances.n || p->done)
    diagnose_warning(program_said(p->f.dialect->program),
                     p->chances.n ? p->chances.at[0].place : NOWHERE, NULL,
                     "there is no &random: &pr and &do have nothing to act upon");
  if (p->observed)
    put(p, &p->f.dialect->evidence, p->first_observed,
        ":- not $h(A), $obs(A,true).\n:- $h(A), $obs(A,false).\n");
  hide(p);
}
