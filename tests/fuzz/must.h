/* must.h - what the fuzzers check with. */
#ifndef FUZZ_MUST_H
#define FUZZ_MUST_H

#include "base/diagnostic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define must(condition) ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))

static _Noreturn void broken(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

static inline void check_place(const Sources *s, Place place) {
  if (place.source == NONE_SOURCE)
    return;
  must(place.source < s->list.n);
  must(place.offset <= s->list.at[place.source].length);
  must(place.length <= s->list.at[place.source].length - place.offset);
}

/* Whole, in the texts, and counted. */
static inline void check_diagnostics(const Diagnostics *said, const Sources *s) {
  size_t errors = 0;
  for (size_t i = 0; i < said->list.n; i++) {
    const Diagnostic *d = &said->list.at[i];
    check_place(s, d->place);
    must(d->message && strlen(d->message) < 1000);
    errors += d->severity == LPMLN_ERROR;
    if (d->place.source != NONE_SOURCE)
      must(source_position(&s->list.at[d->place.source], d->place.offset).line);
  }
  must((errors > 0) == (said->errors > 0));
  must(said->list.n <= 400);
}

#endif
