/* source.c - see source.h. */
#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MOST_REPORTS = 100, /* of one kind: hostile input has many errors… */
  MOST_MESSAGE = 400  /* …and long names; bytes */
};

void sources_free(Sources *s) {
  for (size_t i = 0; i < s->list.n; i++) {
    free(s->list.at[i].name);
    free(s->list.at[i].bytes);
    vec_free(&s->list.at[i].map);
  }
  for (size_t i = 0; i < s->diagnostics.n; i++) {
    free(s->diagnostics.at[i].message);
    free(s->diagnostics.at[i].hint);
  }
  vec_free(&s->list);
  vec_free(&s->diagnostics);
  *s = (Sources){0};
}

uint32_t source_add(Sources *s, const char *name, char *bytes, size_t length) {
  vec_push(&s->list, (Source){.bytes = bytes, .length = length});
  Source *added = &s->list.at[s->list.n - 1];
  added->name = memory_copy(name, strlen(name));
  return (uint32_t)(s->list.n - 1);
}

static bool read_all(FILE *file, Text *text) {
  char block[1 << 16];
  size_t got;
  while ((got = fread(block, 1, sizeof block, file)) > 0) {
    text_add(text, block, got);
    if (text->n > INT32_MAX) {
      errno = EFBIG;
      return false;
    }
  }
  return !ferror(file);
}

uint32_t source_read(Sources *s, const char *path, Place asked) {
  bool standard = !strcmp(path, "-");
  struct stat about;
  Text text = {0};
  errno = 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  bool folder = file && !fstat(fileno(file), &about) && S_ISDIR(about.st_mode);
  if (folder)
    errno = EISDIR;
  bool good = file && !folder && read_all(file, &text);
  int reason = errno;
  if (file && !standard)
    fclose(file);
  if (!good) {
    vec_free(&text);
    diagnose_error(s, asked, NULL, "can't read '%s': %s", path, strerror(reason));
    return NONE_SOURCE;
  }
  size_t length = text.n;
  return source_add(s, standard ? "<stdin>" : path, text_take(&text), length);
}

Place pieces_origin(const Pieces *pieces, size_t at) {
  size_t low = 0, high = pieces->n;
  while (low < high) { /* the last piece that starts at or before `at` */
    size_t middle = (low + high) / 2;
    if (pieces->at[middle].at <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? pieces->at[low - 1].place : NOWHERE;
}

/* A text is derived from texts that were there before it, so this ends. */
Place source_origin(const Sources *s, Place place) {
  while (place.source != NONE_SOURCE && s->list.at[place.source].derived)
    place = pieces_origin(&s->list.at[place.source].map, place.offset);
  return place;
}

Position source_position(const Source *source, uint32_t offset) {
  Position p = {.line = 1};
  if (offset > source->length)
    offset = (uint32_t)source->length;
  for (uint32_t i = 0; i < offset; i++)
    if (source->bytes[i] == '\n')
      p.line++, p.start = i + 1;
  p.column = offset - p.start + 1;
  const char *end = memchr(source->bytes + p.start, '\n', source->length - p.start);
  p.length = (uint32_t)(end ? (size_t)(end - source->bytes) : source->length) - p.start;
  return p;
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

static bool said_already(const Sources *s, lpmln_severity severity, Place place,
                         const char *message) {
  for (size_t i = 0; i < s->diagnostics.n; i++) {
    const Diagnostic *r = &s->diagnostics.at[i];
    if (r->severity == severity && r->place.source == place.source &&
        r->place.offset == place.offset && !strcmp(r->message, message))
      return true;
  }
  return false;
}

static size_t reports_of(const Sources *s, lpmln_severity severity) {
  size_t count = 0;
  for (size_t i = 0; i < s->diagnostics.n; i++)
    count += s->diagnostics.at[i].severity == severity;
  return count;
}

/* What is one too many is replaced by a word about it. */
static void add_report(Sources *s, lpmln_severity severity, Place place, char *hint,
                       const char *format, va_list arguments) {
  static const char *const names[] = {"notes", "warnings", "errors"};
  size_t alike = reports_of(s, severity);
  place = source_origin(s, place);
  Text text = {0};
  s->errors += severity == LPMLN_ERROR;
  if (alike < MOST_REPORTS)
    text_vprintf(&text, format, arguments);
  else
    text_printf(&text, "there are more %s than these %d", names[severity], MOST_REPORTS);
  shorten(&text);
  if (alike > MOST_REPORTS || said_already(s, severity, place, text.at)) {
    vec_free(&text);
    free(hint);
    return;
  }
  Diagnostic r = {severity, place, text_take(&text), hint};
  if (alike == MOST_REPORTS) {
    free(hint);
    r.place = NOWHERE, r.hint = NULL;
  }
  vec_push(&s->diagnostics, r);
}

void diagnose(Sources *s, lpmln_severity severity, Place place, const char *hint, const char *format,
            ...) {
  va_list arguments;
  va_start(arguments, format);
  char *copy = hint ? memory_copy(hint, strlen(hint)) : NULL;
  add_report(s, severity, place, copy, format, arguments);
  va_end(arguments);
}

void diagnose_hinted(Sources *s, lpmln_severity severity, Place place, char *hint, const char *format,
                   ...) {
  va_list arguments;
  va_start(arguments, format);
  add_report(s, severity, place, hint, format, arguments);
  va_end(arguments);
}
