/* source.c - see source.h. */
#include "base/source.h"

#include "base/input.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void sources_free(Sources *s) {
  for (size_t i = 0; i < s->list.n; i++) {
    Source *source = &s->list.at[i];
    free(source->name);
    if (source->view)
      munmap(source->view, source->viewed);
    else
      free(source->bytes);
    vec_free(&s->list.at[i].map);
  }
  vec_free(&s->list);
  *s = (Sources){0};
}

/* A byte order mark, as some editors and spreadsheets write, is no part of the text. */
static size_t mark_of(const char *bytes, size_t length) {
  return length < 3 || memcmp(bytes, "\xef\xbb\xbf", 3) ? 0 : 3;
}

static uint32_t add(Sources *s, const char *name, Source source) {
  vec_push(&s->list, source);
  s->list.at[s->list.n - 1].name = memory_copy(name, strlen(name));
  return (uint32_t)(s->list.n - 1);
}

uint32_t source_add(Sources *s, const char *name, char *bytes, size_t length) {
  assert(name && bytes && !bytes[length]);
  size_t mark = mark_of(bytes, length);
  memmove(bytes, bytes + mark, length + 1 - mark);
  return add(s, name, (Source){.bytes = bytes, .length = length - mark});
}

bool source_names_table(const char *name) {
  static const char *const endings[] = {".csv", ".tsv", ".csv.gz", ".tsv.gz"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && !strcmp(name + length - ending, endings[i]))
      return true;
  }
  return false;
}

uint32_t source_read(Sources *s, const char *path) {
  Spool text = {0};
  if (!input_read(path, &text))
    return NONE_SOURCE;
  const char *name = strcmp(path, "-") != 0 ? path : "<stdin>";
  size_t length = spool_length(&text);
  if (!text.view)
    return source_add(s, name, text_take(&text.text), length);
  size_t mark = mark_of(text.view, length);
  return add(s, name,
             (Source){.view = text.view,
                      .viewed = length + 1,
                      .bytes = text.view + mark,
                      .length = length - mark});
}

void source_forget(const Source *s, size_t before) {
  enum { PAGE = 1 << 16 }; /* no system has larger ones */
  assert(before <= s->length);
  if (s->view)
    (void)madvise(s->view, ((size_t)(s->bytes - (char *)s->view) + before) / PAGE * PAGE,
                  MADV_DONTNEED);
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
  if (p.length && source->bytes[p.start + p.length - 1] == '\r')
    p.length--; /* as editors of another system end lines */
  assert(p.start <= offset && p.column >= 1 && p.start + p.length <= source->length);
  return p;
}
