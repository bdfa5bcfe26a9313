/* dialect.c - see dialect.h. */
#include "dialects/dialect.h"

#include "base/names.h"
#include "base/source.h"
#include "dialects/markov/read.h"
#include "dialects/plingo/read.h"
#include "dialects/problog/read.h"

#include <assert.h>
#include <string.h>

/* The one table: name, title, endings, those that others use, too, those that are certain only
** beside a program of the dialect, reader, summary. */
#define DIALECTS(X)                                                                             \
  X("lpmln", "LPMLN", " .lpmln .lp .asp .obs .evid .lpc ", " ", " ", NULL,                      \
    "clingo's language with weights")                                                           \
  X("problog", "ProbLog", " .problog .pl .ev ", " .pl ", " ", problog_read, "ProbLog")          \
  X("mln", "MLN", " .mln .db ", " ", " .db ", markov_read, "Markov logic, of Alchemy or Tuffy") \
  X("plingo", "plingo", " .plingo .plp ", " ", " ", plingo_read, "plingo")                      \
  X("plog", "P-log", " .plog ", " ", " ", plingo_read, "P-log, as plingo writes it")            \
  X("azreasoners", "azreasoners", " ", " ", " ", NULL, "lpmln2asp of the azreasoners group")    \
  X("lpmlnmodels", "lpmlnmodels", " ", " ", " ", NULL, "LPMLN-Models")

#define KIND(name, title, endings, shared, beside, read, summary) \
  {name, title, endings, shared, beside, read},
#define CHOICE(name, title, endings, shared, beside, read, summary) {name, summary},

const DialectKind dialect_kinds[] = {DIALECTS(KIND)};
const size_t dialect_kind_count = sizeof dialect_kinds / sizeof *dialect_kinds;

const lpmln_choice *dialect_choices(size_t *count) {
  static const lpmln_choice choices[] = {{"auto", "by the names of the files"}, DIALECTS(CHOICE)};
  if (count)
    *count = sizeof choices / sizeof *choices;
  return choices;
}

const DialectKind *dialect_named(const char *name) {
  for (size_t i = 0; i < dialect_kind_count; i++)
    if (!strcmp(dialect_kinds[i].name, name))
      return &dialect_kinds[i];
  return NULL;
}

static bool has_ending(const char *endings, const char *ending) {
  const char *at = strstr(endings, ending);
  size_t n = strlen(ending);
  return at && at[-1] == ' ' && at[n] == ' ';
}

static const DialectKind *by_ending(const char *name, const DialectKind *programs, bool *guessed) {
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name || strpbrk(dot, " /"))
    return NULL;
  for (size_t i = 0; i < dialect_kind_count; i++)
    if (has_ending(dialect_kinds[i].endings, dot)) {
      const DialectKind *kind = &dialect_kinds[i];
      *guessed =
          has_ending(kind->shared, dot) || (has_ending(kind->beside, dot) && kind != programs);
      return kind;
    }
  return NULL;
}

const DialectKind *dialect_of(const DialectKind *said, const DialectKind *programs, lpmln_role role,
                              const char *name, bool *guessed) {
  assert(programs && name);
  const DialectKind *own = &dialect_kinds[0];
  *guessed = false;
  if (role == LPMLN_DATA || role == LPMLN_TEST_DATA)
    return own; /* a table is a table */
  if (role == LPMLN_PROGRAM && said)
    return said;
  const DialectKind *kind = by_ending(name, programs, guessed);
  if (!kind && role != LPMLN_PROGRAM) {
    *guessed = !said && programs->read;
    kind = said ? said : programs;
  }
  return kind ? kind : own;
}

void dialect_free(Dialect *dialect) {
  Writer *writers[] = {&dialect->rules, &dialect->evidence, &dialect->observations,
                       &dialect->tests};
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
  assert(*predicate);
  names_add(&dialect->program->hidden, predicate, strlen(predicate));
}

void dialect_chance(Dialect *dialect, const char *name, const char *before, double rest,
                    bool implied) {
  Program *p = dialect->program;
  uint32_t number = names_add(&p->chance_names, name, strlen(name));
  uint32_t previous = before ? names_find(&p->chance_names, before, strlen(before)) : UINT32_MAX;
  assert(number <= p->chances.n && (!before || previous < p->chances.n));
  if (number == p->chances.n)
    vec_push(&p->chances, (Chance){previous, rest, implied});
}

uint32_t dialect_source(Dialect *dialect, Writer *writer, const char *name) {
  assert(dialect->program && name);
  size_t length = writer->text.n;
  text_add(&writer->text, "", 0);
  uint32_t source = source_add(&dialect->program->sources, name, text_take(&writer->text), length);
  Source *added = &dialect->program->sources.list.at[source];
  added->map = writer->map;
  added->derived = true;
  *writer = (Writer){0};
  return source;
}
