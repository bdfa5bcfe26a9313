/* source.c - see source.h. */
#include "base/source.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sources_free(Sources *s) {
  for (size_t i = 0; i < s->list.n; i++) {
    free(s->list.at[i].name);
    free(s->list.at[i].bytes);
    vec_free(&s->list.at[i].map);
  }
  vec_free(&s->list);
  *s = (Sources){0};
}

uint32_t source_add(Sources *s, const char *name, char *bytes, size_t length) {
  assert(name && bytes && !bytes[length]);
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

uint32_t source_read(Sources *s, const char *path) {
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
    errno = reason;
    return NONE_SOURCE;
  }
  size_t length = text.n;
  return source_add(s, standard ? "<stdin>" : path, text_take(&text), length);
}

Place pieces_origin(const Pieces *pieces, size_t at) {
  assert(pieces->at || !pieces->n);
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
  assert(place.source == NONE_SOURCE || place.source < s->list.n);
  while (place.source != NONE_SOURCE && s->list.at[place.source].derived) {
    Place from = pieces_origin(&s->list.at[place.source].map, place.offset);
    assert(from.source == NONE_SOURCE || from.source < place.source);
    place = from;
  }
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
  assert(p.start <= offset && p.column >= 1 && p.start + p.length <= source->length);
  return p;
}
