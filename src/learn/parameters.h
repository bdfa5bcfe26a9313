/* parameters.h - the weights to learn, in the order of first occurrence in the text.
**
** Made from a sealed ground program whose names it borrows, then only read. */
#ifndef LEARN_PARAMETERS_H
#define LEARN_PARAMETERS_H

#include "ground/ground.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t n;
  uint32_t *place;      /* in the weights of the ground program; all different */
  const char **name;    /* borrowed from the ground program */
  double *start;        /* initial value */
  double *instances;    /* of one stable model's program: ground instances */
  bool *fact;           /* all its ground instances are facts */
  uint32_t *rule_start; /* in rules; one more */
  uint32_t *rules;      /* statements, at least one of each parameter */
} Parameters;           /* {0} is none */

/* Names of parameters that keep their value. */
typedef struct {
  size_t n;
  const char *const *names;
} Fixed; /* {0} is none */

/* `weights`: by weight of the ground program, the initial values. */
void parameters_find(const Ground *, const double *weights, Fixed, Parameters *);
bool parameters_fix(Fixed, const char *name);
void parameters_free(Parameters *);

/* Re-checks every reference. */
bool parameters_valid(const Parameters *, const Ground *);

#endif
