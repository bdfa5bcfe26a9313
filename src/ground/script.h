/* script.h - the program as text for the grounder.
**
** Rules whose instances we must know again are cut in two at a marker atom
** that carries the rule's number and its global variables,
**     {s(i,NAME,X,Y)} :- Body.      Head :- s(i,NAME,X,Y).
** so that each ground choice rule tells the body of one instance and the rules
** below it tell its head; ground/read.c puts them together again.  No weight
** ever enters clingo.  Marker predicates are fresh: no name of the user's starts
** with the prefix.  Transitive closures are rewritten on the way
** (ground/closure.h). */
#ifndef GROUND_SCRIPT_H
#define GROUND_SCRIPT_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* Marker predicates: prefix and one letter. */
#define MARK_SOFT 's'      /* (rule, parameter name or 0, variables…) */
#define MARK_COIN 'c'      /* the same for coins (`p :: head`) */
#define MARK_HARD 'h'      /* the same for hard rules, if these are violable */
#define MARK_VIOLATION 'v' /* (block, statement): an observation is violated */
#define MARK_OBSERVED 'o'  /* (number): holds iff that atom does; see Looked */
#define MARK_LISTED 'l'    /* (block, atom): listed as observed */
#define MARK_PARAMETER 'p' /* (rule, parameter name), whatever its instances */
#define MARK_BASE 'b'      /* base predicates of transitive closures, and a number */
#define MARK_RELAY 'r'     /* (atom): it is that atom, see relay.h */
#define MARK_NEVER 'x'     /* false; see write_companion in script.c */
#define MARK_QUERY 'q'     /* (query, atom) or (query, variables…) */
#define MARK_GIVEN 'g'     /* (query, variables… or 0): its condition */
#define MARK_DECISION 'y'  /* (statement, atom unless it is a name): to decide */
#define MARK_UTILITY 'm'   /* (utility, 0, variables…) */
/* Of atoms that are set, see intervene.h: a predicate's number, the atom unless it is a name. */
#define MARK_SET 'd'     /* (predicate, atom) */
#define MARK_WANTED 'w'  /* (statement, predicate, atom): the same, as it was asked for */
#define MARK_DERIVED 't' /* (predicate, atom): a rule could derive it */
#define MARK_HEAD 'k'    /* (statement, variables…): an instance whose head has one… */
#define MARK_PARTLY 'u'  /* (statement): …and another atom that is not set */
/* Parts of formulas, see define.c: predicates that end in their places. */
#define MARK_FORMULA 'f' /* of rules */
#define MARK_SEEN 'e'    /* of observations */
#define MARK_ASKED 'a'   /* of queries */

typedef struct {
  uint32_t statement;
  char **variables; /* owned; in the order of the marker's arguments */
  uint32_t count;
} Marked;

/* An observation of one ground atom.  Its atom goes to the grounder once, however many
** observations are about it: these are looked up. */
typedef struct {
  uint32_t statement;
  uint32_t atom; /* in Script.atoms */
  bool negated;  /* it was seen not to hold */
} Looked;

/* A predicate that has an atom that is set. */
typedef struct {
  uint32_t statement; /* the first S_DO of it */
  uint32_t arity;
} SetPredicate;

typedef VEC(SetPredicate) SetPredicates;

typedef struct {
  Writer writer;
  char *prefix;
  VEC(Marked) rules;     /* by the markers' rule numbers, soft and hard */
  VEC(Marked) queries;   /* by query number */
  VEC(Marked) utilities; /* by utility number */
  Names atoms;           /* that are looked up, as written */
  VEC(Looked) looked;    /* in the order of the text */
  VEC(uint32_t) columns; /* of all tables, one after the other: in atoms */
  SetPredicates set;
} Script;

typedef struct {
  bool violable;
  bool closed_world;
  bool utilities;     /* for decisions; else #utility says nothing */
  const char *closed; /* of these predicates alone, `p/2,q/1`; NULL: of all */
  bool strict;        /* what is said about atoms that no rule derives is an error */
} ScriptOptions;

void script_make(const Program *, Diagnostics *, ScriptOptions, Script *);
void script_free(Script *);

/* The literal that an observation says holds, and whether it is negated: of `a.`,
** `not a.`, `:- not a.` and `:- a.`; false for longer constraints. */
bool script_observed(const Program *, const Statement *, Range *atom, bool *negated);

/* A name that no name of the user's starts with: the stem, or the stem and a
** number, and then an underscore if `prefix`. */
char *fresh_name(const Program *, const char *stem, bool prefix);

/* Does the condition of the query mention its k-th variable? */
bool query_conditioned(const Program *, const Statement *, const Marked *, uint32_t k);

/* Is the query one atom (then its marker carries the atom), or a signature? */
bool query_is_atom(const Program *, const Statement *);
bool query_is_signature(const Program *, const Statement *);

#endif
