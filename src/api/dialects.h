/* dialects.h - texts of other languages on their way into the problem.
**
** They wait until all texts are read, because the files of one language make one
** program; see language/dialect.h. */
#ifndef API_DIALECTS_H
#define API_DIALECTS_H

#include "api/problem.h"

/* The language of an input; a guess is a note. */
lpmln_language dialects_language(lpmln *, lpmln_role, const char *name);

bool dialects_foreign(const lpmln *, const Input *);

/* Keeps a text of another language; false if it is ours. */
bool dialects_keep(lpmln *, lpmln_language, lpmln_role, uint32_t source);

/* Turns what was kept into program, evidence, observations and queries; then
** into observations for testing. */
void dialects_read(lpmln *, bool blocks);
void dialects_read_tests(lpmln *);

void dialects_free(lpmln *);

#endif
