/* read.c - the texts of a program, read in the right order; see handle.h.
**
** Texts of other dialects wait until all are there, because the files of one dialect
** make one program; they come last, but before what is for testing. */
#include "api/handle.h"
#include "api/model.h"
#include "api/sealed.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/source.h"
#include "dialects/dialect.h"
#include "ground/noise.h"
#include "language/answers.h"
#include "language/doubt.h"
#include "language/instance.h"
#include "language/lexer.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lpmln_program *from;
  Sealed *to;
  lpmln_model **model;
  const DialectKind *said, *programs; /* by the options; of the programs */
  const Sealed *again;                /* what is read once more; NULL: nothing */
} ReadingTexts;

static Diagnostics *said(const ReadingTexts *r) { return program_said(&r->to->program); }

/* plingo's evidence joins the program. */
static lpmln_role role_of(const Input *input) {
  const char *dot = strrchr(input->name, '.');
  bool joins = input->role == LPMLN_EVIDENCE && dot && !strcmp(dot, ".evid");
  return joins ? LPMLN_PROGRAM : input->role;
}

static bool for_testing(const Input *input) {
  return input->role == LPMLN_TEST || input->role == LPMLN_TEST_DATA;
}

/* The folder of a file, which its #include may read. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return memory_copy(".", 1);
  return memory_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

/* ---- dialects ----------------------------------------------------------------------- */

/* Of the first program that is not ours; ours if there is none. */
static const DialectKind *dialect_of_programs(const ReadingTexts *r) {
  const DialectKind *own = &dialect_kinds[0];
  bool guessed;
  for (size_t i = 0; i < r->from->inputs.n; i++) {
    const Input *input = &r->from->inputs.at[i];
    const DialectKind *kind = dialect_of(r->said, own, input->role, input->name, &guessed);
    if (input->role == LPMLN_PROGRAM && kind->read)
      return kind;
  }
  return own;
}

static bool of_dialect(const ReadingTexts *r, const Input *input) {
  bool guessed;
  return dialect_of(r->said, r->programs, input->role, input->name, &guessed)->read;
}

/* Named as the first text of its dialect. */
static uint32_t made_source(Dialect *dialect, Writer *writer) {
  assert(dialect->program && dialect->inputs.n);
  char *name = dialect->program->sources.list.at[dialect->inputs.at[0].source].name;
  char *copy = memory_copy(name, strlen(name)); /* the list may move */
  uint32_t source = dialect_source(dialect, writer, copy);
  free(copy);
  return source;
}

static bool has_observations(const lpmln_program *p) {
  for (size_t i = 0; i < p->inputs.n; i++)
    if (role_of(&p->inputs.at[i]) == LPMLN_EVIDENCE || p->inputs.at[i].role == LPMLN_DATA)
      return true;
  return false;
}

static void warn_evidence(const ReadingTexts *r, const Dialect *dialect) {
  Place place = dialect->evidence.map.n ? dialect->evidence.map.at[0].place : NOWHERE;
  diagnose_warning(said(r), place, "give observations with option evidence",
                   "learning does not use the evidence inside of a program");
}

/* All queries, of the user's and of a compiled file. */
static void write_asked(const ReadingTexts *r, Text *to) {
  text_puts(to, "");
  for (size_t i = 0; i < r->from->queries.n; i++)
    text_printf(to, "%s\n", r->from->queries.at[i]);
  for (size_t i = 0; i < r->to->queries.n; i++)
    text_printf(to, "%s\n", r->to->queries.at[i]);
  for (size_t i = 0; r->again && i < r->again->queries.n; i++)
    text_printf(to, "%s\n", r->again->queries.at[i]);
}

static void read_dialect(ReadingTexts *r, const DialectKind *kind, Dialect *dialect) {
  assert(kind->read && dialect->inputs.n);
  Program *program = &r->to->program;
  bool blocks = r->to->reading.blocks;
  unsigned errors = program->said.errors;
  dialect->program = program;
  dialect->problog_clauses = r->to->problog_clauses;
  dialect->blocks = blocks;
  dialect->open_world = r->to->open_world;
  dialect->open = r->to->open;
  Text asked = {0};
  write_asked(r, &asked);
  dialect->asked = asked.at;
  kind->read(dialect);
  dialect->asked = NULL;
  vec_free(&asked);
  if (program->said.errors > errors)
    return;
  r->to->closed_world |= dialect->closes;
  if (dialect->rules.text.n)
    program_read(program, made_source(dialect, &dialect->rules), r->from->options.include_root);
  if (dialect->evidence.text.n && blocks && has_observations(r->from))
    warn_evidence(r, dialect);
  else if (dialect->evidence.text.n && !blocks)
    program_read_observations(program, made_source(dialect, &dialect->evidence), false);
  if (dialect->observations.text.n)
    program_read_observations(program, made_source(dialect, &dialect->observations), blocks);
  for (size_t i = 0; i < dialect->queries.n; i++)
    program_read_query(program, made_source(dialect, &dialect->queries.at[i]));
}

/* ---- texts --------------------------------------------------------------------------- */

static void parse(ReadingTexts *r, const DialectKind *kind, lpmln_role role, uint32_t source,
                  const char *root) {
  assert(source < r->to->program.sources.list.n);
  Program *program = &r->to->program;
  vec_push(&r->to->texts, (ReadText){role, kind, source});
  if (kind->read)
    vec_push(&r->to->dialects[kind - dialect_kinds].inputs, (DialectInput){role, source});
  else if (role == LPMLN_DATA && r->to->reading.rows)
    return; /* who asks for rows reads them */
  else if (role == LPMLN_DATA || role == LPMLN_TEST_DATA)
    program_read_table(program, source, r->to->reading.listed);
  else if ((role == LPMLN_EVIDENCE || role == LPMLN_TEST) && answers_recognise(program, source))
    answers_read(program, source, r->to->reading.blocks);
  else if (role == LPMLN_EVIDENCE || role == LPMLN_TEST)
    program_read_observations(program, source, r->to->reading.blocks);
  else
    program_read(program, source, root);
}

static void read_query(Sealed *to, const char *query) {
  char *copy = memory_copy(query, strlen(query));
  program_read_query(&to->program,
                     source_add(&to->program.sources, ASKED_SOURCE, copy, strlen(query)));
  vec_push(&to->queries, memory_copy(query, strlen(query)));
}

static void read_intervention(Sealed *to, const char *literals) {
  char *copy = memory_copy(literals, strlen(literals));
  program_read_do(&to->program, source_add(&to->program.sources, "<do>", copy, strlen(literals)));
  vec_push(&to->interventions, memory_copy(literals, strlen(literals)));
}

/* -c name=value */
static void read_constant(Sealed *to, const char *constant) {
  Program *program = &to->program;
  Text text = {0};
  text_printf(&text, "#const %s. [override]", constant);
  size_t length = text.n, errors = program->said.errors, n = program->statements.n;
  uint32_t source = source_add(&program->sources, OPTION_CONSTANT, text_take(&text), length);
  program_read(program, source, NULL);
  const Tokens *tokens = &program->units.at[program->units.n - 1].tokens;
  const Token *last = tokens->n > 1 ? &tokens->at[tokens->n - 2] : &tokens->at[0];
  bool whole = program->statements.n == n + 1 && last->offset + last->length == length;
  if (program->said.errors == errors && !whole)
    diagnose_error(program_said(program), NOWHERE, "write name=value", "wrong constant '%s'",
                   constant);
  vec_push(&to->constants, memory_copy(constant, strlen(constant)));
}

/* Texts that were saved, as when they were read first. */
static void read_saved(ReadingTexts *r, const Sealed *from) {
  Program *program = &r->to->program;
  const Sources *texts = &from->program.sources;
  r->to->problog_clauses = from->problog_clauses;
  program->embedded = texts->list.at;
  program->embedded_count = texts->list.n;
  for (size_t i = 0; i < from->constants.n; i++)
    read_constant(r->to, from->constants.at[i]);
  for (size_t i = 0; i < from->texts.n; i++) {
    const ReadText *text = &from->texts.at[i];
    const Source *old = &texts->list.at[text->source];
    uint32_t again =
        source_add(&program->sources, old->name, memory_copy(old->bytes, old->length), old->length);
    parse(r, text->dialect, text->role, again, NULL);
  }
}

/* All of them, or those of some predicates. */
static void open_worlds(Sealed *to, bool all, const char *some) {
  to->open_world = all;
  if (!to->open && some)
    to->open = memory_copy(some, strlen(some));
}

static Place whole_file(uint32_t source) { return (Place){source, WHOLE_FILE, 0}; }

/* A compiled file: the model, and its texts. */
static void read_compiled(ReadingTexts *r, uint32_t source) {
  Program *program = &r->to->program;
  const Source *file = &program->sources.list.at[source];
  if (*r->model) {
    diagnose_error(said(r), whole_file(source), NULL, "'%s' is a second compiled program",
                   file->name);
    return;
  }
  *r->model = model_read(file->bytes, file->length);
  if (!*r->model) {
    diagnose_error(said(r), whole_file(source), "compile the program again",
                   "'%s' is damaged, or of another version", file->name);
    return;
  }
  const Sealed *from = (*r->model)->sealed;
  open_worlds(r->to, r->to->open_world || from->open_world, from->open);
  r->to->compiled_from = program->statements.n;
  read_saved(r, from);
  for (size_t i = 0; i < from->queries.n; i++)
    read_query(r->to, from->queries.at[i]);
  for (size_t i = 0; i < from->interventions.n; i++)
    read_intervention(r->to, from->interventions.at[i]);
  r->to->compiled_to = program->statements.n;
}

static bool standard_input_again(const lpmln_program *p, const Input *input) {
  for (const Input *other = p->inputs.at; other < input; other++)
    if (!input->bytes && !other->bytes && !strcmp(input->name, "-") && !strcmp(other->name, "-"))
      return true;
  return false;
}

/* For what there is to say of a file that is not read. */
static Place unread(const ReadingTexts *r, const char *name) {
  return whole_file(source_add(&r->to->program.sources, name, memory_copy("", 0), 0));
}

/* NONE_SOURCE: that was said. */
static uint32_t source_of(ReadingTexts *r, const Input *input) {
  Sources *sources = &r->to->program.sources;
  if (input->bytes)
    return source_add(sources, input->name, memory_copy(input->bytes, input->length),
                      input->length);
  if (standard_input_again(r->from, input)) {
    diagnose_error(said(r), NOWHERE, NULL, "standard input can be read only once");
    return NONE_SOURCE;
  }
  uint32_t source = source_read(sources, input->name);
  const char *trouble = input_trouble(errno);
  if (source == NONE_SOURCE)
    diagnose_error(said(r), unread(r, input->name), NULL, "can't read '%s': %s", input->name,
                   trouble);
  return source;
}

/* A table is none of the others. */
static bool is_misplaced(const Input *input) {
  return source_names_table(input->name) &&
         (input->role == LPMLN_PROGRAM || input->role == LPMLN_EVIDENCE);
}

/* Constraints of a file of observations hold as rules do. */
static void note_observations(const ReadingTexts *r, const Input *input, uint32_t source) {
  const char *dot = strrchr(input->name, '.');
  if (input->role == LPMLN_PROGRAM && dot && !strcmp(dot, ".obs"))
    diagnose_note(said(r), whole_file(source), "observations are given with option evidence",
                  "'%s' is read as a part of the program", input->name);
}

static void read_input(ReadingTexts *r, const Input *input) {
  uint32_t source = is_misplaced(input) ? NONE_SOURCE : source_of(r, input);
  if (is_misplaced(input))
    diagnose_error(said(r), unread(r, input->name), "give it with option data",
                   "'%s' is a table, not a text of rules or observations", input->name);
  if (source == NONE_SOURCE)
    return;
  note_observations(r, input, source);
  const Source *text = &r->to->program.sources.list.at[source];
  if (input->role == LPMLN_PROGRAM && model_recognise(text->bytes, text->length)) {
    read_compiled(r, source);
    return;
  }
  const char *root = r->from->options.include_root;
  bool file = !input->bytes && strcmp(input->name, "-") != 0;
  char *folder = root ? memory_copy(root, strlen(root)) : file ? folder_of(input->name) : NULL;
  bool guessed;
  const DialectKind *kind = dialect_of(r->said, r->programs, input->role, text->name, &guessed);
  lpmln_role role = role_of(input);
  if (role != input->role) {
    kind = r->programs;
    diagnose_note(said(r), whole_file(source),
                  "in a file of another name (.obs) they are what was observed",
                  "the rules of '%s' join the program, as in plingo", text->name);
  } else if (guessed && kind->read)
    diagnose_note(said(r), whole_file(source), "option from says which language it is",
                  "'%s' is read as %s", text->name, kind->title);
  parse(r, kind, role, source, folder);
  free(folder);
}

static void read_inputs(ReadingTexts *r, bool tests) {
  for (size_t i = 0; i < r->from->inputs.n; i++) {
    const Input *input = &r->from->inputs.at[i];
    bool late = for_testing(input) && !of_dialect(r, input); /* a dialect's are read with it */
    if (late == tests)
      read_input(r, input);
  }
}

/* A file that is given twice is most probably a slip, and its rules count twice. */
static void warn_of_twice(const ReadingTexts *r) {
  const lpmln_program *p = r->from;
  for (size_t i = 1; i < p->inputs.n; i++)
    for (size_t k = 0; k < i; k++) {
      const Input *a = &p->inputs.at[i], *b = &p->inputs.at[k];
      if (a->role == LPMLN_PROGRAM && b->role == LPMLN_PROGRAM && !a->bytes && !b->bytes &&
          (!strcmp(a->name, b->name) || file_same(a->name, b->name)))
        diagnose_warning(said(r), NOWHERE, "each of its rules counts twice",
                         "the program '%s' is read twice", a->name);
    }
}

static void read_dialects(ReadingTexts *r) {
  for (size_t i = 0; i < dialect_kind_count; i++)
    if (r->to->dialects[i].inputs.n)
      read_dialect(r, &dialect_kinds[i], &r->to->dialects[i]);
}

static void read_dialect_tests(ReadingTexts *r) {
  for (size_t i = 0; i < dialect_kind_count; i++)
    if (r->to->dialects[i].tests.text.n)
      program_read_observations(&r->to->program,
                                made_source(&r->to->dialects[i], &r->to->dialects[i].tests), true);
}

static void add_noise(Sealed *to) {
  assert(!to->noise && to->reading.noise > 0);
  Program *program = &to->program;
  to->noise = noise_predicate(program);
  names_add(&program->hidden, to->noise, strlen(to->noise)); /* data says nothing about it */
  char *rules = noise_rules(program, to->tests, to->noise, to->reading.noise);
  if (rules)
    program_read(program, source_add(&program->sources, "<noise>", rules, strlen(rules)), NULL);
}

static void read_all(ReadingTexts *r) {
  const lpmln_program *p = r->from;
  for (size_t i = 0; i < p->constants.n; i++)
    read_constant(r->to, p->constants.at[i]);
  warn_of_twice(r);
  read_inputs(r, false);
  read_dialects(r);
  r->to->tests = r->to->program.block_count;
  read_dialect_tests(r);
  read_inputs(r, true);
  for (size_t i = 0; i < p->queries.n; i++)
    read_query(r->to, p->queries.at[i]);
  for (size_t i = 0; i < p->interventions.n; i++)
    read_intervention(r->to, p->interventions.at[i]);
  if (r->to->reading.noise > 0)
    add_noise(r->to);
  program_doubts(&r->to->program, r->to->closed_world, said(r));
}

void read_texts(const lpmln_program *p, Sealed *to, lpmln_model **model) {
  assert(!to->ground && !to->texts.n && !*model);
  const char *name = p->options.dialect;
  bool named = name && strcmp(name, "auto") != 0;
  ReadingTexts r = {.from = p, .to = to, .model = model};
  r.said = named ? dialect_named(name) : NULL;
  if (named && !r.said) {
    diagnose_error(said(&r), NOWHERE, NULL, "there is no dialect '%s'", name);
    return;
  }
  to->closed_world = p->options.closed_world || p->options.closed;
  open_worlds(to, p->options.open_world && !p->options.open, p->options.open);
  to->problog_clauses = p->options.problog_clauses;
  r.programs = dialect_of_programs(&r);
  r.to->dialects = memory_zero(dialect_kind_count, sizeof *r.to->dialects);
  read_all(&r);
  sealed_end_dialects(r.to);
}

Sealed *sealed_read_again(const Sealed *from) {
  static const lpmln_program nothing;
  lpmln_model *none = NULL;
  ReadingTexts r = {.from = &nothing, .to = sealed_new(), .model = &none, .again = from};
  r.programs = &dialect_kinds[0];
  r.to->dialects = memory_zero(dialect_kind_count, sizeof *r.to->dialects);
  r.to->closed_world = from->closed_world;
  open_worlds(r.to, from->open_world, from->open);
  read_saved(&r, from);
  read_dialects(&r);
  r.to->tests = r.to->program.block_count;
  for (size_t i = 0; i < from->queries.n; i++)
    read_query(r.to, from->queries.at[i]);
  for (size_t i = 0; i < from->interventions.n; i++)
    read_intervention(r.to, from->interventions.at[i]);
  r.to->program.embedded = NULL, r.to->program.embedded_count = 0;
  sealed_end_dialects(r.to);
  return r.to;
}
