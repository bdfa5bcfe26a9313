/* dialect.h - programs of other languages, turned into our own.
**
** A reader takes the texts of one dialect together and writes what they mean as
** LPMLN text, with a map of places, so that everything that is said later (by the
** parser, the grounder, an engine) points at the user's file.  By convention the
** piece in which a statement starts is the whole statement of the dialect: that is
** what answers show as the rule's text (program_describe).
**
** To add a dialect: a folder with its reader, and a line in the table of dialect.c. */
#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

#include "base/memory.h"
#include "language/instance.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  lpmln_role role;
  uint32_t source;
} DialectInput;

/* What a front end reads, and what it writes.  Errors are reported in the
** program's sources with places of the dialect's text; what was written is then
** not used. */
typedef struct {
  Program *program;         /* for sources, hidden names and chances; it has no units of ours yet */
  bool problog_clauses;     /* of plingo: &problog of a rule with a body as in ProbLog */
  VEC(DialectInput) inputs; /* in the order given */
  bool blocks;              /* observations may have several blocks (learning) */
  bool open_world;          /* of Markov logic: what is not listed is unknown… */
  const char *open;         /* …of these predicates, `p/2,q/1`; NULL: none */
  const char *asked;        /* the queries, a line each; borrowed; NULL: none */

  bool closes;     /* what no observation lists is false */
  Writer rules;    /* LPMLN statements */
  Writer evidence; /* of the program, or of -e for inference: observed literals and constraints */
  Writer observations; /* of -e for learning: blocks separated by `---` lines */
  Writer tests;        /* the same of --test */
  VEC(Writer) queries; /* each as with -q */
} Dialect;             /* {0} is empty */

typedef void (*DialectReader)(Dialect *);

typedef struct {
  const char *name, *title; /* for options and for people */
  const char *endings;      /* of file names, a blank around each */
  const char *shared;       /* those of them that others use, too: worth a note… */
  const char *beside;       /* …and those that are, but beside a program of the dialect */
  DialectReader read;       /* NULL: our own language */
} DialectKind;

extern const DialectKind dialect_kinds[]; /* our own first */
extern const size_t dialect_kind_count;

/* All names that the option takes: "auto", then the kinds. */
const lpmln_choice *dialect_choices(size_t *count);

/* NULL: there is none of this name. */
const DialectKind *dialect_named(const char *name);

/* The dialect of a text, by what the user said (NULL: nothing) and by its name.
** `programs` is that of the program so far, in which evidence with a name that says
** nothing is written.  *guessed: worth a note. */
const DialectKind *dialect_of(const DialectKind *said, const DialectKind *programs, lpmln_role,
                              const char *name, bool *guessed);

void dialect_free(Dialect *);

/* Adds an empty query to write to. */
Writer *dialect_query(Dialect *);

/* Atoms of this predicate are not shown in answers. */
void dialect_hide(Dialect *, const char *predicate);

/* Users know this parameter, or all whose names are NAME(…), as a probability:
** e^w/(1+e^w) times what is left.  `before`, of the same arguments, and those
** before it took their part already; NULL: this is the first, and `rest` is left.
** `implied`: there is no such parameter, it gets all that is left. */
void dialect_chance(Dialect *, const char *name, const char *before, double rest, bool implied);

/* Adds the text as a source and frees the writer. */
uint32_t dialect_source(Dialect *, Writer *, const char *name);

#endif
