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
  ObservedTable table;   /* different ones… */
  SeenSlots seen;        /* …by their cells… */
  TableRows *all;        /* …or, not merged, they go there */
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

static const void *cells_of(const void *owner, uint32_t number, size_t *length) {
  const ObservedTable *t = owner;
  assert(number < t->rows);
  *length = t->width;
  return t->cells.at + number * t->width;
}

static void add_row(Rows *rows, Text *row, double count, Place place) {
  ObservedTable *t = &rows->table;
  assert(row->n == rows->columns.n);
  if (rows->all) {
    for (size_t i = 0; i < row->n; i++)
      vec_push(&rows->all->cells, row->at[i]);
    rows->all->rows++;
    return;
  }
  size_t width = pack(row);
  assert(width == t->width);
  vec_reserve(&t->cells, width + 1); /* so that a number has its row */
  vec_reserve(&t->offsets, 1);
  vec_reserve(&t->counts, 1);
  uint32_t number = seen_number(&rows->seen, cells_of, t, row->at, width);
  if (number == t->rows) {
    memcpy(t->cells.at + t->cells.n, row->at, width);
    t->cells.n += width, t->rows++;
    vec_push(&t->offsets, place.offset);
    vec_push(&t->counts, 0);
  }
  t->counts.at[number] += count;
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

void table_clear(ObservedTable *t) {
  vec_free(&t->columns);
  vec_free(&t->cells);
  vec_free(&t->offsets);
  vec_free(&t->counts);
}

/* What vectors have in reserve. */
#define FIT(v) \
  ((v)->at = memory_resize((v)->at, (v)->n, sizeof *(v)->at), (void)((v)->room = (v)->n))

/* Takes the rows. */
static void add_table(Program *p, Rows *rows) {
  ObservedTable *t = &rows->table;
  for (size_t i = 0; i < rows->columns.n; i++) {
    if (rows->columns.at[i] == NONE_SOURCE)
      continue;
    vec_push(&t->columns, (uint32_t)p->statements.n);
    vec_push(&p->statements, about(p, S_COLUMN, rows->columns.at[i]));
  }
  assert(t->cells.n == t->rows * t->width && t->first == p->block_count);
  FIT(&t->cells);
  FIT(&t->offsets);
  FIT(&t->counts);
  vec_push(&p->tables, *t);
  p->block_count += t->rows;
  *t = (ObservedTable){0};
}

/* The rows as statements. */
static void list_rows(Program *p, const Rows *rows) {
  const ObservedTable *t = &rows->table;
  for (uint32_t row = 0; row < t->rows; row++) {
    size_t column = 0;
    uint32_t block = p->block_count;
    program_add_block(p, table_place(p, t, row))->count = t->counts.at[row];
    for (size_t i = 0; i < rows->columns.n; i++) {
      if (rows->columns.at[i] == NONE_SOURCE)
        continue;
      int value = table_cell(t, row, column++);
      if (value < 0)
        continue;
      Statement s = about(p, S_LITERAL, rows->columns.at[i]);
      s.block = block;
      s.denied = !value;
      vec_push(&p->statements, s);
    }
  }
}

static Table table_begin(Diagnostics *said, uint32_t source) {
  assert(source < said->sources->list.n);
  const Source *text = &said->sources->list.at[source];
  return (Table){.said = said,
                 .source = source,
                 .bytes = text->bytes,
                 .at = text->bytes,
                 .separator = csv_separator(text->bytes)};
}

enum { AT_A_TIME = 1 << 22 }; /* bytes of a text that are looked at */

/* A table has no NUL byte. */
static void check_text(Diagnostics *said, uint32_t source) {
  const Source *text = &said->sources->list.at[source];
  for (size_t at = 0; at < text->length; at += AT_A_TIME) {
    size_t n = text->length - at < AT_A_TIME ? text->length - at : AT_A_TIME;
    const char *found = memchr(text->bytes + at, 0, n);
    source_forget(text, at);
    if (!found)
      continue;
    diagnose_error(said, (Place){source, (uint32_t)(found - text->bytes), 1}, NULL,
                   "NUL byte in the table");
    return;
  }
}

Place table_place(const Program *p, const ObservedTable *t, uint32_t row) {
  assert(row < t->rows);
  Diagnostics unsaid = {.sources = &p->sources};
  Table at = table_begin(&unsaid, t->source);
  at.at += t->offsets.at[row];
  next_cell(&at);
  vec_free(&at.cell);
  diagnostics_free(&unsaid);
  return cell_place(&at);
}

/* Rows begin where their first cell does; the header has the same separators. */
Place program_observed(const Program *p, const Statement *s, uint32_t block) {
  Place atom = program_place(p, s, s->whole), row = program_block_place(p, block);
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

/* At most so many. */
static void read_rows(Table *t, Rows *rows, size_t most) {
  const Source *text = &t->said->sources->list.at[t->source];
  const char *forgotten = t->bytes;
  Text row = {0};
  while ((!rows->all || rows->all->rows < most) && !t->said->errors && *t->at &&
         read_row(t, rows, &row)) {
    limits_poll();
    if (t->at - forgotten < AT_A_TIME)
      continue;
    source_forget(text, (size_t)(t->at - t->bytes));
    forgotten = t->at;
  }
  vec_free(&row);
}

void program_read_table(Program *program, uint32_t source, bool listed) {
  check_text(program_said(program), source);
  Table t = table_begin(program_said(program), source);
  Rows rows = {.table = {.first = program->block_count, .source = source}};
  Names names = {0};
  do {
    next_cell(&t);
    note_column(&t, &names);
    vec_push(&rows.columns, add_column(&t, program));
  } while (!t.last);
  names_free(&names);
  rows.table.width = width_of(&rows);
  read_rows(&t, &rows, SIZE_MAX);
  seen_slots_free(&rows.seen);
  if (!program->said.errors && listed)
    list_rows(program, &rows);
  else if (!program->said.errors)
    add_table(program, &rows);
  vec_free(&rows.columns);
  table_clear(&rows.table);
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

void table_open(Diagnostics *said, uint32_t source, TableRows *to) {
  check_text(said, source);
  Table t = table_begin(said, source);
  Names names = {0};
  assert(!to->columns.n);
  do {
    next_cell(&t);
    note_column(&t, &names);
    bool count = !strcmp(t.cell.at, "#count");
    if (!count && !is_atom(t.cell.at, t.cell.n))
      refuse_column(&t);
    vec_push(&to->columns, (TableColumn){memory_copy(t.cell.at, t.cell.n), cell_place(&t)});
  } while (!t.last);
  names_free(&names);
  vec_free(&t.cell);
  to->source = source;
  to->begin = to->next = (size_t)(t.at - t.bytes);
}

bool table_read(Diagnostics *said, TableRows *to, size_t most) {
  Table t = table_begin(said, to->source);
  Rows rows = {.all = to};
  for (size_t i = 0; i < to->columns.n; i++)
    vec_push(&rows.columns, strcmp(to->columns.at[i].text, "#count") ? 0 : NONE_SOURCE);
  to->cells.n = to->rows = 0;
  t.at += to->next;
  read_rows(&t, &rows, most);
  to->next = (size_t)(t.at - t.bytes);
  vec_free(&rows.columns);
  vec_free(&t.cell);
  return to->rows && !said->errors;
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
