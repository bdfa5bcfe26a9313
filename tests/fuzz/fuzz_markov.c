/* fuzz_markov.c - any bytes through the front end for Markov logic, for libFuzzer.
**
** An input is a network and, after a line `%%%%`, a database.  Nothing may crash; if
** no error was reported, the LPMLN text that comes out must be without errors, too, and
** every place inside of its source. */
#include "fuzz/must.h"
#include "language/import.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_map(const Program *p, const Writer *w) {
  size_t before = 0;
  for (size_t i = 0; i < w->map.n; i++) {
    must(w->map.at[i].at >= before && w->map.at[i].at <= w->text.n);
    before = w->map.at[i].at;
    check_place(&p->sources, w->map.at[i].place);
  }
}

/* Errors that only our own language knows: bytes in strings that are not UTF-8. */
static bool plain(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] >= 0x80 || bytes[i] < 0x09)
      return false;
  return true;
}

static void run(Program *p, Import *import, const uint8_t *bytes, size_t size) {
  static const char mark[] = "%%%%\n";
  const char *text = (const char *)bytes, *end = size ? memmem(text, size, mark, sizeof mark - 1) : NULL;
  size_t n = end ? (size_t)(end - text) : size;
  lpmln_options options = lpmln_options_default();
  *import = (Import){.program = p, .options = &options, .blocks = size & 1};
  vec_push(&import->inputs, (ImportInput){LPMLN_PROGRAM, source_add(&p->sources, "n.mln", memory_copy(text, n), n)});
  if (end) {
    size_t rest = size - n - (sizeof mark - 1);
    uint32_t source = source_add(&p->sources, "n.db", memory_copy(end + sizeof mark - 1, rest), rest);
    vec_push(&import->inputs, (ImportInput){LPMLN_EVIDENCE, source});
  }
  import_markov(import);
  for (size_t i = 0; i < p->sources.reports.n; i++)
    check_place(&p->sources, p->sources.reports.at[i].place);
  if (p->sources.errors)
    return;
  check_map(p, &import->rules);
  check_map(p, &import->evidence);
  if (import->rules.text.n)
    program_read(p, import_source(import, &import->rules, "n.mln"), NULL);
  if (import->evidence.text.n)
    program_read_observations(p, import_source(import, &import->evidence, "n.db"), false);
  if (import->observations.text.n)
    program_read_observations(p, import_source(import, &import->observations, "n.db"), true);
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
