/* relay.h - ground atoms that many rules derive and many bodies mention.
**
** Where rules are ground already, such as the rows of a table, the grounder joins each rule
** that derives an atom with each body that mentions it: 5,000 rules and 5,000 bodies are
** 25,000,000 pairs.  With
**     n(p(1)) :- Body.  …    p(1) :- n(p(1)).
** there are 5,000 of each.  When the ground program is put together, n(p(1)) is p(1) again
** (relay_atoms). */
#ifndef GROUND_RELAY_H
#define GROUND_RELAY_H

#include "base/names.h"
#include "ground/assembly.h"
#include "language/instance.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* The atoms, as they are written. */
void relay_find(const Program *, Names *);

/* Writes the head of the rule for the grounder if it is one of them; false if not. */
bool relay_head(Writer *, const Program *, const Names *, const char *prefix, const Statement *);
/* The rules that lead back. */
void relay_rules(Writer *, const Names *, const char *prefix);

/* Of the ground program: both are one atom. */
void relay_atoms(Assembly *);
/* Whether the rule says nothing but that. */
bool relay_rule(const Assembly *, const RawRule *);

#endif
