/* call.c - predicates that are computed from the queries on, as ProbLog
** computes all of them: a call is an atom of what has a value when a goal is
** reached, and a clause has instances only for calls (magic sets).
**
** Calls and instances are over what is possible: they do not depend on choices, so
** that clingo has computed all of them when it has grounded the program. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "language/instance.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t predicate, pattern;
} Call;

typedef struct {
  Problog *p;
  VEC(Call) open;
  VEC(char *) instance; /* by clause: the predicate of its instances, or NULL */
} Calling;

static void put(Problog *p, uint32_t clause, Text *rule) {
  problog_put(p, &p->clauses.at[clause], rule);
}

/* The pattern's number; a new one is to be computed. */
static uint32_t pattern_of(Calling *x, uint32_t predicate, const char *pattern) {
  assert(predicate < x->p->predicates.n && x->p->predicates.at[predicate].text);
  Predicate *q = &x->p->predicates.at[predicate];
  for (uint32_t i = 0; i < q->calls.n; i++)
    if (!strcmp(q->calls.at[i], pattern))
      return i;
  Text stem = {0};
  text_printf(&stem, "called_%s%s%s", q->text, *pattern ? "_" : "", pattern);
  vec_push(&q->calls, memory_copy(pattern, strlen(pattern)));
  vec_push(&q->called, problog_fresh(x->p, stem.at));
  dialect_hide(x->p->dialect, q->called.at[q->called.n - 1]);
  vec_push(&x->open, (Call){predicate, (uint32_t)(q->calls.n - 1)});
  vec_free(&stem);
  return (uint32_t)(q->calls.n - 1);
}

/* called(arguments that have a value) */
static void write_call(Calling *x, uint32_t clause, TermId atom, Call call, Text *to) {
  assert(call.pattern < x->p->predicates.at[call.predicate].called.n);
  const Predicate *q = &x->p->predicates.at[call.predicate];
  const char *pattern = q->calls.at[call.pattern];
  bool any = false;
  text_puts(to, q->called.at[call.pattern]);
  for (uint32_t i = 0; pattern[i]; i++) {
    if (pattern[i] == 'f')
      continue;
    text_puts(to, any ? "," : "(");
    problog_write_term(x->p, &x->p->clauses.at[clause], problog_argument(x->p, atom, i), to);
    any = true;
  }
  text_puts(to, any ? ")" : "");
}

/* The goal is reached with these values, under this condition. */
static void call(Calling *x, uint32_t clause, TermId atom, const Variables *bound,
                 const char *condition) {
  Problog *p = x->p;
  uint32_t predicate = problog_predicate_of(p, atom);
  if (p->predicates.at[predicate].plain)
    return;
  Text pattern = {0}, rule = {0};
  text_puts(&pattern, "");
  for (uint32_t i = 0; i < problog_at(p, atom)->count; i++)
    text_puts(&pattern, problog_bound(p, problog_argument(p, atom, i), bound) ? "b" : "f");
  Call made = {predicate, pattern_of(x, predicate, pattern.at)};
  write_call(x, clause, atom, made, &rule);
  text_printf(&rule, "%s%s.", *condition ? " :- " : "", condition);
  put(p, clause, &rule);
  vec_free(&pattern);
}

static void report_value(Problog *p, const Clause *c, uint32_t variable, Place place) {
  assert(variable < c->names.n);
  const char *name = problog_text(p, c->names.at[variable]);
  problog_error(p, place, "clingo needs values: a goal before it must give one",
                "%s has no value here", !strcmp(name, "_") ? "the variable _" : name);
}

/* A comparison needs values, and so does a negation but for variables of its own. */
static void check_values(Problog *p, const Clause *c, const Literal *l, const Variables *bound) {
  Variables v = {0};
  if (l->kind == L_COMPARE)
    literal_variables(p, l, &v);
  else if (l->kind == L_IS || l->kind == L_BETWEEN)
    problog_variables(p, l->right, &v);
  if (l->kind == L_BETWEEN)
    problog_variables(p, l->more, &v);
  for (size_t i = 0; i < v.n; i++)
    if (!variables_have(bound, v.at[i]))
      report_value(p, c, v.at[i], problog_at(p, l->left)->place);
  vec_free(&v);
}

/* Goes through a body from left to right: calls what is to be called, and writes
** what is possible of it behind `condition`. */
static void walk(Calling *x, uint32_t clause, Variables *bound, Text *condition) {
  Problog *p = x->p;
  Variables guarded = {0};
  for (size_t i = 0; i < p->clauses.at[clause].body.n; i++) {
    Literal l = p->clauses.at[clause].body.at[i];
    check_values(p, &p->clauses.at[clause], &l, bound);
    if (p->failed)
      break;
    problog_guard(p, clause, &l, condition->at, &guarded);
    if (l.kind == L_ATOM || l.kind == L_NEGATED)
      call(x, clause, l.left, bound, condition->at);
    Text literal = {0};
    if (problog_write_literal(p, &p->clauses.at[clause], &p->clauses.at[clause].body.at[i], true,
                              &literal))
      text_printf(condition, "%s%s", condition->n ? "; " : "", literal.at);
    literal_binds(p, &l, bound);
    vec_free(&literal);
  }
  vec_free(&guarded);
}

/* ---- clauses -------------------------------------------------------------------------------- */

/* The clause's instances as an atom; the first time, its rules are written. */
static void write_instance(Calling *x, uint32_t clause, const Variables *all, Text *to,
                           bool *first) {
  Problog *p = x->p;
  while (x->instance.n <= clause)
    vec_push(&x->instance, NULL);
  *first = !x->instance.at[clause];
  if (*first) {
    Text stem = {0};
    TermId head = p->clauses.at[clause].heads.at[0].head;
    text_printf(&stem, "%s_%u_instance", problog_predicate_at(p, head)->text, clause + 1);
    x->instance.at[clause] = problog_fresh(p, stem.at);
    dialect_hide(p->dialect, x->instance.at[clause]);
    vec_free(&stem);
  }
  text_puts(to, x->instance.at[clause]);
  problog_write_variables(p, &p->clauses.at[clause], all, to);
}

static void write_possible_heads(Calling *x, uint32_t clause, const char *instance) {
  Problog *p = x->p;
  for (size_t i = 0; i < p->clauses.at[clause].heads.n; i++) {
    const Alternative *a = &p->clauses.at[clause].heads.at[i];
    const Predicate *q = problog_predicate_at(p, a->head);
    if (q->exact || (a->kind == A_NUMBER && a->probability <= 0))
      continue;
    Text rule = {0};
    problog_write_atom(p, &p->clauses.at[clause], q->possible, a->head, &rule);
    text_printf(&rule, " :- %s.", instance);
    put(p, clause, &rule);
  }
}

/* The clause when its head number `head` is called. */
static void call_clause(Calling *x, uint32_t clause, size_t head, Call reason) {
  assert(head < x->p->clauses.at[clause].heads.n);
  Problog *p = x->p;
  TermId atom = p->clauses.at[clause].heads.at[head].head;
  const char *pattern = p->predicates.at[reason.predicate].calls.at[reason.pattern];
  Variables bound = {0}, all = {0};
  Text condition = {0}, instance = {0};
  bool first;
  for (uint32_t i = 0; pattern[i]; i++)
    if (pattern[i] == 'b')
      problog_variables(p, problog_argument(p, atom, i), &bound);
  write_call(x, clause, atom, reason, &condition);
  walk(x, clause, &bound, &condition);
  clause_variables(p, &p->clauses.at[clause], &all);
  for (size_t i = 0; !p->failed && i < all.n; i++)
    if (!variables_have(&bound, all.at[i]))
      report_value(p, &p->clauses.at[clause], all.at[i], p->clauses.at[clause].place);
  if (!p->failed) {
    Text rule = {0};
    write_instance(x, clause, &all, &instance, &first);
    text_printf(&rule, "%s :- %s.", instance.at, condition.at);
    put(p, clause, &rule);
    if (first) {
      write_possible_heads(x, clause, instance.at);
      problog_instances(p, clause, instance.at, true);
    }
  }
  vec_free(&bound);
  vec_free(&all);
  vec_free(&condition);
  vec_free(&instance);
}

static void call_predicate(Calling *x, Call reason) {
  Problog *p = x->p;
  for (size_t k = 0; !p->failed && k < p->predicates.at[reason.predicate].clauses.n; k++) {
    uint32_t clause = p->predicates.at[reason.predicate].clauses.at[k];
    for (size_t i = 0; !p->clauses.at[clause].never && i < p->clauses.at[clause].heads.n; i++)
      if (problog_predicate_of(p, p->clauses.at[clause].heads.at[i].head) == reason.predicate)
        call_clause(x, clause, i, reason);
  }
}

/* ---- what is asked --------------------------------------------------------------- */

static void ask(Calling *x, const Asked *asked, Text *condition) {
  Variables bound = {0};
  text_puts(condition, "");
  walk(x, asked->clause, &bound, condition);
  if (!x->p->failed)
    call(x, asked->clause, asked->atom, &bound, condition->at);
  vec_free(&bound);
}

static void write_asked(Problog *p, const Asked *asked, Text *to) {
  const Predicate *q = problog_predicate_at(p, asked->atom);
  text_puts(to, asked->positive ? "" : "not ");
  problog_write_atom(p, &p->clauses.at[asked->clause], q->text, asked->atom, to);
}

static void ask_query(Calling *x, const Asked *asked) {
  Problog *p = x->p;
  Text condition = {0}, query = {0};
  ask(x, asked, &condition);
  write_asked(p, asked, &query);
  if (condition.n)
    text_printf(&query, " :- %s", condition.at);
  if (!p->failed)
    writer_place(dialect_query(p->dialect), p->clauses.at[asked->clause].place, query.at);
  vec_free(&condition);
  vec_free(&query);
}

static void ask_observed(Calling *x, const Asked *asked, Writer *to) {
  Text condition = {0}, literal = {0};
  ask(x, asked, &condition);
  if (to && !x->p->failed) {
    write_asked(x->p, asked, &literal);
    text_puts(&literal, ".\n");
    writer_place(to, x->p->clauses.at[asked->clause].place, literal.at);
  }
  vec_free(&condition);
  vec_free(&literal);
}

/* Without a question, only what clingo computes by itself is there. */
static void check_asked(Problog *p) {
  if (p->queries.n || p->evidence.n || p->observed.n)
    return;
  for (size_t i = 0; i < p->clauses.n; i++) {
    const Clause *c = &p->clauses.at[i];
    if (c->heads.n && !c->made && !problog_predicate_at(p, c->heads.at[0].head)->plain) {
      problog_error(p, c->place, "write query(…): values then come from there",
                    "this clause does not say for which values it holds");
      return;
    }
  }
}

void problog_calls(Problog *p) {
  Calling x = {.p = p};
  check_asked(p);
  for (size_t i = 0; !p->failed && i < p->queries.n; i++)
    ask_query(&x, &p->queries.at[i]);
  for (size_t i = 0; !p->failed && i < p->evidence.n; i++)
    ask_observed(&x, &p->evidence.at[i], &p->dialect->evidence);
  for (size_t i = 0; !p->failed && i < p->observed.n; i++)
    ask_observed(&x, &p->observed.at[i], NULL);
  for (size_t i = 0; !p->failed && i < x.open.n; i++)
    call_predicate(&x, x.open.at[i]);
  for (size_t i = 0; i < x.instance.n; i++)
    free(x.instance.at[i]);
  vec_free(&x.instance);
  vec_free(&x.open);
}
