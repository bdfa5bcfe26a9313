/* must.h - what the fuzzers check with. */
#ifndef FUZZ_MUST_H
#define FUZZ_MUST_H

#include "base/source.h"

#include <stdio.h>
#include <stdlib.h>

#define must(condition) ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))

static _Noreturn void broken(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

static void check_place(const Sources *s, Place place) {
  if (place.source == NONE_SOURCE)
    return;
  must(place.source < s->list.n);
  must(place.offset <= s->list.at[place.source].length);
  must(place.length <= s->list.at[place.source].length - place.offset);
}

#endif
