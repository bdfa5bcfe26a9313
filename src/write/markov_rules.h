/* markov_rules.h - rules with variables, read for their translation into Markov logic.
**
** Only what first-order logic says in the same way is read: literals over variables
** and constants, equality, choices without bounds, #domain.  Anything else makes
** the reading fail, and the ground program is written instead. */
#ifndef WRITE_MARKOV_RULES_H
#define WRITE_MARKOV_RULES_H

#include "base/memory.h"
#include "base/names.h"
#include "language/program.h"
#include "write/markov.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  bool variable;
  uint32_t id; /* in the rule's variables, or a constant of the names */
} ToMarkovTerm;

typedef enum { MLN_ATOM, MLN_EQUAL, MLN_DIFFERENT } ToMarkovKind;

typedef struct {
  ToMarkovKind kind;
  bool negated;
  uint32_t predicate;
  uint32_t first, count; /* in terms */
} ToMarkovLiteral;

typedef struct {
  char *written;
  uint32_t slot;
  bool counted; /* a parameter's name mentions it: `+x` */
} ToMarkovVariable;

typedef struct {
  const Statement *statement;
  bool soft, choice, head; /* head: the first literal is it */
  double weight;
  VEC(ToMarkovLiteral) literals;
  VEC(ToMarkovTerm) terms;
  VEC(ToMarkovVariable) variables;
  Names names; /* of variables as in the program */
} ToMarkovRule;

typedef struct {
  VEC(ToMarkovRule) rules;
  Names facts; /* names of predicates that have facts only */
} ToMarkovRules;

void to_markov_rules_free(ToMarkovRules *);

/* One soft rule, if it has variables and can be written with them; false: it was not added. */
bool to_markov_read_soft(ToMarkov *, ToMarkovRules *, const Statement *);

/* With its weight, unless that is to be learned, below a comment that is the rule. */
void to_markov_write_rule(ToMarkov *, const ToMarkovRule *);

/* False: the program must be ground.  Fills m->names from the rules. */
bool to_markov_read_rules(ToMarkov *, ToMarkovRules *);

#endif
