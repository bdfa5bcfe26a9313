/* import.c - see import.h. */
#include "language/import.h"

#include "language/plingo.h"

#include <string.h>

static const struct {
  const char *ending;
  lpmln_language language;
  bool guess; /* others use it, too */
} endings[] = {
    {".lpmln", LPMLN_LANGUAGE_LPMLN, false},     {".lp", LPMLN_LANGUAGE_LPMLN, false},
    {".asp", LPMLN_LANGUAGE_LPMLN, false},       {".obs", LPMLN_LANGUAGE_LPMLN, false},
    {".evid", LPMLN_LANGUAGE_LPMLN, false},      {".lpc", LPMLN_LANGUAGE_LPMLN, false},
    {".problog", LPMLN_LANGUAGE_PROBLOG, false}, {".pl", LPMLN_LANGUAGE_PROBLOG, true},
    {".ev", LPMLN_LANGUAGE_PROBLOG, false},      {".mln", LPMLN_LANGUAGE_MLN, false},
    {".db", LPMLN_LANGUAGE_MLN, true},           {".plingo", LPMLN_LANGUAGE_PLINGO, false},
    {".plp", LPMLN_LANGUAGE_PLINGO, false},      {".plog", LPMLN_LANGUAGE_PLOG, false},
};

/* By lpmln_language. */
static const struct {
  FrontEnd read;
} languages[] = {
    [LPMLN_LANGUAGE_AUTO] = {NULL},
    [LPMLN_LANGUAGE_LPMLN] = {NULL},
    [LPMLN_LANGUAGE_PROBLOG] = {import_problog},
    [LPMLN_LANGUAGE_MLN] = {import_markov},
    [LPMLN_LANGUAGE_PLINGO] = {import_plingo},
    [LPMLN_LANGUAGE_PLOG] = {import_plingo},
    [LPMLN_LANGUAGE_AZREASONERS] = {NULL},
    [LPMLN_LANGUAGE_LPMLNMODELS] = {NULL},
};

static lpmln_language by_ending(const char *name, bool *guessed) {
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t length = strlen(endings[i].ending);
    if (n > length && !strcmp(name + n - length, endings[i].ending)) {
      *guessed = endings[i].guess;
      return endings[i].language;
    }
  }
  return LPMLN_LANGUAGE_AUTO;
}

lpmln_language import_language(lpmln_language said, lpmln_language programs, lpmln_role role,
                               const char *name, bool *guessed) {
  *guessed = false;
  if (role == LPMLN_DATA || role == LPMLN_TEST_DATA)
    return LPMLN_LANGUAGE_LPMLN; /* a table is a table */
  if (role == LPMLN_PROGRAM && said != LPMLN_LANGUAGE_AUTO)
    return said;
  lpmln_language language = by_ending(name, guessed);
  if (language == LPMLN_LANGUAGE_MLN && programs == language) /* a .db beside a network */
    *guessed = false;
  if (language == LPMLN_LANGUAGE_AUTO && role != LPMLN_PROGRAM) {
    *guessed = said == LPMLN_LANGUAGE_AUTO && import_front_end(programs);
    language = said != LPMLN_LANGUAGE_AUTO ? said : programs;
  }
  return language == LPMLN_LANGUAGE_AUTO ? LPMLN_LANGUAGE_LPMLN : language;
}

FrontEnd import_front_end(lpmln_language language) { return languages[language].read; }

void import_free(Import *import) {
  Writer *writers[] = {&import->rules, &import->evidence, &import->observations, &import->tests};
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    writer_free(writers[i]);
  for (size_t i = 0; i < import->queries.n; i++)
    writer_free(&import->queries.at[i]);
  vec_free(&import->queries);
  vec_free(&import->inputs);
  *import = (Import){0};
}

Writer *import_query(Import *import) {
  vec_push(&import->queries, (Writer){0});
  return &import->queries.at[import->queries.n - 1];
}

void import_hide(Import *import, const char *predicate) {
  names_add(&import->program->hidden, predicate, strlen(predicate));
}

void import_chance(Import *import, const char *name, const char *before, double rest,
                   bool implied) {
  Program *p = import->program;
  uint32_t number = names_add(&p->chance_names, name, strlen(name));
  uint32_t previous = before ? names_find(&p->chance_names, before, strlen(before)) : UINT32_MAX;
  if (number == p->chances.n)
    vec_push(&p->chances, (Chance){previous, rest, implied});
}

uint32_t import_source(Import *import, Writer *writer, const char *name) {
  size_t length = writer->text.n;
  text_add(&writer->text, "", 0);
  uint32_t source = source_add(&import->program->sources, name, text_take(&writer->text), length);
  Source *added = &import->program->sources.list.at[source];
  added->map = writer->map;
  added->derived = true;
  *writer = (Writer){0};
  return source;
}
