/* size.c - how many nodes are below one. */
#include "circuit/circuit.h"

#include <stdlib.h>

size_t circuit_size(const Circuit *c, uint32_t root) {
  bool *below = memory_zero(c->nodes.n, sizeof *below);
  size_t size = 0;
  below[root] = true;
  for (size_t i = root + (size_t)1; i-- > 0;) { /* parents before children */
    const CircuitNode *node = &c->nodes.at[i];
    if (!below[i])
      continue;
    size++;
    if (i <= CIRCUIT_TRUE)
      continue;
    if (node->variable != CIRCUIT_NONE)
      below[node->first] = below[node->second] = true;
    else
      for (uint32_t k = 0; k < node->second; k++)
        below[c->children.at[node->first + k]] = true;
  }
  free(below);
  return size;
}
