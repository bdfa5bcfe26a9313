/* size.c - how many nodes are below one, and what all of them take. */
#include "circuit/circuit.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

size_t circuit_size(const Circuit *c, uint32_t node) {
  assert(node < c->nodes.n);
  bool *below = memory_zero(c->nodes.n, sizeof *below);
  size_t size = 0;
  below[node] = true;
  circuit_mark(c, below);
  for (size_t i = 0; i < c->nodes.n; i++)
    size += below[i];
  free(below);
  return size;
}

size_t circuit_memory(const Circuit *c) {
  return c->nodes.room * sizeof *c->nodes.at + c->children.room * sizeof *c->children.at +
         c->unique_room * sizeof *c->unique;
}
