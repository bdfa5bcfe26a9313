/* body.c - bodies: goals become literals that clingo knows, one clause
** after the other; what is nested becomes clauses of its own. */
#include "dialects/problog/problog.h"

#include "base/memory.h"
#include "base/source.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What ProbLog has and clingo has not. */
static const struct {
  const char *name;
  int arity; /* -1: any */
  const char *reason;
} refused[] = {
    {"!", 0, "cuts have no meaning for probabilities; ProbLog has none either"},
    {"->", 2, "write (c, a ; \\+c, b)"},
    {"=>", 2, "aggregates are not supported"},
    {"=..", 2, "terms can't be taken apart by name here"},
    {"findall", 3, "clingo can't collect solutions into a list"},
    {"findall_forward", -1, "clingo can't collect solutions into a list"},
    {"all", 3, "clingo can't collect solutions into a list"},
    {"all_or_none", 3, "clingo can't collect solutions into a list"},
    {"bagof", 3, "clingo can't collect solutions into a list"},
    {"setof", 3, "clingo can't collect solutions into a list"},
    {"aggregate", -1, "aggregates are not supported"},
    {"subquery", -1, "a probability can't be used inside of the program"},
    {"clause", -1, "a program can't look at its own clauses here"},
    {"assertz", 1, "a program can't change itself here"},
    {"assert", 1, "a program can't change itself here"},
    {"asserta", 1, "a program can't change itself here"},
    {"retract", 1, "a program can't change itself here"},
    {"cut", -1, "the first solution is no matter of logic"},
    {"once", 1, "the first solution is no matter of logic"},
    {"write", 1, "remove it: nothing is printed here"},
    {"writeln", 1, "remove it: nothing is printed here"},
    {"print", 1, "remove it: nothing is printed here"},
    {"nl", 0, "remove it: nothing is printed here"},
    {"var", 1, "all variables have values here"},
    {"nonvar", 1, "all variables have values here"},
    {"ground", 1, "all variables have values here"},
    {"functor", 3, "terms can't be taken apart by name here"},
    {"arg", 3, "terms can't be taken apart by name here"},
    {"copy_term", 2, "all variables have values here"},
    {"sort", 2, "clingo can't sort"},
    {"msort", 2, "clingo can't sort"},
    {"@<", 2, "the order of terms differs"},
    {"@>", 2, "the order of terms differs"},
    {"@=<", 2, "the order of terms differs"},
    {"@>=", 2, "the order of terms differs"},
    {":", 2, "scopes are not supported"},
    {"::", 2, "a probability stands in front of a head"},
};

/* Prolog's comparisons, clingo's, and their opposites. */
static const struct {
  const char *prolog, *clingo, *opposite;
  bool arithmetic;
} comparisons[] = {
    {"<", "<", ">=", true},   {">", ">", "<=", true},     {"=<", "<=", ">", true},
    {">=", ">=", "<", true},  {"=:=", "=", "!=", true},   {"=\\=", "!=", "=", true},
    {"==", "=", "!=", false}, {"\\==", "!=", "=", false}, {"\\=", "!=", "=", false},
};

static bool is_refused(Problog *p, TermId goal) {
  const Term *t = problog_at(p, goal);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strcmp(problog_text(p, t->name), refused[i].name) &&
        (refused[i].arity < 0 || (uint32_t)refused[i].arity == t->count)) {
      problog_error(p, t->place, refused[i].reason, "'%s' is not supported", refused[i].name);
      return true;
    }
  return false;
}

static bool add_goal(Problog *p, Clause *c, Bindings *b, TermId goal);

/* ---- nested goals ----------------------------------------------------------------- */

static void variables_of_clause(const Problog *p, const Clause *c, Variables *to) {
  for (size_t i = 0; i < c->heads.n; i++) {
    problog_variables(p, c->heads.at[i].head, to);
    if (c->heads.at[i].expression != NO_TERM)
      problog_variables(p, c->heads.at[i].expression, to);
  }
}

/* An atom for a nested goal: a fresh predicate over those of its variables that
** the clause has elsewhere.  All variables are handed down if the clause has an
** annotation, for each of their values is an instance of it. */
static TermId nested_atom(Problog *p, Clause *c, TermId goal) {
  Variables inside = {0}, outside = {0};
  VEC(TermId) arguments = {0};
  problog_variables(p, goal, &inside);
  variables_of_clause(p, c, &outside);
  for (size_t i = 0; i < c->goals.n; i++)
    if (c->goals.at[i] != goal)
      problog_variables(p, c->goals.at[i], &outside);
  Place place = problog_at(p, goal)->place;
  bool all = c->heads.n && c->heads.at[0].expression != NO_TERM;
  for (size_t i = 0; i < inside.n; i++)
    if (all || variables_have(&outside, inside.at[i]))
      vec_push(
          &arguments,
          problog_term(p, (Term){.kind = P_VARIABLE, .name = inside.at[i], .place = place}, NULL));
  Text name = {0};
  text_printf(&name, "nested %zu", p->clauses.n); /* with a blank: no name of the user's */
  Term term = {.kind = arguments.n ? P_COMPOUND : P_ATOM,
               .name = problog_name(p, name.at),
               .count = (uint32_t)arguments.n,
               .place = place};
  TermId atom = problog_term(p, term, arguments.at);
  vec_free(&name);
  vec_free(&arguments);
  vec_free(&inside);
  vec_free(&outside);
  return atom;
}

/* atom :- goal, with the clause's variables. */
static void add_nested(Problog *p, const Clause *c, TermId atom, TermId goal) {
  Clause made = {.variables = c->variables, .place = problog_at(p, goal)->place, .made = true};
  for (size_t i = 0; i < c->names.n; i++)
    vec_push(&made.names, c->names.at[i]);
  vec_push(&made.heads, (Alternative){.head = atom, .expression = NO_TERM});
  made.never = !problog_body(p, &made, goal);
  problog_add_clause(p, &made);
}

static TermId nest(Problog *p, Clause *c, TermId goal) {
  TermId atom = nested_atom(p, c, goal);
  if (problog_at(p, goal)->kind == P_COMPOUND &&
      !strcmp(problog_text(p, problog_at(p, goal)->name), ";")) {
    for (uint32_t i = 0; i < problog_at(p, goal)->count; i++)
      add_nested(p, c, atom, problog_argument(p, goal, i));
  } else {
    add_nested(p, c, atom, goal);
  }
  return atom;
}

/* ---- literals ----------------------------------------------------------------------- */

static bool add_atom(Problog *p, Clause *c, TermId atom, bool negated) {
  if (is_refused(p, atom))
    return false;
  uint32_t predicate = problog_predicate_of(p, atom);
  if (predicate == UINT32_MAX)
    return false;
  vec_push(&c->body, (Literal){.kind = negated ? L_NEGATED : L_ATOM,
                               .left = atom,
                               .right = NO_TERM,
                               .more = NO_TERM});
  return true;
}

static bool add_comparison(Problog *p, Clause *c, TermId goal, size_t which, bool negated) {
  assert(which < sizeof comparisons / sizeof *comparisons);
  Literal l = {.kind = L_COMPARE,
               .left = problog_argument(p, goal, 0),
               .right = problog_argument(p, goal, 1),
               .more = NO_TERM,
               .arithmetic = comparisons[which].arithmetic,
               .relation = negated ? comparisons[which].opposite : comparisons[which].clingo};
  vec_push(&c->body, l);
  return true;
}

static int comparison_of(const Problog *p, TermId goal) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (problog_is(p, goal, comparisons[i].prolog, 2))
      return (int)i;
  return -1;
}

static bool add_negated(Problog *p, Clause *c, Bindings *b, TermId goal) {
  const Term *t = problog_at(p, goal);
  int comparison = comparison_of(p, goal);
  if (problog_is(p, goal, "true", 0))
    return false;
  if (problog_is(p, goal, "fail", 0) || problog_is(p, goal, "false", 0))
    return true;
  if (comparison >= 0)
    return add_comparison(p, c, goal, (size_t)comparison, true);
  if (problog_is(p, goal, "=", 2)) {
    Literal l = {.kind = L_COMPARE,
                 .left = problog_argument(p, goal, 0),
                 .right = problog_argument(p, goal, 1),
                 .more = NO_TERM,
                 .relation = "!="};
    vec_push(&c->body, l);
    return true;
  }
  bool several = t->kind == P_COMPOUND && (!strcmp(problog_text(p, t->name), ",") ||
                                           !strcmp(problog_text(p, t->name), ";") ||
                                           !strcmp(problog_text(p, t->name), "call"));
  if (several || problog_is(p, goal, "\\+", 1) || problog_is(p, goal, "not", 1) ||
      problog_is(p, goal, "is", 2) || problog_is(p, goal, "between", 3) ||
      problog_is(p, goal, "forall", 2))
    return add_atom(p, c, nest(p, c, problog_apply(p, b, goal)), true);
  return add_atom(p, c, goal, true);
}

/* call(p(X), Y) is p(X, Y). */
static TermId called(Problog *p, TermId goal) {
  assert(problog_at(p, goal)->count);
  TermId target = problog_argument(p, goal, 0);
  Term t = *problog_at(p, target), call = *problog_at(p, goal);
  VEC(TermId) arguments = {0};
  if (t.kind != P_ATOM && t.kind != P_COMPOUND)
    return NO_TERM;
  for (uint32_t i = 0; i < t.count; i++)
    vec_push(&arguments, problog_argument(p, target, i));
  for (uint32_t i = 1; i < call.count; i++)
    vec_push(&arguments, problog_argument(p, goal, i));
  t.count = (uint32_t)arguments.n;
  t.kind = t.count ? P_COMPOUND : P_ATOM;
  t.place = call.place;
  TermId made = problog_term(p, t, arguments.at);
  vec_free(&arguments);
  return made;
}

/* forall(a, b) is \+ (a, \+ b). */
static TermId no_exception(Problog *p, TermId goal) {
  assert(problog_at(p, goal)->count == 2);
  Place place = problog_at(p, goal)->place;
  TermId condition = problog_argument(p, goal, 0), wanted = problog_argument(p, goal, 1);
  TermId exception = problog_term(
      p, (Term){.kind = P_COMPOUND, .name = problog_name(p, "\\+"), .count = 1, .place = place},
      &wanted);
  TermId both[] = {condition, exception};
  return problog_term(
      p, (Term){.kind = P_COMPOUND, .name = problog_name(p, ","), .count = 2, .place = place},
      both);
}

/* X is E: at once if E has a value. */
static bool add_is(Problog *p, Clause *c, Bindings *b, TermId goal) {
  TermId left = problog_argument(p, goal, 0),
         right = problog_apply(p, b, problog_argument(p, goal, 1));
  double value;
  bool real;
  if (problog_value(p, right, &value, &real)) {
    Term number = {.kind = real ? P_FLOAT : P_INTEGER,
                   .real = value,
                   .integer = (int64_t)value,
                   .place = problog_at(p, right)->place};
    if (!real && fabs(value) > INT32_MAX)
      problog_error(p, number.place, "clingo's integers have 32 bits", "this number is too large");
    return problog_unify(p, b, left, problog_term(p, number, NULL));
  }
  vec_push(&c->body, (Literal){.kind = L_IS, .left = left, .right = right, .more = NO_TERM});
  return true;
}

static bool add_special(Problog *p, Clause *c, Bindings *b, TermId goal, bool *holds) {
  *holds = true;
  if (problog_is(p, goal, "true", 0)) {
  } else if (problog_is(p, goal, "fail", 0) || problog_is(p, goal, "false", 0)) {
    *holds = false;
  } else if (problog_is(p, goal, "=", 2)) {
    *holds = problog_unify(p, b, problog_argument(p, goal, 0), problog_argument(p, goal, 1));
  } else if (problog_is(p, goal, "is", 2)) {
    *holds = add_is(p, c, b, goal);
  } else if (problog_is(p, goal, "between", 3)) {
    vec_push(&c->body, (Literal){.kind = L_BETWEEN,
                                 .left = problog_argument(p, goal, 2),
                                 .right = problog_argument(p, goal, 0),
                                 .more = problog_argument(p, goal, 1)});
  } else if (problog_is(p, goal, "\\+", 1) || problog_is(p, goal, "not", 1)) {
    *holds = add_negated(p, c, b, problog_argument(p, goal, 0));
  } else if (problog_is(p, goal, "forall", 2)) {
    *holds = add_negated(p, c, b, no_exception(p, goal));
  } else {
    return false;
  }
  return true;
}

static bool add_goal(Problog *p, Clause *c, Bindings *b, TermId goal) {
  bool holds;
  Term t = *problog_at(p, goal);
  if (t.kind == P_COMPOUND && !strcmp(problog_text(p, t.name), ",")) {
    for (uint32_t i = 0; i < t.count; i++)
      if (!add_goal(p, c, b, problog_argument(p, goal, i)))
        return false;
    return true;
  }
  if (add_special(p, c, b, goal, &holds))
    return holds;
  int comparison = comparison_of(p, goal);
  if (comparison >= 0)
    return add_comparison(p, c, goal, (size_t)comparison, false);
  if (t.kind == P_COMPOUND && !strcmp(problog_text(p, t.name), ";"))
    return add_atom(p, c, nest(p, c, goal), false);
  if (t.kind == P_COMPOUND && !strcmp(problog_text(p, t.name), "call")) {
    TermId target = called(p, problog_apply(p, b, goal));
    if (target != NO_TERM)
      return add_goal(p, c, b, target);
    problog_error(p, t.place, NULL, "which goal this calls is not known beforehand");
    return false;
  }
  return add_atom(p, c, goal, false);
}

void problog_settle(Problog *p, Clause *c, Bindings *b) {
  for (size_t i = 0; i < c->heads.n; i++) {
    c->heads.at[i].head = problog_apply(p, b, c->heads.at[i].head);
    if (c->heads.at[i].expression != NO_TERM)
      c->heads.at[i].expression = problog_apply(p, b, c->heads.at[i].expression);
  }
  for (size_t i = 0; i < c->body.n; i++) {
    Literal *l = &c->body.at[i];
    l->left = problog_apply(p, b, l->left);
    if (l->right != NO_TERM)
      l->right = problog_apply(p, b, l->right);
    if (l->more != NO_TERM)
      l->more = problog_apply(p, b, l->more);
  }
}

static void list_goals(Problog *p, Clause *c, TermId goal) {
  const Term *t = problog_at(p, goal);
  if (t->kind != P_COMPOUND || strcmp(problog_text(p, t->name), ",") != 0) {
    vec_push(&c->goals, goal);
    return;
  }
  for (uint32_t i = 0; i < problog_at(p, goal)->count; i++)
    list_goals(p, c, problog_argument(p, goal, i));
}

bool problog_body(Problog *p, Clause *c, TermId goal) {
  assert(goal < p->terms.n && !c->goals.n);
  Bindings b = {0};
  list_goals(p, c, goal);
  bool holds = true;
  for (size_t i = 0; holds && i < c->goals.n; i++)
    holds = add_goal(p, c, &b, c->goals.at[i]);
  problog_settle(p, c, &b);
  vec_free(&b.values);
  vec_free(&c->goals);
  return holds;
}
