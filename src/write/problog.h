/* problog.h - the program as a ProbLog program, where it is one: soft rules are facts,
** hard rules are normal rules without loops through negation, and nothing else
** restricts what holds.  Then each choice of soft facts has one stable model (the
** paper's Theorem 5), and a soft fact of weight w has probability e^w/(1+e^w).
**
** Rules keep their variables if all of them can be written in Prolog; else the
** ground program is written. */
#ifndef WRITE_PROBLOG_H
#define WRITE_PROBLOG_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/names.h"
#include "ground/ground.h"
#include "ground/script.h"
#include "language/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False: reports why not.  Evidence becomes evidence(…) in the text, or, if `data`
** is given, blocks of examples for learning. */
bool write_problog(const Program *, const Ground *, Diagnostics *, Text *out, Text *data);

/* ---- what its parts share ------------------------------------------------------------ */

/* The soft facts of an atom. */
typedef struct {
  uint32_t instances;
  double fixed;       /* sum of their numbers */
  uint32_t parameter; /* the one parameter among them, in weights; NONE: none */
  uint32_t statement; /* of the last one */
} SoftAtom;

typedef struct {
  const Program *program;
  const Ground *ground;
  Diagnostics *said;
  SoftAtom *soft; /* by atom */
  Text *out;
  Names defined, used; /* signatures of what was written */
} ToProblog;

/* A name of clingo's as one of Prolog's. */
void prolog_name(const char *name, size_t length, Text *out);
void prolog_predicate(const char *name, size_t length, unsigned arity, Text *out);
void prolog_ground(const char *atom, Text *out);
void prolog_probability(double weight, Text *out);

/* problog_rules.c: the rules with their variables; false: not all can be. */
bool problog_write_rules(ToProblog *);
/* Prolog text of simple tokens, of a term or an atom; false: they are not simple. */
bool prolog_tokens(const Program *, const Statement *, Range, bool atom, Text *out);
/* Clauses for what is used and has none: ProbLog wants one. */
void problog_write_undefined(ToProblog *);
void prolog_signature(const char *atom, Text *out); /* name/arity of a ground atom */
void problog_signature(ToProblog *, const Program *, const Statement *, Range atom, bool defines);

/* problog_data.c: false: an observation can't be written, which is reported. */
bool problog_write_data(ToProblog *, Text *out, bool blocks);

#endif
