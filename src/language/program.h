/* program.h - weighted rules as the user wrote them: texts cut into statements.
**
** Filled by program_read and its companions, then only read.  A statement is a
** range of its unit's tokens; what is inside of a literal stays text.  Nothing
** is resolved here: #domain atoms join the rules when the text for the grounder
** is written (ground/script.c), for they hold for all files. */
#ifndef LANGUAGE_PROGRAM_H
#define LANGUAGE_PROGRAM_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/source.h"
#include "language/lexer.h"
#include "language/weight.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t from, to; /* tokens of a unit; to is not included */
} Range;

static inline bool range_empty(Range r) { return r.from >= r.to; }

typedef enum {
  S_RULE,
  S_DOMAIN,   /* body: the atom */
  S_PASS,     /* #show, #const, #external, #defined: clingo's, unchanged */
  S_LITERAL,  /* of an observation: `a.`, `not b.`; body: the literal */
  S_COLUMN,   /* of a table of observations; body: the atom */
  S_DECISION, /* head: an atom to decide, body: its condition */
  S_UTILITY,  /* expression: its value, body: the literals, head: their condition */
  S_DO,       /* body: an atom that is set, to false if denied */
  S_QUERY     /* body: the conjunction, or an atom, or a signature; or, of dialects,
                 head: an atom, body: a condition on its variables */
} StatementKind;

#define PROGRAM_BLOCK UINT32_MAX

typedef enum { WEIGHT_HARD, WEIGHT_NUMBER, WEIGHT_PARAMETER } WeightKind;

typedef enum {
  HEAD_NONE, /* a constraint */
  HEAD_LITERAL,
  HEAD_DISJUNCTION,
  HEAD_CHOICE, /* in braces or an aggregate, without bounds: never violated */
  HEAD_BOUNDED /* with bounds */
} HeadKind;

typedef struct {
  StatementKind kind;
  uint32_t unit;
  Range whole; /* with the full stop (and what follows it in brackets) */
  Range head, body;
  HeadKind head_kind;
  WeightKind weight_kind;
  Range weight;                /* as written, colon not included */
  WeightExpression expression; /* WEIGHT_NUMBER: its value */
  Range name;                  /* WEIGHT_PARAMETER: its term; empty: a name of its own */
  bool has_initial;
  double initial;
  uint32_t block;  /* of an observation, or PROGRAM_BLOCK */
  bool denied;     /* S_LITERAL: observed to be false (of a table); S_DO */
  bool coin;       /* `p :: head`: see coin.c… */
  uint32_t before; /* …so many statements before it are coins of the same rule */
  uint32_t chance; /* `t(_) :: head`: 1 + its name in Program.chance_names; 0: none */
  bool formula;    /* the body is more than literals: see formula.h */
  Range given;     /* S_QUERY: `A | B`, body: A */
} Statement;

/* One text and its tokens. */
typedef struct {
  uint32_t source;
  Tokens tokens;
} Unit;

/* An observation: statements with this block number, seen `count` times. */
typedef struct {
  uint32_t number;
  bool complete; /* shown atoms that it does not list are false */
  double count;
  Place place;
} Block;

/* Observations as rows: blocks from `first` on, of which Program.blocks has nothing.  Rows are
** different from each other, and each has `width` bytes, four cells in a byte: see table_cell. */
typedef struct {
  uint32_t first, rows;
  uint32_t source;
  size_t width;
  VEC(uint32_t) columns; /* statements (S_COLUMN) */
  VEC(uint8_t) cells;
  VEC(uint32_t) offsets; /* by row: where in the text it begins, the first time… */
  VEC(double) counts;    /* …and how often it was seen */
} ObservedTable;

/* 1: the column's atom was seen to hold, 0: not to hold, -1: nothing is known of it. */
static inline int table_cell(const ObservedTable *t, size_t row, size_t column) {
  return (t->cells.at[row * t->width + column / 4] >> column % 4 * 2 & 3) - 1;
}

/* The first initial value of a parameter. */
typedef struct {
  double value;
  Place place;
} Initial;

/* A parameter that is known as a probability: e^w/(1+e^w) of what the one before
** it, in a chain of the same arguments, left over. */
typedef struct {
  uint32_t before; /* in chances, or UINT32_MAX… */
  double rest;     /* …then this is left */
  bool implied;    /* no parameter: it gets all that is left */
} Chance;

typedef struct Program Program;

/* Writes a ground atom as its users do. */
typedef void (*ProgramDisplay)(const Program *, const char *atom, Text *);

struct Program {
  Sources sources;
  Diagnostics said; /* about the texts; through program_said */
  VEC(Unit) units;
  VEC(Statement) statements;
  VEC(uint32_t) domains;  /* the statements that are #domain */
  VEC(Block) blocks;      /* that are no rows of tables, in their order… */
  uint32_t block_count;   /* …and how many there are with these */
  VEC(Statement) unknown; /* atoms (body) that a closed world leaves open in their block */
  VEC(ObservedTable) tables;
  VEC(char *) included;   /* real paths of the files read, for #include */
  const Source *embedded; /* borrowed: texts that need no reading, by name */
  size_t embedded_count;
  Names parameters;       /* those with an initial value, as written… */
  VEC(Initial) initials;  /* …and that value */
  ProgramDisplay display; /* how a dialect's users write atoms; NULL: as they are */
  bool defined;           /* a dialect's arithmetic has a value, or it is an error */
  const char *founded;    /* a dialect's negation is well-founded: the hint if not; NULL: any */
  const char *capitals;   /* how a dialect's capital names are written in queries; NULL: as usual */
  char *guard;            /* predicate of guards, NULL: none: one that holds is an error… */
  VEC(Place) guards;      /* …at its place, by the atom's number */
  Names renamed;          /* predicates that stand for others… */
  VEC(char *) shown_as;   /* …and these, as text */
  Names hidden;           /* predicates that answers never show */
  Names chance_names;     /* of parameters, without arguments… */
  VEC(Chance) chances;    /* …that are shown as probabilities */
};                        /* {0} is empty */

void program_free(Program *);

/* Where to say what is wrong with its texts. */
static inline Diagnostics *program_said(Program *p) {
  p->said.sources = &p->sources;
  return &p->said;
}

/* Parse a source; errors are reported in program->sources.  `root` is the
** folder #include may read below; NULL: the source has none. */
void program_read(Program *, uint32_t source, const char *root);
/* Evidence for inference: no separators.  Observations: blocks. */
void program_read_observations(Program *, uint32_t source, bool blocks);
/* A table in CSV: a header of ground atoms (or #count), a row an observation:
** 1, 0 or empty.  Equal rows become one block.  `listed`: its cells become statements,
** for those who want to write them, instead of an ObservedTable. */
void program_read_table(Program *, uint32_t source, bool listed);
void program_read_query(Program *, uint32_t source);
/* An intervention, `a, not b`: each literal is a statement. */
void program_read_do(Program *, uint32_t source);

#define ASKED_SOURCE "<query>" /* the name of a source: a query beside the texts */
#define OPTION_CONSTANT "<-c>" /* the name of a source: a constant that is given as an option */

/* The condition of a query as a query. */
Statement program_given(const Statement *);

static inline const Source *program_source(const Program *p, const Statement *s) {
  return &p->sources.list.at[p->units.at[s->unit].source];
}
static inline const Token *program_tokens(const Program *p, const Statement *s) {
  return p->units.at[s->unit].tokens.at;
}
Place program_place(const Program *, const Statement *, Range);

/* Another block, that is no row. */
Block *program_add_block(Program *, Place);

/* The table whose row the block is; NULL: of none. */
const ObservedTable *program_table(const Program *, uint32_t block);

double program_block_count(const Program *, uint32_t block); /* how often it was seen */
Place program_block_place(const Program *, uint32_t block);
bool program_block_complete(const Program *, uint32_t block);

/* Where a block observes what the statement is about: the cell of a row, or the statement. */
Place program_observed(const Program *, const Statement *, uint32_t block); /* table.c */

/* The statement's text on one line, comments and line breaks removed. */
void program_write(const Program *, const Statement *, Range, Text *);

/* Where the user wrote the statement, and its text there. */
void program_describe(const Program *, const Statement *, const char **file, unsigned *line,
                      Text *);

/* Parts of a head or body: literals between separators.  A conditional literal
** (`a : b, c`) is one part. */
typedef struct {
  Range range;
  bool conditional;
  bool braces; /* a choice, set or aggregate */
} Part;

typedef VEC(Part) Parts;

void program_parts(const Program *, const Statement *, Range, Parts *);

#endif
