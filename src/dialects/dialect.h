/* dialect.h - programs of other languages, turned into our own.
**
** A front end reads the foreign texts of one language together and writes what
** they mean as LPMLN text, with a map of places, so that everything that is said
** later (by the parser, the grounder, an engine) points at the foreign file.  By
** convention the piece in which a statement starts is the whole foreign statement:
** that is what answers show as the rule's text (program_describe).
**
** To add a language: a function `dialect_…` in a file of its own, a line in the
** tables of dialect.c, a value of lpmln_language, and `--from` in cli/options.c. */
#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

#include "language/instance.h"

typedef struct {
  lpmln_role role;
  uint32_t source;
} DialectInput;

/* What a front end reads, and what it writes.  Errors are reported in the
** program's sources with places of the foreign text; what was written is then
** not used. */
typedef struct {
  Program *program; /* for sources, hidden names and chances; it has no units of ours yet */
  const lpmln_options *options;
  VEC(DialectInput) inputs; /* in the order given */
  bool blocks;             /* observations may have several blocks (learning) */

  Writer rules;    /* LPMLN statements */
  Writer evidence; /* of the program, or of -e for inference: observed literals and constraints */
  Writer observations; /* of -e for learning: blocks separated by `---` lines */
  Writer tests;        /* the same of --test */
  VEC(Writer) queries; /* each as with -q */
} Dialect;              /* {0} is empty */

typedef void (*DialectReader)(Dialect *);

/* markov.c */
void dialect_markov(Dialect *);

/* The language of a text, by what the user said (LPMLN_LANGUAGE_AUTO: nothing)
** and by its name.  `programs` is the language of the program so far, in which
** evidence with a name that says nothing is written.  *guessed: a name that
** others use, too; worth a note. */
lpmln_language dialect_language(lpmln_language said, lpmln_language programs, lpmln_role,
                               const char *name, bool *guessed);

/* NULL: it is our own. */
DialectReader dialect_front_end(lpmln_language);

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

/* The front ends. */
void dialect_problog(Dialect *);

/* Adds the text as a source and frees the writer. */
uint32_t dialect_source(Dialect *, Writer *, const char *name);

#endif
