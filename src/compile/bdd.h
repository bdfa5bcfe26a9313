/* bdd.h - ordered binary decision diagrams with a budget.
**
** Variables are numbers; smaller ones are nearer the root.  Nodes are made
** once and never moved, children before parents; 0 is false, 1 is true.  When
** the budget is spent every operation returns BDD_OVER, which spreads, so a
** caller checks once at the end.  No complement edges, no garbage collection:
** diagrams here are small steps on the way to a theory. */
#ifndef COMPILE_BDD_H
#define COMPILE_BDD_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BDD_FALSE 0u
#define BDD_TRUE 1u
#define BDD_OVER UINT32_MAX

typedef struct {
  uint32_t variable, high, low;
} BddNode;

typedef struct {
  uint64_t key;
  uint32_t result;
  uint32_t operation; /* 0: empty */
} BddMemo;

typedef struct {
  uint32_t f, g;
  uint32_t high; /* the finished high half; BDD_OVER: not yet */
  bool entered;
} BddFrame;

typedef struct {
  VEC(BddNode) nodes;
  uint32_t *unique; /* open addressing; 0 is empty */
  size_t unique_room;
  BddMemo *memo; /* direct-mapped; forgetting is harmless */
  size_t memo_room;
  VEC(BddFrame) stack;
  size_t limit; /* nodes */
} Bdd;

void bdd_begin(Bdd *, size_t limit);
void bdd_free(Bdd *);
uint32_t bdd_node(Bdd *, uint32_t variable, uint32_t high, uint32_t low);
uint32_t bdd_literal(Bdd *, uint32_t variable, bool negated);
uint32_t bdd_and(Bdd *, uint32_t f, uint32_t g);
uint32_t bdd_or(Bdd *, uint32_t f, uint32_t g);
/* Removes the odd variables. */
uint32_t bdd_exists_odd(Bdd *, uint32_t f);

#endif
