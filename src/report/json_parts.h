/* json_parts.h - what all answers as JSON are made of. */
#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include "base/memory.h"
#include "lpmln/lpmln.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* What every answer begins with; closing writes it and frees it. */
json_t *json_open(const char *command, uint64_t seed, const lpmln_answer *about);
void json_close(Text *to, json_t *);

json_t *json_of_real(double);           /* null if it is not finite */
json_t *json_of_text(const char *);     /* null of NULL */
json_t *json_of_sentence(const char *); /* in the words of the command line */
json_t *json_of_names(const char *const *, size_t n);
json_t *json_of_reals(const double *, size_t n);
json_t *json_of_sentences(const char *const *, size_t n);

void json_set_count(json_t *, const char *key, size_t);
void json_set_guarantee(json_t *, lpmln_guarantee, double epsilon, double doubt);

#endif
