/* table.c - CSV tables (RFC 4180) of what was seen: see table.h and program_read_table.
**
** Of observations, each column's atom is a unit of its own, which the literals of all
** rows share.  Rows are merged by their text before they become blocks, so that a long
** table with few different rows stays small. */
#include "language/table.h"

#include "base/names.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  Diagnostics *said;
  uint32_t source;
  const char *bytes, *at; /* the text, and what is not read yet */
  Text cell;
  uint32_t start; /* offset of the cell */
  bool last;      /* of its row */
  char separator; /* of cells: a tab if the header has one, else a comma */
} Table;

static Place cell_place(const Table *t) {
  uint32_t now = (uint32_t)(t->at - t->bytes);
  return (Place){t->source, t->start, now > t->start + 1 ? now - t->start - 1 : 1};
}

static void add_char(Table *t, char c) { text_add(&t->cell, &c, 1); }

/* Reads one cell and the comma or line end behind it. */
static void next_cell(Table *t) {
  assert(t->bytes <= t->at);
  t->start = (uint32_t)(t->at - t->bytes);
  t->cell.n = 0;
  text_add(&t->cell, "", 0);
  bool quoted = *t->at == '"';
  t->at += quoted;
  for (; *t->at; t->at++) {
    if (quoted && *t->at == '"' && *++t->at != '"')
      quoted = false;
    if (!quoted && (*t->at == t->separator || *t->at == '\n' || !*t->at))
      break;
    if (*t->at != '\r' || quoted)
      add_char(t, *t->at);
  }
  if (quoted)
    diagnose_error(t->said, cell_place(t), NULL, "this quoted cell does not end");
  t->last = *t->at != t->separator;
  t->at += *t->at != 0;
}

static bool ground_atom_tokens(const Tokens *tokens) {
  const Token *t = tokens->at;
  bool atom = tokens->n > 1 && t[t[0].kind == T_MINUS].kind == T_IDENTIFIER;
  int depth = 0;
  for (size_t i = 0; i < tokens->n; i++) {
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    atom &= t[i].kind != T_VARIABLE && t[i].kind != T_DOT && t[i].kind != T_AT &&
            t[i].kind != T_IF && t[i].kind != T_DOTS && depth >= 0;
  }
  return atom && !depth;
}

static void refuse_column(const Table *t) {
  diagnose_error(t->said, cell_place(t), "write an atom with commas in quotes: \"p(1,2)\"",
                 "the header of a table has ground atoms, not '%s'", t->cell.at);
}

/* The column's atom as a unit; NONE_SOURCE for the count column. */
static uint32_t add_column(Table *t, Program *p) {
  if (!strcmp(t->cell.at, "#count"))
    return NONE_SOURCE;
  unsigned before = p->said.errors;
  const Source *table = &p->sources.list.at[t->source];
  char *name = memory_copy(table->name, strlen(table->name));
  uint32_t source = source_add(&p->sources, name, memory_copy(t->cell.at, t->cell.n), t->cell.n);
  free(name);
  Unit unit = {.source = source};
  lex(program_said(p), source, false, &unit.tokens);
  if (!ground_atom_tokens(&unit.tokens) && p->said.errors == before)
    refuse_column(t);
  vec_push(&p->units, unit);
  return (uint32_t)(p->units.n - 1);
}

typedef struct {
  VEC(uint32_t) columns; /* units */
  Names rows;            /* one character a column: 1, 0 or ? */
  VEC(double) counts;
  VEC(Place) places;
  TableRows *all; /* not merged: they go there; NULL: merged */
} Rows;

/* What a cell says: '1', '0', '?' for unknown, or 0 for nonsense.  As pandas and R write
** them. */
static char value_of(const char *cell) {
  static const struct {
    const char *text;
    char value;
  } known[] = {{"", '?'},     {"1", '1'},     {"0", '0'},   {"1.0", '1'}, {"0.0", '0'},
               {"true", '1'}, {"false", '0'}, {"nan", '?'}, {"na", '?'}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcasecmp(cell, known[i].text))
      return known[i].value;
  return 0;
}

/* Appends what the cell of column i says to the row; false if it makes no sense. */
static bool take_cell(Table *t, const Rows *rows, size_t i, Text *row, double *count) {
  const char *cell = t->cell.at, *wrong = NULL;
  if (i >= rows->columns.n) {
    wrong = "this row has more cells than the header (%s)";
  } else if (rows->columns.at[i] == NONE_SOURCE) {
    const char *end;
    *count = weight_number(cell, &end);
    text_puts(row, "#");
    if (!*cell || *end || !(*count >= 1 && *count <= 9007199254740992.0))
      wrong = "'%s' is no number of times";
  } else {
    char value = value_of(cell);
    text_add(row, &value, 1);
    if (!value)
      wrong = "'%s' is neither 1 nor 0 nor empty";
  }
  if (wrong)
    diagnose_error(t->said, cell_place(t), NULL, wrong, cell);
  return !wrong;
}

static void add_row(Rows *rows, const Text *row, double count, Place place) {
  assert(row->n == rows->columns.n);
  if (rows->all) {
    for (size_t i = 0; i < row->n; i++)
      vec_push(&rows->all->cells, row->at[i]);
    rows->all->rows++;
    return;
  }
  uint32_t number = names_add(&rows->rows, row->at, row->n);
  if (number == rows->counts.n) {
    vec_push(&rows->counts, 0);
    vec_push(&rows->places, place);
  }
  rows->counts.at[number] += count;
  assert(rows->counts.n == rows->rows.list.n && rows->places.n == rows->counts.n);
}

/* False after an error. */
static bool read_row(Table *t, Rows *rows) {
  Text row = {0};
  Place place = NOWHERE;
  double count = 1;
  size_t cells = 0;
  bool good = true;
  do {
    next_cell(t);
    place = cells ? place : cell_place(t);
    if (!cells && t->last && !t->cell.n) /* an empty line */
      break;
    good = take_cell(t, rows, cells++, &row, &count);
  } while (good && !t->last);
  if (good && cells && cells < rows->columns.n) {
    diagnose_error(t->said, place, NULL, "this row has fewer cells than the header");
    good = false;
  }
  if (good && cells)
    add_row(rows, &row, count, place);
  vec_free(&row);
  return good;
}

static void add_block(Program *p, const Rows *rows, uint32_t row) {
  uint32_t block = (uint32_t)p->blocks.n;
  vec_push(&p->blocks, (Block){rows->counts.at[row], rows->places.at[row]});
  for (size_t i = 0; i < rows->columns.n; i++) {
    char value = rows->rows.list.at[row][i];
    uint32_t unit = rows->columns.at[i];
    if (value != '0' && value != '1')
      continue;
    assert(unit < p->units.n); /* no count column: that has a '#' */
    Range range = {0, (uint32_t)p->units.at[unit].tokens.n - 1};
    vec_push(&p->statements, (Statement){.kind = S_LITERAL,
                                         .unit = unit,
                                         .whole = range,
                                         .body = range,
                                         .block = block,
                                         .denied = value == '0'});
  }
}

static Table table_begin(Diagnostics *said, uint32_t source) {
  assert(source < said->sources->list.n);
  const Source *text = &said->sources->list.at[source];
  if (strlen(text->bytes) != text->length)
    diagnose_error(said, (Place){source, (uint32_t)strlen(text->bytes), 1}, NULL,
                   "NUL byte in the table");
  size_t header = strcspn(text->bytes, "\n");
  return (Table){.said = said,
                 .source = source,
                 .bytes = text->bytes,
                 .at = text->bytes,
                 .separator = memchr(text->bytes, '\t', header) ? '\t' : ','};
}

static void read_rows(Table *t, Rows *rows) {
  while (!t->said->errors && *t->at && read_row(t, rows))
    ;
}

void program_read_table(Program *program, uint32_t source) {
  Table t = table_begin(program_said(program), source);
  Rows rows = {0};
  do {
    next_cell(&t);
    vec_push(&rows.columns, add_column(&t, program));
  } while (!t.last);
  read_rows(&t, &rows);
  for (uint32_t i = 0; !program->said.errors && i < rows.counts.n; i++)
    add_block(program, &rows, i);
  vec_free(&rows.columns);
  vec_free(&rows.counts);
  vec_free(&rows.places);
  names_free(&rows.rows);
  vec_free(&t.cell);
}

static bool is_atom(const char *text, size_t length) {
  Sources aside = {0};
  Diagnostics unsaid = {.sources = &aside};
  Tokens tokens = {0};
  uint32_t source = source_add(&aside, "", memory_copy(text, length), length);
  lex(&unsaid, source, false, &tokens);
  bool atom = !unsaid.errors && ground_atom_tokens(&tokens);
  vec_free(&tokens);
  diagnostics_free(&unsaid);
  sources_free(&aside);
  return atom;
}

void table_read(Diagnostics *said, uint32_t source, TableRows *to) {
  Table t = table_begin(said, source);
  Rows rows = {.all = to};
  do {
    next_cell(&t);
    bool count = !strcmp(t.cell.at, "#count");
    if (!count && !is_atom(t.cell.at, t.cell.n))
      refuse_column(&t);
    vec_push(&rows.columns, count ? NONE_SOURCE : 0);
    vec_push(&to->columns, (TableColumn){memory_copy(t.cell.at, t.cell.n), cell_place(&t)});
  } while (!t.last);
  read_rows(&t, &rows);
  vec_free(&rows.columns);
  vec_free(&t.cell);
}

void table_free(TableRows *t) {
  for (size_t i = 0; i < t->columns.n; i++)
    free(t->columns.at[i].text);
  vec_free(&t->columns);
  vec_free(&t->cells);
}
