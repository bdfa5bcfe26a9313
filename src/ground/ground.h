/* ground.h - the ground program: atoms, hard and soft rules, weights.
**
** Filled by ground_read from what the grounder said (or by a test), sealed
** once, then only read.  Sealing simplifies: afterwards every atom is certain
** (true in each stable model), impossible (false in each) or open, and rules
** mention open atoms only.  All names and rules are offsets into flat pools.
**
** Literal 2a is atom a, 2a+1 is its negation.  `not not a` was replaced by the
** grounder: as a body literal of a rule it is an auxiliary atom or a choice.
**
** A rule is hard, or it is one ground instance of a soft rule.  Soft rules are
** disjunctive (one head atom or more) or constraints, with plain bodies; the
** choice and aggregate heads of soft rules were reduced to these by
** ground_read.  A soft rule is violated iff its body holds and no head does;
** it takes part in the reduct iff it is not violated.  The weight of a stable
** model is exp(-sum of the weights of the violated instances). */
#ifndef GROUND_GROUND_H
#define GROUND_GROUND_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t Atom;
typedef uint32_t Lit;

#define NONE UINT32_MAX

static inline Lit lit_of(Atom a, bool negated) { return 2 * a + negated; }
static inline Atom lit_atom(Lit l) { return l >> 1; }
static inline bool lit_negated(Lit l) { return l & 1; }
static inline Lit lit_not(Lit l) { return l ^ 1; }

typedef enum { ATOM_OPEN, ATOM_CERTAIN, ATOM_IMPOSSIBLE } Truth;

typedef struct {
  uint32_t name; /* offset in names; NONE: an auxiliary atom */
  uint8_t truth; /* Truth, valid once sealed */
  bool shown;    /* by the program's #show statements */
} AtomInfo;

typedef struct {
  bool choice;       /* any subset of the heads may hold; never violated */
  bool weighted;     /* body: sum of the weights of true literals >= bound */
  uint32_t heads;    /* number of head atoms; 0: a constraint */
  uint32_t size;     /* number of body literals */
  uint32_t first;    /* in pool: heads, then body, then weights if weighted */
  int32_t bound;     /* if weighted; all weights are positive */
  uint32_t instance; /* in instances; NONE: a hard rule */
} Rule;

/* One ground instance of a soft rule.  Instances that can't be violated have
** no rule (their count is in SoftRule); one that always is has an empty body
** and no head. */
typedef struct {
  uint32_t soft;   /* which soft rule: in soft */
  uint32_t weight; /* in weights; NONE: of a hard rule that may be violated */
  uint32_t text;   /* in names: the substitution `X=1, Y=2`, "" if there is none */
  uint32_t values; /* in names: the same as `1,2` */
} Instance;

/* Violable hard rules are here, too. */
typedef struct {
  uint32_t statement; /* of the Program */
  uint32_t instances; /* ground instances, those that always hold included */
} SoftRule;

/* A weight shared by instances: a parameter to learn or a fixed number. */
typedef struct {
  double value;
  uint32_t name; /* in names; NONE: fixed */
  uint32_t soft; /* the first soft rule that uses it */
} Weight;

/* An atom with a text of its own.  Its truth may be known. */
typedef struct {
  uint32_t text;  /* in names */
  uint32_t first; /* which query or shown term */
  Atom atom;      /* it holds iff this atom does */
  Atom given;     /* of a query: its condition, which `atom` implies; NONE: none */
} Event;

/* What it is worth that an atom holds. */
typedef struct {
  Atom atom;
  double value;
} Utility;

/* A beginning of the program: so many atoms and rules. */
typedef struct {
  size_t atoms, rules;
} Extent;

typedef struct {
  VEC(char) names; /* NUL-terminated strings, one after the other */
  VEC(AtomInfo) atoms;
  VEC(Rule) rules;
  VEC(uint32_t) pool;
  VEC(Instance) instances;
  VEC(SoftRule) soft;
  VEC(Weight) weights;
  VEC(Event) queries;     /* answers wanted: one per ground instance */
  VEC(Event) terms;       /* shown terms (#show t : body.) */
  VEC(Event) decisions;   /* atoms to decide (#decision); `first`: their statement */
  VEC(Utility) utilities; /* of lpmln_decide alone */
  uint32_t received;      /* ground rules before simplification */
  Extent own;             /* the program itself; what follows only defines events… */
  Extent observed;        /* …those of observations first, then queries and shown terms */
  bool inconsistent;      /* a hard constraint has an empty body */
  bool sealed;
} Ground; /* {0} is an empty program */

void ground_free(Ground *);

/* Building.  Names are copied; NULL makes an auxiliary atom. */
uint32_t ground_name(Ground *, const char *bytes, size_t length);
Atom ground_atom(Ground *, const char *name);

/* The rule's pool room is allocated here and the pointer to fill in lives
** until the next call.  `heads` words, `size` literals, `size` weights. */
uint32_t *ground_rule(Ground *, Rule rule);

/* Simplifies: well-founded consequences, satisfied and useless rules.
** Stable models, their weights and instance counts do not change. */
void ground_seal(Ground *);

/* The program up to there, borrowed: it is not to be freed. */
Ground ground_view(const Ground *, Extent);

/* Of a sealed program: 1 if the literal always holds, 0 if it never does, -1 if it is open. */
int ground_truth(const Ground *, Lit);

/* Does the body hold, given the atoms that do (by atom)? */
bool ground_holds(const Ground *, const Rule *, const bool *atoms);

/* Of an instance of a soft rule: do the atoms that hold (by atom) violate it? */
bool ground_violated(const Ground *, const Rule *, const bool *atoms);

/* By how much the log weights of stable models may differ: the sum of the absolute weights of
** all instances. */
double ground_weight_range(const Ground *, const double *weights);

/* part.c: a sealed copy of a sealed program without some atoms and the rules that
** mention them.  Numbers stay; what was dropped is impossible in the copy, which has
** no queries, observations and shown terms.  `copy` is empty before. */
void ground_without(const Ground *, const bool *dropped, Ground *copy);

/* bytes.c: a sealed program as bytes, and from bytes into an empty one, which is not valid yet. */
void ground_put(const Ground *, Text *to);
void ground_get(Ground *, Bytes *from);

/* Re-checks every reference of a sealed program. */
bool ground_valid(const Ground *);

static inline const Atom *rule_heads(const Ground *g, const Rule *r) {
  return g->pool.at + r->first;
}
static inline const Lit *rule_body(const Ground *g, const Rule *r) {
  return g->pool.at + r->first + r->heads;
}
/* Of a weighted body; at most 2^31-1 each. */
static inline const uint32_t *rule_weights(const Ground *g, const Rule *r) {
  return g->pool.at + r->first + r->heads + r->size;
}
static inline const char *ground_text(const Ground *g, uint32_t name) { return g->names.at + name; }

/* The number of arguments of an atom's text, `p(1,"a,b")`. */
unsigned ground_arity(const char *atom);

#endif
