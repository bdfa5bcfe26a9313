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
void json_chain(Text *, uint64_t seed, const lpmln_chain *);
void json_trace(Text *, uint64_t seed, const lpmln_trace *);
void json_splitting(Text *, uint64_t seed, const lpmln_splitting *);
void json_weights(Text *, uint64_t seed, const lpmln_weights *);
void json_induction(Text *, uint64_t seed, const lpmln_induction *);
void json_comparison(Text *, uint64_t seed, const lpmln_comparison *);
void json_explanation(Text *, uint64_t seed, const lpmln_explanation *);
void json_decision(Text *, uint64_t seed, const lpmln_decision *);
void json_analysis(Text *, uint64_t seed, const lpmln_analysis *);
void json_translation(Text *, uint64_t seed, const char *target, const lpmln_translation *);
/* Of a program that was compiled, and the file that it is in now. */
void json_compiled(Text *, uint64_t seed, const lpmln_answer *, const char *file, size_t bytes);

/* There is no answer, and why.  `command`: NULL if there is none, either. */
void json_failure(Text *, const char *command, int code, const lpmln_diagnostic *, size_t count);

#endif
