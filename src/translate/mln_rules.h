/* mln_rules.h - rules with variables, read for their translation into Markov logic.
**
** Only what first-order logic says in the same way is read: literals over variables
** and constants, equality, choices without bounds, #domain.  Anything else makes
** the reading fail, and the ground program is written instead. */
#ifndef TRANSLATE_MLN_RULES_H
#define TRANSLATE_MLN_RULES_H

#include "translate/mln.h"

typedef struct {
  bool variable;
  uint32_t id; /* in the rule's variables, or a constant of the names */
} MlnTerm;

typedef enum { MLN_ATOM, MLN_EQUAL, MLN_DIFFERENT } MlnKind;

typedef struct {
  MlnKind kind;
  bool negated;
  uint32_t predicate;
  uint32_t first, count; /* in terms */
} MlnLiteral;

typedef struct {
  char *written;
  uint32_t slot;
  bool counted; /* a parameter's name mentions it: `+x` */
} MlnVariable;

typedef struct {
  const Statement *statement;
  bool soft, choice, head; /* head: the first literal is it */
  double weight;
  VEC(MlnLiteral) literals;
  VEC(MlnTerm) terms;
  VEC(MlnVariable) variables;
  Names names; /* of variables as in the program */
} MlnRule;

typedef struct {
  VEC(MlnRule) rules;
  Names facts; /* names of predicates that have facts only */
} MlnRules;

void mln_rules_free(MlnRules *);

/* False: the program must be ground.  Fills m->names from the rules. */
bool mln_read_rules(Mln *, MlnRules *);

#endif
