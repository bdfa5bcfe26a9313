/* json.h - answers for programs: one JSON object each, as INTERFACE says. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "lpmln/lpmln.h"

#include <stdio.h>

/* False if memory is out.  `seed` is part of every object. */
bool json_inference(FILE *, uint64_t seed, const lpmln_inference *);
bool json_models(FILE *, const char *command, uint64_t seed, const lpmln_models *, bool count);
bool json_samples(FILE *, uint64_t seed, const lpmln_samples *);
bool json_learning(FILE *, uint64_t seed, const lpmln_learning *);
bool json_analysis(FILE *, uint64_t seed, const lpmln_analysis *);

#endif
