/* clusters.h - tied rules whose instances could have weights of their own.
**
** A tied rule has one parameter for all its instances.  Split by a variable, each group of its
** values has a parameter: the rule gets a literal that says which group a value is in, and the
** groups are facts. */
#ifndef API_CLUSTERS_H
#define API_CLUSTERS_H

#include "base/memory.h"
#include "ground/ground.h"
#include "language/program.h"

#include <stddef.h>
#include <stdint.h>

enum { MOST_VALUES = 30 };

/* A rule, and one of its variables. */
typedef struct {
  uint32_t statement;
  char *variable;     /* owned, as the values */
  VEC(char *) values; /* different ones, 2 to MOST_VALUES */
  size_t instances;   /* of the rule */
} TiedRule;

typedef VEC(TiedRule) TiedRules;

/* Those of a sealed ground program. */
void tied_find(const Program *, const Ground *, TiedRules *);
void tied_free(TiedRules *);

/* A tied rule with its values in groups. */
typedef struct {
  const TiedRule *rule;
  size_t *group; /* by value, from 0; owned */
  size_t groups;
} Clusters;

/* The program's rules, those of the clusters rewritten: parameter and predicate of cluster k
** are `stem`k. */
char *clusters_write(const Program *, const Clusters *, size_t n, const char *stem);

#endif
