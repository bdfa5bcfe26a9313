/* dialects.c - see dialects.h. */
#include "api/dialects.h"

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
    lpmln_language language = dialect_language(p->options.language, LPMLN_LANGUAGE_LPMLN,
                                              input->role, input->name, &guessed);
    if (input->role == LPMLN_PROGRAM && dialect_front_end(language))
      return language;
  }
  return LPMLN_LANGUAGE_LPMLN;
}

static lpmln_language language_of(const lpmln *p, lpmln_role role, const char *name,
                                  bool *guessed) {
  return dialect_language(p->options.language, language_of_programs(p), role, name, guessed);
}

lpmln_language dialects_language(lpmln *p, lpmln_role role, const char *name) {
  bool guessed;
  lpmln_language language = language_of(p, role, name, &guessed);
  if (guessed && dialect_front_end(language))
    diagnose_note(&p->program.sources, NOWHERE, "--from says which language it is",
                "'%s' is read as %s", name, lpmln_language_name(language));
  return language;
}

bool dialects_foreign(const lpmln *p, const Input *input) {
  bool guessed;
  return dialect_front_end(language_of(p, input->role, input->name, &guessed));
}

bool dialects_keep(lpmln *p, lpmln_language language, lpmln_role role, uint32_t source) {
  if (!dialect_front_end(language))
    return false;
  vec_push(&p->dialects[language].inputs, (DialectInput){role, source});
  return true;
}

/* Named as the first foreign file. */
static uint32_t derived(Dialect *dialect, Writer *writer) {
  char *name = dialect->program->sources.list.at[dialect->inputs.at[0].source].name;
  char *copy = memory_copy(name, strlen(name)); /* the list may move */
  uint32_t source = dialect_source(dialect, writer, copy);
  free(copy);
  return source;
}

static bool has_observations(const lpmln *p) {
  for (size_t i = 0; i < p->inputs.n; i++)
    if (p->inputs.at[i].role == LPMLN_EVIDENCE || p->inputs.at[i].role == LPMLN_DATA)
      return true;
  return false;
}

static void warn_evidence(Dialect *dialect) {
  Place place = dialect->evidence.map.n ? dialect->evidence.map.at[0].place : NOWHERE;
  diagnose_warning(&dialect->program->sources, place, "give observations with -e",
                 "learning does not use the evidence inside of a program");
}

static void read_import(lpmln *p, lpmln_language language, bool blocks) {
  Dialect *dialect = &p->dialects[language];
  unsigned errors = p->program.sources.errors;
  dialect->program = &p->program;
  dialect->options = &p->options;
  dialect->blocks = blocks;
  dialect_front_end(language)(dialect);
  if (p->program.sources.errors > errors)
    return;
  if (dialect->rules.text.n)
    program_read(&p->program, derived(dialect, &dialect->rules), p->include_root);
  if (dialect->evidence.text.n && blocks && has_observations(p))
    warn_evidence(dialect);
  else if (dialect->evidence.text.n && !blocks)
    program_read_observations(&p->program, derived(dialect, &dialect->evidence), false);
  if (dialect->observations.text.n)
    program_read_observations(&p->program, derived(dialect, &dialect->observations), blocks);
  for (size_t i = 0; i < dialect->queries.n; i++)
    program_read_query(&p->program, derived(dialect, &dialect->queries.at[i]));
}

void dialects_read(lpmln *p, bool blocks) {
  for (int language = 0; language < LANGUAGES; language++)
    if (p->dialects[language].inputs.n)
      read_import(p, (lpmln_language)language, blocks);
}

void dialects_read_tests(lpmln *p) {
  for (int language = 0; language < LANGUAGES; language++) {
    Dialect *dialect = &p->dialects[language];
    if (dialect->tests.text.n)
      program_read_observations(&p->program, derived(dialect, &dialect->tests), true);
  }
}

void dialects_free(lpmln *p) {
  for (int language = 0; language < LANGUAGES; language++)
    dialect_free(&p->dialects[language]);
}
