/* residual.h - what is left of a theory after some inputs are decided.
**
** A residual is a list of rules in the format of theory.h, over atoms that are
** still open; atoms that must become true (but are not derived yet) stand
** first, as constraints `not a`.  Simplifying propagates a decision to its
** end: unit constraints, derived facts, unfounded atoms, and what a needed atom
** needs in turn; it drops definitions that nobody asks for and rules that
** others subsume, and splits the rest into parts that share no atom.
**
** Each part has a key: a sum of hashes of its rules, 128 bits, so that parts
** reached on different ways are recognised.  Hashes are made of random codes of
** literals, drawn from a digest of the theory: two different parts of n have equal
** keys with probability n^2 / 2^129 about, and nobody can choose the program so that
** they do.
**
** Residuals stand on one stack of words; the caller pops them.
**
** In a long chain of a program a decision has effects near by only.  What has
** not been touched, the rest, then is not in the words at all: it is a range of
** groups of rules, in the order of the theory, and simplifying pulls in those
** that mention an atom with a value.  About the rest one assumes nothing: its
** atoms are possible, and what it mentions is relevant. */
#ifndef COMPILE_RESIDUAL_H
#define COMPILE_RESIDUAL_H

#include "base/memory.h"
#include "compile/theory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESIDUAL_OPEN, RESIDUAL_TRUE, RESIDUAL_FALSE };

typedef struct {
  uint64_t word[2];
} ResidualKey;

typedef struct {
  size_t begin, end;    /* in words */
  uint32_t next, limit; /* groups of the rest that belong to it as well */
  ResidualKey key;
  uint64_t order; /* a hash of the words as they stand there, for ahead.h; 0: not known */
} ResidualPart;

/* Rules of one head (or one constraint) that no decision has touched yet. */
typedef struct {
  size_t at;          /* in rest; the next group's is the end */
  uint32_t low;       /* lowest rank of its atoms */
  uint32_t inputs;    /* occurrences of inputs in the groups before it */
  ResidualKey before; /* sum over the groups before it */
} ResidualGroup;

/* A rule that survived, while parts are made. */
typedef struct {
  size_t at; /* in words */
  ResidualKey hash;
  uint32_t part;
} ResidualRule;

/* An atom in unit rules, while merge.c looks for cycles; its edges stand together. */
typedef struct {
  uint32_t atom, edge, edges;
  uint32_t index, low; /* of Tarjan's algorithm; index 0: not met */
  uint32_t one;        /* vertex that stands for it; itself if no other does */
} ResidualVertex;

/* Rules that mention an atom, while chase.c follows values. */
typedef struct {
  uint32_t first, count; /* in uses */
  uint32_t live;         /* rules for it that may fire */
} ResidualUse;

typedef struct {
  const Theory *theory;
  bool *output;            /* by atom: its truth must be told; the caller's */
  const uint32_t *rank;    /* by atom: the order to choose by; the caller's */
  Words words;             /* stack of residuals */
  VEC(ResidualPart) parts; /* stack of results */
  Words told;              /* literals of inputs and outputs found by the last
                           ** call, the decision itself excepted */
  /* The rest is private to residual.c. */
  uint8_t *value;                /* by atom: open, true or false */
  bool *needed;                  /* by atom: open, and must become true */
  ResidualKey *code;             /* by literal: random */
  uint32_t *loop;                /* by atom: its positive loop, as far as the question has it */
  uint32_t *stamp;               /* by atom */
  uint32_t *literal_stamp;       /* by literal */
  uint32_t *parent;              /* by atom: union-find */
  uint32_t *part;                /* by atom that is a root: number of its part */
  uint32_t clock, literal_clock; /* the newest stamps */
  void *tally;                   /* of unfold.c, by atom */
  uint32_t tally_clock;
  VEC(ResidualVertex) vertices; /* of merge.c */
  Words edges;                  /* of merge.c: vertices */
  ResidualUse *use;             /* of chase.c, by atom */
  Words uses;                   /* of chase.c: numbers of rules */
  VEC(bool) dropped;            /* of chase.c, by rule: it can't fire */
  uint32_t sweeps;              /* in this call, since values were chased */
  Words touched;                /* atoms with a value or need */
  Words pending;                /* outputs that are open */
  Words weights;                /* scratch of one weighted rule */
  VEC(size_t) offsets;          /* the rules, while they are looked at */
  VEC(size_t) todo;
  Words queue;
  VEC(ResidualRule) kept;
  VEC(ResidualPart) made;
  Words rest;
  VEC(ResidualGroup) groups; /* and one more, the end */
  uint32_t *group;           /* by atom: 1 + the group of its rules; 0: none */
  uint32_t *last;            /* by atom: 1 + the last group that mentions it */
  uint32_t reach;            /* ranks that are near */
  uint32_t next, limit;      /* the rest of the residual under way */
  uint64_t work;             /* words looked at so far, roughly: what it cost */
  size_t unfolded;           /* atoms eliminated in this call */
  size_t pulled;             /* touched atoms that were looked at for pulling */
  bool changed, conflict;
  bool reduced; /* rules were dropped: atoms of loops need not be true where they would be */
} Residual;

/* Whether the rest mentions the atom; whether its rules are there. */
static inline bool residual_in_rest(const Residual *r, uint32_t atom) {
  return r->last[atom] > r->next;
}
static inline bool residual_rules_rest(const Residual *r, uint32_t atom) {
  return r->group[atom] > r->next;
}

void residual_begin(Residual *, const Theory *);
void residual_free(Residual *);

/* Simplifies a part with the literal `decision` (THEORY_NONE: none); `fresh`: it
** is no earlier result, so its needs have not been told.  Pushes the parts that
** are left, nothing if it fails: no model. */
bool residual_simplify(Residual *, const ResidualPart *, uint32_t decision, bool fresh);

/* split.c: slices the rules words[start .. used - 1], splits them and pushes the
** parts. */
void residual_split(Residual *, size_t start, size_t used);
ResidualKey residual_rule_hash(const Residual *, const uint32_t *rule);
ResidualKey residual_need_hash(const Residual *, uint32_t atom);
void residual_key_join(ResidualKey *, const ResidualKey *);
void residual_tick(Residual *); /* a new clock */

/* window.c: makes the rules of all parts on the stack their rest, in the order of rank. */
void residual_window(Residual *);
void residual_unwindow(Residual *); /* no rest any more, and no parts */
ResidualKey residual_rest_key(const Residual *, uint32_t next, uint32_t limit);
/* Appends the groups that mention atoms with new values to the rules that end
** at `to`, and sets changed if there are any. */
size_t residual_pull(Residual *, size_t to);

/* Makes a literal hold, between sweeps.  A defined atom that must hold is only
** needed: it has to be derived all the same. */
void residual_force(Residual *, uint32_t literal);

void residual_derive(Residual *, uint32_t atom); /* a body of it holds */
/* What a body literal of a rule for `head` is: true, false or open. */
uint8_t residual_literal(const Residual *, uint32_t head, uint32_t literal);

/* chase.c: finds what follows from the values there are in words[start .. end - 1]. */
void residual_chase(Residual *, size_t start, size_t end);

/* unfold.c: eliminates definitions from the rules words[start .. used - 1],
** the top of the stack; returns their new end and sets changed if there were
** any. */
size_t residual_unfold(Residual *, size_t start, size_t used);
size_t residual_tally_size(void);

/* Whether derivations make a tree, or almost, of so many atoms with rules and so many derived
** atoms in their bodies. */
static inline bool residual_almost_tree(size_t heads, size_t reads) {
  return heads > 1 && 4 * reads <= 5 * heads;
}

/* dominate.c: drops rules for atoms that lead only where these rules come from, finds what
** loops are left, and sorts the rules; of a question that was just asked. */
size_t residual_dominate(Residual *, size_t start, size_t used);

/* merge.c: atoms that imply each other become one, as unfold.c does it; offsets
** are the rules. */
size_t residual_merge(Residual *, size_t start, size_t used);

/* choose.c: the input to branch on.  Far: the first (in the order) of those in
** rules that need nothing but inputs, where deciding derives something.  Near:
** the same if it is near the first atom of all, else the first input.  Head: of
** the heads with such rules the first one, and its first input.  First: the first
** input, whatever its rules; next: the same, of the rest as well.  Of: the same, of those
** that are marked (by atom); THEORY_NONE: there are none. */
uint32_t residual_choose_far(const Residual *, const ResidualPart *);
uint32_t residual_choose_head(const Residual *, const ResidualPart *);
uint32_t residual_choose_first(const Residual *, const ResidualPart *);
uint32_t residual_choose_next(const Residual *, const ResidualPart *);
uint32_t residual_choose_near(const Residual *, const ResidualPart *);
uint32_t residual_choose_of(const Residual *, const ResidualPart *, const bool *marked);

/* A key for anything made of numbers, or of literals by their codes, independent of their
** order. */
void residual_key_add(ResidualKey *, uint64_t salt, uint64_t number);
void residual_key_code(ResidualKey *, uint64_t salt, const ResidualKey *code);

#endif
