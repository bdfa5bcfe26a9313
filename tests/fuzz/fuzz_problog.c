/* fuzz_problog.c - any bytes through the front end for ProbLog, for libFuzzer.
**
** An input is a program and, after a line `%%%%`, examples.  Nothing may crash; if no
** error was reported, every place of the LPMLN text is inside of its source, and the
** text is without errors, too. */
#include "language/import.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define must(condition)                                                        \
  do {                                                                         \
    if (!(condition))                                                          \
      abort();                                                                 \
  } while (0)

static void check_place(const Sources *s, Place place) {
  must(place.source == NONE_SOURCE ||
       (place.source < s->list.n && place.offset + (size_t)place.length <= s->list.at[place.source].length + 1));
}

static void check_map(const Program *p, const Writer *w) {
  size_t before = 0;
  for (size_t i = 0; i < w->map.n; i++) {
    must(w->map.at[i].at >= before && w->map.at[i].at <= w->text.n);
    before = w->map.at[i].at;
    check_place(&p->sources, w->map.at[i].place);
  }
}

/* Errors that only our own language knows: bytes in strings that are not UTF-8, and
** lists that are nested too deep as pairs. */
static bool plain(const uint8_t *bytes, size_t size) {
  size_t commas = 0;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] >= 0x80 || bytes[i] < 0x09)
      return false;
    commas += bytes[i] == ',' || bytes[i] == '(' || bytes[i] == '|';
  }
  return commas < 400;
}

static void add(Import *import, lpmln_role role, const char *name, const char *text, size_t n) {
  uint32_t source = source_add(&import->program->sources, name, memory_copy(text, n), n);
  vec_push(&import->inputs, (ImportInput){role, source});
}

static void run(Program *p, Import *import, const uint8_t *bytes, size_t size) {
  static const char mark[] = "%%%%\n";
  const char *text = (const char *)bytes, *end = size ? memmem(text, size, mark, sizeof mark - 1) : NULL;
  size_t n = end ? (size_t)(end - text) : size;
  lpmln_options options = lpmln_options_default();
  *import = (Import){.program = p, .options = &options, .blocks = size & 1};
  add(import, LPMLN_PROGRAM, "p.pl", text ? text : "", n);
  if (end)
    add(import, LPMLN_EVIDENCE, "p.ev", end + sizeof mark - 1, size - n - (sizeof mark - 1));
  import_problog(import);
  for (size_t i = 0; i < p->sources.reports.n; i++)
    check_place(&p->sources, p->sources.reports.at[i].place);
  if (p->sources.errors)
    return;
  check_map(p, &import->rules);
  check_map(p, &import->evidence);
  if (import->rules.text.n)
    program_read(p, import_source(import, &import->rules, "p.pl"), NULL);
  if (import->evidence.text.n)
    program_read_observations(p, import_source(import, &import->evidence, "p.ev"), false);
  if (import->observations.text.n)
    program_read_observations(p, import_source(import, &import->observations, "p.ev"), true);
  for (size_t i = 0; i < import->queries.n; i++)
    program_read_query(p, import_source(import, &import->queries.at[i], "p.pl"));
  must(!p->sources.errors || !plain(bytes, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Program program = {0};
  Import import = {0};
  MemoryGuard guard;
  if (!memory_guard(&guard))
    run(&program, &import, bytes, size);
  memory_unguard(&guard);
  import_free(&import);
  program_free(&program);
  return 0;
}
