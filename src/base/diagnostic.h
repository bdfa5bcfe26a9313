/* diagnostic.h - what there is to say about input: notes, warnings, errors.
**
** Filled while texts are read and questions answered, shown by who asked.  What
** was said already is not said again, and of many alike only the first are kept. */
#ifndef BASE_DIAGNOSTIC_H
#define BASE_DIAGNOSTIC_H

#include "base/memory.h"
#include "base/source.h"
#include "lpmln/lpmln.h"

#include <stddef.h>

typedef struct {
  lpmln_severity severity;
  Place place;          /* in a text of the user's, never in one that we made from it */
  char *message, *hint; /* owned; hint may be NULL */
} Diagnostic;

typedef struct {
  const Sources *sources; /* borrowed: what places are of */
  VEC(Diagnostic) list;
  unsigned errors;
} Diagnostics; /* {.sources = …} is empty */

void diagnostics_free(Diagnostics *);

/* Forgets all but the first `count`, which have so many errors. */
void diagnostics_keep(Diagnostics *, size_t count, unsigned errors);

/* Says something; the message is printf's, `hint` plain or NULL. */
void diagnose(Diagnostics *, lpmln_severity, Place, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#define diagnose_error(d, place, hint, ...) diagnose(d, LPMLN_ERROR, place, hint, __VA_ARGS__)
#define diagnose_warning(d, place, hint, ...) diagnose(d, LPMLN_WARNING, place, hint, __VA_ARGS__)
#define diagnose_note(d, place, hint, ...) diagnose(d, LPMLN_NOTE, place, hint, __VA_ARGS__)

/* Like diagnose, with a hint made by printf that it takes over. */
void diagnose_hinted(Diagnostics *, lpmln_severity, Place, char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
