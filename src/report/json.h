/* json.h - answers for programs: one JSON object each, as docs/language.md says. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stdint.h>

/* Of answers with content.  `seed` is part of every object. */
void json_inference(Text *, uint64_t seed, const lpmln_inference *);
void json_table(Text *, uint64_t seed, const lpmln_table *); /* rows of infer */
void json_models(Text *, const char *command, uint64_t seed, const lpmln_models *, bool count);
void json_samples(Text *, uint64_t seed, const lpmln_samples *);
void json_learning(Text *, uint64_t seed, const lpmln_learning *);
void json_analysis(Text *, uint64_t seed, const lpmln_analysis *);

#endif
