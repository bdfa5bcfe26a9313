/* problog.h - what the parts of the ProbLog front end share.
**
** lex.c and parse.c read Prolog terms, clause.c makes
** clauses of them: annotations, heads, and bodies without disjunctions or nested
** negations.  plan.c finds out what each predicate needs, and the others
** write LPMLN: term.c terms, rule.c rules and weights,
** call.c what is computed from the queries on.
**
** Terms and clauses live in flat pools and are named by their index; nesting is
** bounded when a term is made (MOST_DEPTH), so that recursion over terms is safe. */
#ifndef DIALECTS_PROBLOG_PROBLOG_H
#define DIALECTS_PROBLOG_PROBLOG_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_DEPTH = 200, MOST_CLAUSES = 4000000, MOST_ALTERNATIVES = 1000 };

typedef enum {
  P_VARIABLE, /* name: its number within the clause */
  P_ATOM,     /* name: in names; `[]` too */
  P_INTEGER,
  P_FLOAT,
  P_STRING,   /* name: in names, quotes included: "abc", or 'a b' */
  P_COMPOUND, /* name, arguments; `,` and `;` have two or more */
  P_LIST      /* elements, and last the tail */
} TermKind;

typedef uint32_t TermId;

#define NO_TERM UINT32_MAX

typedef struct {
  TermKind kind;
  uint32_t name;
  uint32_t first, count; /* in arguments */
  uint32_t depth;
  int64_t integer;
  double real;
  Place place;
} Term;

typedef enum { L_ATOM, L_NEGATED, L_COMPARE, L_IS, L_BETWEEN } LiteralKind;

/* One conjunct of a body.  ATOM, NEGATED: left is the atom.  COMPARE: left
** `relation` right, of clingo; IS: left has the value of right; BETWEEN: left is
** an integer from right to more. */
typedef struct {
  LiteralKind kind;
  TermId left, right, more;
  const char *relation;
  bool arithmetic; /* of COMPARE: both sides are computed */
} Literal;

typedef VEC(Literal) Literals;

typedef enum { A_NONE, A_NUMBER, A_EXPRESSION, A_PARAMETER } AnnotationKind;

typedef struct {
  TermId head;
  AnnotationKind kind;
  double probability; /* of NUMBER, and the start of PARAMETER (NAN: none) */
  TermId expression;  /* of EXPRESSION; of PARAMETER: t(…) itself */
} Alternative;

/* heads <- body.  One head without annotation: a plain clause.  All variables
** have numbers below `variables`. */
typedef struct {
  VEC(Alternative) heads;
  Literals body;
  uint32_t variables;
  VEC(uint32_t) names; /* by variable: in names; `_` is the number of "_" */
  VEC(TermId) goals;   /* of the body, while it is read */
  Place place;
  bool made;  /* by us: for what was nested in a body */
  bool never; /* its body can't hold */
} Clause;

typedef struct {
  uint32_t name, arity;  /* name: in names */
  VEC(uint32_t) clauses; /* that have it in a head */
  bool defined;          /* has clauses, or is declared */
  bool denied;           /* some clause has its negation in a head */
  bool random;           /* depends on a choice */
  bool plain;            /* clingo can compute all of it; else it is computed when called */
  bool exact;            /* not random, and what is possible is what holds */
  bool direct;           /* soft rules may have its atoms as heads */
  bool written;          /* a rule has it in its head */
  bool wanted;           /* a plain one: its possible atoms are needed */
  uint32_t component;    /* of the dependency graph */
  char *text;            /* in our program; owned */
  char *possible;        /* the predicate of what may hold; owned, NULL if exact */
  VEC(char *) calls;     /* by call pattern: `bf…`, owned… */
  VEC(char *) called;    /* …and its predicate, owned */
} Predicate;

/* A query or an observation.  The clause has no heads: its body restricts the
** variables of a query. */
typedef struct {
  TermId atom;
  bool positive;
  uint32_t clause;
} Asked;

typedef VEC(Asked) AskedList;

typedef struct {
  Dialect *dialect;
  Sources *sources;
  Names names;
  VEC(Term) terms;
  VEC(TermId) arguments;
  VEC(Clause) clauses;
  VEC(Predicate) predicates;
  Names signatures; /* name/arity: numbers of predicates */
  Names used;       /* names of our program that are taken */
  Names parameters; /* names of parameters that are taken */
  AskedList queries, evidence;
  AskedList observed; /* of all observations and tests: they are asked, too */
  bool unknown_fails;
  bool failed; /* an error was reported */
} Problog;

/* lex.c */
typedef enum {
  PT_ATOM,
  PT_QUOTED,
  PT_STRING,
  PT_VARIABLE,
  PT_INTEGER,
  PT_FLOAT,
  PT_PUNCTUATION,
  PT_STOP,
  PT_DASHES,
  PT_END
} PTokenKind;

typedef struct {
  PTokenKind kind;
  uint32_t offset, length;
  bool functor; /* `(` follows directly */
} PToken;

typedef VEC(PToken) PTokens;

void problog_lex(Problog *, uint32_t source, bool dashes, PTokens *);

/* parse.c: a text as terms, one for each clause. */
typedef struct {
  TermId term;
  uint32_t variables;
  uint32_t first_name; /* in variable_names */
  Place place;         /* without the full stop */
  bool dashes;         /* no clause: a separator of observations */
} Sentence;

typedef struct {
  VEC(Sentence) list;
  VEC(uint32_t) variable_names; /* in names */
} Sentences;

void problog_parse(Problog *, uint32_t source, bool dashes, Sentences *);
void sentences_free(Sentences *);

TermId problog_term(Problog *, Term, const TermId *arguments);
uint32_t problog_name(Problog *, const char *text);

/* unify.c: what the variables of a clause stand for. */
typedef struct {
  VEC(TermId) values; /* by variable; NO_TERM: nothing */
} Bindings;

bool problog_unify(Problog *, Bindings *, TermId, TermId);
TermId problog_apply(Problog *, const Bindings *, TermId);

/* The variables of a term, in order, each once. */
typedef VEC(uint32_t) Variables;
void problog_variables(const Problog *, TermId, Variables *);
/* Whether all variables of the term are among these. */
bool problog_bound(const Problog *, TermId, const Variables *bound);
static inline bool variables_have(const Variables *v, uint32_t name) {
  for (size_t i = 0; i < v->n; i++)
    if (v->at[i] == name)
      return true;
  return false;
}
static inline void variables_add(Variables *v, uint32_t name) {
  if (!variables_have(v, name))
    vec_push(v, name);
}

/* number.c: a term without variables as a number, if it is one. */
bool problog_value(const Problog *, TermId, double *value, bool *real);
/* Says what clingo can't compute; `real`: it is a weight, not clingo's. */
bool problog_check_expression(Problog *, TermId, bool real);

/* body.c: adds the conjuncts of a goal; false if it can never hold (or
** after an error).  Made clauses stand for what is nested. */
bool problog_body(Problog *, Clause *, TermId goal);
void problog_settle(Problog *, Clause *, Bindings *); /* applies bindings to all of it */

/* clause.c */
void problog_clauses(Problog *, const Sentences *);
bool problog_check_head(Problog *, TermId); /* may it be defined? */

/* deny.c: the atom that stands for a head \+a, NO_TERM after an error; what
** it means for a, once all clauses have been read. */
TermId problog_negative_head(Problog *, TermId);
void problog_deny(Problog *);

/* clause.c again. */
/* Observations: what they ask for, and, once predicates have names, their text. */
void problog_observe(Problog *, const Sentences *, bool blocks);
void problog_write_observations(Problog *, const Sentences *, Writer *);
void clause_free(Clause *);
uint32_t problog_add_clause(Problog *, Clause *); /* takes it */
uint32_t problog_predicate(Problog *, uint32_t name, uint32_t arity);
uint32_t problog_predicate_of(Problog *, TermId atom); /* an atom's; UINT32_MAX after an error */
/* The predicate of an atom.  It moves when another one is added. */
Predicate *problog_predicate_at(Problog *, TermId atom);
bool problog_ground(const Problog *, TermId);

/* library.c: adds the clauses of library predicates that are used. */
void problog_library(Problog *);

/* plan.c */
void problog_plan(Problog *);

/* The variables that a literal has, and those that it gives values to if `bound`
** have theirs. */
void literal_variables(const Problog *, const Literal *, Variables *);
bool literal_binds(const Problog *, const Literal *, Variables *bound);

/* A name of our own that nothing else has: the stem, or the stem and a number. */
char *problog_fresh(Problog *, const char *stem);

/* Is it a name of clingo's as it stands? */
bool problog_plain_name(const char *);

/* term.c.  The clause gives the variables' names; NULL: there are none. */
void problog_write_term(Problog *, const Clause *, TermId, Text *);
void problog_write_atom(Problog *, const Clause *, const char *predicate, TermId atom, Text *);
void problog_write_variables(Problog *, const Clause *, const Variables *,
                             Text *); /* (X,Y), or nothing */
void problog_write_expression(Problog *, const Clause *, TermId, Text *);
void problog_write_weight(Problog *, const Clause *, TermId,
                          Text *); /* the same for real numbers */

/* How a literal is written: as it is, or as what is possible (then it may vanish:
** false). */
bool problog_write_literal(Problog *, const Clause *, const Literal *, bool possible, Text *);

/* parameter.c: a name of its own.  `chained`: its disjunction has others. */
void problog_name_parameter(Problog *, const Clause *, const Alternative *, bool chained,
                            Text *functor, Text *arguments);

/* rule.c: rules that clingo computes on its own; the weighted part of a
** clause, given a text that has a value for each of its variables. */
void problog_rules(Problog *);
void problog_possible(Problog *); /* of predicates that were wanted on the way */
void problog_instances(Problog *, uint32_t clause, const char *domain, bool called);
void clause_variables(const Problog *, const Clause *, Variables *);

/* guard.c: rules that say when arithmetic goes wrong; of a literal, under a
** condition that gives values to its variables (each of them needs it once), or of
** a whole plain clause. */
void problog_guard(Problog *, uint32_t clause, const Literal *, const char *condition,
                   Variables *guarded);
void problog_guard_clause(Problog *, uint32_t clause);

/* call.c: rules for the others, from the queries on; queries, evidence. */
void problog_calls(Problog *);

/* Writes a rule that stands for the clause. */
void problog_put(Problog *, const Clause *, Text *);

static inline const char *problog_text(const Problog *p, uint32_t name) {
  return p->names.list.at[name];
}
static inline const Term *problog_at(const Problog *p, TermId t) { return &p->terms.at[t]; }
static inline TermId problog_argument(const Problog *p, TermId t, uint32_t i) {
  return p->arguments.at[p->terms.at[t].first + i];
}
bool problog_is(const Problog *, TermId, const char *name, uint32_t arity);

#define problog_error(p, place, hint, ...)                                        \
  (diagnose_error(program_said((p)->dialect->program), place, hint, __VA_ARGS__), \
   (p)->failed = true)

/* display.c: shows a predicate as this text; writes an atom as ProbLog's users do. */
void problog_rename(Program *, const char *predicate, const char *text);
void problog_display(const Program *, const char *atom, Text *);

#endif
