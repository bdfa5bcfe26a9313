/* search.h - from a theory to circuit nodes, by conditioning.
**
** Branch on an input, simplify what is left, split it into parts that share no atom, look each
** part up among those already compiled, go on.  Every node is then a decision between products of
** independent parts: deterministic and decomposable, whatever the order of decisions.  The stack
** is explicit.
**
** Which input to branch on decides between milliseconds and centuries, and no rule is good for all
** programs.  Far follows the derivations, heads takes what derives one atom in a row: good for
** graphs with a source.  Near goes along an order, for long chains, where all that counts is near
** (and the rest need not be looked at).  Tree decides what cuts the program into parts, bag after
** bag of a tree decomposition: good where everything depends on few others.  Flat does the same
** without residuals where no rule waits for another (flat.h).  Down goes from what is asked to
** what it depends on, depth first, where that is a tree.  Clauses takes such parts as flat does as
** a formula, and decides what is in most of its clauses (clauses.h): good for dense constraints,
** where everything depends on everything.  They are tried in turn with growing budgets of work,
** and what one has compiled the others find in the memo (portfolio.c).
**
** Where some inputs are to be decided before all others, they are, whatever the way; near and
** flat, which see a part of the rules at a time, are not used then.
**
** One Search serves all questions about a theory: parts are shared between the program with and
** without evidence, and between kinds of evidence. */
#ifndef COMPILE_SEARCH_H
#define COMPILE_SEARCH_H

#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/decompose.h"
#include "compile/memo.h"
#include "compile/residual.h"
#include "compile/theory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways of choosing the input to branch on. */
typedef enum {
  WAY_NEAR,
  WAY_FAR,
  WAY_HEADS,
  WAY_TREE,
  WAY_FLAT,
  WAY_DOWN,
  WAY_CLAUSES,
  WAYS
} SearchWay;
typedef enum {
  CHOOSE_ALL,
  CHOOSE_NEAR,
  CHOOSE_FAR,
  CHOOSE_HEADS,
  CHOOSE_TREE,
  CHOOSE_FLAT,
  CHOOSE_DOWN,
  CHOOSE_CLAUSES
} SearchChoice;

/* What ends a search early; shared by all searches of a compilation. */
typedef struct {
  size_t nodes;            /* of the circuit; 0: no limit */
  size_t memory;           /* bytes of residuals, memos and nodes; 0: no limit */
  size_t branches;         /* of this question; 0: no limit */
  double deadline;         /* of the monotonic clock, in seconds; 0: none */
  const atomic_bool *stop; /* NULL: nobody stops it */
  atomic_uint *spare;      /* threads that have nothing else to do; NULL: none */
  uint64_t ahead;          /* work of an attempt, from which on they help */
  _Atomic double
      *explored; /* for people: the share of the question that was seen; NULL: nobody looks */
} SearchLimits;

typedef struct Ahead Ahead;             /* ahead.h */
typedef struct AheadHelper AheadHelper; /* likewise */
typedef struct AheadStep AheadStep;     /* likewise */
typedef struct Relay Relay;             /* relay.h */

typedef struct {
  ResidualPart part;
  uint32_t input;      /* branched on; THEORY_NONE: the whole question */
  bool low;            /* the branch under way */
  bool second;         /* the other is finished */
  uint32_t other;      /* node of that one */
  size_t words, parts; /* heights of the residual's stacks before the branch */
  size_t next;         /* the branch's next part */
  size_t results;      /* height of results before the branch */
  AheadStep *step;     /* that is followed or, by a helper, written; NULL: none */
} SearchFrame;

/* A part of a question with derived atoms that were decided. */
typedef struct {
  ResidualKey key;
  uint32_t node;
} SearchCut;

typedef struct {
  const Theory *theory;
  Circuit *circuit;         /* borrowed; nodes are added to it; NULL: of a helper */
  const uint32_t *variable; /* borrowed, by atom: in the circuit; CIRCUIT_NONE: none */
  Residual residual;
  Memo memo;           /* 1 + the node */
  VEC(SearchCut) cuts; /* parts of the question that tell more than they have to */
  VEC(SearchFrame) frames;
  VEC(uint32_t) results; /* nodes of finished parts */
  const bool *first;     /* borrowed, by atom: decided before all others; NULL: none is */
  SearchChoice choice;
  SearchWay way;      /* of choosing, under way or good last */
  uint32_t *rank;     /* by atom: of the decomposition; NULL: none yet */
  uint32_t *down;     /* by atom: from what is asked down; NULL: none yet */
  Decomposition tree; /* of the question under way */
  uint32_t width;     /* of the widest decomposition so far; 0: none was made */
  size_t branches;    /* made so far: what the search cost */
  size_t states;      /* of flat parts, looked at so far */
  size_t deepest;     /* most inputs decided at once */
  Ahead *crew;        /* its helpers; NULL: it never had any */
  Ahead *ahead;       /* those that help now */
  AheadHelper *helps; /* of one that helps */
  Relay *relay;       /* who makes nodes now; NULL: the search does */
  bool lost;          /* a step led to a part that nobody knows */
} Search;

void search_begin(Search *, const Theory *, Circuit *, const uint32_t *variable, SearchChoice);
void search_free(Search *);
void search_forget(Search *); /* the memo: node numbers have changed */

/* For portfolio.c: opens the question whose rules are all of the residual's words;
** runs until it is through, or leaves CIRCUIT_NONE when `budget` was not enough;
** finds and adds parts by key; `before` is how many branches came before. */
void search_start(Search *);
Status search_run(Search *, const SearchLimits *, size_t before, uint64_t budget, uint32_t *node);
uint32_t search_find(const Search *, const ResidualKey *);
void search_remember(Search *, const ResidualKey *, uint32_t node);
Status search_check(const Search *, const SearchLimits *, size_t before);

/* For people who wait: so much of the question was seen, by the way under way; log2 of the share.
 */
double search_progress(const Search *);
void search_tell(const SearchLimits *, double share);

/* tree.c: orders what the question left by a tree decomposition that costs `effort` at
** most; false if there is none and others may choose. */
bool search_decompose(Search *, uint64_t effort, const SearchLimits *);

/* down.c: orders what the question left from what is asked down to what it depends on; false
** if that is no tree by far, and others may choose. */
bool search_order_down(Search *);

/* flat_search.c: compiles the parts of the question that are flat, and remembers them,
** if that takes `most` work at the most. */
typedef struct {
  double work; /* that it takes if that is more; 0: it is done, or no part is flat */
  bool more;   /* with more effort other parts may be flat */
} FlatCost;

Status search_flat(Search *, const SearchLimits *, uint64_t effort, double most, FlatCost *);

/* clause_search.c: compiles parts of the question as clauses, and remembers them, with so much
** work at the most.  `progress`: log2 of the share that has been seen; 0: nothing is left to do. */
Status search_clauses(Search *, const SearchLimits *, uint64_t budget, double *progress);

/* sum.c: how many states a part has that is one sum over inputs, at most (0: it is not);
** compiles it. */
double sum_states(const Residual *, const ResidualPart *);
Status sum_compile(Search *, const ResidualPart *, const SearchLimits *, uint32_t *node);

/* Names a question; its lists are sorted and without repeats. */
ResidualKey search_key(const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                       size_t wants);

/* Compiles the theory with the literals of `evidence` (of theory atoms) true
** and the truth of `wanted` atoms told.  LIMIT or INTERRUPTED leave the search
** usable for the next question. */
Status search_compile(Search *, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                      size_t wants, const SearchLimits *, uint32_t *node);

#endif
