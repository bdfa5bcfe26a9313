/* sealed.h - what was made of the texts of a program: read, ground, sealed.
**
** Made once, then only read, by the program and the models that were compiled from it,
** which share it. */
#ifndef API_SEALED_H
#define API_SEALED_H

#include "base/memory.h"
#include "dialects/dialect.h"
#include "ground/read.h"
#include "language/program.h"
#include "lpmln/lpmln.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the texts are read. */
typedef struct {
  bool blocks;    /* observations may have several */
  bool rows;      /* tables are rows of evidence, not observations */
  bool utilities; /* of decisions count */
  bool listed;    /* rows of tables are statements, as all other observations */
  double noise;   /* > 0: with noise atoms of weight -noise */
} Reading;

/* A text that was read, and as what. */
typedef struct {
  lpmln_role role;
  const DialectKind *dialect;
  uint32_t source; /* of the Program */
} ReadText;

typedef struct {
  atomic_size_t holders;
  Reading reading;
  bool closed_world, open_world, problog_clauses; /* options that change what texts mean */
  char *open;                                     /* likewise; NULL: none */
  VEC(char *) queries, constants, interventions;  /* as they were given, beside the texts */
  VEC(ReadText) texts;
  Dialect *dialects; /* by kind: texts that wait for the others; NULL once all are read */
  Program program;
  size_t compiled_from, compiled_to; /* statements that a compiled file brought */
  uint32_t tests;                    /* observation blocks from this one on are for testing */
  char *noise;                       /* predicate of noise atoms; NULL: none */
  Grounded is;
  bool ground;         /* that is there */
  uint32_t hard_bound; /* violable hard instances that must be violated; NONE */
} Sealed;

Sealed *sealed_new(void); /* empty, with one holder */
Sealed *sealed_keep(Sealed *);
void sealed_free(Sealed *);         /* one holder less; NULL is fine */
void sealed_end_dialects(Sealed *); /* frees what waited */

/* read.c: another one of the same texts, read but not ground. */
Sealed *sealed_read_again(const Sealed *);

#endif
