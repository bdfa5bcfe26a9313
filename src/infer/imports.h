/* imports.h - texts of other languages on their way into the problem.
**
** They wait until all texts are read, because the files of one language make one
** program; see language/import.h. */
#ifndef INFER_IMPORTS_H
#define INFER_IMPORTS_H

#include "infer/problem.h"

/* The language of an input; a guess is a note. */
lpmln_language imports_language(lpmln *, lpmln_role, const char *name);

bool imports_foreign(const lpmln *, const Input *);

/* Keeps a text of another language; false if it is ours. */
bool imports_keep(lpmln *, lpmln_language, lpmln_role, uint32_t source);

/* Turns what was kept into program, evidence, observations and queries; then
** into observations for testing. */
void imports_read(lpmln *, bool blocks);
void imports_read_tests(lpmln *);

void imports_free(lpmln *);

#endif
