/* criterion.h - which of the compared programs has the lowest criterion. */
#ifndef REPORT_CRITERION_H
#define REPORT_CRITERION_H

#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>

#define SAME_CRITERION 1e-4 /* what is printed the same is the same */

static inline bool lowest_aic(const lpmln_comparison *a, const lpmln_compared *m) {
  for (size_t i = 0; i < a->count; i++)
    if (m->aic > a->models[i].aic + SAME_CRITERION)
      return false;
  return true;
}

static inline bool lowest_bic(const lpmln_comparison *a, const lpmln_compared *m) {
  for (size_t i = 0; i < a->count; i++)
    if (m->bic > a->models[i].bic + SAME_CRITERION)
      return false;
  return true;
}

#endif
