/* diagnostic.c - see diagnostic.h. */
#include "base/diagnostic.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ALIKE = 100,  /* of one severity: hostile input has many errors… */
  MOST_MESSAGE = 400 /* …and long names; bytes */
};

static void forget(Diagnostic *d) {
  free(d->message);
  free(d->hint);
}

void diagnostics_keep(Diagnostics *d, size_t count, unsigned errors) {
  assert(errors <= d->errors);
  assert(count <= d->list.n);
  while (d->list.n > count)
    forget(&d->list.at[--d->list.n]);
  d->errors = errors;
}

void diagnostics_free(Diagnostics *d) {
  diagnostics_keep(d, 0, 0);
  vec_free(&d->list);
}

/* Cuts a long message, but no character of it in two. */
static void shorten(Text *text) {
  if (text->n <= MOST_MESSAGE)
    return;
  text->n = MOST_MESSAGE;
  while (((unsigned char)text->at[text->n] & 0xc0) == 0x80)
    text->n--;
  text_puts(text, "…");
}

/* A note is about what is everywhere alike: it is said once, wherever that is. */
static bool said_already(const Diagnostics *d, lpmln_severity severity, Place place,
                         const char *message) {
  for (size_t i = 0; i < d->list.n; i++) {
    const Diagnostic *r = &d->list.at[i];
    bool here = r->place.source == place.source && r->place.offset == place.offset;
    if (r->severity == severity && (here || severity == LPMLN_NOTE) && !strcmp(r->message, message))
      return true;
  }
  return false;
}

static size_t count_of(const Diagnostics *d, lpmln_severity severity) {
  size_t count = 0;
  for (size_t i = 0; i < d->list.n; i++)
    count += d->list.at[i].severity == severity;
  return count;
}

/* What is one too many is replaced by a word about it. */
static void add(Diagnostics *d, lpmln_severity severity, Place place, char *hint,
                const char *format, va_list arguments) {
  assert(d->sources || place.source == NONE_SOURCE);
  assert(severity <= LPMLN_ERROR && format);
  static const char *const names[] = {"notes", "warnings", "errors"};
  size_t alike = count_of(d, severity);
  place = source_origin(d->sources, place);
  Text text = {0};
  d->errors += severity == LPMLN_ERROR;
  if (alike < MOST_ALIKE)
    text_vprintf(&text, format, arguments);
  else
    text_printf(&text, "there are more %s than these %d", names[severity], MOST_ALIKE);
  shorten(&text);
  if (alike > MOST_ALIKE || said_already(d, severity, place, text.at)) {
    vec_free(&text);
    free(hint);
    return;
  }
  Diagnostic r = {severity, place, text_take(&text), hint};
  if (alike == MOST_ALIKE) {
    free(hint);
    r.place = NOWHERE, r.hint = NULL;
  }
  vec_push(&d->list, r);
}

void diagnose(Diagnostics *d, lpmln_severity severity, Place place, const char *hint,
              const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *copy = hint ? memory_copy(hint, strlen(hint)) : NULL;
  add(d, severity, place, copy, format, arguments);
  va_end(arguments);
}

void diagnose_hinted(Diagnostics *d, lpmln_severity severity, Place place, char *hint,
                     const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(d, severity, place, hint, format, arguments);
  va_end(arguments);
}
