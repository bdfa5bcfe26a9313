/* markov.h - Markov logic networks in Alchemy's syntax: what is inside of the
** front end dialect_markov.
**
** .mln texts declare types, predicates and weighted formulas, .db texts list ground
** atoms.  All texts are read first (constants may come from any of them), then
** written as LPMLN: each ground atom is a free choice, and a formula is a soft or
** hard constraint that is violated where the formula is false, one instance for each
** value of its free variables.
**
** Formulas are nodes in one pool, named by their numbers; a conjunction or
** disjunction has a list of children, so that long formulas are not deep ones. */
#ifndef DIALECTS_MARKOV_MARKOV_H
#define DIALECTS_MARKOV_MARKOV_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "dialects/dialect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- tokens ---------------------------------------------------------------------- */

typedef enum {
  M_NAME,    /* starts with a small letter or _: a variable, type or predicate */
  M_CAPITAL, /* starts with a capital letter: a constant or predicate */
  M_NUMBER,
  M_STRING,
  M_SIGN,    /* one of the texts below */
  M_NEWLINE, /* ends a statement */
  M_END
} MarkovKind;

typedef struct {
  MarkovKind kind;
  uint32_t offset, length;
} MarkovToken;

typedef VEC(MarkovToken) MarkovTokens;

/* Newlines inside of parentheses and next to a connective are left out. */
void markov_lex(Diagnostics *, uint32_t source, MarkovTokens *);

/* ---- the network ------------------------------------------------------------------- */

#define MARKOV_NONE UINT32_MAX

typedef struct {
  char *written;   /* the LPMLN predicate of its constants */
  Place place;     /* of the first mention */
  Names constants; /* as LPMLN terms */
} MarkovType;

typedef struct {
  char *written; /* the LPMLN predicate */
  Place place;
  VEC(uint32_t) types;
  VEC(bool) exclusive; /* by argument: one value (`!`) */
  bool functional;     /* an argument is exclusive */
  bool closed;         /* `*`: what is not listed is false */
} MarkovPredicate;

typedef struct {
  uint32_t name; /* in variables: its text */
  uint32_t type; /* MARKOV_NONE: not known yet */
  Place place;
  bool counted; /* `+x` */
  bool again;   /* not the first of this name in its formula, or like another name */
} MarkovVariable;

typedef struct {
  bool variable;
  uint32_t id; /* variable, or constant in the network's terms */
  Place place;
} MarkovTerm;

typedef enum {
  F_ATOM,
  F_COMPARE,
  F_NOT,
  F_AND,
  F_OR,
  F_IMPLIES,
  F_IFF,
  F_EXIST,
  F_FORALL
} MarkovOperation;

typedef struct {
  MarkovOperation operation;
  uint16_t depth;
  bool star;             /* an atom: as it is, and negated */
  uint32_t predicate;    /* of an atom; of a comparison: its sign's token */
  uint32_t first, count; /* in lists: children; terms of an atom or comparison;
                         ** variables of a quantifier, then its one child */
  Place place;
} MarkovNode;

typedef struct {
  uint32_t root; /* FORALL in front is taken off */
  bool hard, weighted;
  double weight;
  Place place;
  VEC(uint32_t) free; /* variables */
} MarkovFormula;

/* One observed atom. */
typedef struct {
  uint32_t input;            /* of the dialect */
  uint32_t predicate, first; /* in terms */
  bool negated;
  bool unknown; /* `?`: not observed, though all else may be */
  Place place;
} MarkovFact;

typedef struct {
  Dialect *dialect;
  Diagnostics *said;
  Names type_names;
  VEC(MarkovType) types;
  Names predicate_names;
  VEC(MarkovPredicate) predicates;
  Names constants; /* LPMLN terms */
  Names taken;     /* LPMLN predicates */
  VEC(MarkovNode) nodes;
  VEC(uint32_t) lists;
  VEC(MarkovTerm) terms;
  VEC(MarkovVariable) variables;
  Names variable_names;
  VEC(MarkovFormula) formulas;
  VEC(MarkovFact) facts;
} Markov;

/* Where the parser is. */
typedef struct {
  Markov *m;
  uint32_t source, input;
  const char *bytes;
  const MarkovToken *t;
  uint32_t now;
  VEC(uint32_t) scope;   /* variables in sight, inner ones last */
  size_t first_variable; /* of the formula */
  bool bad;              /* the statement has an error: nothing more is said */
  unsigned nesting;
} MarkovParser;

bool markov_is(const MarkovParser *, uint32_t token, const char *text);
Place markov_place(const MarkovParser *, uint32_t from, uint32_t to);
void markov_wrong(MarkovParser *, uint32_t token, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* markov.c: one text of the dialect, by its number. */
void markov_read_text(Markov *, uint32_t input, bool database);
void markov_free(Markov *);

/* terms.c: a constant as an LPMLN term; false and an error if it is none. */
bool markov_constant(MarkovParser *, uint32_t token, uint32_t *constant);
char *markov_fresh(Markov *, const char *stem);
void markov_belongs(Markov *, uint32_t constant, uint32_t type);
uint32_t markov_type(Markov *, const char *name, size_t length, Place);

/* formula.c: the formula from the current token on, with its weight. */
void markov_formula(MarkovParser *);
/* EXIST or FORALL at the current token? */
bool markov_quantifier(const MarkovParser *, bool *exist);
/* Arguments, from `(` to behind `)`; `ground`: only constants are allowed. */
void markov_arguments(MarkovParser *, bool ground);

/* types.c: finds the types of all variables, or reports. */
void markov_find_types(Markov *);

/* declare.c: everything. */
void markov_write(Markov *);

/* write.c */
void markov_write_formula(Markov *, uint32_t number);
void markov_write_atom(const Markov *, uint32_t predicate, const MarkovTerm *, uint32_t n, Text *);

static inline const MarkovNode *markov_node(const Markov *m, uint32_t n) { return &m->nodes.at[n]; }
static inline uint32_t markov_child(const Markov *m, const MarkovNode *n, uint32_t k) {
  return m->lists.at[n->first + k];
}
/* Of an atom or a comparison.  `Rains()` may be all there is: then there are no terms at all. */
static inline const MarkovTerm *markov_terms(const Markov *m, uint32_t first) {
  return m->terms.n ? m->terms.at + first : NULL;
}
/* The formula under a quantifier. */
static inline uint32_t markov_scope(const Markov *m, const MarkovNode *n) {
  return m->lists.at[n->first + n->count];
}

#endif
