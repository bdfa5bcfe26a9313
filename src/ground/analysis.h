/* analysis.h - loops and components of a sealed ground program.
**
** Read from a sealed Ground; the arrays are indexed by atom and owned here. */
#ifndef GROUND_ANALYSIS_H
#define GROUND_ANALYSIS_H

#include "base/graph.h"
#include "base/memory.h"
#include "ground/ground.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t *scc; /* strongly connected component of the positive
                 ** dependency graph; numbered bottom-up: a component
                 ** depends only on smaller numbers and itself */
  uint32_t sccs;
  uint32_t *scc_size;  /* by scc: number of atoms */
  bool *looping;       /* by scc: it contains a positive cycle */
  bool *head_cyclic;   /* by scc: a disjunction has two heads in it */
  uint32_t *component; /* of the undirected graph: atoms that share a rule;
                       ** NONE for atoms that are certain or impossible */
  uint32_t components;
  uint32_t *kind; /* by component: equal components have equal kinds,
                  ** numbered by first occurrence */
  uint32_t kinds;
  Atom *member;    /* open atoms, component after component; those of
                   ** equal components correspond position by position */
  uint32_t *first; /* by component: where its atoms start in member;
                   ** first[components] is the end */
  uint32_t loops;  /* number of looping components */
  bool tight, head_cycle_free;
} Analysis;

void analysis_make(const Ground *, Analysis *);
void analysis_free(Analysis *);

/* Re-checks every number; for debug builds. */
bool analysis_valid(const Ground *, const Analysis *);

/* By atom: the atoms in the positive bodies of its rules. */
GraphLists positive_edges(const Ground *);

/* loop.c: the atoms of a short positive loop, each one before an atom of its
** rules' bodies; empty if the program is tight. */
typedef VEC(Atom) Atoms;
void loop_find(const Ground *, const Analysis *, Atoms *);

/* The names of the loop's atoms, as text for people. */
void loop_write(const Ground *names, const Atoms *, Text *);

#endif
