/* rule.c - clauses as rules with weights.
**
** `p::h :- b` has a fresh soft fact for each of its ground instances, and the hard
** rule h :- b, fact.  The fact itself must not depend on b, or else weights would
** count differently when b does not hold: it stands over what is certain of b, or
** over what is possible.  An annotated disjunction is a chain of such facts: the
** first head with its probability, the second with its share of the rest… */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "dialects/dialect.h"
#include "language/instance.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Problog *p;
  uint32_t number;      /* of the clause */
  const char *domain;   /* has a value for each variable; may be empty */
  const char *rest;     /* the part of the body that is not certain */
  Text before;          /* `not f1(X); not f2(X)` */
  double left;          /* probability that the heads so far leave */
  Text left_text;       /* the same as an expression, if it has variables; or empty */
  const char *previous; /* the parameter before, in a chain; NULL: none */
  Variables variables;
} Choosing;

static const Clause *clause_of(const Choosing *x) { return &x->p->clauses.at[x->number]; }

void clause_variables(const Problog *p, const Clause *c, Variables *to) {
  for (size_t i = 0; i < c->heads.n; i++) {
    problog_variables(p, c->heads.at[i].head, to);
    if (c->heads.at[i].kind == A_EXPRESSION)
      problog_variables(p, c->heads.at[i].expression, to);
  }
  for (size_t i = 0; i < c->body.n; i++)
    if (c->body.at[i].kind != L_NEGATED) /* their own variables are local */
      literal_variables(p, &c->body.at[i], to);
}

void problog_put(Problog *p, const Clause *c, Text *rule) {
  assert(rule->n);
  writer_place(&p->dialect->rules, c->place, rule->at);
  writer_puts(&p->dialect->rules, "\n");
  vec_free(rule);
}

/* `; ` between parts that are there. */
static void join(Text *to, const char *part) {
  if (part && *part)
    text_printf(to, "%s%s", to->n ? "; " : "", part);
}

static void put_rule(Problog *p, const Clause *c, const char *weight, const char *head,
                     const char *body) {
  Text rule = {0};
  text_printf(&rule, "%s%s%s%s.", weight, head, *body ? " :- " : "", body);
  problog_put(p, c, &rule);
}

static void write_double(double value, Text *to) { text_puts(to, number_close(value, 1, 0).text); }

static char *head_text(const Choosing *x, const Alternative *a) {
  Text text = {0};
  Predicate *q = problog_predicate_at(x->p, a->head);
  problog_write_atom(x->p, clause_of(x), q->text, a->head, &text);
  q->written = true;
  return text_take(&text);
}

/* h :- body, when no earlier head was chosen. */
static void put_head(Choosing *x, const Alternative *a, const char *body) {
  Text all = {0};
  char *head = head_text(x, a);
  join(&all, body);
  join(&all, x->before.n ? x->before.at : "");
  join(&all, x->rest);
  put_rule(x->p, clause_of(x), "", head, all.n ? all.at : "");
  vec_free(&all);
  free(head);
}

/* ---- parameters ------------------------------------------------------------------------ */

/* @w(NAME, START) for the share of the rest that this head gets.  `last`: it gets
** all of it, and has no parameter. */
static void write_parameter(Choosing *x, const Alternative *a, double share, bool chained,
                            bool last, Text *weight) {
  Text functor = {0}, arguments = {0};
  problog_name_parameter(x->p, clause_of(x), a, chained, &functor, &arguments);
  dialect_chance(x->p->dialect, functor.at, x->previous, x->left, last);
  if (!last) {
    text_printf(weight, "@w(%s%s", functor.at, arguments.n ? arguments.at : "");
    if (chained || !isnan(a->probability)) {
      text_puts(weight, ", @logit(");
      write_double(share, weight);
      text_puts(weight, ")");
    }
    text_puts(weight, ") ");
  }
  uint32_t kept = names_add(&x->p->names, functor.at, functor.n);
  x->previous = problog_text(x->p, kept);
  vec_free(&functor);
  vec_free(&arguments);
}

/* ---- choices ---------------------------------------------------------------------------- */

static void write_weight(Choosing *x, const Alternative *a, Text *weight) {
  text_puts(weight, "@logit(");
  if (x->left_text.n || a->kind == A_EXPRESSION) {
    problog_write_weight(x->p, clause_of(x), a->expression, weight);
    if (x->left_text.n)
      text_printf(weight, "/(1%s)", x->left_text.at);
  } else {
    write_double(a->probability / x->left, weight);
  }
  text_puts(weight, ") ");
}

/* The fact of this head, and the rules that use it. */
static void choose(Choosing *x, const Alternative *a, const char *weight, bool direct) {
  Problog *p = x->p;
  char *head = head_text(x, a);
  if (direct) {
    put_rule(p, clause_of(x), weight, head, x->domain);
    free(head);
    return;
  }
  Text stem = {0}, fact = {0};
  text_printf(&stem, "%s_%u", problog_predicate_at(p, a->head)->text, x->number + 1);
  char *name = problog_fresh(p, stem.at);
  dialect_hide(p->dialect, name);
  text_puts(&fact, name);
  problog_write_variables(p, clause_of(x), &x->variables, &fact);
  put_rule(p, clause_of(x), weight, fact.at, x->domain);
  put_head(x, a, fact.at);
  Text negated = {0};
  text_printf(&negated, "not %s", fact.at);
  join(&x->before, negated.at);
  vec_free(&negated);
  vec_free(&fact);
  vec_free(&stem);
  free(name);
  free(head);
}

static void choose_number(Choosing *x, const Alternative *a, bool direct) {
  assert(a->kind == A_NUMBER && a->probability >= 0 && a->probability <= 1);
  Text weight = {0};
  double rounding = clause_of(x)->heads.n > 1 ? 1e-14 : 0; /* of several that add up to 1 */
  if (a->probability <= 0)
    return;
  if (!x->left_text.n && x->left - a->probability <= rounding) {
    if (x->left > rounding)
      put_head(x, a, x->domain);
    x->left = 0;
    return;
  }
  write_weight(x, a, &weight);
  choose(x, a, weight.at, direct);
  x->left -= a->probability;
  if (x->left_text.n)
    text_printf(&x->left_text, "-%s", NUMBER_SHORT(a->probability, 17));
  vec_free(&weight);
}

static void choose_expression(Choosing *x, const Alternative *a, bool direct) {
  assert(a->kind == A_EXPRESSION);
  Text weight = {0};
  if (!x->left_text.n && x->left < 1)
    text_printf(&x->left_text, "-%s", NUMBER_SHORT(1 - x->left, 17));
  write_weight(x, a, &weight);
  choose(x, a, weight.at, direct);
  text_puts(&x->left_text, "-(");
  problog_write_weight(x->p, clause_of(x), a->expression, &x->left_text);
  text_puts(&x->left_text, ")");
  vec_free(&weight);
}

/* Parameters of one disjunction share what the others leave; all of it. */
static void choose_parameters(Choosing *x, bool direct) {
  const Clause *c = clause_of(x);
  uint32_t count = 0, done = 0;
  double starts = 0, rest;
  for (size_t i = 0; i < c->heads.n; i++)
    if (c->heads.at[i].kind == A_PARAMETER)
      count++, starts += c->heads.at[i].probability; /* NAN if one has none */
  rest = starts;
  for (size_t i = 0; i < clause_of(x)->heads.n; i++) {
    Alternative a = clause_of(x)->heads.at[i];
    if (a.kind != A_PARAMETER)
      continue;
    bool chained = clause_of(x)->heads.n > 1, last = chained && ++done == count;
    double share = !chained                       ? a.probability
                   : isnan(starts) || starts <= 0 ? 1.0 / (count - done + 1)
                                                  : a.probability / rest;
    rest -= a.probability;
    Text weight = {0};
    text_puts(&weight, "");
    write_parameter(x, &a, fmin(fmax(share, 1e-6), 1 - 1e-6), chained, last, &weight);
    if (last)
      put_head(x, &a, x->domain);
    else
      choose(x, &a, weight.at, direct);
    vec_free(&weight);
  }
}

/* `rest`: what of the body is not part of the domain.  Numbers first, then
** what has variables, then parameters: the order of heads has no meaning. */
static void write_choice(Problog *p, uint32_t number, const char *domain, const char *rest) {
  Choosing x = {.p = p, .number = number, .domain = domain, .rest = rest, .left = 1};
  const Clause *c = clause_of(&x);
  clause_variables(p, c, &x.variables);
  bool direct = c->heads.n == 1 && !*rest && problog_predicate_at(p, c->heads.at[0].head)->direct;
  if (c->heads.n == 1 && c->heads.at[0].kind == A_NONE)
    put_head(&x, &c->heads.at[0], domain);
  for (size_t i = 0; i < clause_of(&x)->heads.n; i++)
    if (clause_of(&x)->heads.at[i].kind == A_NUMBER) {
      Alternative a = clause_of(&x)->heads.at[i];
      choose_number(&x, &a, direct);
    }
  for (size_t i = 0; i < clause_of(&x)->heads.n; i++)
    if (clause_of(&x)->heads.at[i].kind == A_EXPRESSION) {
      Alternative a = clause_of(&x)->heads.at[i];
      choose_expression(&x, &a, direct);
    }
  choose_parameters(&x, direct);
  vec_free(&x.before);
  vec_free(&x.left_text);
  vec_free(&x.variables);
}

/* ---- plain clauses ----------------------------------------------------------------------- */

static bool is_certain(Problog *p, const Literal *l, bool called) {
  if (l->kind != L_ATOM && l->kind != L_NEGATED)
    return true;
  const Predicate *q = problog_predicate_at(p, l->left);
  return q->exact && !(called && l->kind == L_NEGATED && !q->plain);
}

/* The literals that are certain (or those that are not), as they are. */
static void write_part(Problog *p, uint32_t clause, bool certain, bool called, Text *to) {
  for (size_t i = 0; i < p->clauses.at[clause].body.n; i++) {
    Literal *l = &p->clauses.at[clause].body.at[i];
    if (is_certain(p, l, called) != certain)
      continue;
    text_puts(to, to->n ? "; " : "");
    problog_write_literal(p, &p->clauses.at[clause], l, false, to);
  }
}

/* The whole body with what is possible in place of what is not certain. */
static void write_possible(Problog *p, uint32_t clause, Text *to) {
  for (size_t i = 0; i < p->clauses.at[clause].body.n; i++) {
    Text literal = {0};
    if (problog_write_literal(p, &p->clauses.at[clause], &p->clauses.at[clause].body.at[i], true,
                              &literal))
      join(to, literal.at);
    vec_free(&literal);
  }
}

/* Does the certain part give a value to each variable? */
static bool certain_binds(Problog *p, const Clause *c) {
  Variables all = {0}, bound = {0};
  clause_variables(p, c, &all);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < c->body.n; i++)
      if (is_certain(p, &c->body.at[i], false))
        more |= literal_binds(p, &c->body.at[i], &bound);
  }
  bool binds = true;
  for (size_t i = 0; i < all.n; i++)
    binds &= variables_have(&bound, all.at[i]);
  vec_free(&all);
  vec_free(&bound);
  return binds;
}

static void write_plain(Problog *p, uint32_t number) {
  assert(p->clauses.at[number].heads.n && !p->clauses.at[number].never);
  problog_guard_clause(p, number);
  const Clause *c = &p->clauses.at[number];
  Text domain = {0}, rest = {0};
  text_puts(&domain, ""), text_puts(&rest, "");
  bool annotated = c->heads.n > 1 || c->heads.at[0].kind != A_NONE;
  if (annotated && !certain_binds(p, c))
    write_possible(p, number, &domain);
  else
    write_part(p, number, true, false, &domain);
  write_part(p, number, false, false, &rest);
  write_choice(p, number, domain.at, rest.at);
  vec_free(&domain);
  vec_free(&rest);
}

void problog_instances(Problog *p, uint32_t clause, const char *domain, bool called) {
  Text rest = {0};
  text_puts(&rest, "");
  write_part(p, clause, false, called, &rest);
  write_choice(p, clause, domain, rest.at);
  vec_free(&rest);
}

/* possible_h :- what is possible of the body. */
static void write_possible_rules(Problog *p, uint32_t predicate) {
  assert(p->predicates.at[predicate].possible);
  for (size_t k = 0; k < p->predicates.at[predicate].clauses.n; k++) {
    uint32_t number = p->predicates.at[predicate].clauses.at[k];
    for (size_t i = 0; !p->clauses.at[number].never && i < p->clauses.at[number].heads.n; i++) {
      const Alternative *a = &p->clauses.at[number].heads.at[i];
      if (problog_predicate_of(p, a->head) != predicate ||
          (a->kind == A_NUMBER && a->probability <= 0))
        continue;
      Text head = {0}, body = {0};
      text_puts(&body, "");
      problog_write_atom(p, &p->clauses.at[number], p->predicates.at[predicate].possible, a->head,
                         &head);
      write_possible(p, number, &body);
      put_rule(p, &p->clauses.at[number], "", head.at, body.at);
      vec_free(&head);
      vec_free(&body);
    }
  }
}

/* No rule is fine: clingo need not wonder. */
static void declare(Problog *p, const char *predicate, uint32_t arity) {
  Text text = {0};
  text_printf(&text, "#defined %s/%u.\n", predicate, arity);
  writer_puts(&p->dialect->rules, text.at);
  vec_free(&text);
}

void problog_rules(Problog *p) {
  for (uint32_t i = 0; i < p->clauses.n; i++) {
    const Clause *c = &p->clauses.at[i];
    bool plain = c->heads.n && !c->never;
    for (size_t k = 0; k < c->heads.n; k++)
      plain &= problog_predicate_at(p, c->heads.at[k].head)->plain;
    if (plain)
      write_plain(p, i);
  }
}

/* Last, because more is wanted on the way. */
void problog_possible(Problog *p) {
  bool *done = memory_zero(p->predicates.n, sizeof *done);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->predicates.n; i++)
      if (p->predicates.at[i].wanted && !done[i]) {
        done[i] = more = true;
        write_possible_rules(p, i);
      }
  }
  for (uint32_t i = 0; i < p->predicates.n; i++) {
    const Predicate *q = &p->predicates.at[i];
    if (!q->written)
      declare(p, q->text, q->arity);
    if (!q->written && q->possible)
      declare(p, q->possible, q->arity);
  }
  free(done);
}
