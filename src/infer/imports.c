/* imports.c - see imports.h. */
#include "infer/imports.h"

#include <string.h>

const char *lpmln_language_name(lpmln_language language) {
  static const char *const names[] = {"auto",   "LPMLN", "ProbLog",     "MLN",
                                      "plingo", "P-log", "azreasoners", "lpmlnmodels"};
  return names[language];
}

/* Of the first program that is foreign; ours if there is none. */
static lpmln_language language_of_programs(const lpmln *p) {
  bool guessed;
  for (size_t i = 0; i < p->inputs.n; i++) {
    const Input *input = &p->inputs.at[i];
    lpmln_language language = import_language(p->options.language, LPMLN_LANGUAGE_LPMLN,
                                              input->role, input->name, &guessed);
    if (input->role == LPMLN_PROGRAM && import_front_end(language))
      return language;
  }
  return LPMLN_LANGUAGE_LPMLN;
}

static lpmln_language language_of(const lpmln *p, lpmln_role role, const char *name,
                                  bool *guessed) {
  return import_language(p->options.language, language_of_programs(p), role, name, guessed);
}

lpmln_language imports_language(lpmln *p, lpmln_role role, const char *name) {
  bool guessed;
  lpmln_language language = language_of(p, role, name, &guessed);
  if (guessed && import_front_end(language))
    report_note(&p->program.sources, NOWHERE, "--from says which language it is",
                "'%s' is read as %s", name, lpmln_language_name(language));
  return language;
}

bool imports_foreign(const lpmln *p, const Input *input) {
  bool guessed;
  return import_front_end(language_of(p, input->role, input->name, &guessed));
}

bool imports_keep(lpmln *p, lpmln_language language, lpmln_role role, uint32_t source) {
  if (!import_front_end(language))
    return false;
  vec_push(&p->imports[language].inputs, (ImportInput){role, source});
  return true;
}

/* Named as the first foreign file. */
static uint32_t derived(Import *import, Writer *writer) {
  char *name = import->program->sources.list.at[import->inputs.at[0].source].name;
  char *copy = memory_copy(name, strlen(name)); /* the list may move */
  uint32_t source = import_source(import, writer, copy);
  free(copy);
  return source;
}

static bool has_observations(const lpmln *p) {
  for (size_t i = 0; i < p->inputs.n; i++)
    if (p->inputs.at[i].role == LPMLN_EVIDENCE || p->inputs.at[i].role == LPMLN_DATA)
      return true;
  return false;
}

static void warn_evidence(Import *import) {
  Place place = import->evidence.map.n ? import->evidence.map.at[0].place : NOWHERE;
  report_warning(&import->program->sources, place, "give observations with -e",
                 "learning does not use the evidence inside of a program");
}

static void read_import(lpmln *p, lpmln_language language, bool blocks) {
  Import *import = &p->imports[language];
  unsigned errors = p->program.sources.errors;
  import->program = &p->program;
  import->options = &p->options;
  import->blocks = blocks;
  import_front_end(language)(import);
  if (p->program.sources.errors > errors)
    return;
  if (import->rules.text.n)
    program_read(&p->program, derived(import, &import->rules), p->include_root);
  if (import->evidence.text.n && blocks && has_observations(p))
    warn_evidence(import);
  else if (import->evidence.text.n && !blocks)
    program_read_observations(&p->program, derived(import, &import->evidence), false);
  if (import->observations.text.n)
    program_read_observations(&p->program, derived(import, &import->observations), blocks);
  for (size_t i = 0; i < import->queries.n; i++)
    program_read_query(&p->program, derived(import, &import->queries.at[i]));
}

void imports_read(lpmln *p, bool blocks) {
  for (int language = 0; language < LANGUAGES; language++)
    if (p->imports[language].inputs.n)
      read_import(p, (lpmln_language)language, blocks);
}

void imports_read_tests(lpmln *p) {
  for (int language = 0; language < LANGUAGES; language++) {
    Import *import = &p->imports[language];
    if (import->tests.text.n)
      program_read_observations(&p->program, derived(import, &import->tests), true);
  }
}

void imports_free(lpmln *p) {
  for (int language = 0; language < LANGUAGES; language++)
    import_free(&p->imports[language]);
}
