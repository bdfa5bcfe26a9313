/* table.c - CSV tables (RFC 4180) of what was seen: see table.h and program_read_table.
**
** Of observations, each column's atom is a unit of its own.  Rows are packed and merged
** before they become blocks, so that a long table with few different rows stays small. */
#include "language/table.h"

#include "base/csv.h"
#include "base/limits.h"
#include "base/names.h"
#include "base/seen.h"
#include "language/lexer.h"
#include "language/program.h"
#include "language/weight.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Reads one cell and the comma or line end behind it. */
static void next_cell(Table *t) {
  CsvCell found;
  assert(t->bytes <= t->at);
  t->start = (uint32_t)(t->at - t->bytes);
  t->at = csv_cell(t->at, t->separator, &t->cell, &found);
  t->last = found.last;
  if (found.endless)
    diagnose_error(t->said, cell_place(t), NULL, "this quoted cell does not end");
}

/* One atom: a name, and arguments in one pair of brackets or none. */
static bool ground_atom_tokens(const Tokens *tokens) {
  const Token *t = tokens->at;
  size_t name = tokens->n && t[0].kind == T_MINUS;
  bool atom = tokens->n > name + 1 && t[name].kind == T_IDENTIFIER;
  int depth = 0;
  for (size_t i = name + 1; atom && i + 1 < tokens->n; i++) {
    atom = (depth > 0) != (i == name + 1 && t[i].kind == T_OPEN);
    depth += t[i].kind == T_OPEN;
    depth -= t[i].kind == T_CLOSE;
    atom &= t[i].kind != T_VARIABLE && t[i].kind != T_ANONYMOUS && t[i].kind != T_DOT &&
            t[i].kind != T_AT && t[i].kind != T_IF && t[i].kind != T_DOTS &&
            t[i].kind != T_SEMICOLON && depth >= 0;
  }
  return atom && !depth;
}

/* What to write in place of a column that is no atom. */
static const char *column_hint(const char *cell) {
  if (!*cell || !strncmp(cell, "Unnamed", 7))
    return "row names are no atoms: write the table without them (pandas: index=False, R: "
           "row.names=FALSE)";
  if (isupper((unsigned char)*cell))
    return "names of atoms start with a small letter";
  if (isdigit((unsigned char)*cell))
    return "the first line of a table names the atoms";
  if (!strncmp(cell, "not ", 4))
    return "write the atom; its cells are 0 where it does not hold";
  if (strchr(cell, ';') && !strchr(cell, '('))
    return "cells are separated by commas or tabs";
  if (strchr(cell, '(') && strchr(cell, ')'))
    return "a column for each atom, without variables and pools: \"p(1,2)\"";
  return "write an atom with commas in quotes: \"p(1,2)\"";
}

static void refuse_column(const Table *t) {
  if (!t->cell.n && t->last && !*t->at && !t->start)
    diagnose_error(t->said, cell_place(t), "its first line names the atoms, the others are rows",
                   "the table is empty");
  else
    diagnose_error(t->said, cell_place(t), column_hint(t->cell.at),
                   "the header of a table has ground atoms, not '%s'", t->cell.at);
}

/* Both cells hold, which is seldom meant; of two counts one would be lost. */
static void note_column(const Table *t, Names *seen) {
  size_t known = seen->list.n;
  if (names_add(seen, t->cell.at, t->cell.n) == known)
    return;
  if (!strcmp(t->cell.at, "#count"))
    diagnose_error(t->said, cell_place(t), "one of them says how often a row was seen",
                   "the column '%s' stands twice", t->cell.at);
  else
    diagnose_warning(t->said, cell_place(t), "what both columns say holds; leave one out",
                     "the column '%s' stands twice", t->cell.at);
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
  Source *column = &p->sources.list.at[source];
  column->derived = true; /* what is said of it is said of the cell */
  vec_push(&column->map, (Piece){0, cell_place(t)});
  Unit unit = {.source = source};
  lex(program_said(p), source, false, &unit.tokens);
  if (!ground_atom_tokens(&unit.tokens) && p->said.errors == before)
    refuse_column(t);
  vec_push(&p->units, unit);
  return (uint32_t)(p->units.n - 1);
}

typedef struct {
  VEC(uint32_t) columns; /* units; NONE_SOURCE: the count */
  Seen rows;             /* packed: see table_cell… */
  Program *to;           /* …and blocks of it from `first` on… */
  uint32_t first;
  TableRows *all; /* …or, not merged, they go there */
} Rows;

/* What to write in place of a cell that is no truth value. */
static const char *value_hint(const char *cell) {
  const char *end;
  double number = weight_number(cell, &end);
  return !*end && number > 1 ? "a column of how often the rows were seen is named #count"
                             : "write 1 for true, 0 for false and nothing for unknown";
}

/* Appends what the cell of column i says to the row; false if it makes no sense. */
static bool take_cell(Table *t, const Rows *rows, size_t i, Text *row, double *count) {
  const char *cell = t->cell.at, *wrong = NULL, *hint = NULL;
  if (i >= rows->columns.n) {
    wrong = "this row has more cells than the header (%s)";
    hint = "in the header an atom with commas stands in quotes";
  } else if (rows->columns.at[i] == NONE_SOURCE) {
    const char *end;
    *count = weight_number(cell, &end);
    text_puts(row, "#");
    if (!*cell || *end || !(*count >= 1 && *count <= 9007199254740992.0))
      wrong = "'%s' is no number of times", hint = "a row was seen once, twice, …: write 1, 2, …";
  } else {
    char value = csv_truth(cell);
    text_add(row, &value, 1);
    if (!value)
      wrong = "'%s' is neither 1 nor 0 nor empty", hint = value_hint(cell);
  }
  if (wrong)
    diagnose_error(t->said, cell_place(t), hint, wrong, cell);
  return !wrong;
}

/* Bytes of a packed row without the column of counts. */
static size_t width_of(const Rows *rows) {
  size_t atoms = 0;
  for (size_t i = 0; i < rows->columns.n; i++)
    atoms += rows->columns.at[i] != NONE_SOURCE;
  return (atoms + 3) / 4;
}

/* Packs it in its own place. */
static size_t pack(Text *row) {
  size_t cells = 0;
  for (size_t i = 0; i < row->n; i++) {
    unsigned value = row->at[i] == '?' ? 0 : row->at[i] == '0' ? 1 : 2;
    if (row->at[i] == '#')
      continue;
    assert(cells / 4 <= i);
    unsigned char *byte = (unsigned char *)row->at + cells / 4;
    *byte = (unsigned char)((cells % 4 ? *byte : 0) | value << cells % 4 * 2);
    cells++;
  }
  return (cells + 3) / 4;
}

static void add_row(Rows *rows, Text *row, double count, Place place) {
  assert(row->n == rows->columns.n);
  if (rows->all) {
    for (size_t i = 0; i < row->n; i++)
      vec_push(&rows->all->cells, row->at[i]);
    rows->all->rows++;
    return;
  }
  uint32_t number = rows->first + seen_add(&rows->rows, row->at, pack(row));
  if (number == rows->to->blocks.n)
    vec_push(&rows->to->blocks, (Block){.place = place});
  rows->to->blocks.at[number].count += count;
  assert(rows->to->blocks.n == rows->first + rows->rows.ends.n);
}

/* False after an error.  `row` is room for it. */
static bool read_row(Table *t, Rows *rows, Text *row) {
  Place place = NOWHERE;
  double count = 1;
  size_t cells = 0;
  bool good = true;
  row->n = 0;
  do {
    next_cell(t);
    place = cells ? place : cell_place(t);
    if (!cells && t->last && !t->cell.n) /* an empty line */
      break;
    good = take_cell(t, rows, cells++, row, &count);
  } while (good && !t->last);
  if (good && cells && cells < rows->columns.n) {
    diagnose_error(t->said, place, "what is unknown is an empty cell between its commas",
                   "this row has fewer cells than the header");
    good = false;
  }
  if (good && cells)
    add_row(rows, row, count, place);
  return good;
}

/* A statement about the column's atom. */
static Statement about(const Program *p, StatementKind kind, uint32_t unit) {
  assert(unit < p->units.n);
  Range range = {0, (uint32_t)p->units.at[unit].tokens.n - 1};
  return (Statement){
      .kind = kind, .unit = unit, .whole = range, .body = range, .block = PROGRAM_BLOCK};
}

/* Takes the rows. */
static void add_table(Program *p, Rows *rows) {
  ObservedTable table = {
      .first = rows->first, .rows = (uint32_t)rows->rows.ends.n, .width = width_of(rows)};
  for (size_t i = 0; i < rows->columns.n; i++) {
    if (rows->columns.at[i] == NONE_SOURCE)
      continue;
    vec_push(&table.columns, (uint32_t)p->statements.n);
    vec_push(&p->statements, about(p, S_COLUMN, rows->columns.at[i]));
  }
  table.cells.at = rows->rows.bytes.at;
  table.cells.n = rows->rows.bytes.n, table.cells.room = rows->rows.bytes.room;
  assert(table.cells.n == table.rows * table.width);
  vec_push(&p->tables, table);
  rows->rows.bytes.at = NULL; /* it is the table's */
}

/* The rows of the last table as statements, in its stead. */
static void list_rows(Program *p) {
  ObservedTable table = p->tables.at[--p->tables.n];
  p->statements.n -= table.columns.n;
  for (size_t i = 0; i < table.columns.n; i++) /* to units */
    table.columns.at[i] = p->statements.at[table.columns.at[i]].unit;
  for (uint32_t row = 0; row < table.rows; row++)
    for (size_t i = 0; i < table.columns.n; i++) {
      int value = table_cell(&table, row, i);
      if (value < 0)
        continue;
      Statement s = about(p, S_LITERAL, table.columns.at[i]);
      s.block = table.first + row;
      s.denied = !value;
      vec_push(&p->statements, s);
    }
  vec_free(&table.columns);
  vec_free(&table.cells);
}

static Table table_begin(Diagnostics *said, uint32_t source) {
  assert(source < said->sources->list.n);
  const Source *text = &said->sources->list.at[source];
  if (strlen(text->bytes) != text->length)
    diagnose_error(said, (Place){source, (uint32_t)strlen(text->bytes), 1}, NULL,
                   "NUL byte in the table");
  return (Table){.said = said,
                 .source = source,
                 .bytes = text->bytes,
                 .at = text->bytes,
                 .separator = csv_separator(text->bytes)};
}

/* Rows begin where their first cell does; the header has the same separators. */
Place program_observed(const Program *p, const Statement *s, uint32_t block) {
  assert(block < p->blocks.n);
  Place atom = program_place(p, s, s->whole), row = p->blocks.at[block].place;
  Place header = source_origin(&p->sources, atom);
  if (header.source == atom.source || header.source != row.source || row.offset <= header.offset)
    return atom; /* it is of no table */
  Diagnostics unsaid = {.sources = &p->sources};
  Table t = table_begin(&unsaid, row.source);
  size_t cells = 1;
  for (next_cell(&t); t.start < header.offset && !t.last; next_cell(&t))
    cells++;
  t.at = t.bytes + row.offset;
  do
    next_cell(&t);
  while (--cells && !t.last);
  vec_free(&t.cell);
  diagnostics_free(&unsaid);
  return cell_place(&t);
}

static void read_rows(Table *t, Rows *rows) {
  Text row = {0};
  while (!t->said->errors && *t->at && read_row(t, rows, &row))
    limits_poll();
  vec_free(&row);
}

void program_read_table(Program *program, uint32_t source, bool listed) {
  Table t = table_begin(program_said(program), source);
  Rows rows = {.to = program, .first = (uint32_t)program->blocks.n};
  Names names = {0};
  do {
    next_cell(&t);
    note_column(&t, &names);
    vec_push(&rows.columns, add_column(&t, program));
  } while (!t.last);
  names_free(&names);
  read_rows(&t, &rows);
  if (!program->said.errors)
    add_table(program, &rows);
  if (!program->said.errors && listed)
    list_rows(program);
  vec_free(&rows.columns);
  seen_free(&rows.rows);
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
  Names names = {0};
  do {
    next_cell(&t);
    note_column(&t, &names);
    bool count = !strcmp(t.cell.at, "#count");
    if (!count && !is_atom(t.cell.at, t.cell.n))
      refuse_column(&t);
    vec_push(&rows.columns, count ? NONE_SOURCE : 0);
    vec_push(&to->columns, (TableColumn){memory_copy(t.cell.at, t.cell.n), cell_place(&t)});
  } while (!t.last);
  names_free(&names);
  read_rows(&t, &rows);
  vec_free(&rows.columns);
  vec_free(&t.cell);
}

/* Steps over a line; false if it is empty, and no row. */
static bool skip_row(Table *t) {
  next_cell(t);
  bool row = !t->last || t->cell.n;
  while (!t->last)
    next_cell(t);
  return row;
}

Place table_row_place(const Diagnostics *said, uint32_t source, size_t row) {
  Diagnostics unsaid = {.sources = said->sources};
  Table t = table_begin(&unsaid, source);
  size_t rows = 0;
  const char *from = t.at;
  for (skip_row(&t); rows <= row && *t.at; rows += skip_row(&t))
    from = t.at;
  Place place = {source, (uint32_t)(from - t.bytes), (uint32_t)strcspn(from, "\r\n")};
  vec_free(&t.cell);
  diagnostics_free(&unsaid);
  return place;
}

void table_free(TableRows *t) {
  for (size_t i = 0; i < t->columns.n; i++)
    free(t->columns.at[i].text);
  vec_free(&t->columns);
  vec_free(&t->cells);
}
