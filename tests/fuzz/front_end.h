/* front_end.h - any bytes through a front end of another language.
**
** An input is a program and, after a line `%%%%`, evidence or examples.  Nothing may
** crash; if no error was reported, every place of the LPMLN text is inside of its source,
** and the text is without errors, too. */
#ifndef FUZZ_FRONT_END_H
#define FUZZ_FRONT_END_H

#include "dialects/dialect.h"
#include "fuzz/must.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* False: our own language knows errors that the front end does not, such as bytes in
** strings that are not UTF-8.  NULL: it always may. */
typedef bool (*Plain)(const uint8_t *bytes, size_t size);

static inline bool only_ascii(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] >= 0x80 || bytes[i] < 0x09)
      return false;
  return true;
}

static void check_map(const Program *p, const Writer *w) {
  size_t before = 0;
  for (size_t i = 0; i < w->map.n; i++) {
    must(w->map.at[i].at >= before && w->map.at[i].at <= w->text.n);
    before = w->map.at[i].at;
    check_place(&p->sources, w->map.at[i].place);
  }
}

static void add_input(Dialect *dialect, lpmln_role role, const char *text, size_t n) {
  uint32_t source =
      source_add(&dialect->program->sources, "input", memory_copy(text ? text : "", n), n);
  vec_push(&dialect->inputs, (DialectInput){role, source});
}

static void read_derived(Program *p, Dialect *dialect) {
  check_map(p, &dialect->rules);
  check_map(p, &dialect->evidence);
  if (dialect->rules.text.n)
    program_read(p, dialect_source(dialect, &dialect->rules, "rules"), NULL);
  if (dialect->evidence.text.n)
    program_read_observations(p, dialect_source(dialect, &dialect->evidence, "evidence"), false);
  if (dialect->observations.text.n)
    program_read_observations(p, dialect_source(dialect, &dialect->observations, "observations"),
                              true);
  if (dialect->tests.text.n)
    program_read_observations(p, dialect_source(dialect, &dialect->tests, "tests"), true);
  for (size_t i = 0; i < dialect->queries.n; i++)
    program_read_query(p, dialect_source(dialect, &dialect->queries.at[i], "query"));
}

static void run_guarded(DialectReader read, Plain plain, Program *p, Dialect *dialect,
                        const uint8_t *bytes, size_t size) {
  static const char mark[] = "%%%%\n";
  const char *text = (const char *)bytes,
             *end = size ? memmem(text, size, mark, sizeof mark - 1) : NULL;
  size_t n = end ? (size_t)(end - text) : size;
  *dialect = (Dialect){.program = p, .problog_clauses = size & 2, .blocks = size & 1};
  add_input(dialect, LPMLN_PROGRAM, text, n);
  if (end)
    add_input(dialect, LPMLN_EVIDENCE, end + sizeof mark - 1, size - n - (sizeof mark - 1));
  read(dialect);
  check_diagnostics(&p->said, &p->sources);
  if (p->said.errors)
    return;
  read_derived(p, dialect);
  must(!p->said.errors || !plain || !plain(bytes, size));
}

static int run_front_end(DialectReader read, Plain plain, const uint8_t *bytes, size_t size) {
  Program program = {0};
  Dialect dialect = {0};
  MemoryGuard guard;
  if (!memory_guard(&guard))
    run_guarded(read, plain, &program, &dialect, bytes, size);
  memory_unguard(&guard);
  dialect_free(&dialect);
  program_free(&program);
  return 0;
}

#endif
