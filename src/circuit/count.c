/* count.c - the number of models, exactly; see circuit.h.
**
** A node's value is the share of all assignments to the inputs that are its
** models: a dyadic fraction, number / 2^depth.  A variable that is skipped
** leaves the share as it is, and at the root the share times 2^inputs is the
** count. */
#include "base/big.h"
#include "base/memory.h"
#include "circuit/circuit.h"
#include "circuit/dyadic.h"

#include <assert.h>
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Nodes below the root's parts. */
static bool *reachable(const Circuit *c, const CircuitRoot *root) {
  bool *mark = memory_zero(c->nodes.n, 1);
  for (size_t i = 0; i < root->parts.n; i++)
    mark[root->parts.at[i].node] = true;
  circuit_mark(c, mark);
  mark[CIRCUIT_FALSE] = mark[CIRCUIT_TRUE] = true;
  return mark;
}

static void count_decision(const Circuit *c, const CircuitNode *node, Dyadic *shares, Dyadic *s) {
  assert(node->variable < c->variables.n);
  dyadic_add(&shares[node->first], &shares[node->second], s);
  s->depth += c->variables.at[node->variable].sort == CIRCUIT_INPUT;
  dyadic_reduce(s);
}

static void count_product(const Circuit *c, const CircuitNode *node, Dyadic *shares, Dyadic *s) {
  mpz_set_ui(s->number, 1);
  for (uint32_t k = 0; k < node->second; k++) {
    const Dyadic *child = &shares[c->children.at[node->first + k]];
    mpz_mul(s->number, s->number, child->number);
    s->depth += child->depth;
  }
}

static mp_bitcnt_t block_inputs(const Circuit *c, const CircuitBlock *block) {
  mp_bitcnt_t inputs = 0;
  for (uint32_t v = block->first; v < block->first + block->count; v++)
    inputs += c->variables.at[v].sort == CIRCUIT_INPUT;
  return inputs;
}

static void multiply_parts(const Circuit *c, const CircuitRoot *root, const Dyadic *shares,
                           mpz_t total) {
  mpz_t factor;
  mpz_init(factor);
  mpz_set_ui(total, 1);
  for (size_t i = 0; i < root->parts.n; i++) {
    const CircuitPart *part = &root->parts.at[i];
    const Dyadic *s = &shares[part->node];
    mp_bitcnt_t inputs = block_inputs(c, &c->blocks.at[part->block]);
    assert(s->depth <= inputs); /* so that the quotient is exact */
    mpz_mul_2exp(factor, s->number, inputs);
    mpz_tdiv_q_2exp(factor, factor, s->depth);
    mpz_pow_ui(factor, factor, part->copies);
    mpz_mul(total, total, factor);
  }
  mpz_clear(factor);
}

char *circuit_count(const Circuit *c, const CircuitRoot *root) {
  big_begin();
  bool *mark = reachable(c, root);
  Dyadic *shares = memory_zero(c->nodes.n, sizeof *shares);
  for (size_t i = 0; i < c->nodes.n; i++) {
    if (!mark[i])
      continue;
    mpz_init_set_ui(shares[i].number, i == CIRCUIT_TRUE);
    if (i > 1 && c->nodes.at[i].variable != CIRCUIT_NONE)
      count_decision(c, &c->nodes.at[i], shares, &shares[i]);
    else if (i > 1)
      count_product(c, &c->nodes.at[i], shares, &shares[i]);
  }
  mpz_t total;
  mpz_init(total);
  multiply_parts(c, root, shares, total);
  char *text = memory_zero(mpz_sizeinbase(total, 10) + 2, 1);
  mpz_get_str(text, 10, total);
  mpz_clear(total);
  for (size_t i = 0; i < c->nodes.n; i++)
    if (mark[i])
      mpz_clear(shares[i].number);
  free(shares);
  free(mark);
  return text;
}
