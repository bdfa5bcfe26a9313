/* dialect.c - see dialect.h. */
#include "dialects/dialect.h"

#include "dialects/plingo/plingo.h"

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
  DialectReader read;
} languages[] = {
    [LPMLN_LANGUAGE_AUTO] = {NULL},
    [LPMLN_LANGUAGE_LPMLN] = {NULL},
    [LPMLN_LANGUAGE_PROBLOG] = {dialect_problog},
    [LPMLN_LANGUAGE_MLN] = {dialect_markov},
    [LPMLN_LANGUAGE_PLINGO] = {dialect_plingo},
    [LPMLN_LANGUAGE_PLOG] = {dialect_plingo},
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

lpmln_language dialect_language(lpmln_language said, lpmln_language programs, lpmln_role role,
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
    *guessed = said == LPMLN_LANGUAGE_AUTO && dialect_front_end(programs);
    language = said != LPMLN_LANGUAGE_AUTO ? said : programs;
  }
  return language == LPMLN_LANGUAGE_AUTO ? LPMLN_LANGUAGE_LPMLN : language;
}

DialectReader dialect_front_end(lpmln_language language) { return languages[language].read; }

void dialect_free(Dialect *dialect) {
  Writer *writers[] = {&dialect->rules, &dialect->evidence, &dialect->observations, &dialect->tests};
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    writer_free(writers[i]);
  for (size_t i = 0; i < dialect->queries.n; i++)
    writer_free(&dialect->queries.at[i]);
  vec_free(&dialect->queries);
  vec_free(&dialect->inputs);
  *dialect = (Dialect){0};
}

Writer *dialect_query(Dialect *dialect) {
  vec_push(&dialect->queries, (Writer){0});
  return &dialect->queries.at[dialect->queries.n - 1];
}

void dialect_hide(Dialect *dialect, const char *predicate) {
  names_add(&dialect->program->hidden, predicate, strlen(predicate));
}

void dialect_chance(Dialect *dialect, const char *name, const char *before, double rest,
                   bool implied) {
  Program *p = dialect->program;
  uint32_t number = names_add(&p->chance_names, name, strlen(name));
  uint32_t previous = before ? names_find(&p->chance_names, before, strlen(before)) : UINT32_MAX;
  if (number == p->chances.n)
    vec_push(&p->chances, (Chance){previous, rest, implied});
}

uint32_t dialect_source(Dialect *dialect, Writer *writer, const char *name) {
  size_t length = writer->text.n;
  text_add(&writer->text, "", 0);
  uint32_t source = source_add(&dialect->program->sources, name, text_take(&writer->text), length);
  Source *added = &dialect->program->sources.list.at[source];
  added->map = writer->map;
  added->derived = true;
  *writer = (Writer){0};
  return source;
}
