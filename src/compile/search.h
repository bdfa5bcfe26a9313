/* search.h - from a theory to circuit nodes, by conditioning.
**
** Branch on an input, simplify what is left, split it into parts that share no
** atom, look each part up among those already compiled, go on.  Every node is
** then a decision between products of independent parts: deterministic and
** decomposable, whatever the order of decisions.  The stack is explicit.
**
** Which input to branch on decides between milliseconds and centuries, and no
** rule is good for all programs: following the derivations is right for graphs
** with a source, going along the order for long chains, where all that counts
** is near (and the rest need not be looked at).  So both are tried in turn, with
** growing budgets; what one has compiled the other finds in the memo.
**
** One Search serves all questions about a theory: parts are shared between
** the program with and without evidence, and between kinds of evidence. */
#ifndef COMPILE_SEARCH_H
#define COMPILE_SEARCH_H

#include "base/memory.h"
#include "base/status.h"
#include "circuit/circuit.h"
#include "compile/residual.h"
#include "compile/theory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways of choosing the input to branch on. */
typedef enum { CHOOSE_BOTH, CHOOSE_FAR, CHOOSE_NEAR } SearchChoice;

typedef struct {
  ResidualKey key;
  uint32_t node;
  bool used;
} SearchMemo;

/* What ends a search early; shared by all searches of a compilation. */
typedef struct {
  size_t nodes;            /* of the circuit; 0: no limit */
  size_t memory;           /* bytes of residuals, memos and nodes; 0: no limit */
  size_t branches;         /* of this question; 0: no limit */
  double deadline;         /* of the monotonic clock, in seconds; 0: none */
  const atomic_bool *stop; /* NULL: nobody stops it */
} SearchLimits;

typedef struct {
  ResidualPart part;
  uint32_t input;      /* branched on; THEORY_NONE: the whole question */
  bool low;            /* the branch under way */
  uint32_t high;       /* node of the other, finished branch */
  size_t words, parts; /* heights of the residual's stacks before the branch */
  size_t next;         /* the branch's next part */
  size_t results;      /* height of results before the branch */
} SearchFrame;

typedef struct {
  const Theory *theory;
  Circuit *circuit;         /* borrowed; nodes are added to it */
  const uint32_t *variable; /* borrowed, by atom: in the circuit; CIRCUIT_NONE: none */
  Residual residual;
  SearchMemo *memo; /* open addressing */
  size_t memo_room, memo_used;
  VEC(SearchFrame) frames;
  VEC(uint32_t) results; /* nodes of finished parts */
  SearchChoice choice;
  bool far;        /* the way of choosing that was good last */
  size_t branches; /* made so far: what the search cost */
  size_t deepest;  /* most inputs decided at once */
} Search;

void search_begin(Search *, const Theory *, Circuit *, const uint32_t *variable, SearchChoice);
void search_free(Search *);
void search_forget(Search *); /* the memo: node numbers have changed */

/* Names a question; its lists are sorted and without repeats. */
ResidualKey search_key(const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                       size_t wants);

/* Compiles the theory with the literals of `evidence` (of theory atoms) true
** and the truth of `wanted` atoms told.  LIMIT or INTERRUPTED leave the search
** usable for the next question. */
Status search_compile(Search *, const uint32_t *evidence, size_t evidences, const uint32_t *wanted,
                      size_t wants, const SearchLimits *, uint32_t *node);

#endif
