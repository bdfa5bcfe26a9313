/* theory.h - one component of the ground program as inputs, definitions and
** constraints.
**
** This is what the search compiles.  An input is free; any other atom is true
** iff the rules derive it, where rules are stratified: negation and inputs cut
** every cycle that is not purely positive, so each assignment to the inputs
** has exactly one extension.  The stable models of the component are the
** assignments whose extension violates no constraint, one to one.
**
** The first `members` atoms are the component's, in the order of its members.
** A guessed atom a is an input; if it needs support, a twin (further on) is
** what the rules derive, and constraints say that the two agree: the twin is
** the least model of the reduct, the input is the model.
**
** Rules are words in one pool: head (THEORY_NONE: a constraint), size, the
** literals and, for a weighted body, the weights and the bound.  Those with
** the same head stand together. */
#ifndef COMPILE_THEORY_H
#define COMPILE_THEORY_H

#include "base/memory.h"
#include "base/status.h"
#include "compile/strata.h"
#include "ground/analysis.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THEORY_NONE UINT32_MAX

typedef VEC(uint32_t) Words;

/* The size word: twice the number of literals, plus one if weighted. */
static inline uint32_t rule_size(const uint32_t *rule) { return rule[1] >> 1; }
static inline bool rule_weighted(const uint32_t *rule) { return rule[1] & 1; }
static inline size_t rule_words(const uint32_t *rule) {
  return rule_weighted(rule) ? 3 + 2 * (size_t)rule_size(rule) : 2 + (size_t)rule_size(rule);
}
static inline bool rule_mentions(const uint32_t *rule, uint32_t literal) {
  for (uint32_t k = 0; k < rule_size(rule); k++)
    if (rule[2 + k] == literal)
      return true;
  return false;
}

/* A weight that is lost when a literal of the theory holds. */
typedef struct {
  uint32_t literal, weight;
} TheoryTerm;

typedef struct {
  uint32_t atoms, members;
  VEC(bool) input;    /* by atom */
  VEC(uint32_t) loop; /* by atom: its positive loop; 0: in none */
  VEC(bool) event;    /* by atom: weighted, so its truth must be told */
  VEC(uint32_t)
  rank;                 /* by atom: where in the order; inputs are branched on
                        ** lowest first */
  VEC(uint32_t) mirror; /* by atom without mirrors: see theory_add_mirrors */
  Words rules;
  size_t last; /* the rule under construction */
  VEC(TheoryTerm) terms;
} Theory; /* {0} is empty */

void theory_free(Theory *);
uint32_t theory_atom(Theory *, bool input, uint32_t loop);
/* Starts a rule; theory_literal adds to the one started last. */
void theory_rule(Theory *, uint32_t head);
void theory_literal(Theory *, uint32_t literal);
void theory_weighted(Theory *, uint32_t head, const uint32_t *literals, const uint32_t *weights,
                     uint32_t n, uint32_t bound);
/* Adds a literal, unless it is there, to the plain rule at words[rule], which is
** the last; false if the body can't hold then, or says the head. */
bool rule_add_literal(Words *, size_t rule, uint32_t literal);
/* By atom: its component in the graph of dependencies, those that it depends on lower; to be
** freed.  A list of rules by component of their heads, then by head; constraints last. */
uint32_t *rules_components(const uint32_t *rules, size_t n, uint32_t atoms);
Words rules_sorted(const uint32_t *rules, size_t n, const uint32_t *component);
/* Groups rules by head, definitions before their uses, constraints last. */
void theory_seal(Theory *);

/* Re-checks every rule and term; for debug builds. */
bool theory_valid(const Theory *);

/* How foundedness is expressed: twins (the least model of the reduct), or a
** quantified formula made into a decision diagram.  Head cycles always need
** the second. */
typedef enum { FOUNDED_BY_TWINS, FOUNDED_BY_FORMULA } Foundedness;

/* What a component is made from: its rules, and the position of each of the
** program's atoms in its component. */
typedef struct {
  const Ground *ground;
  const Analysis *analysis;
  const Strata *strata;
  const uint32_t *rules; /* numbers of the component's rules */
  size_t rule_count;
  const Atom *members;
  uint32_t member_count;
  const uint32_t *position; /* by atom of the program */
  const bool *first;        /* by atom of the program: see compile.h; NULL: none */
  Foundedness foundedness;
  size_t node_limit; /* of decision diagrams */
} TheorySource;

/* define.c.  LIMIT if a diagram of gelfond_lifschitz.c grew too big. */
Status theory_make(Theory *, const TheorySource *);

/* gelfond_lifschitz.c: for the loop (or head cycle) scc, rules that define a
** new atom, true iff a smaller model of the reduct exists; constrains it to be
** false.  All atoms of the scc are inputs. */
Status theory_add_minimality(Theory *, const TheorySource *, uint32_t scc);

/* alias.c: atoms that are nothing but a literal are replaced in all bodies. */
void theory_alias(Theory *);

/* Fills rank: atoms that share rules are close together. */
void theory_order(Theory *, uint64_t seed);

/* Adds an input for each member that is not one and for each event that depends
** on definitions (THEORY_NONE: others have no mirror).  No rule mentions them; a
** question that wants to know about an atom can tie its mirror to it by
** constraints, and then branch on it. */
void theory_add_mirrors(Theory *);

#endif
