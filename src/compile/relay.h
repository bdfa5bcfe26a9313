/* relay.h - circuit nodes that another thread makes.
**
** Who searches flat parts or clauses looks at values and keys; of a node it only has to know
** whether it is false.  So it can leave the making of nodes to a thread that has nothing else
** to do: it orders them, refers to what it has ordered by number, and goes on.  They are made
** in the order of the orders, which is that of one thread: the circuit is the same to the last
** bit, and so is the work that is counted.
**
** A reference is a node, or the number of an order with the bit RELAY_ORDERED.  A product is
** one of the next decision's two operands and has no number. */
#ifndef COMPILE_RELAY_H
#define COMPILE_RELAY_H

#include "circuit/circuit.h"
#include "compile/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RELAY_ORDERED 0x80000000u

/* Calls work(data), which searches, while another thread makes nodes, if there is one to spare
** and `budget` is worth it.  Then all nodes are there, the memo refers to nodes, and *node is
** that of the last product, unless it is CIRCUIT_NONE: work was not through.  LIMIT: the nodes
** came to a limit at one of the search's looks at them. */
Status relay_run(Search *, const SearchLimits *, uint64_t budget, void (*work)(void *data),
                 void *data, uint32_t *node);

/* For relay_product: an order, which says whether the product is false. */
uint32_t relay_order_product(Relay *, const uint32_t *refs, size_t n);
uint32_t relay_order_decision(Relay *, uint32_t variable, uint32_t high, uint32_t low);
uint32_t relay_order_literal(Relay *, uint32_t variable, bool negated);

/* Has the nodes compared with the limits, beside so many bytes of the search; whether an earlier
** look found that there are too many. */
bool relay_look(Relay *, size_t bytes);

/* As those of the circuit: at once, or ordered. */
static inline uint32_t relay_product(const Search *s, const uint32_t *refs, size_t n) {
  return s->relay ? relay_order_product(s->relay, refs, n) : circuit_product(s->circuit, refs, n);
}

static inline uint32_t relay_decision(const Search *s, uint32_t variable, uint32_t high,
                                      uint32_t low) {
  return s->relay ? relay_order_decision(s->relay, variable, high, low)
                  : circuit_decision(s->circuit, variable, high, low);
}

static inline uint32_t relay_literal(const Search *s, uint32_t variable, bool negated) {
  return s->relay ? relay_order_literal(s->relay, variable, negated)
                  : circuit_literal(s->circuit, variable, negated);
}

#endif
