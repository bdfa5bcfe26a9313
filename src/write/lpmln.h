/* lpmln.h - a program in its own language, one statement a line: what is left of
** several files, or of a program of another language, once it was read. */
#ifndef WRITE_LPMLN_H
#define WRITE_LPMLN_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "ground/ground.h"
#include "ground/observations.h"
#include "language/program.h"

#include <stdbool.h>
#include <stdint.h>

/* One statement on a line: an observed literal as a constraint, a query as a comment. */
void lpmln_statement(const Program *, const Statement *, Text *out);

/* What stands in front of a rule: `@w(NAME,VALUE)` if the parameter was given a value (it has no
** name in the ground program, then).  False: its instances were given different ones, or it has
** no place for one; lpmln_refuse_weight says so. */
bool write_lpmln_weight(const Program *, const Ground *, const Statement *, Text *out);
bool write_lpmln_rule(const Program *, const Ground *, const Statement *,
                      Text *out);                                            /* all of it */
bool lpmln_refuse_weight(const Program *, Diagnostics *, const Statement *); /* false */

/* The `:- #false.` that stands in front of each answer set. */
bool lpmln_is_mark(const Program *, const Statement *);

/* Evidence becomes constraints, queries comments; observations that are wanted separately are
** left out. */
bool write_lpmln(const Program *, const Ground *, Diagnostics *, bool separate, Text *out);

/* Observations, a block each, before block `end`: atoms that an answer set does not list are
** observed to be false. */
void write_lpmln_data(const Program *, const Ground *, const Observations *, uint32_t end,
                      Text *out);

#endif
