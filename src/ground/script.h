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
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* Marker predicates: prefix and one letter. */
#define MARK_SOFT 's'      /* (rule, parameter name or 0, variables…) */
#define MARK_HARD 'h'      /* the same for hard rules, if these are violable */
#define MARK_VIOLATION 'v' /* (block, statement): an observation is violated */
#define MARK_LISTED 'l'    /* (block, atom): listed as observed */
#define MARK_PARAMETER 'p' /* (rule, parameter name), whatever its instances */
#define MARK_BASE 'b'      /* base predicates of transitive closures, and a number */
#define MARK_NEVER 'x'     /* false; see write_companion in script.c */
#define MARK_QUERY 'q'     /* (query, atom) or (query, variables…) */

typedef struct {
  uint32_t statement;
  char **variables; /* owned; in the order of the marker's arguments */
  uint32_t count;
} Marked;

typedef struct {
  Writer writer;
  char *prefix;
  VEC(Marked) rules;   /* by the markers' rule numbers, soft and hard */
  VEC(Marked) queries; /* by query number */
} Script;

typedef struct {
  bool violable;
  bool closed_world;
} ScriptOptions;

void script_make(const Program *, Diagnostics *, ScriptOptions, Script *);
void script_free(Script *);

/* The literal that an observation says holds, and whether it is negated: of `a.`,
** `not a.`, `:- not a.` and `:- a.`; false for longer constraints. */
bool script_observed(const Program *, const Statement *, Range *atom, bool *negated);

/* A name that no name of the user's starts with: the stem, or the stem and a
** number, and then an underscore if `prefix`. */
char *fresh_name(const Program *, const char *stem, bool prefix);

/* Is the query one atom (then its marker carries the atom), or a signature? */
bool query_is_atom(const Program *, const Statement *);
bool query_is_signature(const Program *, const Statement *);

#endif
