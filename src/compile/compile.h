/* compile.h - from a ground program to a circuit.
**
** A Compiled borrows the sealed ground program and its analysis, and owns the
** circuit, to which every question adds what it needs:
**
**   Compiled c;
**   compile_begin(&c, &ground, &analysis, &options);
**   CircuitRoot program = {0}, observed = {0};
**   status = compile_root(&c, NULL, 0, NULL, 0, &program);
**   status = compile_root(&c, evidence, n, wanted, m, &observed);
**   CircuitValues v;
**   circuit_values_make(&c.circuit, &v);      after the last compile_root
**   circuit_evaluate(&c.circuit, weights, &v);
**   ln P(evidence) = circuit_log_value(.., &observed) - (.., &program)
**
** Components of the program that are equal (Analysis.kind) are compiled once;
** so are equal questions about them. */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/share.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/search.h"
#include "compile/strata.h"
#include "compile/theory.h"
#include "compile/unit.h"
#include "ground/analysis.h"
#include "ground/ground.h"
#include "lpmln/lpmln.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t nodes;            /* of the circuit; 0: no limit */
  size_t memory;           /* bytes, roughly; 0: no limit */
  size_t branches;         /* of the search, per component and question; 0: none */
  double seconds;          /* of wall time for each call; 0: no limit */
  double deadline;         /* of clock_now, for all calls; 0: none */
  double kind_seconds;     /* and for each lane of a kind of component; 0: no limit */
  const atomic_bool *stop; /* set by others to interrupt; may be NULL */
  Foundedness foundedness; /* what to try first where there is a choice */
  SearchChoice choice;     /* how inputs are chosen: all ways by default */
  size_t diagram_nodes;    /* of the decision diagrams for head cycles */
  const bool *first;       /* by atom: decided before all others; NULL: any order */
  uint64_t seed;           /* of the variable order */
  unsigned threads;        /* kinds of components, and questions, compiled at the same time */
  uint64_t ahead;          /* work of an attempt, from which on idle threads help (ahead.h) */
  Team *share;             /* processes that share many questions; NULL: alone */
  _Atomic double
      *explored; /* for people: the share of the search for the question under way; NULL */
} CompileOptions;

/* With `first`, no decision about another atom is above one about such an atom: these can be
** maximised over after the others were summed over.  Equal components have equal ones, and such
** atoms are told if they are wanted. */
CompileOptions compile_options_default(void);

/* What compiling has cost so far, all questions together. */
typedef struct {
  uint32_t width;         /* atoms of the largest bag of a tree decomposition; 0: none was needed */
  size_t branches, nodes; /* decisions tried; nodes of the circuit */
} CompileEffort;

typedef struct {
  const Ground *ground;
  const Analysis *analysis;
  CompileOptions options;
  ShareSetup setup; /* with whom it is shared; begun when there is something to share */
  Strata strata;
  Circuit circuit;
  CompileUnit *units;   /* by kind */
  uint32_t *position;   /* by atom: in its component */
  uint32_t *rule_start; /* by component: in rules; one more */
  uint32_t *rules;      /* component after component */
  bool impossible;      /* a hard constraint is always violated */
  CompileEffort past;   /* of lanes that are gone */
  Text message;         /* why the last compile_root failed; "" if not */
} Compiled;

void compile_begin(Compiled *, const Ground *, const Analysis *, const CompileOptions *);
void compile_free(Compiled *);

typedef struct {
  const Lit *evidence;
  const Atom *wanted;
  size_t evidences, wants;
} CompileQuestion;

/* The program with the literals of `evidence` true.  The circuit's variables
** are the guessed atoms and those of `wanted` (atoms whose marginals, or truth
** in samples, are asked for; others follow by strata_extend).  A root without
** models is OK and not circuit_possible.  LIMIT, INTERRUPTED: see message. */
Status compile_root(Compiled *, const Lit *evidence, size_t evidences, const Atom *wanted,
                    size_t wants, CircuitRoot *);

/* Many questions at once, which use the threads and the ranks: a root each.  INTERNAL: a
** rank is lost or in trouble; so is LIMIT, if the message says so. */
enum { COMPILE_MANY = 64 }; /* fewer are not shared out */
Status compile_roots(Compiled *, const CompileQuestion *, size_t n, CircuitRoot *roots);

/* marginals.c: P(atom | evidence) for each of `atoms`, whatever they are: those
** that are certain, impossible or guessed at once, the others in groups, as
** large as `effort` branches of the search allow (0: a default).  NO_ANSWER if
** the evidence is impossible.  LIMIT, INTERRUPTED: what is not known is NAN.  Of atoms that
** are evidence themselves it is not told whether they are certain. */
Status compile_marginals(Compiled *, const Lit *evidence, size_t evidences, const Atom *atoms,
                         size_t n, const double *weights, size_t effort,
                         Probability *probabilities);

CompileEffort compile_effort(const Compiled *);

/* served.c: the options that decide what comes out, and the same lanes, for another process. */
void compile_put_options(const CompileOptions *, Text *);
CompileOptions compile_get_options(Bytes *);
extern const ShareServer compile_server;

/* The theory of a component's kind; NULL if it is too large to be made. */
const CompileUnit *compile_unit(Compiled *, uint32_t component);

/* Whether the last call failed on components of this kind. */
bool compile_failed(const Compiled *, uint32_t kind);

/* Drops what no root of the list needs: unfinished attempts and steps on the
** way.  Later questions are still possible; after compile_compact they start afresh. */
void compile_shrink(Compiled *, CircuitRoot *const *roots, size_t n);
void compile_compact(Compiled *, CircuitRoot *const *roots, size_t n);

#endif
