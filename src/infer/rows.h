/* rows.h - many rows of weights and evidence through one circuit.
**
** A component of the program is a part's copy, and evidence about it is a lane of the
** part's plan: rows and copies are both lanes.  Copies that no column is about are
** evaluated once for all of them. */
#ifndef INFER_ROWS_H
#define INFER_ROWS_H

#include "base/limits.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "ground/ground.h"
#include "infer/told.h"
#include "lpmln/lpmln.h"

#include <stddef.h>
#include <stdint.h>

/* The columns of what goes in and comes out. */
typedef struct {
  const Told *told;
  const Told *program;   /* the program without evidence, for ln Z; may be `told` */
  const double *weights; /* by weight of the ground program */
  size_t parameters;
  const uint32_t *parameter; /* its weight */
  size_t observables;
  const Atom *observable; /* told */
  size_t queries;
  const Atom *query; /* NAN for those that are neither told nor of known truth */
  const Ground *ground;
  const Lit *evidence; /* of all rows, told */
  size_t evidences;
} RowsShape;

/* OK, LIMIT (time or memory), INTERRUPTED.  Values of evidence are 1, 0 or NAN. */
Status rows_evaluate(const RowsShape *, const lpmln_batch *, const Limits *);

/* rows_shared.c: a table of evidence, which is read a block at a time; several ranks share the
** blocks.  The shape has no parameters, and both its circuits are one. */
typedef struct {
  size_t rows;
  void (*read)(const void *data, size_t first, size_t n, double *evidence); /* n rows of it */
  const void *data;
  double *log_evidence; /* by row */
  double *marginals;    /* by row and query */
  unsigned threads;
  Team *share;       /* NULL: alone */
  ShareSetup *setup; /* of these ranks, for tables of one shape: begun with the first of them */
} RowsTable;

/* INTERNAL, and LIMIT if `trouble` says so: of another rank. */
Status rows_answer(const RowsShape *, const RowsTable *, const Limits *, Text *trouble);

extern const ShareServer rows_server;

#endif
